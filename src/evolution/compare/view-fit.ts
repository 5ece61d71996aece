import type { JsonObject } from '../snapshot.ts'
import { type Property, propertyOf } from './properties.ts'
import { type LinkForm, tableRows } from './view-forms.ts'

/** Values that have to be among others. */
export interface Within {
  readonly one: JsonObject
  readonly other: JsonObject
}

/** What has to hold for a field of a view. */
export interface Fit {
  readonly sets: readonly Within[]
  /** A missing field on one side is required on the other. */
  readonly isLacking: boolean
}

/** What schemas say of a field: what has to hold, or that they cannot judge it. */
export type FieldFit = Fit | 'untold' | undefined

const text: JsonObject = { type: 'string' }
const none: JsonObject = { type: 'null' }

function either(...schemas: readonly JsonObject[]): JsonObject {
  const definitions = schemas.map(({ $defs }) => $defs)
  const found = definitions.find((one) => one !== undefined)
  return { anyOf: schemas, ...(found !== undefined && { $defs: found }) }
}

/** Returns what has to hold so that the resource beneath takes what a view takes. */
export function fitOfRequest(link: LinkForm, shown: Property, beneath: JsonObject): FieldFit {
  if (link.form === 'function') return 'untold'
  if (link.form === 'always')
    return { sets: [{ one: shown.schema, other: { const: link.value } }], isLacking: false }
  const sources = (link.form === 'join' ? link.of : [link.of]).map((of) => propertyOf(beneath, of))
  const [source] = sources
  if (source === undefined || sources.includes(undefined)) return undefined
  const isLacking = source.isRequired && !shown.isRequired
  switch (link.form) {
    case 'plain':
      return { sets: [{ one: shown.schema, other: source.schema }], isLacking }
    case 'values': {
      const rows = tableRows(link.values, source.schema)
      const known: JsonObject = { enum: rows.map((row) => row.shown) }
      const first = rows.filter(
        ({ shown: value }, at) => rows.findIndex((row) => row.shown === value) === at,
      )
      const written: JsonObject = { enum: first.map(({ stored }) => stored) }
      return {
        sets: [
          { one: shown.schema, other: either(known, none) },
          { one: written, other: source.schema },
        ],
        isLacking,
      }
    }
    case 'absent':
      return {
        sets: [
          { one: shown.schema, other: either(source.schema, none) },
          ...(shown.isRequired ? [] : [{ one: { const: link.absent }, other: source.schema }]),
        ],
        isLacking: false,
      }
    case 'member': {
      const member = propertyOf(source.schema, link.member)
      if (member === undefined) return undefined
      return {
        sets: [{ one: shown.schema, other: member.schema }],
        isLacking: member.isRequired && !shown.isRequired,
      }
    }
    // Any text can come out where two are joined or one is split.
    case 'join':
    case 'part':
      return sources.every((one) => isAnyText(one)) ? { sets: [], isLacking: false } : 'untold'
  }
}

function isAnyText(property: Property | undefined): boolean {
  const { description: _, title: __, ...schema } = property?.schema ?? {}
  return JSON.stringify(schema) === JSON.stringify(text)
}

/** Returns what has to hold so that a view shows what the resource beneath holds. */
export function fitOfItem(link: LinkForm, shown: Property, beneath: JsonObject): FieldFit {
  if (link.form === 'function') return 'untold'
  if (link.form === 'always')
    return { sets: [{ one: { const: link.value }, other: shown.schema }], isLacking: false }
  const sources = (link.form === 'join' ? link.of : [link.of]).map((of) => propertyOf(beneath, of))
  const [source] = sources
  if (source === undefined || sources.includes(undefined)) return undefined
  const isLacking = shown.isRequired && !sources.some((one) => one?.isRequired)
  switch (link.form) {
    case 'plain':
      return { sets: [{ one: source.schema, other: shown.schema }], isLacking }
    case 'values': {
      const rows = tableRows(link.values, source.schema)
      const known: JsonObject = { enum: rows.map(({ stored }) => stored) }
      return {
        sets: [
          { one: source.schema, other: either(known, none) },
          { one: { enum: rows.map((row) => row.shown) }, other: shown.schema },
        ],
        isLacking,
      }
    }
    case 'absent':
      return {
        sets: [
          { one: source.schema, other: either(shown.schema, none) },
          ...(source.isRequired ? [] : [{ one: { const: link.absent }, other: shown.schema }]),
        ],
        isLacking: false,
      }
    case 'member': {
      const member = propertyOf(source.schema, link.member)
      if (member === undefined) return undefined
      return {
        sets: [{ one: member.schema, other: shown.schema }],
        isLacking: shown.isRequired && !(source.isRequired && member.isRequired),
      }
    }
    case 'join':
    case 'part':
      return isAnyText(shown) ? { sets: [], isLacking } : 'untold'
  }
}

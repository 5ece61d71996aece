import type { JsonObject } from '../snapshot.ts'
import { type Property, propertyOf } from './properties.ts'
import { type LinkForm, tableRows } from './view-forms.ts'

/** Values that have to be among others. */
interface Within {
  readonly one: JsonObject
  readonly other: JsonObject
}

/** A condition on a field of a view. */
interface Fit {
  readonly sets: readonly Within[]
  /** A missing field on one side is required on the other. */
  readonly isLacking: boolean
}

/** The claim of schemas about a field: a condition, nothing, or that they cannot judge it. */
export type FieldFit = Fit | 'untold' | undefined

/** A link of one source, at both ends. */
interface Ends<Form extends LinkForm['form']> {
  readonly link: Extract<LinkForm, { readonly form: Form }>
  readonly shown: Property
  /** The first source field. */
  readonly source: Property
  readonly sources: readonly Property[]
}

type Reached = Exclude<LinkForm['form'], 'always' | 'function'>

type FitsOf = { readonly [Form in Reached]: (ends: Ends<Form>) => FieldFit }

/** Returns what has to hold so that its source resource takes what a view takes. */
export function fitOfRequest(link: LinkForm, shown: Property, source: JsonObject): FieldFit {
  if (link.form === 'always')
    return { sets: [{ one: shown.schema, other: { const: link.value } }], isLacking: false }
  return fitBy(requestFits, { link, shown, source })
}

/** Returns what has to hold so that a view shows what its source resource holds. */
export function fitOfItem(link: LinkForm, shown: Property, source: JsonObject): FieldFit {
  if (link.form === 'always')
    return { sets: [{ one: { const: link.value }, other: shown.schema }], isLacking: false }
  return fitBy(itemFits, { link, shown, source })
}

interface Asked {
  readonly link: Exclude<LinkForm, { readonly form: 'always' }>
  readonly shown: Property
  readonly source: JsonObject
}

function fitBy(fits: FitsOf, { link, shown, source: schema }: Asked): FieldFit {
  if (link.form === 'function') return 'untold'
  const names = link.form === 'join' ? link.of : [link.of]
  const sources = names.flatMap((name) => propertyOf(schema, name) ?? [])
  const [source] = sources
  if (source === undefined || sources.length < names.length) return undefined
  // The table has the function of this form.
  const fit = fits[link.form] as (ends: Ends<Reached>) => FieldFit
  return fit({ link, shown, source, sources })
}

const none: JsonObject = { type: 'null' }

function either(...schemas: readonly JsonObject[]): JsonObject {
  const found = schemas.map(({ $defs }) => $defs).find((one) => one !== undefined)
  return { anyOf: schemas, ...(found !== undefined && { $defs: found }) }
}

function isNeeded({ shown, source }: Pick<Ends<Reached>, 'shown' | 'source'>): boolean {
  return source.isRequired && !shown.isRequired
}

const requestFits: FitsOf = {
  plain: (ends) => ({
    sets: [{ one: ends.shown.schema, other: ends.source.schema }],
    isLacking: isNeeded(ends),
  }),
  values: (ends) => {
    const { link, shown, source } = ends
    const rows = tableRows(link.values, source.schema)
    // Several stored values may read as one: a write takes the first.
    const first = rows.filter((row, at) => rows.findIndex((one) => one.shown === row.shown) === at)
    return {
      sets: [
        { one: shown.schema, other: either({ enum: rows.map((row) => row.shown) }, none) },
        { one: { enum: first.map(({ stored }) => stored) }, other: source.schema },
      ],
      isLacking: isNeeded(ends),
    }
  },
  absent: ({ link, shown, source }) => ({
    sets: [
      { one: shown.schema, other: either(source.schema, none) },
      ...(shown.isRequired ? [] : [{ one: { const: link.absent }, other: source.schema }]),
    ],
    isLacking: false,
  }),
  member: ({ link, shown, source }) => {
    const member = propertyOf(source.schema, link.member)
    return (
      member && {
        sets: [{ one: shown.schema, other: member.schema }],
        isLacking: isNeeded({ shown, source: member }),
      }
    )
  },
  // Any text can come out where two are joined or one is split.
  join: (ends) =>
    ends.sources.every(isAnyText) ? { sets: [], isLacking: isNeeded(ends) } : 'untold',
  part: ({ source }) => (isAnyText(source) ? { sets: [], isLacking: false } : 'untold'),
}

function isAnyText({ schema }: Property): boolean {
  const words = ['type', 'description', 'title', 'deprecated', 'default']
  return schema.type === 'string' && Object.keys(schema).every((key) => words.includes(key))
}

function isMissing({ shown, sources }: Pick<Ends<Reached>, 'shown' | 'sources'>): boolean {
  return shown.isRequired && !sources.some(({ isRequired }) => isRequired)
}

const itemFits: FitsOf = {
  plain: (ends) => ({
    sets: [{ one: ends.source.schema, other: ends.shown.schema }],
    isLacking: isMissing(ends),
  }),
  values: (ends) => {
    const { link, shown, source } = ends
    const rows = tableRows(link.values, source.schema)
    return {
      sets: [
        { one: source.schema, other: either({ enum: rows.map(({ stored }) => stored) }, none) },
        { one: { enum: rows.map((row) => row.shown) }, other: shown.schema },
      ],
      isLacking: isMissing(ends),
    }
  },
  absent: ({ link, shown, source }) => ({
    sets: [
      { one: source.schema, other: either(shown.schema, none) },
      ...(source.isRequired ? [] : [{ one: { const: link.absent }, other: shown.schema }]),
    ],
    isLacking: false,
  }),
  member: ({ link, shown, source }) => {
    const member = propertyOf(source.schema, link.member)
    return (
      member && {
        sets: [{ one: member.schema, other: shown.schema }],
        isLacking: shown.isRequired && !(source.isRequired && member.isRequired),
      }
    )
  },
  join: (ends) => (isAnyText(ends.shown) ? { sets: [], isLacking: isMissing(ends) } : 'untold'),
  part: (ends) => (isAnyText(ends.shown) ? { sets: [], isLacking: isMissing(ends) } : 'untold'),
}

import type { AnyOptions } from '../contract/declare/define-resource.ts'
import {
  absentLink,
  constantLink,
  derivedMembers,
  functionLink,
  type Link,
  memberLink,
  nullLink,
  plainLink,
  tableLink,
} from '../contract/resource/link.ts'
import type { Resource } from '../contract/resource/resource.ts'
import { jsonSchemaOf, membersOf, propertiesOf, typesOf } from '../contract/schema/json-schema.ts'
import type { StandardSchema } from '../contract/schema/schema.ts'
import { declaredList, meant } from '../convention/declaration.ts'
import { fieldOf, isRecord, putField } from '../convention/value.ts'
import { fieldsWithNull, noObjectFor } from './values.ts'

/** How a view comes from the resource that it shows. */
export interface Mapping {
  /** The source resource: a resource, or another view. */
  readonly of: Resource
  /** The links of all fields of the view: the id first, the others in the order of its schema. */
  readonly links: readonly Link[]
  /** The hidden fields with their values for new items, or functions that make them. */
  readonly hidden: readonly (readonly [field: string, initial: unknown])[]
  /** The view hides no field of the source resource, and each link is plain. */
  readonly isWhole: boolean
}

/** Tells whether only the server sets a field of a view. */
export function isSetByServer(field: string, { readOnly, revision }: AnyOptions): boolean {
  return declaredList(readOnly).includes(field) || field === revision
}

/** Returns the link of a field of the view; `undefined` for an unknown field. */
export function linkOf(field: string, { links }: Pick<Mapping, 'links'>): Link | undefined {
  return links.find(({ fields }) => fields.includes(field))
}

/** The fields of a view, as declared. */
interface DeclaredFields {
  readonly names: readonly string[]
  /** The option `fields`. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly schema: StandardSchema
}

/** Makes the links of a view, and the faults of the option `fields`. */
export function linksOf(
  of: Resource,
  { names, fields, schema }: DeclaredFields,
): { readonly links: readonly Link[]; readonly faults: readonly string[] } {
  // The id leads, as in the items of every store.
  const ordered = ['id', ...names.filter((field) => field !== 'id')]
  const declared = ordered.map((field) => [field, fieldOf(fields, field) ?? field] as const)
  const links: Link[] = []
  const faults = Object.keys(fields)
    .filter((field) => !names.includes(field))
    .map((field) => `links "${field}", which is no field: ${meant(field, names)}`)
  const linkedFields = new Set<string>()
  for (const [field, link] of declared) {
    if (linkedFields.has(field)) continue
    const newLink = isPart(link) ? readParts(link, declared) : readLink(field, link, of.schema)
    if (newLink === undefined) {
      faults.push(`links "${field}" by a form that does not exist: write ${formsLike(link)}`)
      continue
    }
    links.push(nullLink(newLink, fieldsWithNull(newLink, { of, view: { schema } })))
    for (const name of newLink.fields) linkedFields.add(name)
  }
  return { links, faults }
}

const forms = [
  { of: "'state'", values: '{ active: true, … }' },
  { of: "'country'", absent: "'US'" },
  { of: "'cents'", read: 'a function', write: 'its inverse' },
  { join: "['first', 'last']", split: "'first' or 'last'" },
  { part: '0 or 1', of: "'name'", split: "'first' or 'last'" },
  { in: "'address'", field: "'city'" },
  { always: 'a constant' },
].map((form) => new Map(Object.entries(form)))

// The forms with all members that the link has, else with some, else all.
function formsLike(link: unknown): string {
  const members = isRecord(link) ? Object.keys(link) : []
  const fullMatches = forms.filter((form) => members.every((name) => form.has(name)))
  const partialMatches = forms.filter((form) => members.some((name) => form.has(name)))
  const matches = members.length > 0 && fullMatches.length > 0 ? fullMatches : partialMatches
  const texts = (matches.length > 0 ? matches : forms).map(
    (form) => `{ ${[...form].map(([name, value]) => `${name}: ${value}`).join(', ')} }`,
  )
  return [...(matches.length > 0 ? [] : ['the name of a field']), ...texts].join(', or ')
}

interface Part {
  readonly part: unknown
  readonly of?: unknown
  readonly split?: unknown
}

type DeclaredLinks = readonly (readonly [field: string, link: unknown])[]

function isPart(link: unknown): link is Part {
  return isRecord(link) && 'part' in link
}

// The parts of one text are one link.
function readParts({ of, split }: Part, declared: DeclaredLinks): Link | undefined {
  if (typeof of !== 'string' || !isSplit(split)) return undefined
  const fields = [0, 1].map((position) => {
    const entry = declared.find(
      ([, link]) =>
        isPart(link) && link.of === of && link.split === split && link.part === position,
    )
    return entry?.[0]
  })
  return fields.some((field) => field !== undefined) ? partsLink(fields, of, split) : undefined
}

function isSplit(at: unknown): boolean {
  return at === 'first' || at === 'last'
}

function readLink(field: string, link: unknown, sourceSchema: StandardSchema): Link | undefined {
  if (typeof link === 'string') return plainLink(field, link)
  if (!isRecord(link)) return undefined
  const { of, values, absent, join, split, in: object, field: member } = link
  if ('always' in link) return constantLink(field, link.always)
  if (Array.isArray(join)) {
    const isPair = join.length === 2 && join.every((source) => typeof source === 'string')
    return isPair && isSplit(split) ? joinLink(field, join, split) : undefined
  }
  if (typeof object === 'string' && typeof member === 'string') {
    const none = noObjectFor({ schema: sourceSchema }, [object, member])
    return memberLink(field, { source: object, member, none })
  }
  if (typeof of !== 'string') return undefined
  if (isRecord(values)) return tableLink(field, of, { values, types: typesIn(sourceSchema, of) })
  if (absent !== undefined && absent !== null) return absentLink(field, of, absent)
  return readFunctions(field, of, link)
}

// The keys of a table are text: the types say what they stand for.
function typesIn(schema: StandardSchema, field: string): readonly string[] {
  const types = membersOf(jsonSchemaOf(schema) ?? {})
    .flatMap(propertiesOf)
    .filter(([name]) => name === field)
    .flatMap(([, property]) => membersOf(property).flatMap(typesOf))
  return types.map((type) => (type === 'integer' ? 'number' : String(type)))
}

function readFunctions(
  field: string,
  of: string,
  { read, write }: Readonly<Record<string, unknown>>,
): Link | undefined {
  if (typeof read !== 'function') return undefined
  if (write !== undefined && typeof write !== 'function') return undefined
  const call = (make: object) => (value: unknown) =>
    Reflect.apply(make as () => unknown, undefined, [value])
  return functionLink(field, of, { read: call(read), write: write && call(write) })
}

/** Splits a text at its first or last space. */
function splitText(text: unknown, at: unknown): readonly [string, string] {
  if (typeof text !== 'string') return ['', '']
  const index = at === 'first' ? text.indexOf(' ') : text.lastIndexOf(' ')
  return index < 0 ? [text, ''] : [text.slice(0, index), text.slice(index + 1)]
}

function joinTexts(values: readonly unknown[]): string | undefined {
  if (values.every((value) => value === undefined || value === null)) return undefined
  return values.filter((value) => typeof value === 'string' && value !== '').join(' ')
}

/** Makes a link of a text that is made of two: `{ join: ['first', 'last'], split: 'last' }`. */
export function joinLink(field: string, sources: readonly string[], at: unknown): Link {
  const show = (_: unknown, base: object): string | undefined =>
    joinTexts(sources.map((source) => fieldOf(base, source)))
  return {
    ...derivedMembers,
    form: 'join',
    fields: [field],
    of: sources,
    isSearched: true,
    readers: [{ field, source: undefined, show }],
    write(view, base) {
      const text = fieldOf(view, field)
      const halves = splitText(text, at)
      for (const [index, source] of sources.entries())
        putField(base, source, text === undefined ? undefined : halves[index])
    },
  }
}

/** Makes the link of the halves of one text: `{ part: 0, of: 'name', split: 'last' }`. */
export function partsLink(
  fields: readonly (string | undefined)[],
  source: string,
  at: unknown,
): Link {
  const names = fields.filter((field) => field !== undefined)
  return {
    ...derivedMembers,
    form: 'part',
    fields: names,
    of: [source],
    isSearched: names.length === 2,
    readers: [0, 1].flatMap((index) => {
      const field = fields[index]
      const show = (text: unknown): unknown =>
        typeof text === 'string' ? splitText(text, at)[index] : text
      return field === undefined ? [] : [{ field, source, show }]
    }),
    write(view, base) {
      const storedHalves = splitText(fieldOf(base, source), at)
      const halves = storedHalves.map((half, index) => {
        const field = fields[index]
        // Nothing is left of a text whose other half is empty.
        if (field === undefined) return half === '' ? undefined : half
        return fieldOf(view, field)
      })
      putField(base, source, joinTexts(halves) ?? (halves.includes(null) ? null : undefined))
    },
  }
}

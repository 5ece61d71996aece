import {
  absentLink,
  constantLink,
  derived,
  functionLink,
  type Link,
  memberLink,
  plainLink,
  tableLink,
} from '../contract/resource/link.ts'
import { fieldOf, isRecord, putField } from '../convention/value.ts'

/** The schema beneath, as links need it. */
export interface BaseSchema {
  /** Returns the JSON types of a field. An integer is a `number`. */
  typesOf(field: string): readonly string[]
  /** Returns the value that stands for an object without members. */
  noneOf(object: string, member: string): unknown
}

/** Links, and the faults of those that cannot be read. */
export interface ReadLinks {
  readonly links: readonly Link[]
  readonly faults: readonly string[]
}

type Declared = readonly (readonly [field: string, link: unknown])[]

/** Makes the links of a view from the option `fields`. */
export function readLinks(declared: Declared, baseSchema: BaseSchema): ReadLinks {
  const links: Link[] = []
  const faults: string[] = []
  const linkedFields = new Set<string>()
  for (const [field, link] of declared) {
    if (linkedFields.has(field)) continue
    const newLink = isPart(link) ? readParts(link, declared) : readLink(field, link, baseSchema)
    if (newLink === undefined) {
      faults.push(`links "${field}" by a form that does not exist: write ${formsLike(link)}`)
      continue
    }
    links.push(newLink)
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
  const like = members.length > 0 && fullMatches.length > 0 ? fullMatches : partialMatches
  const texts = (like.length > 0 ? like : forms).map(
    (form) => `{ ${[...form].map(([name, value]) => `${name}: ${value}`).join(', ')} }`,
  )
  return [...(like.length > 0 ? [] : ['the name of a field']), ...texts].join(', or ')
}

interface Part {
  readonly part: unknown
  readonly of?: unknown
  readonly split?: unknown
}

function isPart(link: unknown): link is Part {
  return isRecord(link) && 'part' in link
}

// The parts of one text are one link.
function readParts({ of, split }: Part, declared: Declared): Link | undefined {
  if (typeof of !== 'string' || !isSplit(split)) return undefined
  const fields = [0, 1].map((position) => {
    const isOne = ([, link]: Declared[number]) =>
      isPart(link) && link.of === of && link.split === split && link.part === position
    return declared.find(isOne)?.[0]
  })
  return fields.some((field) => field !== undefined) ? partsLink(fields, of, split) : undefined
}

function isSplit(at: unknown): boolean {
  return at === 'first' || at === 'last'
}

function readLink(field: string, link: unknown, baseSchema: BaseSchema): Link | undefined {
  if (typeof link === 'string') return plainLink(field, link)
  if (!isRecord(link)) return undefined
  const { of, values, absent, join, split, in: object, field: member } = link
  if ('always' in link) return constantLink(field, link.always)
  if (Array.isArray(join)) {
    const isPair = join.length === 2 && join.every((source) => typeof source === 'string')
    return isPair && isSplit(split) ? joinLink(field, join, split) : undefined
  }
  if (typeof object === 'string' && typeof member === 'string')
    return memberLink(field, { source: object, member, none: baseSchema.noneOf(object, member) })
  if (typeof of !== 'string') return undefined
  if (isRecord(values)) return tableLink(field, of, { values, types: baseSchema.typesOf(of) })
  if (absent !== undefined && absent !== null) return absentLink(field, of, absent)
  return readFunctions(field, of, link)
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
function split(text: unknown, at: unknown): readonly [string, string] {
  if (typeof text !== 'string') return ['', '']
  const place = at === 'first' ? text.indexOf(' ') : text.lastIndexOf(' ')
  return place < 0 ? [text, ''] : [text.slice(0, place), text.slice(place + 1)]
}

function joined(values: readonly unknown[]): string | undefined {
  if (values.every((value) => value === undefined || value === null)) return undefined
  return values.filter((value) => typeof value === 'string' && value !== '').join(' ')
}

/** Makes a link of a text that is made of two: `{ join: ['first', 'last'], split: 'last' }`. */
export function joinLink(field: string, sources: readonly string[], at: unknown): Link {
  const show = (_: unknown, base: object): string | undefined =>
    joined(sources.map((source) => fieldOf(base, source)))
  return {
    ...derived,
    form: 'join',
    fields: [field],
    of: sources,
    isSearched: true,
    readers: [{ field, source: undefined, show }],
    write(view, base) {
      const text = fieldOf(view, field)
      const halves = split(text, at)
      for (const [place, source] of sources.entries())
        putField(base, source, text === undefined ? undefined : halves[place])
    },
  }
}

/** Makes the link of the halves of one text: `{ part: 0, of: 'name', split: 'last' }`. */
export function partsLink(
  fields: readonly (string | undefined)[],
  source: string,
  at: unknown,
): Link {
  const named = fields.filter((field) => field !== undefined)
  return {
    ...derived,
    form: 'part',
    fields: named,
    of: [source],
    isSearched: named.length === 2,
    readers: [0, 1].flatMap((place) => {
      const field = fields[place]
      const show = (text: unknown): unknown =>
        typeof text === 'string' ? split(text, at)[place] : text
      return field === undefined ? [] : [{ field, source, show }]
    }),
    write(view, base) {
      const storedHalves = split(fieldOf(base, source), at)
      const halves = storedHalves.map((half, place) => {
        const field = fields[place]
        // Nothing is left of a text whose other half is empty.
        if (field === undefined) return half === '' ? undefined : half
        return fieldOf(view, field)
      })
      putField(base, source, joined(halves) ?? (halves.includes(null) ? null : undefined))
    },
  }
}

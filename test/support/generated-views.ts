import fc from 'fast-check'
import { defineResource, defineView, type Resource } from 'nounful'
import { z } from 'zod'

export type Fields = Record<string, unknown>
type Kind = 'text' | 'number' | 'boolean' | 'enum' | 'maybe' | 'object' | 'constant'

export interface Field {
  readonly name: string
  readonly kind: Kind
  readonly values: readonly string[]
  readonly isReadOnly: boolean
  /** Each link down to the storage is plain. */
  readonly isPlain: boolean
  /** The storage can compare the values for equality. */
  readonly isFiltered: boolean
  /** The storage can search the words. */
  readonly isSearched: boolean
  /** The halves of texts that it shows: one half alone cannot be searched. */
  readonly halves: readonly string[]
  /** A value that reads back the same; that of its kind if undefined. */
  readonly initial?: unknown
  /** The most that the base takes: characters, or the value of a number. */
  readonly most?: number | undefined
}

/** A resource or a view of one, with what it shows. */
export interface Level {
  readonly resource: Resource
  readonly fields: readonly Field[]
  /** Two numbers in order; no names for no such rule. */
  readonly ordered?: readonly string[]
  /** What {@link defineView} gets, for the same view of another resource. */
  readonly declaration: object
}

/** Says which of several choices is taken. */
type Pick = (choices: number) => number

export const tape = fc.array(fc.nat(), { minLength: 60, maxLength: 60 })

function pickerOf(choices: readonly number[]): Pick {
  let place = 0
  return (count) => (choices[place++ % choices.length] ?? 0) % count
}

const kinds = ['text', 'number', 'boolean', 'enum', 'maybe', 'object', 'text'] as const
const words = ['Ada', 'King', '', 'of', 'Lovelace King', ' ', 'é', '7', ' x', 'a  b', 'x ']
const wordUpTo = (most = 99) => fc.constantFrom(...words.filter(({ length }) => length <= most))

/** Returns values that the schema of a field takes; `undefined` for none. */
function valuesOf({ kind, values, most }: Field): fc.Arbitrary<unknown> {
  const word = wordUpTo(most)
  const object = fc.record({ street: word, city: word })
  if (kind === 'number') return fc.integer({ min: -3, max: most ?? 30 })
  if (kind === 'boolean') return fc.boolean()
  if (kind === 'enum') return fc.constantFrom(...values)
  if (kind === 'maybe') return fc.option(word, { nil: undefined })
  if (kind === 'object') return object
  return kind === 'constant' ? fc.constant(null) : word
}

/** Returns bodies that a level takes, without ids. */
export const bodyOf = ({ fields, ordered = [] }: Level): fc.Arbitrary<Fields> =>
  fc
    .record(Object.fromEntries(writable(fields).map((field) => [field.name, valuesOf(field)])))
    .map((body) => {
      const inOrder = ordered.map((name) => Number(body[name])).sort((one, other) => one - other)
      const put = Object.fromEntries(ordered.map((name, place) => [name, inOrder[place]]))
      return JSON.parse(JSON.stringify({ ...body, ...put }))
    })

const writable = (fields: readonly Field[]) => fields.filter((field) => !field.isReadOnly)

function schemaOf({ kind, values, most = 1000 }: Field): z.ZodType {
  const text = z.string().max(most)
  if (kind === 'number') return z.int().max(most)
  if (kind === 'boolean') return z.boolean()
  if (kind === 'enum') return z.enum(values)
  if (kind === 'maybe') return text.optional()
  if (kind === 'object') return z.object({ street: text, city: text })
  return kind === 'constant' ? z.null() : text
}

function searchedAmong(fields: readonly Field[]): readonly Field[] {
  const all = new Set(fields.flatMap(({ halves }) => halves))
  const isWhole = ({ halves }: Field) =>
    halves.every((half) => all.has(half.replace(/.$/, half.endsWith('a') ? 'b' : 'a')))
  const kept = fields.filter(isWhole)
  return kept.length === fields.length ? kept : searchedAmong(kept)
}

// A rule over two fields, which names the second.
function inOrder<Schema extends z.ZodType>(schema: Schema, [one, two]: readonly string[]) {
  if (one === undefined || two === undefined) return schema
  const isInOrder = (body: unknown) => Number(Object(body)[one]) <= Number(Object(body)[two])
  return schema.refine(isInOrder, { path: [two], message: 'is too small' })
}

interface Rules {
  readonly hasRevision: boolean
  readonly ordered?: readonly string[]
}

function declarationOf(fields: readonly Field[], { hasRevision, ordered = [] }: Rules) {
  const shape = (some: readonly Field[]) =>
    Object.fromEntries(some.map((field) => [field.name, schemaOf(field)]))
  const plain = fields.filter(({ isPlain, kind }) => isPlain && kind !== 'object')
  const names = plain.map(({ name }) => name)
  const revision = hasRevision ? { revision: z.int() } : {}
  return {
    schema: z.object({ id: z.string(), ...shape(fields), ...revision }),
    create: inOrder(z.object({ id: z.string().optional(), ...shape(writable(fields)) }), ordered),
    update: inOrder(z.object(shape(writable(fields))), ordered),
    readOnly: fields.filter(({ isReadOnly }) => isReadOnly).map(({ name }) => name),
    sortable: names,
    filterable: fields.filter(({ isFiltered }) => isFiltered).map(({ name }) => name),
    searchable: searchedAmong(fields.filter(({ isSearched }) => isSearched)).map(
      ({ name }) => name,
    ),
    ...(hasRevision && { revision: 'revision' }),
  }
}

// Every object inherits some, and pointers escape others.
const oddNames = ['constructor', 'toString', 'valueOf', 'a/b~stored', 'hasOwnProperty']

function baseOf(pick: Pick, isPlain: boolean): Level {
  const fields = Array.from({ length: 3 + pick(6) }, (_, at): Field => {
    const kind = kinds[pick(kinds.length)] ?? 'text'
    const isText = kind === 'text' || kind === 'maybe'
    // Validators take what an object inherits for a field that is missing.
    const odd = pick(4) === 0 && kind !== 'maybe' ? oddNames[at] : undefined
    const most = kind === 'number' ? 20 : pick(2) === 0 ? 5 : undefined
    return {
      name: odd ?? `stored${at}x`,
      kind,
      values: kind === 'enum' ? ['one', 'two', 'three'] : [],
      isReadOnly: false,
      isPlain: true,
      isFiltered: kind !== 'object',
      isSearched: isText,
      halves: [],
      // A mirror of a plain view refuses no more than the view.
      most: isPlain ? undefined : most,
    }
  })
  const numbers = fields.filter(({ kind }) => kind === 'number').map(({ name }) => name)
  const ordered = numbers.length > 1 && !isPlain ? numbers.slice(0, 2) : []
  const declaration = declarationOf(fields, { hasRevision: true, ordered })
  return {
    ordered,
    resource: Reflect.apply(defineResource, null, ['things', declaration]),
    fields,
    declaration,
  }
}

/** What becomes of some fields in a view. */
interface Shown {
  readonly fields?: readonly Field[]
  readonly links?: Fields
  readonly hidden?: Fields
}

const initials = { text: '', number: 0, boolean: false, object: { street: 's', city: 'c' } }

function hide({ name, kind, values, isReadOnly, initial }: Field): Shown {
  if (isReadOnly || kind === 'maybe') return {}
  const usual = kind === 'enum' ? values[0] : { ...initials, constant: null }[kind]
  return { hidden: { [name]: initial ?? usual } }
}

// No view knows what its base refuses.
const same = (field: Field): Shown => ({ fields: [{ ...field, most: undefined }] })
const renamed = (field: Field, name: string): Shown => ({
  fields: [{ ...field, name, most: undefined }],
  links: { [name]: field.name },
})

function made(field: Field, name: string, link: object, change: Partial<Field> = {}): Shown {
  const derived = { isPlain: false, isFiltered: false, isSearched: false, most: undefined }
  return { fields: [{ ...field, ...derived, ...change, name }], links: { [name]: link } }
}

const reversed = (value: unknown) => [...String(value)].reverse().join('')
type Form = (field: Field, name: string) => Shown

function partsOf(field: Field, name: string): Shown {
  const of = { of: field.name, split: 'last' }
  const { isSearched, halves } = field
  const [one, two] = ['a', 'b'].map((half, part) =>
    made(
      field,
      name + half,
      { ...of, part },
      {
        isSearched,
        halves: [...halves, name + half],
        initial: part === 0 ? field.initial : '',
      },
    ),
  ) as [Shown, Shown]
  const fields = [one, two].flatMap((part) => part.fields ?? [])
  return { fields, links: { ...one.links, ...two.links } }
}

const ofKind: Readonly<Record<Kind, readonly Form[]>> = {
  text: [
    partsOf,
    (field, name) => made(field, name, { of: field.name, read: reversed, write: reversed }),
    (field, name) => {
      const read = (text: string) => text.slice(0, 1)
      const hidden = { hidden: hide(field).hidden ?? {} }
      return { ...made(field, name, { of: field.name, read }, { isReadOnly: true }), ...hidden }
    },
  ],
  number: [
    (field, name) =>
      made(
        field,
        name,
        { of: field.name, read: String, write: Number },
        { kind: 'text', initial: '0' },
      ),
  ],
  boolean: [
    (field, name) =>
      made(
        field,
        name,
        { of: field.name, values: { true: 'yes', false: 'no' } },
        {
          kind: 'enum',
          values: ['yes', 'no'],
          isFiltered: field.isFiltered,
        },
      ),
  ],
  enum: [
    (field, name) => {
      const values = Object.fromEntries(field.values.map((value, at) => [value, at === 0]))
      const { isFiltered } = field
      return made(field, name, { of: field.name, values }, { kind: 'boolean', isFiltered })
    },
  ],
  maybe: [
    (field, name) => {
      const { isFiltered } = field
      return made(field, name, { of: field.name, absent: 'no' }, { kind: 'text', isFiltered })
    },
  ],
  object: [
    (field, name) => ({
      ...made(field, name, { in: field.name, field: 'city' }, { kind: 'text' }),
      hidden: { [field.name]: { street: 's', city: 'c' } },
    }),
  ],
  constant: [],
}

function viewOf(source: Level, { name, pick, isPlain }: ViewOptions): Level {
  const shown: Shown[] = []
  const left = [...source.fields]
  for (let field = left.shift(); field !== undefined; field = left.shift()) {
    const own = `${name}${shown.length}x`
    const [next] = left
    const isPair = [field, next].every((one) => one?.kind === 'text' && !one.isReadOnly)
    if (isPair && next && !isPlain && pick(3) === 0) {
      const link = { join: [field.name, next.name], split: 'last' }
      const isSearched = field.isSearched && next.isSearched
      const halves = [...field.halves, ...next.halves]
      const isNumber = field.initial !== undefined || next.initial !== undefined
      const initial = isNumber ? '0 0' : undefined
      shown.push(made(field, own, link, { isSearched, halves, initial }))
      left.shift()
      continue
    }
    const more = isPlain ? [] : [hide, ...(field.isReadOnly ? [] : ofKind[field.kind])]
    const forms: readonly Form[] = [same, renamed, ...more]
    shown.push((forms[pick(forms.length)] ?? same)(field, own))
  }
  if (!isPlain && pick(3) === 0) {
    const none = { name: '', kind: 'constant', values: [], isReadOnly: false, halves: [] } as const
    const plain = { isPlain: false, isFiltered: false, isSearched: false }
    shown.push(made({ ...none, ...plain }, `${name}nonex`, { always: null }))
  }
  const fields = shown.flatMap((one) => one.fields ?? [])
  const hasRevision = 'revision' in source.declaration && (isPlain || pick(4) > 0)
  const declaration = {
    ...declarationOf(fields, { hasRevision }),
    fields: Object.assign({}, ...shown.map(({ links }) => links)),
    hidden: Object.assign({}, ...shown.map(({ hidden }) => hidden)),
  }
  const resource = Reflect.apply(defineView, null, [`things_${name}`, source.resource, declaration])
  return { resource, fields, declaration }
}

interface ViewOptions {
  readonly name: string
  readonly pick: Pick
  readonly isPlain: boolean
}

/** Makes a base and one to three views, each of the one before. */
export function levelsOf(
  choices: readonly number[],
  isPlain = false,
): readonly [Level, ...Level[]] {
  const pick = pickerOf(choices)
  const levels: [Level, ...Level[]] = [baseOf(pick, isPlain)]
  for (const name of ['v3', 'v2', 'v1'].slice(0, 1 + pick(3)))
    levels.push(viewOf(levels.at(-1) as Level, { name, pick, isPlain }))
  return levels
}

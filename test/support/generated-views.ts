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
}

/** A resource or a view of one, with what it shows. */
export interface Level {
  readonly resource: Resource
  readonly fields: readonly Field[]
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
const word = fc.constantFrom('Ada', 'King', '', 'of', 'Lovelace King', ' ', 'é', '7', ' x')
const object = fc.record({ street: word, city: word })

/** Returns values that the schema of a field takes; `undefined` for none. */
function valuesOf({ kind, values }: Field): fc.Arbitrary<unknown> {
  if (kind === 'number') return fc.integer({ min: -3, max: 30 })
  if (kind === 'boolean') return fc.boolean()
  if (kind === 'enum') return fc.constantFrom(...values)
  if (kind === 'maybe') return fc.option(word, { nil: undefined })
  if (kind === 'object') return object
  return kind === 'constant' ? fc.constant(null) : word
}

/** Returns bodies that a level takes, without ids. */
export const bodyOf = ({ fields }: Level): fc.Arbitrary<Fields> =>
  fc
    .record(Object.fromEntries(writable(fields).map((field) => [field.name, valuesOf(field)])))
    .map((body) => JSON.parse(JSON.stringify(body)))

const writable = (fields: readonly Field[]) => fields.filter((field) => !field.isReadOnly)

function schemaOf({ kind, values }: Field): z.ZodType {
  if (kind === 'number') return z.int()
  if (kind === 'boolean') return z.boolean()
  if (kind === 'enum') return z.enum(values)
  if (kind === 'maybe') return z.string().optional()
  if (kind === 'object') return z.object({ street: z.string(), city: z.string() })
  return kind === 'constant' ? z.null() : z.string()
}

function declarationOf(fields: readonly Field[], hasRevision: boolean) {
  const shape = (some: readonly Field[]) =>
    Object.fromEntries(some.map((field) => [field.name, schemaOf(field)]))
  const plain = fields.filter(({ isPlain, kind }) => isPlain && kind !== 'object')
  const names = plain.map(({ name }) => name)
  const revision = hasRevision ? { revision: z.int() } : {}
  return {
    schema: z.object({ id: z.string(), ...shape(fields), ...revision }),
    create: z.object({ id: z.string().optional(), ...shape(writable(fields)) }),
    update: z.object(shape(writable(fields))),
    readOnly: fields.filter(({ isReadOnly }) => isReadOnly).map(({ name }) => name),
    sortable: names,
    filterable: names,
    searchable: plain
      .filter(({ kind }) => kind === 'text' || kind === 'maybe')
      .map(({ name }) => name),
    ...(hasRevision && { revision: 'revision' }),
  }
}

function hubOf(pick: Pick): Level {
  const fields = Array.from({ length: 3 + pick(6) }, (_, at): Field => {
    const kind = kinds[pick(kinds.length)] ?? 'text'
    const values = kind === 'enum' ? ['one', 'two', 'three'] : []
    return { name: `stored${at}x`, kind, values, isReadOnly: false, isPlain: true }
  })
  const declaration = declarationOf(fields, true)
  return {
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

function hide({ name, kind, values, isReadOnly }: Field): Shown {
  if (isReadOnly || kind === 'maybe') return {}
  return { hidden: { [name]: kind === 'enum' ? values[0] : { ...initials, constant: null }[kind] } }
}

const same = (field: Field): Shown => ({ fields: [field] })
const renamed = (field: Field, name: string): Shown => ({
  fields: [{ ...field, name }],
  links: { [name]: field.name },
})

function made(field: Field, name: string, link: object, change: Partial<Field> = {}): Shown {
  return { fields: [{ ...field, isPlain: false, ...change, name }], links: { [name]: link } }
}

const reversed = (value: unknown) => [...String(value)].reverse().join('')
type Form = (field: Field, name: string) => Shown

function partsOf(field: Field, name: string): Shown {
  const of = { of: field.name, split: 'last' }
  const one = made(field, `${name}a`, { ...of, part: 0 })
  const two = made(field, `${name}b`, { ...of, part: 1 })
  const fields = [one, two].flatMap((part) => part.fields ?? [])
  return { fields, links: { ...one.links, ...two.links } }
}

const ofKind: Readonly<Record<Kind, readonly Form[]>> = {
  text: [
    partsOf,
    (field, name) => made(field, name, { of: field.name, read: reversed, write: reversed }),
    (field, name) =>
      made(
        field,
        name,
        { of: field.name, read: (text: string) => text.slice(0, 1) },
        {
          isReadOnly: true,
        },
      ),
  ],
  number: [
    (field, name) =>
      made(field, name, { of: field.name, read: String, write: Number }, { kind: 'text' }),
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
        },
      ),
  ],
  enum: [
    (field, name) => {
      const values = Object.fromEntries(field.values.map((value, at) => [value, at === 0]))
      return made(field, name, { of: field.name, values }, { kind: 'boolean' })
    },
  ],
  maybe: [(field, name) => made(field, name, { of: field.name, absent: 'none' }, { kind: 'text' })],
  object: [
    (field, name) => ({
      ...made(field, name, { in: field.name, field: 'city' }, { kind: 'text' }),
      hidden: { [field.name]: { street: 's', city: 'c' } },
    }),
  ],
  constant: [],
}

function viewOf(beneath: Level, { name, pick, isPlain }: ViewOptions): Level {
  const shown: Shown[] = []
  const left = [...beneath.fields]
  for (let field = left.shift(); field !== undefined; field = left.shift()) {
    const own = `${name}${shown.length}x`
    const [next] = left
    const isPair = [field, next].every((one) => one?.kind === 'text' && !one.isReadOnly)
    if (isPair && next && !isPlain && pick(3) === 0) {
      const link = { join: [field.name, next.name], split: 'last' }
      shown.push(made(field, own, link))
      left.shift()
      continue
    }
    const more = isPlain ? [] : [hide, ...(field.isReadOnly ? [] : ofKind[field.kind])]
    const forms: readonly Form[] = [same, renamed, ...more]
    shown.push((forms[pick(forms.length)] ?? same)(field, own))
  }
  if (!isPlain && pick(3) === 0) {
    const none = { name: '', kind: 'constant', values: [], isReadOnly: false } as const
    shown.push(made({ ...none, isPlain: false }, `${name}nonex`, { always: null }))
  }
  const fields = shown.flatMap((one) => one.fields ?? [])
  const hasRevision = 'revision' in beneath.declaration && (isPlain || pick(4) > 0)
  const declaration = {
    ...declarationOf(fields, hasRevision),
    fields: Object.assign({}, ...shown.map(({ links }) => links)),
    hidden: Object.assign({}, ...shown.map(({ hidden }) => hidden)),
  }
  const resource = Reflect.apply(defineView, null, [
    `things_${name}`,
    beneath.resource,
    declaration,
  ])
  return { resource, fields, declaration }
}

interface ViewOptions {
  readonly name: string
  readonly pick: Pick
  readonly isPlain: boolean
}

/** Makes a hub and one to three views, each of the one before. */
export function levelsOf(
  choices: readonly number[],
  isPlain = false,
): readonly [Level, ...Level[]] {
  const pick = pickerOf(choices)
  const levels: [Level, ...Level[]] = [hubOf(pick)]
  for (const name of ['v3', 'v2', 'v1'].slice(0, 1 + pick(3)))
    levels.push(viewOf(levels.at(-1) as Level, { name, pick, isPlain }))
  return levels
}

import { z } from 'zod'

export const Task = z.object({
  id: z.string(),
  title: z.string(),
  note: z.string().nullish(),
  status: z.enum(['new', 'open']).nullable(),
  rank: z.int().optional(),
  weight: z.number().nullable(),
  done: z.boolean().optional(),
  due: z.iso.datetime({ offset: true }).nullish(),
})
export type Task = z.infer<typeof Task>

// A generator of numbers that repeats itself with its seed (mulberry32).
function numbersFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

export const below = numbersFrom(20)
export const oneOf = <Value>(values: readonly Value[]): Value =>
  values[below(values.length)] as Value

export const texts = [
  '',
  'a',
  'A',
  'ab',
  'b',
  'Straße',
  'STRASSE',
  '\u{1f600}',
  '\uffff',
  'a b',
  '%',
]
export const moments = [
  '2020-01-01T00:00:00Z',
  '2020-01-01T00:00:00.5Z',
  '2020-01-01T01:00:00.500+01:00',
  '2019-12-31T23:59:59.999999999Z',
  '0001-01-01T00:00:00Z',
]
// One form of each moment is stored: the order of a list goes by text.
const stored = moments.map((text) => new Date(text).toISOString())
export const numbers = [0, 1, -1.5, 2, 10, 1e21, 0.001]
const maybe = <Value>(value: Value): Value | undefined => (below(3) === 0 ? undefined : value)

export const items: readonly Task[] = Array.from({ length: 60 }, (_, index) => ({
  id: `${index}`,
  title: oneOf(texts),
  note: oneOf([undefined, null, ...texts]),
  status: oneOf(['new', 'open', null]),
  rank: maybe(below(4)),
  weight: oneOf([null, ...numbers]),
  done: maybe(below(2) === 0),
  due: oneOf([undefined, null, ...stored]),
}))

// The model: the rules of C4, written in the plainest way.
type Fields = Readonly<Record<string, unknown>>
type Scalar = string | number | boolean | undefined
export const kinds: Readonly<Record<string, string>> = {
  id: 'id',
  title: 'text',
  note: 'text',
  status: 'enum',
  rank: 'integer',
  weight: 'number',
  done: 'boolean',
  due: 'moment',
}

export const scalarOf = (item: object, field: string): Scalar =>
  ((item as Fields)[field] ?? undefined) as Scalar

function rankedBy(one: Scalar, other: Scalar): number {
  if (one === other) return 0
  if (one === undefined || other === undefined) return one === undefined ? 1 : -1
  if (typeof one !== 'string' || typeof other !== 'string') return Number(one) - Number(other)
  const points = [...one].map((point) => point.codePointAt(0) ?? 0)
  const others = [...other].map((point) => point.codePointAt(0) ?? 0)
  const at = points.findIndex((point, place) => point !== others[place])
  return at < 0 ? points.length - others.length : (points[at] ?? 0) - (others[at] ?? -1)
}

// In nanoseconds.
function timeOf(text: string): number | string {
  const [, fraction = ''] = /\.(\d+)/.exec(text) ?? []
  const seconds = BigInt(Date.parse(text.replace(/\.\d+/, ''))) * 1_000_000n
  return `${seconds + BigInt(fraction.padEnd(9, '0')) + 10n ** 20n}`.padStart(30, '0')
}

const comparable = (field: string, value: Scalar): Scalar =>
  kinds[field] === 'moment' && typeof value === 'string' ? timeOf(value) : value

const isNumber = (text: string): boolean => {
  try {
    return typeof JSON.parse(text) === 'number' && text.trim() === text
  } catch {
    return false
  }
}

// Returns the value of a text, or 'bad'.
function valueIn(field: string, text: string): Scalar | 'bad' {
  const kind = kinds[field]
  if (kind === 'enum') return ['new', 'open'].includes(text) ? text : 'bad'
  if (kind === 'boolean') return ['true', 'false'].includes(text) ? text === 'true' : 'bad'
  if (kind === 'moment') return moments.includes(text) ? text : 'bad'
  if (kind === 'number' || kind === 'integer') {
    if (!isNumber(text)) return 'bad'
    const number = JSON.parse(text)
    return kind === 'number' || Number.isInteger(number) ? number : 'bad'
  }
  return text
}

const fold = (text: string): string => text.toLowerCase().toUpperCase()
const parts: Readonly<Record<string, (text: string, part: string) => boolean>> = {
  contains: (text, part) => text.includes(part),
  startsWith: (text, part) => text.startsWith(part),
  endsWith: (text, part) => text.endsWith(part),
}
const ranges: Readonly<Record<string, (order: number) => boolean>> = {
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
}

export type Pair = readonly [name: string, value: string]
type Test = (item: Task) => boolean

export function operatorsOf(field: string): readonly string[] {
  if (field === 'id') return ['eq', 'ne']
  return [
    'eq',
    'ne',
    'null',
    ...(['status', 'done'].includes(field) ? [] : Object.keys(ranges)),
    ...(['title', 'note'].includes(field) ? Object.keys(parts) : []),
  ]
}

// Returns the test of a filter, or the code of its fault.
function testOf(field: string, operator: string, values: readonly string[]): Test | string {
  if (!(field in kinds) || !operatorsOf(field).includes(operator)) return 'unknown_parameter'
  const isList = operator === 'eq' || operator === 'ne'
  if (!isList && values.length > 1) return 'repeated_parameter'
  const [text = ''] = values
  if (operator === 'null') {
    if (text !== 'true' && text !== 'false') return 'bad_parameter'
    return (item) => (scalarOf(item, field) === undefined) === (text === 'true')
  }
  const part = parts[operator]
  if (part) {
    if (text === '') return 'bad_parameter'
    return (item) => {
      const value = scalarOf(item, field)
      return typeof value === 'string' && part(fold(value), fold(text))
    }
  }
  const read = values.map((value) => valueIn(field, value))
  if (read.includes('bad')) return 'bad_parameter'
  const wanted = read.map((value) => comparable(field, value))
  const isIn: Test = (item) => {
    const value = comparable(field, scalarOf(item, field))
    return value !== undefined && wanted.includes(value)
  }
  if (isList) return operator === 'eq' ? isIn : (item) => !isIn(item)
  return (item) => {
    const value = comparable(field, scalarOf(item, field))
    return value !== undefined && ranges[operator]?.(rankedBy(value, wanted[0])) === true
  }
}

interface Expected {
  readonly faults: readonly string[]
  readonly found: readonly Task[]
}

export function expectedOf(pairs: readonly Pair[], sort: string, q: string): Expected {
  const byName = new Map<string, string[]>()
  for (const [name, value] of pairs) byName.set(name, [...(byName.get(name) ?? []), value])
  const tests = [...byName].map(([name, values]) => {
    const [field = '', operator = 'eq'] = name.split(':')
    return testOf(field, operator, values)
  })
  const faults = tests.filter((given) => typeof given === 'string')
  const words = q.split(' ').filter((word) => word !== '')
  const found = items.filter((item) => {
    const meets = tests.every((given) => typeof given === 'string' || given(item))
    const has = (word: string): boolean =>
      ['title', 'note'].some((field) => fold(`${scalarOf(item, field) ?? ''}`).includes(fold(word)))
    return meets && words.every(has)
  })
  const fields = [...sort.split(',').filter((field) => field !== ''), 'id']
  found.sort((one, other) => {
    for (const written of fields) {
      const field = written.replace('-', '')
      const order = rankedBy(scalarOf(one, field), scalarOf(other, field))
      if (order !== 0) return written.startsWith('-') ? -order : order
    }
    return 0
  })
  return { faults, found }
}

import { figureOf, median, ratioOf } from '../support/figures.ts'
import { start } from '../support/process.ts'
import { bulk } from './contenders.ts'
import { atMost, decided, type Effort, rowOf, strayingCases, type Table } from './tables.ts'

const cases = ['read', 'nested read', 'list', 'count', 'create', 'PUT', 'PATCH', '404', '405', bulk]
const withBody = ['read', 'list', 'create', bulk]
const rows = { parse: 'nounful, parse', handle: 'nounful, handle', 'find-my-way': 'find-my-way' }

/** The most that `handle` may cost, in times of parsing and stringifying the same body. */
const goals = {
  long: { json: { read: 1, list: 0.4, create: 2.5, [bulk]: 4 }, patch: 1.3, microseconds: 50 },
  // The gate's bounds leave room for noise.
  short: { json: { read: 2.5, list: 1, create: 9, [bulk]: 60 }, patch: 2.5, microseconds: 300 },
} as const

const notes = [
  'Several fresh processes call functions one after another, after all cases have run mixed, ' +
    'with another text in each call. `handle` returns a value, not yet written as JSON. Its ' +
    'adapter returns at once, and a schema names the fields of the response.',
  '`JSON` is one `JSON.parse` and one `JSON.stringify` of the body that the request or the ' +
    'response has. The list has 20 items. find-my-way finds the same paths.',
  `Figures are CPU, but those of the ${bulk} are time: the core pauses between its items.`,
]

/** Asks a fresh process that calls functions. */
async function ask<Answer>(question: string, about: object, { core }: Effort): Promise<Answer> {
  const child = start({ file: new URL('inside/functions.mjs', import.meta.url), core })
  return child.ask<Answer>(question, about).finally(() => child.kill())
}

type Times = Readonly<Record<string, readonly number[]>>

/** Measures functions alone: in nanoseconds, and in times of the yardstick. */
export async function functions(effort: Effort): Promise<readonly Table[]> {
  // At which speed V8 runs a function is chance, and stays so until the process ends.
  const asked = { rounds: effort.isShort ? 15 : 31, milliseconds: 4 }
  const runs: Times[] = []
  for (let run = 0; run < effort.runs; run++) runs.push(await ask('functions', asked, effort))
  const promises = await ask<number>('promises', {}, effort)
  const about = { level: 'functions', notes } as const
  const names = { ...rows, JSON: 'JSON' }
  return [
    { ...about, ...besideJson(runs, promises, effort) },
    {
      ...{ ...about, title: 'a call', unit: 'ns', cases },
      rows: Object.entries(names).map(([name, contender]) =>
        rowOf(contender, cases, (asked) => {
          return runs.map((times) => median(times[`${name}: ${asked}`] ?? []))
        }),
      ),
    },
    await hostile(effort),
  ]
}

function besideJson(runs: readonly Times[], promises: number, { isShort }: Effort) {
  const { json, patch } = goals[isShort ? 'short' : 'long']
  const beside = (name: string, yardstick: string) =>
    runs.map((times) => ratioOf(times[name], times[yardstick]))
  const rowBeside = (name: string, contender: string) =>
    rowOf(contender, withBody, (asked) => beside(`${name}: ${asked}`, `JSON: ${asked}`))
  const again = 'JSON again'
  const rows = [rowBeside(again, again), rowBeside('handle', 'nounful, handle')]
  const undecided = strayingCases({ rows, cases: withBody }, again)
  const bounds = Object.entries(json).map(([name, limit]) => {
    const figure = rows[1]?.figures[name] ?? figureOf([])
    return decided(atMost(`handle, ${name}, × JSON`, limit, figure), name, undecided)
  })
  const ofPatch = figureOf(beside('handle: PATCH', 'handle: PUT'))
  bounds.push(atMost('handle, PATCH, × PUT', patch, ofPatch))
  bounds.push(atMost('promises that 1,000 calls of handle make', 0, figureOf([promises])))
  return { title: 'beside JSON', unit: '× JSON', cases: withBody, rows, undecided, bounds }
}

interface Target {
  readonly name: string
  /** Nanoseconds by length, where the target may be as long as it is. */
  readonly open: Readonly<Record<string, number>>
  /** The same with the default limits. */
  readonly refused: Readonly<Record<string, number>>
}

/** Measures targets that are written to cost much. */
async function hostile(effort: Effort): Promise<Table> {
  const targets = await ask<Target[]>(
    'hostile',
    { lengths: [2048, 4096, 8192], rounds: 60 },
    effort,
  )
  const timeOf = (times: Target['open'], length: number) => (times[length] ?? Number.NaN) / 1000
  const most = (value: (target: Target) => number) => figureOf([Math.max(...targets.map(value))])
  const values: Readonly<Record<string, (target: Target) => number>> = {
    '2 kB': ({ open }) => timeOf(open, 2048),
    '4 kB': ({ open }) => timeOf(open, 4096),
    '8 kB': ({ open }) => timeOf(open, 8192),
    refused: ({ refused }) => timeOf(refused, 8192),
  }
  const { microseconds } = goals[effort.isShort ? 'short' : 'long']
  const whole = ({ open }: Target, length: number) => timeOf(open, length)
  const growth = most((target) => whole(target, 8192) / whole(target, 2048))
  return {
    ...{ level: 'functions', title: 'hostile targets', unit: 'µs', cases: Object.keys(values) },
    rows: targets.map((target) => {
      return rowOf(target.name, Object.keys(values), (name) => [values[name]?.(target) ?? 0])
    }),
    notes: [
      '`handle`, from the target to the value of the response, with targets that repeat their ' +
        'end: 2, 4 and 8 kB within the limit, and 8 kB over the default limit of 4 kB. The ' +
        'least of 60 rounds: other work of the machine does not count.',
    ],
    bounds: [
      atMost(
        'any of 8 kB as limits are by default, µs',
        microseconds,
        most(({ refused }) => timeOf(refused, 8192)),
      ),
      ...[4, 8].map((kilobytes) =>
        atMost(
          `any of ${kilobytes} kB that is read whole, µs`,
          microseconds,
          most((target) => whole(target, kilobytes * 1024)),
        ),
      ),
      // Four times as long, and what a clock and a cache may add.
      atMost('8 kB over 2 kB, where all of it is read: linear is 4', 6, growth),
    ],
  }
}

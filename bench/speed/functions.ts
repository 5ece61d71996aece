import { figureOf } from '../support/figures.ts'
import { askOnce } from '../support/process.ts'
import { bulk } from './contenders.ts'
import { atMost, type Effort, Runs, rowOf, type Table } from './tables.ts'

const cases = ['read', 'nested read', 'list', 'count', 'create', 'PUT', 'PATCH', '404', '405', bulk]
const withBody = ['read', 'list', 'create', bulk]
const handle = 'nounful, handle'
const besides = ['JSON', 'JSON again', handle]
const contenders = ['nounful, parse', handle, 'find-my-way', 'JSON']

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

const file = new URL('inside/functions.mjs', import.meta.url)

/** Measures functions alone: in nanoseconds, and in times of the yardstick. */
export async function functions(effort: Effort): Promise<readonly Table[]> {
  const { core, isShort } = effort
  const runs = new Runs()
  // At which speed V8 runs a function is chance, and stays so until the process ends.
  for (let run = 0; run < effort.runs; run++) {
    const asked = { rounds: isShort ? 15 : 31, milliseconds: 4 }
    const times = await askOnce<Record<string, number[]>>({ file, core }, 'functions', asked)
    runs.begin()
    for (const [key, values] of Object.entries(times)) {
      const [contender = '', name = ''] = key.split(': ')
      for (const time of values) runs.add(contender, name, { time })
    }
  }
  const { json: limits, patch } = goals[isShort ? 'short' : 'long']
  const about = { level: 'functions', quantity: 'time', notes } as const
  const goal = { other: 'JSON', hold: atMost, limits }
  const beside = runs.beside(
    { ...about, title: 'beside JSON', cases: withBody, contenders: besides },
    { ours: [handle], goals: [goal] },
  )
  const ofPatch = runs.ratios('time', [
    [handle, 'PATCH'],
    [handle, 'PUT'],
  ])
  const promises = await askOnce<number>({ file, core }, 'promises')
  const bounds = [
    ...(beside.bounds ?? []),
    atMost('handle, PATCH, × PUT', patch, figureOf(ofPatch)),
    atMost('promises that 1,000 calls of handle make', 0, figureOf([promises])),
  ]
  return [
    { ...beside, bounds },
    runs.table({ ...about, title: 'a call', cases, contenders }, 'ns'),
    await hostile(effort),
  ]
}

/** Microseconds of a target by length: as limits are by default, and with room for all of it. */
interface Target {
  readonly name: string
  readonly open: Readonly<Record<string, number>>
  readonly refused: Readonly<Record<string, number>>
}

/** Measures targets that are written to cost much. */
async function hostile({ core, isShort }: Effort): Promise<Table> {
  const asked = { lengths: [2, 4, 8], rounds: 60 }
  const targets = await askOnce<Target[]>({ file, core }, 'hostile', asked)
  const cases = ['2 kB', '4 kB', '8 kB', 'refused']
  const timesOf = ({ open, refused }: Target) => [open[2], open[4], open[8], refused[8]]
  const most = (of: (target: Target) => number | undefined) =>
    figureOf([Math.max(...targets.map((target) => of(target) ?? Number.NaN))])
  const { microseconds } = goals[isShort ? 'short' : 'long']
  const growth = most(({ open }) => (open[8] ?? Number.NaN) / (open[2] ?? Number.NaN))
  return {
    ...{ level: 'functions', title: 'hostile targets', unit: 'µs', cases },
    rows: targets.map((target) =>
      rowOf(target.name, cases, (name) => [timesOf(target)[cases.indexOf(name)] ?? Number.NaN]),
    ),
    notes: [
      '`handle`, from the target to the value of the response, with targets that repeat their ' +
        'end: 2, 4 and 8 kB within the limit, and 8 kB over the default limit of 4 kB. The ' +
        'least of 60 rounds: other work of the machine does not count.',
    ],
    bounds: [
      atMost(
        'any of 8 kB as limits are by default, µs',
        microseconds,
        most((t) => t.refused[8]),
      ),
      atMost(
        'any of 4 kB that is read whole, µs',
        microseconds,
        most(({ open }) => open[4]),
      ),
      atMost(
        'any of 8 kB that is read whole, µs',
        microseconds,
        most(({ open }) => open[8]),
      ),
      // Four times as long, and what a clock and a cache may add.
      atMost('8 kB over 2 kB, where all of it is read: linear is 4', 6, growth),
    ],
  }
}

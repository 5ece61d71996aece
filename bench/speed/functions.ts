import { start } from './child.ts'
import type { Effort } from './effort.ts'
import type { Bound, Figure, Row, Table } from './figures.ts'
import { hostile } from './hostile.ts'
import { figureOf, median, ratiosOf, type Times, together } from './times.ts'

const cases = ['read', 'nested read', 'list', 'list of one', 'count', '404', '405'] as const

/**
 * What is held against what, and how many times as much it may cost, by case: as we would have it, and what the gate lets pass,
 * which is half as much again as was found.
 */
const comparisons = [
  {
    name: 'parse',
    yardstick: 'JSON.stringify',
    timed: 'stringify',
    most: {
      long: { read: 0.5, 'nested read': 0.75, list: 1.1 },
      short: { read: 0.95, 'nested read': 1.35, list: 4.2 },
    },
  },
  {
    name: 'parse',
    yardstick: 'find-my-way',
    timed: 'find-my-way',
    most: {
      long: { read: 1.3, 'nested read': 1.3, list: 1.3 },
      short: { read: 2.8, 'nested read': 2.8, list: 5 },
    },
  },
  {
    name: 'handle',
    yardstick: 'JSON.stringify',
    timed: 'stringify',
    most: {
      long: { read: 0.8, 'nested read': 1.1, list: 1.3 },
      short: { read: 3.6, 'nested read': 5.8, list: 12.5 },
    },
  },
] as const

const notes = [
  'Functions called one after another in one process, of which there are several, each with texts that differ from call to call and after all cases have run mixed. `handle` gives a value, which nobody has written as JSON yet; its adapter answers at once, its lists are ready, and a schema tells which fields may leave. `list` has 20 items, `list of one` has one.',
  'The yardstick is one `JSON.stringify` of an employee of seven fields; find-my-way finds the same paths, and reads their queries.',
]

// Of each start: at which speed V8 runs a function is chance, and stays so until the process ends.
const roundsOf = { short: 21, long: 31 } as const

/** Measures functions alone: in nanoseconds, and in times of the yardsticks. */
export async function functions(effort: Effort): Promise<readonly Table[]> {
  const found: Found[] = []
  for (let turn = 0; turn < effort.starts; turn++) found.push(await measureOnce(effort))
  const times = together(found.map(({ times }) => times))
  const promises = found.flatMap(({ promises }) => promises)
  return [timesOf(times), ratiosTable({ times, promises }, effort), await hostile(effort)]
}

async function measureOnce(effort: Effort): Promise<Found> {
  const child = start({ ...effort, file: 'inside/functions.mjs', about: [] })
  try {
    const asked = { rounds: roundsOf[effort.form], milliseconds: 4 }
    const times = await child.ask<Times>('functions', asked)
    const promises = await child.ask<Record<string, number>>('promises')
    return { times, promises: Object.values(promises) }
  } finally {
    await child.end()
  }
}

function timesOf(times: Times): Table {
  const rowOf = (name: string): Row => ({
    contender: name === 'find-my-way' ? name : `nounful, ${name}`,
    figures: figuresOf((asked) => times[`${name}: ${asked}`]),
  })
  const yardstick = figureOf(times.stringify ?? [])
  const same = Object.fromEntries(cases.map((name) => [name, yardstick]))
  return {
    level: 'functions',
    title: 'a call',
    unit: 'ns',
    cases,
    rows: [
      ...['parse', 'handle', 'find-my-way'].map(rowOf),
      { contender: 'JSON.stringify', figures: same },
    ],
    control: median(ratiosOf(times, 'stringify again', 'stringify')),
    notes: [...notes, `The loop around them, ${shown(times.nothing ?? [])} ns, is counted in.`],
  }
}

function shown(values: readonly number[]): string {
  return median(values).toFixed(1)
}

interface Found {
  readonly times: Times
  /** Promises that came to be, of each case. */
  readonly promises: readonly number[]
}

function ratiosTable({ times, promises }: Found, { form }: Effort): Table {
  const rows = comparisons.map(({ name, yardstick, timed }) => ({
    contender: `${name} / ${yardstick}`,
    figures: figuresOf((asked) => {
      const other = timed === 'stringify' ? timed : `${timed}: ${asked}`
      return ratiosOf(times, `${name}: ${asked}`, other)
    }),
  }))
  const made = promises.reduce((sum, count) => sum + count, 0)
  return {
    level: 'functions',
    title: 'beside a yardstick',
    unit: '× yardstick',
    cases,
    rows,
    notes,
    bounds: [
      ...comparisons.flatMap(({ most }, place) => boundsOf(rows[place], most[form])),
      {
        says: 'promises made by 1,000 times handle of every case: none',
        found: made,
        holds: made === 0,
      },
    ],
  }
}

function figuresOf(
  valuesOf: (asked: string) => readonly number[] | undefined,
): Record<string, Figure> {
  const figures: Record<string, Figure> = {}
  for (const name of cases) {
    const values = valuesOf(name)
    if (values !== undefined && values.length > 0) figures[name] = figureOf(values)
  }
  return figures
}

function boundsOf(row: Row | undefined, most: Readonly<Record<string, number>>): readonly Bound[] {
  return Object.entries(most).map(([name, limit]) => {
    const found = row?.figures[name]?.median ?? Number.NaN
    return { says: `${row?.contender}, ${name}: at most ${limit}`, found, holds: found <= limit }
  })
}

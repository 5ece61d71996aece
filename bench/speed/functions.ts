import { boundOf, withoutVerdict } from './bounds.ts'
import { bulk } from './cases.ts'
import { start } from './child.ts'
import type { Effort } from './effort.ts'
import type { Bound, Figure, Row, Table } from './figures.ts'
import { hostile } from './hostile.ts'
import { strayingCases } from './tables.ts'
import { figureOf, median, ratioOf, type Times } from './times.ts'

const measured = ['parse', 'handle', 'find-my-way', 'JSON']
const cases = ['read', 'nested read', 'list', 'count', 'create', 'PUT', 'PATCH', '404', '405', bulk]
const withBody = ['read', 'list', 'create', bulk]

/** The most that `handle` may cost, in times of parsing and stringifying the same body. */
const most: Readonly<Record<Effort['form'], Readonly<Record<string, number>>>> = {
  long: { read: 1, list: 0.4, create: 2.5, [bulk]: 4 },
  // The gate's bounds leave room for noise.
  short: { read: 2.5, list: 1, create: 9, [bulk]: 60 },
}

/** The most that a PATCH of one field may cost in `handle`, in times of a PUT of the whole item. */
const mostOfPatch = { long: 1.3, short: 2.5 } as const

const notes = [
  'Several fresh processes call functions one after another, after all cases have run mixed, ' +
    'with another text in each call. `handle` returns a value, not yet written as JSON. Its ' +
    'adapter returns at once, and a schema names the fields of the response.',
  '`JSON` is one `JSON.parse` and one `JSON.stringify` of the body that the request or the ' +
    'response has. The list has 20 items. find-my-way finds the same paths.',
  `Figures are CPU, but those of the ${bulk} are time: the core pauses between its items.`,
]

// At which speed V8 runs a function is chance, and stays so until the process ends.
const roundsOf = { short: 15, long: 31 } as const

interface Found {
  readonly times: Times
  /** How many promises `handle` made, of all cases. */
  readonly promises: number
}

/** Measures functions alone: in nanoseconds, and in times of the yardstick. */
export async function functions(effort: Effort): Promise<readonly Table[]> {
  const found: Found[] = []
  for (let run = 0; run < effort.runs; run++) found.push(await measureOnce(effort))
  return [besideTable(found, effort), timesTable(found), await hostile(effort)]
}

async function measureOnce(effort: Effort): Promise<Found> {
  const child = start({ ...effort, file: 'inside/functions.mjs', about: [] })
  try {
    const asked = { rounds: roundsOf[effort.form], milliseconds: 4 }
    return {
      times: await child.ask<Times>('functions', asked),
      promises: await child.ask<number>('promises'),
    }
  } finally {
    await child.end()
  }
}

function timesTable(found: readonly Found[]): Table {
  const rowOf = (name: string): Row => ({
    contender: measured.indexOf(name) < 2 ? `nounful, ${name}` : name,
    figures: figuresOf(cases, (asked) =>
      found.map(({ times }) => median(times[`${name}: ${asked}`] ?? [])),
    ),
  })
  return {
    level: 'functions',
    title: 'a call',
    unit: 'ns',
    cases,
    rows: measured.map(rowOf),
    notes,
  }
}

function besideTable(found: readonly Found[], { form }: Effort): Table {
  const rowOf = (name: string, contender: string): Row => ({
    contender,
    figures: figuresOf(withBody, (asked) =>
      found.map(({ times }) => ratioOf(times, `${name}: ${asked}`, `JSON: ${asked}`)),
    ),
  })
  const again = 'JSON again'
  const rows = [rowOf(again, again), rowOf('handle', 'nounful, handle')]
  const table: Table = {
    level: 'functions',
    title: 'beside JSON',
    unit: '× JSON',
    cases: withBody,
    rows,
    notes,
  }
  const undecided = strayingCases(table, again)
  const bounds = Object.entries(most[form]).map(([name, limit]): Bound => {
    const figure = rows[1]?.figures[name] ?? figureOf([])
    const bound = boundOf(`handle, ${name}, × JSON`, figure, { sense: 'at most', limit })
    return undecided.includes(name) ? withoutVerdict(bound) : bound
  })
  const promises = figureOf(found.map((one) => one.promises))
  const patches = figureOf(found.map(({ times }) => ratioOf(times, 'handle: PATCH', 'handle: PUT')))
  const patch = boundOf('handle, PATCH, × PUT', patches, {
    sense: 'at most',
    limit: mostOfPatch[form],
  })
  const none = boundOf('promises that 1,000 calls of handle make', promises, {
    sense: 'at most',
    limit: 0,
  })
  return { ...table, undecided, bounds: [...bounds, patch, none] }
}

function figuresOf(
  names: readonly string[],
  valuesOf: (asked: string) => readonly number[],
): Record<string, Figure> {
  const figures: Record<string, Figure> = {}
  for (const name of names) {
    const figure = figureOf(valuesOf(name))
    if (!Number.isNaN(figure.median)) figures[name] = figure
  }
  return figures
}

import { parseArgs } from 'node:util'
import { CompiledQuery } from 'kysely'
import type { AdapterShape, Operation, UncheckedAdapter } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { noQuery, type SortField } from '../../src/contract/resource/operation.ts'
import type { Condition } from '../../src/convention/condition.ts'
import { employees } from '../../test/support/first-version.ts'
import { load } from './load.ts'
import { type AliasedRow, type Employee, person, type Row, toEmployee } from './people.ts'
import { engines, type Place, placeholders, type Value } from './place.ts'
import { openers } from './places.ts'
import { measure, median, ratio } from './rounds.ts'
import { pageSize } from './way.ts'

// Measures filtered pages of the adapter beside the same SQL by hand:
// node --conditions=nounful:source bench/storage/filters.ts --engine sqlite --rows 1000000

const { values: options } = parseArgs({
  options: {
    engine: { type: 'string', multiple: true },
    rows: { type: 'string', default: '1000000' },
  },
})

interface Page {
  readonly name: string
  readonly where: readonly Condition[]
  readonly sort: readonly SortField[]
  readonly after?: Operation['query']['after']
  /** The condition by hand, with its values. */
  readonly text: string
  readonly values: readonly Value[]
}

const effort = { secondsPerTask: 6, batchMilliseconds: 20, fewest: 15, most: 80 }
const asc = (field: string): SortField => ({ field, direction: 'asc' })

function pagesFor({ engine }: Place, rows: number): readonly Page[] {
  const company = { field: 'company_id', is: 'in', values: ['002'], type: 'text' } as const
  const born = { field: 'birthdate', is: 'gte', values: ['1980-06-01'], type: 'date' } as const
  const word = { field: 'email', is: 'startsWith', values: ['ada.'], type: 'text' } as const
  const { id, birthdate } = { ...person(rows >> 1), birthdate: '1985-01-02' }
  const later =
    engine === 'mariadb'
      ? 'birthdate >= ? and (birthdate > ? or birthdate = ? and id > ?)'
      : '(birthdate, id) > (?, ?)'
  const place = engine === 'mariadb' ? [birthdate, birthdate, birthdate, id] : [birthdate, id]
  const byId = { where: [company], sort: [asc('id')] }
  const byDay = { where: [born], sort: [asc('birthdate'), asc('id')] }
  const owner = 'company_id = ?'
  return [
    { name: 'equal', ...byId, text: owner, values: ['002'] },
    {
      name: 'equal, cursor',
      ...byId,
      after: { id },
      text: `${owner} and id > ?`,
      values: ['002', id],
    },
    { name: 'range', ...byDay, text: 'birthdate >= ?', values: ['1980-06-01'] },
    {
      name: 'range, cursor',
      ...byDay,
      after: { birthdate, id },
      text: `birthdate >= ? and ${later}`,
      values: ['1980-06-01', ...place],
    },
    {
      name: 'range, equal',
      where: [born, company],
      sort: byDay.sort,
      text: `birthdate >= ? and ${owner}`,
      values: ['1980-06-01', '002'],
    },
    {
      name: 'equal, startsWith',
      where: [company, word],
      sort: byId.sort,
      text: `${owner} and email like ?`,
      values: ['002', 'ada.%'],
    },
  ]
}

async function measurePage(place: Place, page: Page): Promise<void> {
  const adapter: UncheckedAdapter = kyselyAdapter<AdapterShape>(place.db, {
    table: 'employees',
    timeout: 120_000,
  })
  const operation: Operation = {
    kind: 'list',
    resource: employees,
    version: 'v1',
    path: '/employees',
    scope: {},
    parents: [],
    id: undefined,
    query: { ...noQuery, ...page, limit: pageSize, after: page.after },
    item: undefined,
    items: undefined,
    ids: undefined,
    isDryRun: false,
    isDeprecated: false,
    maxAffected: undefined,
    ifRevision: undefined,
    signal: new AbortController().signal,
  }
  const order = page.sort.map(({ field }) => field).join(', ')
  const text = placeholders(
    place.engine,
    `select id, name, birthdate, email, company_id, created_at from employees
      where ${page.text} order by ${order} limit ?`,
  )
  const values = [...page.values, pageSize]
  const toItems = (rows: readonly unknown[]) =>
    rows.map((row) => toEmployee(row as Row | AliasedRow))
  const nounful = async () => (await adapter.list?.(operation, undefined)) as Employee[]
  const kysely = async () =>
    toItems((await place.db.executeQuery(CompiledQuery.raw(text, [...values]))).rows)
  const driver = async () => toItems((await place.ask(text, values)).rows)
  const answers = await Promise.all([nounful(), kysely(), driver()])
  const [one = '', ...others] = answers.map((items) => JSON.stringify(items.map(({ id }) => id)))
  if (others.some((other) => other !== one) || one === '[]') throw new Error(`${page.name}: ${one}`)
  const contenders = [
    { name: 'nounful', ask: nounful },
    { name: 'by hand', ask: kysely },
    { name: 'driver', ask: driver },
  ]
  const times = await measure(contenders, { name: page.name, askerOf: () => undefined }, effort)
  const micros = [...times].map(([name, all]) => `${name} ${median(all).toFixed(0)} µs`).join(', ')
  const [hand, bare] = ['by hand', 'driver'].map((name) =>
    ratio(times, 'nounful', name)?.toFixed(2),
  )
  console.log(`${place.engine}, ${page.name}: ${micros}; × by hand ${hand}, × driver ${bare}`)
}

for (const engine of engines.filter((name) => options.engine?.includes(name) ?? true)) {
  const place = await openers[engine]()
  if (place === undefined) continue
  try {
    const rows = Number(options.rows)
    await load(place, rows)
    for (const page of pagesFor(place, rows)) await measurePage(place, page)
  } finally {
    await place.close()
  }
}

import { parseArgs } from 'node:util'
import { CompiledQuery } from 'kysely'
import type { AdapterShape, Operation, UncheckedAdapter } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { v7 as uuidv7 } from 'uuid'
import { noQuery } from '../../src/contract/resource/operation.ts'
import { employees } from '../../test/support/first-version.ts'
import { load } from './load.ts'
import { type Employee, people, type Row, toEmployee, toRow } from './people.ts'
import { engines, type Place } from './place.ts'
import { openers } from './places.ts'
import { measure, median, ratio } from './rounds.ts'

// Measures `createMany` beside one insert by hand through Kysely, each in one transaction:
// node --conditions=nounful:source bench/storage/bulk.ts --engine sqlite --items 1000

const { values: options } = parseArgs({
  options: {
    engine: { type: 'string', multiple: true },
    rows: { type: 'string', default: '10000' },
    items: { type: 'string', default: '1000' },
  },
})

const effort = { secondsPerTask: 15, batchMilliseconds: 1, fewest: 15, most: 60 }

async function measureBulk(place: Place, rows: number, count: number): Promise<void> {
  const { engine } = place
  const db = place.db.withTables<{ employees: Row }>()
  const created_at = '2026-01-02T03:04:05.000Z'
  const adapter: UncheckedAdapter = kyselyAdapter<AdapterShape>(place.db, {
    table: 'employees',
    onCreate: () => ({ created_at }) as object,
  })
  const items = people(rows, rows + count).map(({ id: _, created_at: __, ...item }) => item)
  const operation: Operation = {
    ...{ kind: 'create', resource: employees, version: 'v1', path: '/employees', scope: {} },
    ...{ parents: [], id: undefined, query: noQuery, item: undefined, items, ids: undefined },
    ...{ isDryRun: false, isDeprecated: false, maxAffected: undefined, ifRevision: undefined },
    signal: new AbortController().signal,
  }
  const nounful = async () => (await adapter.createMany?.(operation, undefined)) as Employee[]
  const byHand = () =>
    db.transaction().execute(async (transaction) => {
      const values = items.map((item) => toRow({ ...item, id: uuidv7(), created_at }))
      const { sql, parameters } = transaction.insertInto('employees').values(values).compile()
      // Kysely writes no "returning" for MariaDB.
      const query = CompiledQuery.raw(`${sql} returning *`, [...parameters])
      return (await transaction.executeQuery<Row>(query)).rows.map((row) => toEmployee(row))
    })
  const tidy = async () => {
    await db.deleteFrom('employees').where('created_at', '=', created_at).execute()
  }
  const names = (made: readonly Employee[]) => JSON.stringify(made.map(({ name }) => name))
  const [one, other] = [names(await nounful()), names(await byHand())]
  await tidy()
  if (one !== other) throw new Error(`${engine} gives other items`)
  const contenders = [
    { name: 'nounful', ask: nounful },
    { name: 'by hand', ask: byHand },
  ]
  const task = { name: 'createMany', askerOf: () => undefined, tidy }
  const times = await measure(contenders, task, effort)
  const all = [...times].map(([name, each]) => `${name} ${(median(each) / 1000).toFixed(1)} ms`)
  const factor = ratio(times, 'nounful', 'by hand')?.toFixed(2)
  console.log(`${engine}, ${count} items: ${all.join(', ')}; × by hand ${factor}`)
}

for (const engine of engines.filter((name) => options.engine?.includes(name) ?? true)) {
  const place = await openers[engine]()
  if (place === undefined) continue
  try {
    const rows = Number(options.rows)
    await load(place, rows)
    await measureBulk(place, rows, Number(options.items))
  } finally {
    await place.close()
  }
}

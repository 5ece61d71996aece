import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../examples/companies/database.ts'
import {
  fieldOf,
  type Reply,
  rounds,
  type Service,
  startService,
  untilStatus,
} from '../support/service.ts'
import { databaseOf, engines, has, type TestDatabase } from '../support/stores.ts'
import { audit, newLedger, prepare, writeUntil } from '../support/writers.ts'

const repeats = rounds(3)
const limit = 30_000 + repeats * 3_000

describe.each(engines.filter(has))(
  'two processes on one database of %s',
  { timeout: limit },
  (engine) => {
    let database: TestDatabase<unknown>
    let services: Service[] = []

    beforeAll(async () => {
      database = await databaseOf(engine)
      services = await Promise.all([startService(database.url), startService(database.url)])
      for (const { ask } of services) await untilStatus(() => ask('GET', '/companies/001'), 200)
    }, 30_000)
    afterAll(async () => {
      await Promise.all(services.map((service) => service.kill()))
      await database?.drop()
    })

    const ask: Service['ask'] = (...request) => {
      services.reverse()
      return services[0]?.ask(...request) ?? Promise.reject(new Error('There is no service.'))
    }

    test('lose nothing and refuse little', async () => {
      const ledger = newLedger()
      await prepare(ask, ledger)
      let isOver = false
      const writing = writeUntil(ask, ledger, () => isOver)
      await pause(500 * repeats)
      isOver = true
      await writing
      expect(ledger.strange).toEqual([])
      expect(await audit(ask, ledger)).toEqual([])
      const refused = ledger.statuses.get(503) ?? 0
      if (process.env.ROUNDS) {
        console.log(
          `two processes, ${engine}: ${ledger.acknowledged} acknowledged, ${refused} × 503`,
        )
      }
      expect(ledger.silences).toEqual(new Map())
      expect(refused).toBeLessThan(ledger.acknowledged / 100)
    })

    test('leave no child without its parent', async () => {
      const statuses = new Map<string, number>()
      const note = (method: string, { status }: Reply) => {
        const key = `${method} ${status}`
        statuses.set(key, (statuses.get(key) ?? 0) + 1)
      }
      for (let round = 0; round < 5 * repeats; round++) {
        const company = await ask('POST', '/companies', { body: { name: `${round}` } })
        const path = `/companies/${fieldOf(company.body, 'id')}`
        const birth = { name: 'Kay', birthdate: '1990-01-01' }
        const requests = Array.from(
          { length: 24 },
          (_, place): readonly [string, string, object?] => {
            if (place % 4 === 0) return ['POST', `${path}/customers`, { name: 'Kay' }]
            if (place % 4 === 1) return ['POST', `${path}/employees`, birth]
            if (place % 4 === 2) return ['DELETE', path]
            return ['DELETE', `${path}/${place % 8 === 3 ? 'customers' : 'employees'}`]
          },
        )
        const replies = requests.map(async ([method, url, body]) =>
          note(method, await ask(method, url, body && { body })),
        )
        await Promise.all(replies)
      }
      const expected = [
        'POST 201',
        'POST 404',
        'POST 409',
        'DELETE 200',
        'DELETE 404',
        'DELETE 409',
      ]
      expect([...statuses.keys()].filter((status) => !expected.includes(status))).toEqual([])
      expect(await orphans(database.url)).toBe(0)
      if (process.env.ROUNDS) console.log(`children, ${engine}:`, Object.fromEntries(statuses))
    })
  },
)

async function orphans(url: string): Promise<number> {
  const { db } = await openDatabase(url)
  const orphansOf = (table: string) =>
    sql`select 1 from ${sql.table(table)} child
    where company_id is not null
      and not exists (select 1 from companies where companies.id = child.company_id)`.execute(db)
  try {
    const found = await Promise.all(['customers', 'employees'].map(orphansOf))
    return found.reduce((sum, { rows }) => sum + rows.length, 0)
  } finally {
    await db.destroy()
  }
}

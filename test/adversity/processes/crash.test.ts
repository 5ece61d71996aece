import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import {
  type DatabaseServer,
  type ServedEngine,
  servedEngines,
  startServer,
} from '../../support/databases.ts'
import { type Ask, rounds, type Service, startService, untilStatus } from '../../support/service.ts'
import { databaseOf, engines, has } from '../../support/stores.ts'
import { audit, type Ledger, newLedger, prepare, writeUntil } from '../../support/writers.ts'

const kills = rounds(2)
const limit = 20_000 + kills * 6_000
const read = (ask: Ask) => () => ask('GET', '/v1/companies/001')

describe('a service that is killed while it writes', () => {
  test.each(engines.filter(has))(
    'has every acknowledged write, on %s',
    { timeout: limit },
    async (engine) => {
      const { url, drop } = await databaseOf(engine)
      const ledger = newLedger()
      const starts: number[] = []
      let service = await startService(url)
      try {
        await untilStatus(read(service.ask), 200)
        await prepare(service.ask, ledger)
        for (let round = 0; round < kills; round++) {
          await writeAndKill(service, ledger)
          const start = performance.now()
          service = await startService(url)
          await untilStatus(read(service.ask), 200)
          starts.push(performance.now() - start)
          expect(await audit(service.ask, ledger), service.log()).toEqual([])
        }
        tell(`kill -9 of the service, ${engine}`, ledger, starts)
        expect(ledger.strange, service.log()).toEqual([])
        expect(median(starts)).toBeLessThan(5000)
        if (engine === 'sqlite') expect(integrityOf(url)).toBe('ok')
      } finally {
        await service.kill()
        await drop()
      }
    },
  )
})

async function writeAndKill(service: Service, ledger: Ledger): Promise<void> {
  let isOver = false
  const writing = writeUntil(service.ask, ledger, () => isOver)
  await pause(300 + Math.random() * 400)
  await service.kill()
  isOver = true
  await writing
}

function integrityOf(path: string): unknown {
  const file = new DatabaseSync(path)
  try {
    return file.prepare('pragma integrity_check').get()?.integrity_check
  } finally {
    file.close()
  }
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0
}

function tell(what: string, { acknowledged, statuses }: Ledger, times: readonly number[]): void {
  if (process.env.ROUNDS === undefined) return
  const [middle, most] = [median(times), Math.max(...times)].map(Math.round)
  const counts = [...statuses].map(([status, count]) => `${status}: ${count}`).join(', ')
  const writes = `${times.length} rounds, ${acknowledged} acknowledged (${counts})`
  console.log(`${what}: ${writes}, back after ${middle} ms, at most ${most} ms`)
}

const served = servedEngines.filter(has)

describe.each(served)('%s that is killed while the service writes', (engine) => {
  let server: DatabaseServer | undefined
  let service: Service | undefined
  const restarts = rounds(2)

  afterAll(async () => {
    await service?.kill()
    await server?.stop()
  })

  test('may start after the service', { timeout: 40_000 }, async () => {
    server = await started(engine)
    await server.kill()
    service = await startService(server.url)
    const { status, headers } = await read(service.ask)()
    expect(status).toBe(503)
    expect(headers).toHaveProperty('retry-after')
    await server.restart()
    // It must create the tables first.
    expect(await untilStatus(read(service.ask), 200)).toBeLessThan(5000)
  })

  test('has every acknowledged write', {
    timeout: 20_000 + restarts * 10_000,
  }, async () => {
    if (server === undefined || service === undefined) throw new Error('They have not started.')
    const ledger = newLedger()
    const times: number[] = []
    await prepare(service.ask, ledger)
    for (let round = 0; round < restarts; round++) {
      times.push(await restartUnderLoad(server, service, ledger, round))
      expect(await audit(service.ask, ledger), service.log()).toEqual([])
    }
    tell(`kill -9 and SIGQUIT of the database, ${engine}`, ledger, times)
    expect(service.isAlive()).toBe(true)
    expect(ledger.strange, service.log()).toEqual([])
    expect(ledger.silences, service.log()).toEqual(new Map())
    expect(Math.max(...times)).toBeLessThan(2000)
  })
})

async function started(engine: ServedEngine): Promise<DatabaseServer> {
  const server = await startServer(engine, { durable: true })
  if (server) return server
  throw new Error(`${engine} is not installed.`)
}

/** Returns the time from the database's restart until every item can be read and written. */
async function restartUnderLoad(
  server: DatabaseServer,
  service: Service,
  ledger: Ledger,
  round: number,
): Promise<number> {
  let isOver = false
  const { ask } = service
  const writing = writeUntil(ask, ledger, () => isOver)
  await pause(200 + Math.random() * 200)
  if (round % 2 === 0) await server.kill()
  else process.kill(server.pid, server.url.startsWith('postgres') ? 'SIGQUIT' : 'SIGABRT')
  await pause(100 + Math.random() * 200)
  await server.restart()
  const back = performance.now()
  if (!service.isAlive()) throw new Error(`The service has died: ${service.log()}`)
  await untilStatus(read(ask), 200)
  const body = { name: 'back', birthdate: '1990-01-01' }
  await untilStatus(() => ask('PUT', '/v1/employees/001', { body }), 200)
  const took = performance.now() - back
  await pause(200)
  isOver = true
  await writing
  return took
}

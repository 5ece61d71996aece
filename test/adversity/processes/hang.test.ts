import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DatabaseServer, servedEngines, startServer } from '../../support/databases.ts'
import { type FaultyService, patiently, startFaulty, timeout } from '../../support/faulty.ts'
import { type Reply, untilStatus } from '../../support/service.ts'
import { has } from '../../support/stores.ts'

const engines = servedEngines.filter(has)
const grace = 500
// Finds processes in Linux's /proc.
const isLinux = process.platform === 'linux'

describe.runIf(isLinux).each(engines)('%s that stands still', (engine) => {
  let server: DatabaseServer | undefined
  let service: FaultyService

  beforeAll(async () => {
    server = await startServer(engine, { durable: false })
    service = await startFaulty(engine, server?.url)
  }, 30_000)
  afterAll(async () => {
    signalAll('SIGCONT')
    await service?.close()
    await server?.stop()
  })

  const processes = () => {
    const pid = server?.pid ?? 0
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')
    return [pid, ...children.map(Number)].filter((each) => each > 0)
  }
  const signalAll = (name: NodeJS.Signals) => {
    for (const pid of processes()) {
      try {
        process.kill(pid, name)
      } catch (error) {
        // A worker of the database may have ended since it was listed.
        if (Object(error).code !== 'ESRCH' || pid === server?.pid) throw error
      }
    }
  }
  // On a busy machine a thread may respond once more before it stops.
  const stopAll = async () => {
    signalAll('SIGSTOP')
    while (!processes().every(isStopped)) await pause(2)
  }
  const get = () => service.ask('GET', '/things/a')
  const put = () => service.ask('PUT', '/things/a', { body: { name: 'first' } })
  const bulk = () =>
    service.ask('PUT', '/things', { body: ['a', 'b'].map((id) => ({ id, name: 'second' })) })

  test('gives 503 at the deadline, then 200', { timeout: 20_000 }, async () => {
    expect(await put()).toMatchObject({ status: 200 })
    await stopAll()
    const times = await Promise.all([get, put, bulk].map(timeOf503))
    signalAll('SIGCONT')
    expect(Math.max(...times)).toBeLessThan(timeout + grace)
    expect(await untilStatus(get, 200)).toBeLessThan(2000)
    expect(await untilStatus(put, 200)).toBeLessThan(2000)
    await expect.poll(() => service.forgotten(), patiently).toBe(0)
  })

  test('gives 503 at the deadline in a bulk', { timeout: 20_000 }, async () => {
    let end = (): void => undefined
    const held = await service.hold('b', new Promise<void>((resolve) => (end = resolve)))
    const asked = timeOf503(bulk)
    while ((await service.running()).length === 0) await pause(2)
    await stopAll()
    const took = await Promise.race([asked, pause(3000, Number.POSITIVE_INFINITY)])
    signalAll('SIGCONT')
    end()
    await held.released
    await asked
    expect(took).toBeLessThan(timeout + grace)
    expect(await untilStatus(get, 200)).toBeLessThan(2000)
    await expect.poll(() => service.forgotten(), patiently).toBe(0)
    expect(service.errors).toEqual([])
  })
})

async function timeOf503(ask: () => Promise<Reply>): Promise<number> {
  const start = performance.now()
  const { status } = await ask()
  expect(status).toBe(503)
  return performance.now() - start
}

// All threads stop soon after the first one. The state follows the name, which is in brackets.
// A stopped parent leaves an ended child as it is.
function isStopped(pid: number): boolean {
  return /\) [TZ] [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
}

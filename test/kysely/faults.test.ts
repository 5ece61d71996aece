import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { servedEngines } from '../support/databases.ts'
import {
  type FaultyService,
  patiently,
  startFaulty,
  type Timed,
  timed,
  timeout,
  until,
} from '../support/faulty.ts'
import { type Reply, rounds, untilStatus } from '../support/service.ts'
import { has } from '../support/stores.ts'

const engines = servedEngines.filter(has)
const kills = rounds(10)
const limit = 15_000 + kills * 500
const poolSize = 10
/** The milliseconds that a response may come after the deadline. */
const grace = 500

describe.each(engines)('on %s', (engine) => {
  let service: FaultyService
  let ends: (() => void)[] = []

  beforeAll(async () => {
    service = await startFaulty(engine)
  }, 30_000)
  afterAll(() => service.close())
  afterEach(() => {
    for (const end of ends) end()
    ends = []
    expect(service.errors).toEqual([])
  })

  const sleep = (seconds: number) =>
    engine === 'postgres' ? sql`select pg_sleep(${seconds})` : sql`select sleep(${seconds})`
  const rename = (id: string, name: string, signal?: AbortSignal) =>
    service.ask('PUT', `/things/${id}`, { body: { name }, ...(signal && { signal }) })
  const renameAll = (name: string) =>
    service.ask('PUT', '/things', { body: ['a', 'b', 'c'].map((id) => ({ id, name })) })
  const nameOf = async (id: string) => Object((await service.ask('GET', `/things/${id}`)).body).name
  const lock = async (id: string) => {
    const until = new Promise<void>((resolve) => ends.push(resolve))
    return service.hold(id, until)
  }
  const release = async (held: { readonly released: Promise<void> }) => {
    for (const end of ends) end()
    await held.released
  }
  const untilIdle = () => until(async () => (await service.running()).length === 0)
  const untilBusy = (count = 1) => until(async () => (await service.running()).length >= count)

  test('an exhausted pool gives 503 in time', async () => {
    await service.ask('GET', '/things')
    const busy = Array.from({ length: poolSize }, () => sleep(1.5).execute(service.db))
    const replies = await Promise.all([
      timed(() => service.ask('GET', '/things')),
      timed(() => rename('a', 'second')),
      timed(() => renameAll('second')),
    ])
    for (const reply of replies) expectUnavailable(reply)
    await Promise.all(busy)
    expect(await nameOf('a')).toBe('first')
    const all = await Promise.all(Array.from({ length: 50 }, () => service.ask('GET', '/things')))
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]))
  })

  test('a write that waits too long for a lock gives 503 and is cancelled', async () => {
    const held = await lock('a')
    expectUnavailable(await timed(() => rename('a', 'second')))
    expect(await untilIdle()).toBeLessThan(1000)
    await release(held)
    expect(await nameOf('a')).toBe('first')
    expect(await rename('a', 'first')).toMatchObject({ status: 200 })
  })

  test('a bulk that waits too long for a lock gives 503 and is cancelled', async () => {
    const held = await lock('b')
    expectUnavailable(await timed(() => renameAll('second')))
    expect(await untilIdle()).toBeLessThan(1000)
    await expect.poll(() => service.forgotten(), patiently).toBe(0)
    await release(held)
    for (const id of ['a', 'b', 'c']) expect(await nameOf(id)).toBe('first')
    expect(await renameAll('first')).toMatchObject({ status: 200 })
  })

  test('more waiting writes than connections leave the service usable', async () => {
    const held = await lock('a')
    const replies = await Promise.all(
      Array.from({ length: 2 * poolSize }, () => timed(() => rename('a', 'second'))),
    )
    for (const reply of replies) expectUnavailable(reply)
    expect(await untilIdle()).toBeLessThan(1000)
    expect(await untilStatus(() => service.ask('GET', '/things/b'), 200)).toBeLessThan(1000)
    await release(held)
    expect(await nameOf('a')).toBe('first')
  })

  test('a client that leaves has its statement cancelled', async () => {
    const held = await lock('a')
    const client = new AbortController()
    const left = service.ask('PUT', '/things/a', { body: { name: 'x' }, signal: client.signal })
    await untilBusy()
    client.abort()
    expect(await untilIdle()).toBeLessThan(timeout)
    expect(await left).toMatchObject({ status: 0 })
    await release(held)
    expect(await nameOf('a')).toBe('first')
  })

  test('a client that leaves a bulk has its statement cancelled', async () => {
    const held = await lock('b')
    const client = new AbortController()
    const body = ['a', 'b', 'c'].map((id) => ({ id, name: 'x' }))
    const left = service.ask('PUT', '/things', { body, signal: client.signal })
    await untilBusy()
    client.abort()
    expect(await untilIdle()).toBeLessThan(timeout)
    expect(await left).toMatchObject({ status: 0 })
    await release(held)
    expect(await nameOf('a')).toBe('first')
  })

  test('connections that were killed idle cost one response at most', async () => {
    await Promise.all(Array.from({ length: 30 }, () => service.ask('GET', '/things')))
    expect(await service.killAll()).toBeGreaterThan(1)
    await until(async () => (await service.connections()) === 0)
    const statuses: number[] = []
    for (let asked = 0; asked < 12; asked++) {
      const { status } =
        asked % 2 === 0 ? await rename('c', 'first') : await service.ask('GET', '/things/c')
      statuses.push(status)
    }
    expect(statuses.filter((status) => status !== 200).length).toBeLessThan(2)
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([])
  })

  test('connections that were killed idle cost reads nothing', async () => {
    await Promise.all(Array.from({ length: 30 }, () => service.ask('GET', '/things')))
    await service.killAll()
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => service.ask('GET', '/things')),
    )
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200))
  })

  test.each([
    ['write', () => rename('a', 'second')],
    ['bulk', () => renameAll('second')],
  ])('a %s that is killed on its way is answered 503', async (_, write) => {
    const held = await lock('a')
    const asked = timed(write)
    await untilBusy()
    await service.killAll()
    expectUnavailable(await asked)
    await release(held)
    expect(await nameOf('a')).toBe('first')
    await expect.poll(() => service.forgotten(), patiently).toBe(0)
  })

  test('connections that are killed while they cancel give 503', {
    timeout: limit,
  }, async () => {
    const held = await lock('a')
    let isOver = false
    const replies: Reply[] = []
    const asking = Array.from({ length: 12 }, async () => {
      while (!isOver) {
        const client = new AbortController()
        const left = rename('a', 'second', client.signal)
        await pause(5 + 20 * Math.random())
        client.abort()
        replies.push(await left)
      }
    })
    for (let done = 0; done < kills; done++) await service.killAll()
    isOver = true
    await Promise.all(asking)
    expect(replies.filter(({ status }) => status !== 0 && status !== 503)).toEqual([])
    await release(held)
    await untilStatus(() => rename('a', 'first'), 200)
    await expect.poll(() => service.forgotten(), patiently).toBe(0)
    // None of the pool's connections is lost for good.
    const start = performance.now()
    await Promise.all(Array.from({ length: poolSize }, () => sleep(1).execute(service.db)))
    expect(performance.now() - start).toBeLessThan(1500)
  })

  test('connections that are killed under load give 2xx or 503', {
    timeout: limit,
  }, async () => {
    let isOver = false
    const replies: Reply[] = []
    const asking = Array.from({ length: 16 }, async (_, place) => {
      while (!isOver) {
        const isRead = place % 2 === 1
        replies.push(await (isRead ? service.ask('GET', '/things') : renameAll('first')))
      }
    })
    for (let done = 0; done < kills; done++) {
      await pause(30)
      await service.killAll()
    }
    isOver = true
    await Promise.all(asking)
    const statuses = new Set(replies.map(({ status }) => status))
    statuses.delete(503)
    expect(statuses).toEqual(new Set([200]))
    expect(await untilStatus(() => renameAll('first'), 200)).toBeLessThan(1000)
    await expect.poll(() => service.forgotten(), patiently).toBe(0)
  })
})

function expectUnavailable({ status, headers, took }: Timed): void {
  expect(status).toBe(503)
  expect(headers).toHaveProperty('retry-after')
  expect(took).toBeLessThan(timeout + grace)
}

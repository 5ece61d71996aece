import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { servedEngines, startServer } from '../../support/databases.ts'
import {
  type Ask,
  fieldOf,
  type Reply,
  rounds,
  type Service,
  startService,
  untilStatus,
} from '../../support/service.ts'
import { databaseOf, engines, has } from '../../support/stores.ts'

const dying = fileURLToPath(new URL('../../support/dying-service.ts', import.meta.url))
const kills = rounds(2)
const limit = 30_000 + kills * 10_000
const read = (ask: Ask) => () => ask('GET', '/v1/companies/001')

const create = (ask: Ask, name: string): Promise<Reply> =>
  ask('POST', '/v1/employees', {
    body: { name, birthdate: '1990-01-31' },
    headers: { 'idempotency-key': name },
  })
const newNames = (count: number): readonly string[] =>
  Array.from({ length: count }, () => randomUUID())

describe.each(engines.filter(has))('a create with a key on %s', (engine) => {
  let database: Awaited<ReturnType<typeof databaseOf>>

  beforeAll(async () => {
    database = await databaseOf(engine)
  })
  afterAll(() => database.drop())

  test('survives a kill between commit and answer', { timeout: limit }, async () => {
    for (const name of newNames(kills)) {
      const service = await startService(database.url, dying)
      try {
        await untilStatus(read(service.ask), 200)
        expect(await create(service.ask, name)).toMatchObject({ status: 0 })
      } finally {
        await service.kill()
      }
      const next = await startService(database.url)
      try {
        await untilStatus(read(next.ask), 200)
        const stored = await storedAs(next.ask, name)
        expect(stored.length).toBe(1)
        const again = await create(next.ask, name)
        expect(again).toMatchObject({
          status: 201,
          headers: { 'idempotency-replayed': 'true' },
          body: stored[0],
        })
        expect(await storedAs(next.ask, name)).toEqual(stored)
      } finally {
        await next.kill()
      }
    }
  })

  test('is one item for all who repeat it, across kills', { timeout: limit }, async () => {
    let service = await startService(database.url)
    await untilStatus(read(service.ask), 200)
    // Each asks the process that runs at that moment.
    const ask: Ask = (...sent) => service.ask(...sent)
    try {
      for (let round = 0; round < kills; round++) {
        const names = newNames(40)
        const created = createAll(ask, names)
        await pause(20 + Math.random() * 100)
        await service.kill()
        service = await startService(database.url)
        await expectOnce(ask, names, await created)
      }
    } finally {
      await service.kill()
    }
  })
})

describe.each(servedEngines.filter(has))('a create with a key, while %s is killed', (engine) => {
  test('is one item', { timeout: limit }, async () => {
    const server = await startServer(engine, { durable: true })
    if (server === undefined) throw new Error(`${engine} is not installed.`)
    let service: Service | undefined
    try {
      service = await startService(server.url)
      const { ask } = service
      await untilStatus(read(ask), 200)
      for (let round = 0; round < kills; round++) {
        const names = newNames(40)
        const created = createAll(ask, names)
        await pause(20 + Math.random() * 100)
        await server.kill()
        await pause(50)
        await server.restart()
        await expectOnce(ask, names, await created)
      }
    } finally {
      await service?.kill()
      await server.stop()
    }
  })
})

/** Two clients for each name, which repeat the request until it succeeds. */
async function createAll(
  ask: Ask,
  names: readonly string[],
): Promise<readonly (readonly Reply[])[]> {
  const until = async (name: string): Promise<Reply> => {
    for (;;) {
      const reply = await create(ask, name)
      // No answer, or one that asks to try again: 503, 504.
      if (reply.status !== 0 && reply.status < 500) return reply
      await pause(20)
    }
  }
  return Promise.all(names.map((name) => Promise.all([until(name), until(name)])))
}

async function expectOnce(
  ask: Ask,
  names: readonly string[],
  pairs: readonly (readonly Reply[])[],
): Promise<void> {
  // The last answer may have come before the kill.
  await untilStatus(read(ask), 200)
  for (const name of names) expect((await storedAs(ask, name)).length).toBe(1)
  for (const pair of pairs) {
    expect(pair.map(({ status }) => status)).toEqual([201, 201])
    expect(new Set(pair.map(({ headers }) => headers.location)).size).toBe(1)
  }
}

async function storedAs(ask: Ask, name: string): Promise<readonly unknown[]> {
  const { status, body } = await ask('GET', `/v1/employees?name=${name}`)
  if (status !== 200 || !Array.isArray(body)) throw new Error(`The list is ${status}.`)
  return body.filter((item) => fieldOf(item, 'name') === name)
}

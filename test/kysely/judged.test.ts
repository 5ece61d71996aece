import { type Kysely, sql } from 'kysely'
import { defineApi, defineRegistry, defineResource, type HttpHeaders, handle } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { databaseOf, engines, has } from '../support/stores.ts'

const Plain = z.object({ id: z.string(), text: z.string(), state: z.enum(['open', 'closed']) })
const Counted = Plain.extend({ rev: z.int() })
const bodies = { create: Plain.partial({ id: true }), update: Plain.omit({ id: true }) }
const notes = defineResource('notes', {
  schema: Plain,
  ...bodies,
  filterable: ['state'],
  putCreates: true,
})
const pages = defineResource('pages', {
  schema: Counted,
  ...bodies,
  revision: 'rev',
  filterable: ['state'],
  putCreates: true,
})
const api = defineApi({ v1: { '/notes': notes, '/pages': pages } })
const Plan = z.object({ id: z.string(), text: z.string(), owner_id: z.string() })
const plans = defineResource('plans', {
  schema: Plan,
  create: Plan.omit({ id: true, owner_id: true }),
  ownedBy: ['owner_id'],
  putCreates: true,
})
const nouns = ['notes', 'pages'] as const

interface Judged {
  readonly state: string
}

// The change of one request closes an item, and no other may touch it then.
const isOpen = ({ state }: Judged): boolean => state === 'open'
const rules = { change: isOpen, delete: isOpen }

type Send = (line: string, body?: object, headers?: HttpHeaders) => ReturnType<typeof handle>

const twenty = <Result>(ask: (index: number) => Result): Promise<Awaited<Result>[]> =>
  Promise.all(Array.from({ length: 20 }, (_, index) => ask(index)))

describe.each(engines.filter(has))('on %s', (engine) => {
  let db: Kysely<unknown>
  let drop: () => Promise<void>
  beforeAll(async () => {
    ;({ db, drop } = await databaseOf<unknown>(engine))
    const text = engine === 'mariadb' ? 'varchar(100) collate utf8mb4_nopad_bin' : 'text'
    const columns = sql.raw(`id ${text} primary key, text ${text} not null, state ${text}`)
    await sql`create table notes (${columns})`.execute(db)
    const owned = sql.raw(`id ${text} primary key, text ${text}, owner_id ${text} not null`)
    await sql`create table plans (${owned})`.execute(db)
    await sql`create table pages (${columns}, rev integer not null default 1)`.execute(db)
  })
  afterAll(() => drop())

  const service = (isJudged: boolean): Send => {
    const registry = defineRegistry(api)
      // A write that lost eight tries tells it.
      .onError(() => undefined)
      .rules(isJudged ? { notes: rules, pages: rules } : {})
      .adapters({
        notes: kyselyAdapter<never>(db, { table: 'notes' }),
        pages: kyselyAdapter<never>(db, { table: 'pages' }),
      } as never)
    return async (line, body, headers = {}) => {
      const [method = '', path = ''] = line.split(' ')
      const type = { 'content-type': 'application/json' }
      const request = { method, url: `/v1${path}`, headers: { ...type, ...headers } }
      return handle(body ? { ...request, body: JSON.stringify(body) } : request, registry)
    }
  }

  test('a PUT of the id of another owner is a conflict, and a rule judges a new item', async () => {
    const registry = defineRegistry(defineApi({ v1: { '/plans': plans } }))
      .context(({ headers }) => ({ user: `${headers?.authorization}` }))
      .scope(({ user }) => ({ owner_id: user }))
      .rules({ plans: { create: ({ text }) => text !== 'refused' } })
      .adapters({ plans: kyselyAdapter(db, { table: 'plans' }) })
    const put = async (authorization: string, id: string, text: string, headers = {}) => {
      const type = { 'content-type': 'application/json' }
      const { status, body } = await handle(
        {
          method: 'PUT',
          url: `/v1/plans/${id}`,
          headers: { authorization, ...type, ...headers },
          body: JSON.stringify({ text }),
        },
        registry,
      )
      return [status, Object(body).code ?? body]
    }
    const mine = { id: 'x', text: 'one', owner_id: 'ann' }
    expect(await put('ann', 'x', 'one')).toEqual([201, mine])
    expect(await put('bob', 'x', 'two')).toEqual([409, 'conflict'])
    expect(await put('bob', 'x', 'two', { 'if-none-match': '*' })).toEqual([409, 'conflict'])
    expect(await put('bob', 'x', 'refused')).toEqual([403, 'forbidden'])
    expect(await put('bob', 'y', 'refused')).toEqual([403, 'forbidden'])
    // A rule of creations says nothing of a change.
    expect(await put('ann', 'x', 'refused')).toEqual([200, { ...mine, text: 'refused' }])
    const { rows } = await sql`select * from plans`.execute(db)
    expect(rows).toEqual([{ ...mine, text: 'refused' }])
  })

  test.each(nouns)('twenty PUTs at once make one of the %s', async (noun) => {
    const send = service(false)
    const body = (index: number) => ({ text: `text ${index}`, state: 'open' })
    const all = await twenty((index) => send(`PUT /${noun}/new`, body(index)))
    const statuses = all.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    // One that lost eight tries may come again.
    expect(statuses.filter((status) => ![200, 201, 503].includes(status))).toEqual([])
    const only = await twenty((index) =>
      send(`PUT /${noun}/once`, body(index), { 'if-none-match': '*' }),
    )
    const codes = only.map(({ status, body }) => (status === 201 ? 201 : Object(body).code))
    expect(codes.filter((code) => code === 201)).toHaveLength(1)
    expect(codes.filter((code) => code === 'precondition_failed')).toHaveLength(19)
    const { body: stored } = await send(`GET /${noun}/once`)
    expect(stored).toMatchObject({ text: `text ${codes.indexOf(201)}` })
  })

  const closings = [
    ['PATCH', (noun: string, id: string) => [`PATCH /${noun}/${id}`, { state: 'closed' }]],
    ['PUT', (noun: string, id: string) => [`PUT /${noun}/${id}`, { text: 'a', state: 'closed' }]],
    [
      'PATCH of a bulk',
      (noun: string, id: string) => [`PATCH /${noun}`, [{ id, state: 'closed' }]],
    ],
  ] as const
  const cases = nouns.flatMap((noun) => closings.map(([name, of]) => [noun, name, of] as const))
  test.each(cases)('one of twenty changes closes one of the %s: %s', async (noun, name, of) => {
    const send = service(true)
    const id = name.replaceAll(' ', '-')
    await send(`PUT /${noun}/${id}`, { text: 'a', state: 'open' })
    const [line, body] = of(noun, id) as [string, object]
    const statuses = (await twenty(() => send(line, body))).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => ![200, 403, 503].includes(status))).toEqual([])
  })

  const deletions = [
    ['DELETE', (noun: string, id: string) => `DELETE /${noun}/${id}`],
    ['DELETE with a filter', (noun: string, id: string) => `DELETE /${noun}?id=${id}`],
  ] as const
  const races = nouns.flatMap((noun) => deletions.map(([name, of]) => [noun, name, of] as const))
  test.each(races)('nothing deletes one of the %s that closed: %s', async (noun, name, lineOf) => {
    const send = service(true)
    for (let round = 0; round < 10; round++) {
      const id = `${name.length}-${round}`
      await send(`PUT /${noun}/${id}`, { text: 'a', state: 'open' })
      const close = () => send(`PATCH /${noun}/${id}`, { state: 'closed' })
      const remove = () => send(lineOf(noun, id), undefined, { prefer: 'max-affected=1' })
      const both = round % 2 === 0 ? [close, remove] : [remove, close]
      const replies = await Promise.all(both.map((run) => run()))
      const done = replies.filter(({ status }) => status === 200)
      expect(replies.filter(({ status }) => status >= 500)).toEqual([])
      expect(done).toHaveLength(1)
      const isDeleted = (await send(`GET /${noun}/${id}`)).status === 404
      expect(isDeleted).toBe(Object(done[0]?.body).state !== 'closed')
    }
  })
})

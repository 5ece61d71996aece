import { Kysely, sql } from 'kysely'
import { defineApi, defineRegistry, defineResource, type HttpRequest, handle } from 'nounful'
import { d1Dialect, kyselyAdapter } from 'nounful/kysely'
import { memoryAdapter } from 'nounful/memory'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { databaseOf, type Engine, engines, has, type TestDatabase } from '../support/stores.ts'

const User = z.object({ id: z.string(), name: z.string(), team: z.string(), by: z.string() })
const users = defineResource('users', {
  schema: User,
  create: User.omit({ by: true }).extend({ password: z.string() }),
  update: User.omit({ by: true }).extend({ password: z.string().optional() }),
  readOnly: ['by'],
  sortable: ['name'],
  searchable: ['name'],
  filterable: ['team'],
})
const api = defineApi({ v1: { '/users': users } })

interface Context {
  readonly user: string
}

const text = (engine: Engine) =>
  sql.raw(
    engine === 'mariadb' ? 'varchar(40) character set utf8mb4 collate utf8mb4_nopad_bin' : 'text',
  )

type Given = Parameters<typeof kyselyAdapter>[1]

/** Sends a request as a user: `send('ann', 'GET /users')`. */
function sender(adapter: unknown) {
  const registry = defineRegistry(api)
    .context(({ headers }): Context => ({ user: String(headers?.authorization) }))
    .onError(() => undefined)
    .adapters({ users: adapter as never })
  return async (user: string, line: string, body?: unknown, others: object = {}) => {
    const [method = '', path = ''] = line.split(' ')
    const headers = { authorization: user, 'content-type': 'application/json', ...others }
    const request = { method, url: `/v1${path}`, headers, body: body as HttpRequest['body'] }
    const answer = await handle(request, registry)
    return [answer.status, answer.body] as const
  }
}

const code = (name: string) => expect.objectContaining({ code: name })
const hashed = (password: string | undefined) =>
  password === undefined ? {} : { password: `hash of ${password}` }

describe.each(engines.filter(has))('hooks with %s', (engine) => {
  let database: TestDatabase<unknown>

  beforeEach(async () => {
    database = await databaseOf(engine)
    const type = text(engine)
    await sql`create table users (id ${type} primary key, name ${type} not null,
      team ${type} not null, ${sql.id('by')} ${type} not null, secret ${type} not null)`.execute(
      database.db,
    )
  }, 60_000)

  afterEach(() => database.drop())

  const rows = async () => (await sql`select id, secret from users`.execute(database.db)).rows

  test('get the operation, the context and write-only fields', async () => {
    const seen: unknown[] = []
    const send = sender(
      kyselyAdapter<never>(database.db, {
        table: 'users',
        columns: { password: 'secret' } as never,
        onCreate: (
          { password }: { password: string },
          { kind, path }: Operation,
          { user }: Context,
        ) => {
          seen.push([kind, path, user])
          return { by: user, ...hashed(password) }
        },
        onUpdate: (
          { password }: { password?: string },
          stored: { by: string },
          { kind }: Operation,
          { user }: Context,
        ) => {
          seen.push([kind, stored, user])
          return { by: `${stored.by}, ${user}`, ...hashed(password) }
        },
      } as never),
    )
    const ada = { id: 'a', name: 'Ada', team: 'x', by: 'ann' }
    const body = { id: 'a', name: 'Ada', team: 'x', password: 'pw' }
    expect(await send('ann', 'POST /users', body)).toEqual([201, ada])
    expect(await rows()).toEqual([{ id: 'a', secret: 'hash of pw' }])
    expect(await send('bob', 'GET /users')).toEqual([200, [ada]])
    const { password: _, ...item } = body
    const changed = { ...ada, by: 'ann, bob' }
    expect(await send('bob', 'PUT /users/a', item)).toEqual([200, changed])
    expect(await rows()).toEqual([{ id: 'a', secret: 'hash of pw' }])
    const again = await send('eve', 'PUT /users', [{ ...item, password: 'new' }])
    expect(again).toEqual([200, [{ ...ada, by: 'ann, bob, eve' }]])
    expect(await rows()).toEqual([{ id: 'a', secret: 'hash of new' }])
    expect(seen).toEqual([
      ['create', '/users', 'ann'],
      ['update', ada, 'bob'],
      ['updateMany', changed, 'eve'],
    ])
  })

  test('may return a promise', async () => {
    const by = async (by: string, password?: string) => {
      await new Promise((resolve) => setTimeout(resolve, 1))
      return { by, ...hashed(password) }
    }
    const send = sender(
      kyselyAdapter(database.db, {
        table: 'users',
        columns: { password: 'secret' },
        onCreate: ({ password }: { password: string }) => by('made', password),
        onUpdate: ({ password }: { password?: string }) => by('changed', password),
      } as Given),
    )
    const item = { id: 'a', name: 'Ada', team: 'x' }
    const made = await send('ann', 'POST /users', { ...item, password: 'pw' })
    expect(made).toEqual([201, { ...item, by: 'made' }])
    const body = [{ ...item, password: 'new' }]
    expect(await send('ann', 'PUT /users', body)).toEqual([200, [{ ...item, by: 'changed' }]])
    expect(await send('ann', 'PUT /users/a', item)).toEqual([200, { ...item, by: 'changed' }])
    const { rows } = await sql`select secret from users`.execute(database.db)
    expect(rows).toEqual([{ secret: 'hash of new' }])
  })

  test('a column is write-only without JSON Schema', async () => {
    const anything = { validate: (value: unknown) => ({ value: value as { id: string } }) }
    const schema = { '~standard': { version: 1 as const, vendor: 'test', ...anything } }
    const people = defineResource('people', { schema })
    const registry = defineRegistry(defineApi({ v1: { '/people': people } })).adapters({
      people: kyselyAdapter(database.db, {
        table: 'users',
        columns: {
          ...{ id: 'id', name: 'name', team: 'team', by: 'by' },
          password: { name: 'secret', writeOnly: true },
        } as object,
      }),
    })
    const headers = { 'content-type': 'application/json' }
    const ask = async (method: string, url: string, body?: object) =>
      (await handle({ method, url, headers, body: body && JSON.stringify(body) }, registry)).body
    const item = { id: 'a', name: 'Ada', team: 'x', by: 'y' }
    expect(await ask('POST', '/v1/people', { ...item, password: 'pw' })).toEqual(item)
    expect(await ask('PUT', '/v1/people/a', item)).toEqual(item)
    expect(await ask('GET', '/v1/people')).toEqual([item])
    const { rows } = await sql`select secret from users`.execute(database.db)
    expect(rows).toEqual([{ secret: 'pw' }])
  })

  test('hooks set a column that no item shows', async () => {
    const word = z.string()
    const schema = z.object({ id: word, name: word })
    const people = defineResource('people', { schema, create: schema })
    const registry = defineRegistry(defineApi({ v1: { '/people': people } }))
      .context(({ headers }) => ({ user: `${headers?.user}` }))
      .adapters({
        people: kyselyAdapter(database.db, {
          table: 'users',
          columns: {
            name: 'name',
            by: { writeOnly: true },
            team: { writeOnly: true },
            secret: { writeOnly: true },
          },
          onCreate: (_, __, { user }) => ({ by: user, team: user, secret: 'none' }),
          onUpdate: ({ name }, _, __, { user }) => ({ name: `${name}.`, by: user }),
        }),
      })
    const ask = async (user: string, method: string, url: string, body: object) => {
      const headers = { 'content-type': 'application/json', user }
      return (await handle({ method, url, headers, body: JSON.stringify(body) }, registry)).body
    }
    const item = { id: 'a', name: 'Ada' }
    expect(await ask('ann', 'POST', '/v1/people', item)).toEqual(item)
    const changed = { id: 'a', name: 'Ada.' }
    expect(await ask('bob', 'PUT', '/v1/people/a', item)).toEqual(changed)
    const { rows } = await sql`select ${sql.ref('by')}, team from users`.execute(database.db)
    expect(rows).toEqual([{ by: 'bob', team: 'ann' }])
  })

  test.each(['id', 'name', 'team', 'author'])(
    'no client can ask by a write-only %s',
    async (name) => {
      const word = z.string()
      const askable = z.object({ id: word, name: word, team: word, author: word })
      const asked = { sortable: ['name'], searchable: ['team'], filterable: ['author'] } as const
      const column = name === 'author' ? 'by' : name
      const people = defineResource('people', { schema: askable, ...asked })
      const registry = defineRegistry(defineApi({ v1: { '/people': people } })).adapters({
        people: kyselyAdapter<never>(database.db, {
          table: 'users',
          columns: { author: 'by', [name]: { name: column, writeOnly: true } } as object,
        }),
      })
      await expect(registry.ready()).rejects.toThrow(
        `searches, filters or sorts by "${name}", which no response holds`,
      )
    },
  )

  test('a write-only field without a column is for the hook alone', async () => {
    await sql`alter table users drop column secret`.execute(database.db)
    const by = { onCreate: () => ({ by: 'x' }) }
    const options = { table: 'users', ...by } as Given
    const send = sender(kyselyAdapter(database.db, options))
    const body = { id: 'a', name: 'Ada', team: 'x', password: 'pw' }
    expect(await send('ann', 'POST /users', body)).toEqual([
      201,
      { id: 'a', name: 'Ada', team: 'x', by: 'x' },
    ])
    expect(await send('ann', 'PUT /users/a', body)).toEqual([
      422,
      expect.objectContaining({
        issues: [expect.objectContaining({ pointer: '/password', code: 'unknown_field' })],
      }),
    ])
    expect((await send('ann', 'GET /users'))[1]).toMatchObject([{ id: 'a' }])
  })

  describe('items that a caller may see', () => {
    const ann = { id: 'a', name: 'Ann', team: 'x', by: 'x' }
    const bob = { id: 'b', name: 'Bob', team: 'y', by: 'y' }
    const body = (item: typeof ann) => {
      const { by: _, ...others } = item
      return { ...others, password: 'pw' }
    }
    let send: ReturnType<typeof sender>

    beforeEach(async () => {
      send = sender(
        kyselyAdapter<never>(database.db, {
          table: 'users',
          columns: { password: 'secret' } as never,
          onCreate: (_: object, __: Operation, { user }: Context) => ({ by: user }),
          visible: ({ user }: Context, { kind }: Operation) =>
            user === 'root' && kind !== 'deleteAll'
              ? undefined
              : sql<boolean>`team = ${user} or team = ${`${user}!`}`,
        } as never),
      )
      expect(await send('x', 'POST /users', body(ann))).toEqual([201, ann])
      expect(await send('y', 'POST /users', body(bob))).toEqual([201, bob])
    })

    test('are all that a read knows', async () => {
      expect(await send('root', 'GET /users')).toEqual([200, [ann, bob]])
      expect(await send('x', 'GET /users')).toEqual([200, [ann]])
      expect(await send('y', 'GET /users?q=ann')).toEqual([200, []])
      expect(await send('y', 'GET /users?team=x')).toEqual([200, []])
      expect(await send('x', 'GET /users?sort=-name&limit=1')).toEqual([200, [ann]])
      expect(await send('x', 'GET /users/last')).toEqual([200, ann])
      expect(await send('y', 'GET /users/first')).toEqual([200, bob])
      expect(await send('x', 'GET /users/count')).toEqual([200, { count: 1 }])
      expect(await send('x', 'GET /users/b')).toEqual([404, code('not_found')])
    })

    test('are all that a write changes', async () => {
      const { password: _, ...eve } = { ...body(bob), name: 'Eve' }
      expect(await send('x', 'PUT /users/b', eve)).toEqual([404, code('not_found')])
      expect(await send('x', 'PUT /users', [body(ann), eve])).toEqual([404, code('not_found')])
      expect(await send('x', 'DELETE /users/b')).toEqual([404, code('not_found')])
      expect(await send('root', 'GET /users')).toEqual([200, [ann, bob]])
      expect(await send('y', 'PUT /users/b', eve)).toEqual([200, { ...bob, name: 'Eve' }])
      expect(await send('y', 'DELETE /users/b')).toEqual([200, { ...bob, name: 'Eve' }])
      const none = { prefer: 'max-affected=0' }
      const [, refused] = await send('x', 'DELETE /users', undefined, none)
      expect(refused).toEqual(code('too_many_affected'))
      expect(await send('y', 'DELETE /users')).toEqual([200, { deleted: 0 }])
      expect(await send('x', 'DELETE /users')).toEqual([200, { deleted: 1 }])
    })

    test('are all that a write may leave', async () => {
      const carl = body({ ...bob, id: 'c', name: 'Carl' })
      expect(await send('x', 'POST /users', carl)).toEqual([403, code('forbidden')])
      const moved = { id: 'a', name: 'Ann', team: 'y' }
      expect(await send('x', 'PUT /users/a', moved)).toEqual([403, code('forbidden')])
      expect(await send('x', 'PUT /users', [moved])).toEqual([403, code('forbidden')])
      expect(await send('root', 'GET /users')).toEqual([200, [ann, bob]])
      expect(await send('x', 'POST /users', body(bob))).toEqual([409, code('conflict')])
      const seen = { ...moved, team: 'x!' }
      expect(await send('x', 'PUT /users/a', seen)).toEqual([200, { ...ann, team: 'x!' }])
    })

    test('fill long lists and pages', async () => {
      const secret = 'pw'
      for (let start = 0; start < 3000; start += 100) {
        const some = Array.from({ length: 100 }, (_, index) => {
          const id = `n${String(start + index).padStart(4, '0')}`
          return sql`(${id}, 'N', ${index % 2 === 0 ? 'x' : 'y'}, 'z', ${secret})`
        })
        await sql`insert into users values ${sql.join(some)}`.execute(database.db)
      }
      const [, all] = await send('x', 'GET /users')
      const items: { team: string }[] = []
      for await (const item of all as AsyncIterable<{ team: string }>) items.push(item)
      expect(items.length).toBe(1501)
      expect(new Set(items.map(({ team }) => team))).toEqual(new Set(['x']))
      const [, page] = await send('y', 'GET /users?limit=1000&sort=-name')
      expect(new Set((page as { team: string }[]).map(({ team }) => team))).toEqual(new Set(['y']))
      expect(await send('x', 'GET /users/count?q=n')).toEqual([200, { count: 1501 }])
    })
  })
})

interface Operation {
  readonly kind: string
  readonly path: string
}

test('memory gives hooks the same, and stores no write-only field', async () => {
  const hooks = {
    onCreate: ({ name }: { name: string }, { kind }: Operation, { user }: Context) => ({
      by: `${kind} ${user} ${name}`,
    }),
    onUpdate: (_: object, { by }: { by: string }, { kind }: Operation, { user }: Context) => ({
      by: `${by}, ${kind} ${user}`,
    }),
  }
  const send = sender(memoryAdapter(hooks as never))
  const item = { id: 'a', name: 'Ada', team: 'x' }
  const made = { ...item, by: 'create ann Ada' }
  expect(await send('ann', 'POST /users', { ...item, password: 'pw' })).toEqual([201, made])
  const changed = { ...made, by: 'create ann Ada, update bob' }
  expect(await send('bob', 'PUT /users/a', { ...item, password: 'pw' })).toEqual([200, changed])
  const many = { ...made, by: 'create ann Ada, update bob, updateMany eve' }
  expect(await send('eve', 'PUT /users', [item])).toEqual([200, [many]])
  expect(await send('eve', 'GET /users')).toEqual([200, [many]])
})

describe('wrong options', () => {
  const db = new Kysely<unknown>({ dialect: d1Dialect({} as never) })

  test.each([
    [{ visible: true }, '"visible" of a kyselyAdapter takes a function'],
    [{ softDelete: 1 }, 'The "softDelete" of a kyselyAdapter names a column'],
    [{ softDelete: '' }, 'The "softDelete" of a kyselyAdapter names a column'],
  ])('%j', (options, message) => {
    const given = { table: 'users', ...options } as unknown as Given
    expect(() => kyselyAdapter(db, given)).toThrow(message)
  })

  test('a schema of Kysely', () => {
    const other = db.withSchema('hr')
    expect(() => kyselyAdapter(other, { table: 'users' })).toThrow('name the schema in "table"')
  })

  test('visible on D1', async () => {
    const adapter = kyselyAdapter(db, { table: 'users', visible: () => undefined })
    expect(await sender(adapter)('ann', 'GET /users')).toEqual([500, code('internal_error')])
  })
})

test('an update in memory waits for its hook, and loses no other', async () => {
  let seen = 0
  const send = sender(
    memoryAdapter<never>({
      items: [{ id: 'a', name: 'Ada', team: '', by: '' }] as never,
      onUpdate: (async (_: object, { team }: { team: string }) => {
        seen++
        await new Promise((resolve) => setTimeout(resolve, 1))
        return { team: `${team}x` }
      }) as never,
    }),
  )
  const put = () => send('ann', 'PUT /users/a', { name: 'Ada', team: 'y' })
  const answers = await Promise.all([put(), put(), put()])
  expect(answers.map(([status]) => status)).toEqual([200, 200, 200])
  expect((await send('ann', 'GET /users/a'))[1]).toMatchObject({ team: 'xxx' })
  // The memory adapter lets each wait for the one before.
  expect(seen).toBe(3)
})

test('a new item in memory waits for its hook', async () => {
  const onCreate = (async () => ({ by: 'x' })) as never
  const send = sender(memoryAdapter<never>({ onCreate }))
  const post = () => send('ann', 'POST /users', { id: 'a', name: 'Ada', team: 'y', password: 'pw' })
  const answers = await Promise.all([post(), post()])
  expect(answers.map(([status]) => status)).toEqual([201, 409])
  expect(answers[0]?.[1]).toEqual({ id: 'a', name: 'Ada', team: 'y', by: 'x' })
})

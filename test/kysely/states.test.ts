import { type Kysely, sql } from 'kysely'
import { type Adapter, defineApi, defineRegistry, defineResource, handle } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { memoryAdapter } from 'nounful/memory'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { databaseOf, engines, has } from '../support/stores.ts'

const Article = z.object({
  id: z.string(),
  title: z.string(),
  status: z.enum(['draft', 'published', 'withdrawn', 'archived']),
  rev: z.int(),
})
const Plain = Article.omit({ rev: true })
// Each state but the first two is an end.
const states = {
  status: {
    draft: ['published', 'withdrawn'],
    published: ['archived'],
    withdrawn: [],
    archived: [],
  },
} as const
const articles = defineResource('articles', {
  ...{ schema: Article, create: Plain, update: Plain.omit({ id: true }) },
  ...{ revision: 'rev', states },
})
const notes = defineResource('notes', {
  ...{ schema: Plain, create: Plain, update: Plain.omit({ id: true }) },
  states,
})
const api = defineApi({ v1: { '/articles': articles, '/notes': notes } })
const json = { 'content-type': 'application/json' }

type Adapters = Readonly<Record<'articles' | 'notes', Adapter>>

/** A storage, and how a test begins anew. */
interface Storage {
  adapters(): Adapters
  clear(): Promise<void>
  drop(): Promise<void>
}

const memory = async (): Promise<Storage> => ({
  adapters: () => ({ articles: memoryAdapter<never>(), notes: memoryAdapter<never>() }) as never,
  clear: async () => undefined,
  drop: async () => undefined,
})

const storages = [
  ['memory', memory],
  ...engines.filter(has).map((engine) => {
    const open = async (): Promise<Storage> => {
      const { db, drop } = await databaseOf<unknown>(engine)
      const text = engine === 'mariadb' ? 'varchar(100) collate utf8mb4_nopad_bin' : 'text'
      const columns = sql.raw(`id ${text} primary key, title ${text} not null, status ${text}`)
      await sql`create table articles (${columns}, rev integer not null)`.execute(db)
      await sql`create table notes (${columns})`.execute(db)
      return { adapters: () => over(db), clear: () => empty(db), drop }
    }
    return [engine, open] as const
  }),
] as const

const over = (db: Kysely<unknown>): Adapters =>
  ({
    articles: kyselyAdapter<never>(db, { table: 'articles' }),
    notes: kyselyAdapter<never>(db, { table: 'notes' }),
  }) as never

async function empty(db: Kysely<unknown>): Promise<void> {
  await sql`delete from articles`.execute(db)
  await sql`delete from notes`.execute(db)
}

const withoutModify = ({ modify: _, modifyMany: __, ...adapter }: Adapter): Adapter => adapter

describe.each(storages)('%s', (_, open) => {
  let storage: Storage
  beforeAll(async () => {
    storage = await open()
  })
  afterAll(() => storage.drop())
  beforeEach(() => storage.clear())

  const service = (isWhole = true) => {
    const adapters = storage.adapters()
    const { articles } = adapters
    const all = isWhole ? adapters : { ...adapters, articles: withoutModify(articles) }
    // A write that lost eight tries tells it.
    const registry = defineRegistry(api)
      .onError(() => undefined)
      .adapters(all as never)
    return async (line: string, body: unknown) => {
      const [method = '', path = ''] = line.split(' ')
      const request = { method, url: `/v1${path}`, headers: json, body: body as never }
      return handle(request, registry)
    }
  }

  const forms = [
    ['a PUT', '/articles', 'PUT', true],
    ['a PATCH', '/articles', 'PATCH', true],
    ['a PUT without a revision', '/notes', 'PUT', true],
    ['a PATCH without a revision', '/notes', 'PATCH', true],
    ['a PUT without "modify"', '/articles', 'PUT', false],
  ] as const
  test.each(forms)('one of twenty moves at once wins: %s', async (_, path, method, isWhole) => {
    const ask = service(isWhole)
    const made = await ask(`POST ${path}`, { id: '1', title: 'A', status: 'draft' })
    expect(made.status).toBe(201)
    const targets = Array.from({ length: 20 }, (_, index) =>
      index % 2 === 0 ? 'published' : 'withdrawn',
    )
    const answers = await Promise.all(
      targets.map((status) => ask(`${method} ${path}/1`, { title: 'A', status })),
    )
    const { body } = await handleRead(ask, path)
    const won = targets.filter((_, index) => answers[index]?.status === 200)
    // A later request for the same state does not move the item.
    expect([...new Set(won)]).toEqual([Object(body).status])
    for (const [index, answer] of answers.entries()) {
      if (answer.status === 200) continue
      // A write that lost eight tries is 503.
      expect([409, 503]).toContain(answer.status)
      if (answer.status === 409)
        expect(Object(answer.body).issues).toMatchObject([{ pointer: '/status', code: 'state' }])
      expect(targets[index] === Object(body).status && answer.status === 409).toBe(false)
    }
  })

  test('answers and stores as the others do', async () => {
    const ask = service()
    const facts = [
      ['POST /notes', { id: '1', title: 'A' }, 201],
      ['POST /notes', { id: '2', title: 'A', status: 'archived' }, 422],
      [
        'POST /notes',
        [
          { id: '2', title: 'A' },
          { id: '3', title: 'A', status: 'gone' },
        ],
        422,
      ],
      ['PATCH /notes/1', { status: 'archived' }, 409],
      ['PATCH /notes/1', { status: 'published' }, 200],
      ['PUT /notes/1', { title: 'B', status: 'published' }, 200],
      ['PUT /notes/1', { title: 'B', status: 'draft' }, 409],
      ['PUT /notes', [{ id: '1', title: 'C', status: 'archived' }], 200],
      ['PATCH /notes', [{ id: '1', status: 'draft' }], 409],
    ] as const
    const statuses = []
    for (const [line, body] of facts) statuses.push((await ask(line, body)).status)
    expect(statuses).toEqual(facts.map(([, , status]) => status))
    const { body } = await handleRead(ask, '/notes')
    expect(body).toEqual({ id: '1', title: 'C', status: 'archived' })
  })
})

function handleRead(
  ask: (line: string, body: unknown) => Promise<{ body?: unknown }>,
  path: string,
) {
  return ask(`GET ${path}/1`, undefined)
}

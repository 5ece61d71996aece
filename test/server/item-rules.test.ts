import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import {
  type Adapter,
  defineApi,
  defineRegistry,
  defineResource,
  defineView,
  handle,
  narrow,
  type Operation,
} from 'nounful'
import { kyselyAdapter, sqliteDialect } from 'nounful/kysely'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const Comment = z.object({
  id: z.string(),
  text: z.string().min(1),
  author_id: z.string(),
  thread_id: z.string().optional(),
  state: z.enum(['open', 'closed']),
  secret: z.string().optional(),
  rev: z.number(),
})
const NewComment = Comment.omit({ id: true, rev: true }).extend({ id: z.string().optional() })
const threads = defineResource('threads', {
  schema: z.object({ id: z.string() }),
  create: z.object({ id: z.string() }),
  update: z.object({}),
})
const options = {
  schema: Comment,
  create: NewComment,
  revision: 'rev',
  filterable: ['text', 'author_id', 'state'],
  restricted: ['secret'],
  references: { thread_id: 'threads' },
  states: { state: { open: ['closed'], closed: [] } },
  putCreates: true,
} as const
const comments = defineResource('comments', options)
// The text has another name, the author none, and closed is done.
const remarks = defineView('remarks', comments, {
  schema: z.object({
    id: z.string(),
    body: z.string(),
    state: z.enum(['new', 'done']),
    thread_id: z.string().optional(),
    rev: z.number(),
  }),
  create: z.object({
    id: z.string().optional(),
    body: z.string(),
    state: z.enum(['new', 'done']),
    thread_id: z.string().optional(),
  }),
  fields: { body: 'text', state: { of: 'state', values: { open: 'new', closed: 'done' } } },
  hidden: { author_id: 'ann' },
  filterable: ['body'],
})
const api = defineApi({
  v1: { '/comments': remarks, '/threads': threads },
  v2: { '/comments': comments, '/threads': threads },
})
type Row = z.infer<typeof Comment>
const items: Row[] = [
  { id: 'a', text: 'Hi', author_id: 'ann', state: 'open', secret: 'x', rev: 1 },
  { id: 'b', text: 'Ho', author_id: 'bob', state: 'open', rev: 1 },
  { id: 'c', text: 'Ha', author_id: 'ann', state: 'closed', rev: 1 },
]

interface Context {
  readonly user: string
}

/** The calls of the rules: name, stored or new item, changed item. */
type Call = readonly unknown[]

type Loose = Adapter & ReturnType<typeof memoryAdapter>

function memoryStore(): Loose {
  return memoryAdapter({ items }) as Loose
}

// Without `modify` and `remove`, the revision guards.
function revisionStore(): Loose {
  const { modify, modifyMany, remove, ...others } = memoryStore()
  return others as Loose
}

function sqliteStore(): Loose {
  const file = new DatabaseSync(':memory:')
  const columns = [
    'id text primary key, text text not null, author_id text not null, thread_id text',
    'state text not null, secret text, rev integer not null',
  ]
  file.exec(`create table comments (${columns.join(', ')})`)
  for (const { id, text, author_id, state, secret = null, rev } of items)
    file
      .prepare('insert into comments values (?, ?, ?, null, ?, ?, ?)')
      .run(id, text, author_id, state, secret, rev)
  const db = new Kysely<unknown>({ dialect: sqliteDialect(file) })
  return kyselyAdapter(db, { table: 'comments' }) as Loose
}

function serviceOf(store: Loose, rules?: object) {
  const calls: Call[] = []
  const errors: unknown[] = []
  const isOwn = (author: unknown, { user }: Context) => author === user || user === 'root'
  const own = {
    create: (draft: z.infer<typeof NewComment>, context: Context) => {
      calls.push(['create', draft])
      return isOwn(draft.author_id, context)
    },
    change: (stored: Row, context: Context, changed: Row) => {
      calls.push(['change', stored, changed])
      return isOwn(stored.author_id, context) && changed.text !== 'spam'
    },
    delete: (stored: Row, context: Context) => {
      calls.push(['delete', stored])
      return isOwn(stored.author_id, context)
    },
  }
  const registry = defineRegistry(api, { defaultVersion: 'v2', limits: { bulk: 50 } })
    .context(({ headers }): Context => ({ user: String(headers?.user ?? 'ann') }))
    .rules({ comments: (rules ?? own) as typeof own })
    .onError((error) => errors.push(error))
    .adapters({
      comments: store as never,
      threads: memoryAdapter({ items: [{ id: 't' }] }),
    })
  const send = async (line: string, body?: unknown, headers: Record<string, string> = {}) => {
    const [method = '', url = ''] = line.split(' ')
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const sent = { method, url, headers: { ...type, ...headers }, body: toText(body) }
    const { status, body: answer, headers: answered } = await handle(sent as never, registry)
    return { status, body: answer as never, allow: answered?.allow, ...membersOf(answer) }
  }
  const ids = async () => {
    const { body } = await send('GET /comments')
    return (body as Row[]).map(({ id }) => id).join('')
  }
  return { send, ids, calls, errors, registry }
}

// As an adapter of a user, whose methods the core does not know.
function wrapped(adapter: Loose): object {
  return Object.fromEntries(
    Object.entries(adapter).map(([name, method]) => [
      name,
      (...all: readonly unknown[]) => Reflect.apply(method as never, undefined, all),
    ]),
  )
}

function toText(body: unknown): Uint8Array | undefined {
  return body === undefined ? undefined : new TextEncoder().encode(JSON.stringify(body))
}

function membersOf(answer: unknown) {
  const { code, detail, issues } = Object(answer)
  return { code, detail, issues } as {
    code?: string
    detail?: string
    issues?: readonly { pointer: string; code: string }[]
  }
}

const stores = { memory: memoryStore, 'by revision': revisionStore, sqlite: sqliteStore }
const draft = { text: 'New', author_id: 'ann', state: 'open' }
const foreign = { ...draft, author_id: 'bob' }

describe.each(Object.entries(stores))('the rules of items on %s', (_, open) => {
  test.each<[line: string, body: unknown, status: number, refused: string]>([
    ['POST /comments', draft, 201, ''],
    ['POST /comments', foreign, 403, 'You may not create this item.'],
    ['POST /comments?dry_run=true', foreign, 403, 'You may not create this item.'],
    ['POST /comments?dry_run=true', draft, 200, ''],
    ['PUT /comments/a', { ...draft, text: 'Two' }, 200, ''],
    ['PUT /comments/b', draft, 403, 'You may not change this item.'],
    ['PUT /comments/b?dry_run=true', draft, 403, 'You may not change this item.'],
    ['PUT /comments/a', { ...draft, text: 'spam' }, 403, 'You may not change this item.'],
    ['PATCH /comments/a', { text: 'Two' }, 200, ''],
    ['PATCH /comments/b', { text: 'Two' }, 403, 'You may not change this item.'],
    // A patch that changes nothing asks too.
    ['PATCH /comments/b', {}, 403, 'You may not change this item.'],
    ['PUT /comments/z', draft, 201, ''],
    ['PUT /comments/z', foreign, 403, 'You may not create this item.'],
    ['DELETE /comments/a', undefined, 200, ''],
    ['DELETE /comments/b', undefined, 403, 'You may not delete this item.'],
    // An item that does not exist comes before its rule.
    ['DELETE /comments/y', undefined, 404, ''],
    ['DELETE /comments/%7F', undefined, 404, ''],
    ['PATCH /comments/y', { text: 'Two' }, 404, ''],
    // So does a fault of the body.
    ['PATCH /comments/b', { text: '' }, 422, ''],
    ['POST /comments', { ...foreign, text: '' }, 422, ''],
  ])('%s %j is %i', async (line, body, status, refused) => {
    const { send, ids } = serviceOf(open())
    const before = (await send('GET /comments')).body
    const answer = await send(line, body)
    expect(answer.status).toBe(status)
    if (refused === '') return
    expect(answer).toMatchObject({ code: 'forbidden', detail: refused })
    expect(await ids()).toBe('abc')
    expect((await send('GET /comments')).body).toEqual(before)
  })

  test('refuse a bulk as a whole, and name the items', async () => {
    const { send, ids } = serviceOf(open())
    const created = await send('POST /comments', [draft, foreign, draft, foreign])
    expect(created).toMatchObject({
      ...{ status: 403, detail: 'You may not create all of these items.' },
      issues: [
        { pointer: '/1', code: 'forbidden' },
        { pointer: '/3', code: 'forbidden' },
      ],
    })
    for (const line of ['PATCH /comments', 'PUT /comments']) {
      const changed = ['a', 'b'].map((id) => ({ ...draft, id, text: 'Two' }))
      expect(await send(line, changed)).toMatchObject({
        ...{ status: 403, issues: [{ pointer: '/1' }] },
      })
    }
    expect(await ids()).toBe('abc')
    expect((await send('GET /comments/a')).body).toMatchObject({ text: 'Hi' })
  })

  test('get whole stored items, also fields that the client does not see', async () => {
    const { send, calls } = serviceOf(open())
    await send('PUT /comments/a', { ...draft, text: 'Two' })
    await send('PATCH /comments/a', { text: 'Three' })
    await send('DELETE /comments/a')
    expect(calls).toMatchObject([
      ['change', { secret: 'x', text: 'Hi' }, { id: 'a', secret: 'x', text: 'Two' }],
      ['change', { secret: 'x', text: 'Two' }, { id: 'a', secret: 'x', text: 'Three' }],
      ['delete', { secret: 'x', text: 'Three' }],
    ])
  })

  test.each<[line: string, body: unknown, headers: Record<string, string>, code: string]>([
    // Beside each other fault that would come later, the rule is the answer.
    ['PATCH /comments/b', { text: 'x', thread_id: 'no' }, {}, 'forbidden'],
    ['PUT /comments/b', { ...draft, thread_id: 'no' }, {}, 'forbidden'],
    ['POST /comments', { ...foreign, thread_id: 'no' }, {}, 'forbidden'],
    ['PATCH /comments/b', { text: 'x' }, { 'if-match': '"9"' }, 'forbidden'],
    ['PUT /comments/b', { ...draft, rev: 9 }, {}, 'forbidden'],
    ['DELETE /comments/b', undefined, { 'if-match': '"9"' }, 'forbidden'],
    ['PUT /comments/b', draft, { 'if-none-match': '*' }, 'forbidden'],
    // Without a refusal the other faults are what they were.
    ['PATCH /comments/a', { text: 'x', thread_id: 'no' }, {}, 'validation_failed'],
    ['POST /comments', { ...draft, thread_id: 'no' }, {}, 'validation_failed'],
    [
      'PATCH /comments/a',
      { text: 'x', thread_id: 'no' },
      { 'if-match': '"9"' },
      'validation_failed',
    ],
    ['PATCH /comments/a', { text: 'x' }, { 'if-match': '"9"' }, 'precondition_failed'],
    ['DELETE /comments/a', undefined, { 'if-match': '"9"' }, 'precondition_failed'],
    ['PATCH /comments/c', { state: 'open' }, {}, 'conflict'],
    ['PATCH /v1/comments/b', { body: 'x', thread_id: 'no' }, {}, 'forbidden'],
    ['PATCH /v1/comments/b', { body: 'x' }, { 'if-match': '"9"' }, 'forbidden'],
    ['PUT /v1/comments/b', { body: 'x', state: 'new', rev: 9 }, {}, 'forbidden'],
    ['DELETE /v1/comments/b', undefined, { 'if-match': '"9"' }, 'forbidden'],
    ['PATCH /v1/comments/a', { body: 'x' }, { 'if-match': '"9"' }, 'precondition_failed'],
    ['PATCH /v1/comments/c', { state: 'new' }, {}, 'conflict'],
    ['DELETE /v1/comments/a', undefined, { 'if-match': '"9"' }, 'precondition_failed'],
  ])(
    'come before the references and the conflicts: %s %j %j',
    async (line, body, headers, code) => {
      const { send, ids } = serviceOf(open())
      expect(await send(line, body, headers)).toMatchObject({ code })
      expect(await ids()).toBe('abc')
    },
  )

  test('judge the items of a view as the resource stores them', async () => {
    const { send, calls } = serviceOf(open())
    expect(await send('POST /v1/comments', { body: 'New', state: 'new' })).toMatchObject({
      status: 201,
    })
    expect(await send('PATCH /v1/comments/a', { body: 'Two' })).toMatchObject({ status: 200 })
    expect(await send('PATCH /v1/comments/b', { body: 'Two' })).toMatchObject({ status: 403 })
    expect(await send('PUT /v1/comments/a', { body: 'spam', state: 'new' })).toMatchObject({
      ...{ status: 403, detail: 'You may not change this item.' },
    })
    const bulk = [
      { id: 'a', body: 'x' },
      { id: 'b', body: 'x' },
    ]
    expect(await send('PATCH /v1/comments', bulk)).toMatchObject({
      ...{ status: 403, issues: [{ pointer: '/1', code: 'forbidden' }] },
    })
    // The rule comes before a stale condition, in a dry run too.
    const stale = { 'if-match': '"stale"' }
    for (const query of ['', '?dry_run=true']) {
      for (const [line, body] of [
        [`PATCH /v1/comments/b${query}`, { body: 'Two' }],
        [`PUT /v1/comments/b${query}`, { body: 'Two', state: 'new' }],
        [`PATCH /v1/comments${query}`, bulk],
      ] as const)
        expect([line, await send(line, body, stale)]).toMatchObject([line, { status: 403 }])
      const allowed = await send(`PATCH /v1/comments/a${query}`, { body: 'Three' }, stale)
      expect(allowed).toMatchObject({ status: 409, code: 'precondition_failed' })
    }
    expect(await send('DELETE /v1/comments/b')).toMatchObject({ status: 403 })
    expect(await send('DELETE /v1/comments/a')).toMatchObject({
      status: 200,
      body: { body: 'Two' },
    })
    expect(calls[0]).toMatchObject(['create', { text: 'New', author_id: 'ann', state: 'open' }])
    expect(calls[1]).toMatchObject(['change', { text: 'Hi' }, { text: 'Two', secret: 'x' }])
    const other = { user: 'bob' }
    expect(await send('POST /v1/comments', { body: 'x', state: 'new' }, other)).toMatchObject({
      ...{ status: 403, detail: 'You may not create this item.' },
    })
    const two = [
      { body: 'x', state: 'new' },
      { body: 'y', state: 'new' },
    ]
    expect(await send('POST /v1/comments', two, other)).toMatchObject({
      ...{ status: 403, issues: [{ pointer: '/0' }, { pointer: '/1' }] },
    })
  })

  test.each([
    ['a promise', () => Promise.reject(new Error('late'))],
    ['a value of type undefined', () => undefined],
    ['a value of type number', () => 1],
  ])('that return %s are a fault of the service', async (gave, rule) => {
    const rules = { create: rule, change: rule, delete: rule }
    const { send, errors, ids } = serviceOf(open(), rules)
    for (const [line, body] of [
      ['POST /comments', draft],
      ['PATCH /comments/a', { text: 'x' }],
      ['DELETE /comments/a', undefined],
    ] as const)
      expect(await send(line, body)).toMatchObject({ status: 500, code: 'internal_error' })
    expect(errors.map(String)).toEqual(
      ['create', 'change', 'delete'].map(
        (name) =>
          `TypeError: The rule "${name}" of "comments" gave ${gave}: return true or false at once.`,
      ),
    )
    expect(await ids()).toBe('abc')
  })
})

describe('the rule of deletions', () => {
  test.each(Object.entries({ memory: memoryStore, sqlite: sqliteStore }))(
    'judges every item of a collection on %s',
    async (_, open) => {
      const { send, ids } = serviceOf(open())
      const bound = { prefer: 'max-affected=9' }
      expect(await send('DELETE /comments')).toMatchObject({
        ...{ status: 403, detail: 'You may not delete all of these items.' },
      })
      expect(await send('DELETE /comments?text=Ho', undefined, bound)).toMatchObject({
        ...{ status: 403, detail: 'You may not delete this item.' },
      })
      // The rule comes before the number of items.
      expect(
        await send('DELETE /comments?state=open', undefined, { prefer: 'max-affected=1' }),
      ).toMatchObject({ status: 403 })
      expect(
        await send('DELETE /comments?author_id=ann', undefined, { prefer: 'max-affected=1' }),
      ).toMatchObject({ status: 409, code: 'too_many_affected' })
      expect(await ids()).toBe('abc')
      const line = 'DELETE /comments?author_id=ann'
      expect(await send(`${line}&dry_run=true`, undefined, bound)).toMatchObject({
        body: { deleted: 2 },
      })
      expect(
        await send('DELETE /comments?state=open&dry_run=true', undefined, bound),
      ).toMatchObject({ status: 403 })
      expect(
        await send(`${line}&dry_run=true`, undefined, { prefer: 'max-affected=1' }),
      ).toMatchObject({ status: 409 })
      expect(await ids()).toBe('abc')
      // Through a view, too.
      expect(await send('DELETE /v1/comments?body=Ho', undefined, bound)).toMatchObject({
        status: 403,
      })
      expect(
        await send('DELETE /v1/comments?body=Ho&dry_run=true', undefined, bound),
      ).toMatchObject({ status: 403 })
      expect(await send('DELETE /v1/comments?body=Ha', undefined, bound)).toMatchObject({
        body: { deleted: 1 },
      })
      expect(await send(line, undefined, bound)).toMatchObject({ body: { deleted: 1 } })
      expect(await ids()).toBe('b')
      expect(await send('DELETE /comments', undefined, { user: 'root' })).toMatchObject({
        body: { deleted: 1 },
      })
    },
  )

  test('leaves out the deletions of an adapter that cannot judge them', async () => {
    const { removeMany, ...others } = memoryStore()
    const { send } = serviceOf(others as Loose)
    expect(await send('DELETE /comments')).toMatchObject({ status: 405 })
    expect(await send('OPTIONS /comments')).toMatchObject({
      allow: 'GET, HEAD, POST, PUT, PATCH, OPTIONS',
    })
    expect(await send('DELETE /comments/a')).toMatchObject({ status: 200 })
  })

  test.each<[gave: string, wrap: (adapter: Loose) => object]>([
    [
      'a deletion that "judge" did not see: give it each item first',
      (adapter) => ({
        remove: (operation: never, context: unknown) => adapter.delete?.(operation, context),
        removeMany: (operation: never, context: unknown) => adapter.deleteAll?.(operation, context),
      }),
    ],
  ])('does not trust an adapter that gave %s', async (gave, wrap) => {
    const adapter = memoryStore()
    const { send, errors } = serviceOf({ ...wrapped(adapter), ...wrap(adapter) } as Loose)
    expect(await send('DELETE /comments/a')).toMatchObject({ status: 500 })
    expect(await send('DELETE /comments')).toMatchObject({ status: 500 })
    expect(errors.map(String)).toEqual([
      `TypeError: The adapter of "comments" gave, for "delete", ${gave}.`,
      `TypeError: The adapter of "comments" gave, for "deleteAll", ${gave}.`,
    ])
  })

  test('reads and judges again after a lost race', async () => {
    const adapter = revisionStore()
    let deletions = 0
    const store = {
      ...wrapped(adapter),
      delete(operation: Operation, context: unknown) {
        // Another writer is faster, once.
        if (++deletions === 1) {
          const item = { ...items[0], text: 'spam', rev: 1 }
          adapter.update?.({ ...operation, kind: 'update', item } as never, context as never)
        }
        return adapter.delete?.(operation as never, context as never)
      },
    }
    const { send, calls } = serviceOf(store as never)
    expect(await send('DELETE /comments/a')).toMatchObject({ status: 200, body: { text: 'spam' } })
    expect(calls).toMatchObject([
      ['delete', { text: 'Hi' }],
      ['delete', { text: 'spam' }],
    ])
  })

  test('needs the revision of an item', async () => {
    const adapter = revisionStore()
    const read = (operation: never, context: never) => {
      const item: unknown = adapter.read?.(operation, context)
      return { ...Object(item), rev: undefined }
    }
    const { send, errors } = serviceOf({ ...wrapped(adapter), read } as never)
    expect(await send('DELETE /comments/a')).toMatchObject({ status: 500 })
    expect(String(errors[0])).toMatch(/gave, for "delete", an item without its "rev"/)
  })

  test('does not trust an adapter that deletes more than its bound', async () => {
    const adapter = memoryStore()
    const removeMany = (operation: Operation, context: never, judge: never) =>
      adapter.removeMany?.({ ...operation, maxAffected: 99 } as never, context, judge)
    const { send, errors } = serviceOf({ ...wrapped(adapter), removeMany } as never)
    const line = 'DELETE /comments?author_id=ann'
    expect(await send(line, undefined, { prefer: 'max-affected=1' })).toMatchObject({ status: 500 })
    expect(String(errors[0])).toMatch(/2 items: at most 1/)
  })

  test('holds inside a narrowed adapter', async () => {
    const { send, ids } = serviceOf(narrow(memoryStore(), { author_id: 'ann' }) as Loose)
    expect(await send('DELETE /comments/b')).toMatchObject({ status: 404 })
    expect(await send('DELETE /comments', undefined)).toMatchObject({ body: { deleted: 2 } })
    expect(await ids()).toBe('')
  })
})

describe('a replay', () => {
  test('asks no rule', async () => {
    const keyed = defineResource('comments', {
      schema: z.object({ id: z.string(), text: z.string() }),
      create: z.object({ id: z.uuid().optional(), text: z.string() }),
      id: z.uuid(),
      idempotent: true,
    })
    let asked = 0
    const registry = defineRegistry(defineApi({ v1: { '/comments': keyed } }))
      .rules({ comments: { create: () => ++asked === 1 } })
      .adapters({ comments: memoryAdapter() })
    const request = {
      method: 'POST',
      url: '/comments',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'k' },
      body: toText({ text: 'Hi' }),
    } as never
    expect(await handle(request, registry)).toMatchObject({ status: 201 })
    expect(await handle(request, registry)).toMatchObject({ status: 201 })
    expect(asked).toBe(1)
  })
})

describe('a rule holds at the moment of the write', () => {
  // The change of one request closes the comment; the rule of the other lets nobody touch it then.
  const closed = {
    change: (stored: Row) => stored.state === 'open',
    delete: (stored: Row) => stored.state === 'open',
  }
  test.each(Object.entries(stores))('on %s', async (_, open) => {
    for (let round = 0; round < 20; round++) {
      const { send } = serviceOf(open(), closed)
      const other =
        round % 2 === 0
          ? () => send('PATCH /comments/a', { text: 'late' })
          : () => send('DELETE /comments/a')
      const both = [() => send('PATCH /comments/a', { state: 'closed' }), other]
      const order = round % 4 < 2 ? both : both.toReversed()
      await Promise.all(order.map((run) => run()))
      const { status, body } = await send('GET /comments/a')
      // Deleted, closed, or both changed before it closed; never changed after it closed.
      const results = await Promise.all([send('PATCH /comments/a', { text: 'later' })])
      expect([403, 404]).toContain(results[0]?.status)
      if (status === 200) expect(body).toMatchObject({ state: 'closed' })
    }
  })
})

describe('the declaration of rules', () => {
  const build = (rules: unknown) =>
    defineRegistry(api, { defaultVersion: 'v2' }).rules(rules as never)

  test.each<[rules: unknown, message: string]>([
    [undefined, '.rules() takes an object: write some of { comments, threads }.'],
    [{ coments: {} }, '.rules() has no option "coments": write "comments" if that is meant.'],
    [{ remarks: {} }, '.rules() has no option "remarks": use comments, threads.'],
    [
      { comments: { update: () => true } },
      'The rules of "comments" has no option "update": use create, change, delete.',
    ],
    [
      { comments: { change: true } },
      'The rule "change" of "comments" takes a function: write change: (item, context) => ' +
        'item.author_id === context.user.id.',
    ],
  ])('refuses %j', (rules, message) => {
    expect(() => build(rules)).toThrow(new TypeError(message))
  })

  test('takes a resource without rules', () => {
    expect(() => build({ comments: undefined, threads: { delete: undefined } })).not.toThrow()
  })

  test('comes after the context', () => {
    expect(() => build({ comments: {} }).context(() => ({}))).toThrow(
      '.context() comes after .rules(), which takes the context: write one .context(), first.',
    )
  })

  const plain = defineResource('notes', {
    schema: z.object({ id: z.string(), text: z.string() }),
    create: z.object({ text: z.string() }),
  })
  const plainApi = defineApi({ v1: { '/notes': plain } })
  const { modify, modifyMany, remove, ...simple } = memoryAdapter() as Loose

  test.each([
    ['POST', '/notes', 201],
    ['PUT', '/notes/a', 200],
    ['PATCH', '/notes/a', 200],
  ])('stores nothing that a rule writes: %s', async (method, url, status) => {
    const write = (item: { text: string }): boolean => {
      item.text = 'of the rule'
      return true
    }
    const registry = defineRegistry(plainApi)
      .rules({ notes: { create: write, change: (_, __, item) => write(item) } })
      .adapters({ notes: memoryAdapter({ items: [{ id: 'a', text: 'Old' }] }) })
    const headers = { 'content-type': 'application/json' }
    const body = toText({ text: 'New' })
    expect(await handle({ method, url, headers, body } as never, registry)).toMatchObject({
      status,
      body: { text: 'New' },
    })
  })

  test.each<[rules: object, adapter: object, message: string]>([
    [
      { change: () => true },
      simple,
      'Resource "notes" has a rule "change", so "update" has to judge what is stored: give its ' +
        'adapter "read" and "modify", declare a "revision", or write "without: [\'update\']".',
    ],
    [
      { delete: () => true },
      simple,
      'Resource "notes" has a rule "delete", so a deletion has to judge what is stored: give its ' +
        'adapter "remove", declare a "revision", or write "without: [\'delete\']".',
    ],
    [
      { delete: () => true },
      { ...memoryAdapter(), delete: () => undefined },
      'The adapter of "notes" has its own "delete", but the "remove" of another adapter goes ' +
        'past it: write your own "remove", or leave it out: ({ remove, ...rest }) => rest.',
    ],
  ])('refuses an adapter that cannot keep it: %o', (rules, adapter, message) => {
    const builder = defineRegistry(plainApi).rules({ notes: rules })
    expect(() => builder.adapters({ notes: adapter as never })).toThrow(new TypeError(message))
  })

  test('asks nothing of an adapter without the rule', () => {
    const builder = defineRegistry(plainApi).rules({ notes: { create: () => true } })
    expect(() => builder.adapters({ notes: simple as never })).not.toThrow()
  })
})

import {
  defineApi,
  defineRegistry,
  defineResource,
  defineView,
  handle,
  problem,
  type Registry,
} from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const Stored = z.object({
  id: z.string(),
  title: z.string(),
  note: z.string(),
  revision: z.int(),
})
const Shown = z.object({ id: z.string(), name: z.string(), tag: z.int() })
const notes = defineResource('notes', {
  schema: Stored,
  create: Stored.omit({ id: true, revision: true }),
  revision: 'revision',
  sortable: ['title'],
})
const notes_v1 = defineView('notes_v1', notes, {
  schema: Shown,
  create: Shown.omit({ id: true, tag: true }),
  revision: 'tag',
  sortable: ['name'],
  fields: { name: 'title', tag: 'revision' },
  hidden: { note: () => 'made by v1' },
})
const api = defineApi({ v1: { '/notes': notes_v1 }, v2: { '/notes': notes } })

const ask = async (registry: Registry, line: string, sent?: unknown, given = {}) => {
  const [method = '', url = ''] = line.split(' ')
  const body = sent === undefined ? {} : { body: JSON.stringify(sent) }
  const headers = { 'content-type': 'application/json', ...given }
  const { status, body: answer } = await handle({ method, url, headers, ...body }, registry)
  return { status, body: answer }
}

const items = [1, 2, 3].map((id) => ({ id: `${id}`, title: `t${id}`, note: 'kept', revision: 1 }))

/** An adapter of one's own, with a revision and no `modify`. `before` runs before each write. */
function withRevision(before: () => void = () => undefined) {
  const stored = new Map<string, (typeof items)[number]>(items.map((item) => [item.id, item]))
  const write = (item: (typeof items)[number], expected: unknown) => {
    before()
    if (stored.get(item.id)?.revision !== expected) throw problem('precondition_failed')
    const made = { ...item, revision: item.revision + 1 }
    stored.set(item.id, made)
    return made
  }
  const registry = defineRegistry(api, { defaultVersion: 'v1' }).adapters({
    notes: {
      read: ({ id }) => stored.get(id),
      list: async function* () {
        yield [...stored.values()]
      },
      update: ({ item, ifRevision }) => write(item, ifRevision),
      updateMany: ({ items: all }) => all.map((item) => write(item, item.revision)),
      create: ({ item }) => ({ id: '9', revision: 1, ...item }),
      createMany: ({ items: all }) =>
        all.map((item, at) => ({ id: `${at}`, revision: 1, ...item })),
    },
  })
  return { registry, stored }
}

describe('a view over an adapter with a revision', () => {
  test('writes through it', async () => {
    const { registry, stored } = withRevision()
    expect(await ask(registry, 'PUT /v1/notes/1', { name: 'new' })).toEqual({
      status: 200,
      body: { id: '1', name: 'new', tag: 2 },
    })
    expect(await ask(registry, 'PATCH /v1/notes/1', { name: 'newer' })).toMatchObject({
      status: 200,
    })
    const bulk = [
      { id: '2', name: 'two' },
      { id: '3', name: 't3' },
    ]
    expect(await ask(registry, 'PUT /v1/notes', bulk)).toEqual({
      status: 200,
      body: [
        { id: '2', name: 'two', tag: 2 },
        { id: '3', name: 't3', tag: 1 },
      ],
    })
    expect(await ask(registry, 'PATCH /v1/notes', bulk)).toMatchObject({ status: 200 })
    expect([...stored.values()]).toEqual([
      { id: '1', title: 'newer', note: 'kept', revision: 3 },
      { id: '2', title: 'two', note: 'kept', revision: 2 },
      { id: '3', title: 't3', note: 'kept', revision: 1 },
    ])
    expect((await ask(registry, 'PUT /v1/notes/7', { name: 'x' })).status).toBe(404)
    expect((await ask(registry, 'PATCH /v1/notes/7', { name: 'x' })).status).toBe(404)
    expect(await ask(registry, 'POST /v1/notes', { name: 'x' })).toEqual({
      status: 201,
      body: { id: '9', name: 'x', tag: 1 },
    })
    expect(await ask(registry, 'POST /v1/notes', [{ name: 'x' }])).toEqual({
      status: 201,
      body: [{ id: '0', name: 'x', tag: 1 }],
    })
    expect((await ask(registry, 'GET /v1/notes/count')).body).toEqual({ count: 3 })
  })

  test('reads again when the item has changed meanwhile', async () => {
    let writes = 0
    const { registry, stored } = withRevision(() => {
      if (++writes > 1) return
      stored.set('1', { id: '1', title: 't1', note: 'changed', revision: 2 })
    })
    expect((await ask(registry, 'PUT /v1/notes/1', { name: 'new' })).status).toBe(200)
    expect(stored.get('1')).toEqual({ id: '1', title: 'new', note: 'changed', revision: 3 })
  })

  test('writes over no item without its revision', async () => {
    const { registry, stored } = withRevision()
    const item = { id: '1', title: 't1', note: 'kept' } as (typeof items)[number]
    stored.set('1', item)
    expect((await ask(registry, 'PUT /v1/notes/1', { name: 'new' })).status).toBe(500)
    expect((await ask(registry, 'PUT /v1/notes', [{ id: '1', name: 'new' }])).status).toBe(500)
    expect(stored.get('1')).toBe(item)
  })

  test('keeps to the revision that the client names', async () => {
    const { registry } = withRevision()
    const old = { 'if-match': '"7"' }
    expect((await ask(registry, 'PUT /v1/notes/1', { name: 'x' }, old)).status).toBe(409)
    expect((await ask(registry, 'PUT /v1/notes/1', { name: 'x', tag: 7 })).status).toBe(409)
    expect((await ask(registry, 'PUT /v1/notes', [{ id: '1', name: 'x', tag: 7 }])).status).toBe(
      409,
    )
  })
})

describe('a view without anything hidden', () => {
  const Same = z.object({ id: z.string(), name: z.string() })
  const Named = z.object({ id: z.string(), title: z.string() })
  const pages = defineResource('pages', { schema: Named, create: Named })
  const pages_v1 = defineView('pages_v1', pages, {
    schema: Same,
    create: Same,
    fields: { name: 'title' },
  })

  test('needs no guard', async () => {
    const stored = new Map([['1', { id: '1', title: 'old' }]])
    const registry = defineRegistry(defineApi({ v1: { '/pages': pages_v1 } })).adapters({
      pages: {
        read: ({ id }) => stored.get(id),
        update: ({ id, item }) => {
          stored.set(id, item)
          return item
        },
        updateMany: ({ items: all }) => all,
      },
    })
    expect(await ask(registry, 'PUT /v1/pages/1', { name: 'new' })).toEqual({
      status: 200,
      body: { id: '1', name: 'new' },
    })
    expect(stored.get('1')).toEqual({ id: '1', title: 'new' })
  })
})

describe('problems of the adapter', () => {
  const registryOf = (issues: readonly { pointer: string; code: string; message: string }[]) =>
    defineRegistry(api, { defaultVersion: 'v1' }).adapters({
      notes: {
        ...memoryAdapter({ items }),
        create: () => {
          throw problem('conflict', 'The note of "title" is taken', { issues })
        },
        createMany: () => {
          throw problem('conflict', undefined, { issues })
        },
      },
    })
  const rows = [
    ['/title', '/name', 'is taken'],
    ['/title/0', '/name/0', 'is taken'],
    ['/note', '', 'is not valid'],
    ['', '', 'is taken'],
  ] as const
  test.each(rows)('about %s are told about %s', async (pointer, shown, message) => {
    const registry = registryOf([{ pointer, code: 'not_unique', message: 'is taken' }])
    const { body } = await ask(registry, 'POST /v1/notes', { name: 'x' })
    expect(body).toMatchObject({ issues: [{ pointer: shown, code: 'not_unique', message }] })
    expect(JSON.stringify(body)).not.toMatch(/note of|"title" is/)
  })

  test('of bulks keep the index', async () => {
    const registry = registryOf([{ pointer: '/1/title', code: 'not_unique', message: 'is taken' }])
    const { body } = await ask(registry, 'POST /v1/notes', [{ name: 'x' }, { name: 'y' }])
    expect(body).toMatchObject({ issues: [{ pointer: '/1/name' }] })
  })

  test('of bulks may have no index', async () => {
    const pointers = ['/title', '']
    const told = pointers.map((pointer) => ({ pointer, code: 'x', message: 'is taken' }))
    const { body } = await ask(registryOf(told), 'POST /v1/notes', [{ name: 'x' }])
    expect(body).toMatchObject({ issues: [{ pointer: '/name' }, { pointer: '' }] })
  })

  test('about a part of a field are about the field', async () => {
    const text = z.string()
    const base = defineResource('cards', { schema: z.object({ id: text, one: text, two: text }) })
    const view = defineView('cards_v1', base, {
      schema: z.object({ id: text, both: text }),
      create: z.object({ id: text, both: text }),
      fields: { both: { join: ['one', 'two'], split: 'last' } },
    })
    const issues = [
      { pointer: '/0/two/3', code: 'x', message: 'x' },
      { parameter: 'q', code: 'x', message: 'x' },
    ]
    const registry = defineRegistry(defineApi({ v1: { '/cards': view } })).adapters({
      cards: {
        createMany: () => {
          throw problem('conflict', undefined, { issues })
        },
        create: () => ({ id: '1', one: '', two: '' }),
      },
    })
    const { body } = await ask(registry, 'POST /v1/cards', [{ id: '1', both: 'a b' }])
    expect(body).toMatchObject({ issues: [{ pointer: '/0/both' }, { parameter: 'q' }] })
  })
})

describe("an adapter of one's own", () => {
  const over = (adapter: object) =>
    Reflect.apply(
      defineRegistry(api, { defaultVersion: 'v1' }).onError(() => undefined).adapters,
      undefined,
      [{ notes: adapter }],
    ) as Registry
  const read = () => items[0]

  test('may give what is no item and no list', async () => {
    const registry = over({ read: () => 7, list: () => 7 })
    expect((await ask(registry, 'GET /v1/notes/1')).status).toBe(500)
    expect((await ask(registry, 'GET /v1/notes')).status).toBe(500)
  })

  const thrown = [
    [new Error('gone'), 500],
    [problem('forbidden'), 403],
    [
      problem('bad_parameter', undefined, {
        issues: [{ parameter: 'q', code: 'x', message: 'x' }],
      }),
      400,
    ],
  ] as const
  test.each(thrown)('may throw %s', async (error, status) => {
    const registry = over({
      read: () => {
        throw error
      },
    })
    expect((await ask(registry, 'GET /v1/notes/1')).status).toBe(status)
  })

  test('may throw issues of a parameter and of a field', async () => {
    const issues = [
      { parameter: 'q', code: 'x', message: 'x' },
      { pointer: '/title', code: 'x', message: 'x' },
    ]
    const registry = over({
      read,
      delete: () => {
        throw problem('validation_failed', undefined, { issues })
      },
    })
    const { body } = await ask(registry, 'DELETE /v1/notes/1')
    expect(body).toMatchObject({ issues: [{ parameter: 'q' }, { pointer: '/name' }] })
  })

  test('may throw what is no error in a change', async () => {
    const registry = over({
      read,
      modify: () => {
        throw 'text'
      },
      update: () => undefined,
    })
    expect((await ask(registry, 'PATCH /v1/notes/1', { name: 'x' })).status).toBe(500)
  })

  test('may find that an item is gone', async () => {
    const registry = over({
      read: ({ id }: { id: string }) => items.find((item) => item.id === id),
      updateMany: () => [],
      modifyMany: (_: unknown, __: unknown, change: (stored: readonly unknown[]) => unknown) =>
        change([undefined]),
    })
    expect((await ask(registry, 'PUT /v1/notes', [{ id: '1', name: 'x' }])).status).toBe(404)
  })

  test('is checked and examined for the resource that it stores', async () => {
    const asked: unknown[] = []
    const registry = over({
      read,
      ready: (resource: { name: string }) => void asked.push(resource.name),
      examine: (resource: { name: string }) => {
        asked.push(resource.name)
        return { table: 'notes', advice: [] }
      },
    })
    await registry.ready()
    const [binding] = registry.bindings
    await binding?.adapter.examine?.(notes_v1, [])
    expect(asked).toEqual(['notes', 'notes', 'notes'])
  })
})

test('a view below several parents is checked by the fields of its base', async () => {
  const asked: unknown[] = []
  const id = z.string()
  const shelves = defineResource('shelves', { schema: z.object({ id }) })
  const books = defineResource('books', { schema: z.object({ id, shelf_id: id }) })
  const pages = defineResource('pages', { schema: z.object({ id, tome_id: id }) })
  const pages_v1 = defineView('pages_v1', pages, {
    schema: z.object({ id, book_id: id }),
    create: z.object({ id, book_id: id }),
    fields: { book_id: 'tome_id' },
  })
  const deep = defineApi({
    v1: {
      '/shelves': shelves,
      '/shelves/:shelf_id/books': books,
      '/shelves/:shelf_id/books/:book_id/pages': pages_v1,
    },
  })
  const read = () => undefined
  await defineRegistry(deep)
    .adapters({
      shelves: { read },
      books: { read },
      pages: { read, ready: (_, [mount]) => void asked.push(mount?.parameters, mount?.owners) },
    })
    .ready()
  expect(asked).toEqual([['shelf_id', 'tome_id'], ['tome_id']])
})

describe('a base that takes less than the view', () => {
  const Strict = Stored.extend({ note: z.string().min(1), title: z.string().max(5).trim() })
  const strict = defineResource('notes', {
    schema: Stored,
    create: Strict.omit({ id: true, revision: true }),
    revision: 'revision',
  })
  const view = defineView('notes_v1', strict, {
    schema: Shown,
    create: Shown.omit({ id: true, tag: true }),
    revision: 'tag',
    fields: { name: 'title', tag: 'revision' },
    hidden: { note: 'x' },
  })
  const registry = () =>
    defineRegistry(defineApi({ v1: { '/notes': view } })).adapters({
      notes: memoryAdapter({ items: [{ id: '1', title: 't', note: '', revision: 1 }] }),
    })

  test('refuses only what the client changes', async () => {
    const put = (name: string) => ask(registry(), 'PUT /v1/notes/1', { name })
    expect(await put('new')).toMatchObject({ status: 200, body: { name: 'new' } })
    const made = await ask(registry(), 'POST /v1/notes', { name: 'too long' })
    expect(made).toMatchObject({ status: 422, body: { issues: [{ pointer: '/name' }] } })
    expect(await put('too long')).toMatchObject({
      status: 422,
      body: { issues: [{ pointer: '/name' }] },
    })
  })
})

test('an initial value that does not read back is a fault', async () => {
  const text = z.string()
  const counted = defineResource('cards', {
    schema: z.object({ id: text, cents: z.int() }),
    create: z.object({ cents: z.int() }),
  })
  const priced = defineView('cards_v2', counted, {
    schema: z.object({ id: text, price: text }),
    create: z.object({ price: text }),
    fields: { price: { of: 'cents', read: String, write: Number } },
  })
  const bare = defineView('cards_v1', priced, {
    schema: z.object({ id: text }),
    create: z.object({}),
    hidden: { price: '' },
  })
  const registry = defineRegistry(defineApi({ v1: { '/cards': bare } })).adapters({
    cards: memoryAdapter(),
  })
  const { status, body } = await ask(registry, 'POST /v1/cards', {})
  expect(status).toBe(422)
  expect(body).toMatchObject({ issues: [{ pointer: '', code: 'unrepresentable' }] })
})

describe('the value of a hidden function', () => {
  const text = z.string()
  const Stored = z.object({ id: text, name: text, code: z.string().max(3), size: z.int() })
  const base = defineResource('cards', {
    schema: Stored,
    create: Stored.omit({ id: true }).refine(({ code, size }) => code.length === size, {
      path: ['size'],
      message: 'is not the length of the code',
    }),
  })
  const Shown = z.object({ id: text, name: text, code: text })
  const view = defineView('cards_v1', base, {
    schema: Shown,
    create: Shown.omit({ id: true }),
    hidden: { size: ({ name }) => Number(name) },
  })
  const errors: unknown[] = []
  const registry = {
    ...defineRegistry(defineApi({ v1: { '/cards': view } })).adapters({ cards: memoryAdapter() }),
    onError: (error: unknown) => errors.push(error),
  }

  test('is made of the new item', async () => {
    const made = { name: '3', code: 'abc' }
    expect(await ask(registry, 'POST /v1/cards', made)).toMatchObject({ status: 201, body: made })
  })

  test.each([
    ['POST', { name: 'x', code: 'abc' }],
    [
      'POST',
      [
        { name: '3', code: 'abc' },
        { name: 'x', code: 'abc' },
      ],
    ],
  ])('is 500 if the resource refuses it', async (method, sent) => {
    errors.length = 0
    expect(await ask(registry, `${method} /v1/cards`, sent)).toMatchObject({ status: 500 })
    const [error] = errors
    expect(`${error}`).toMatch(
      /^TypeError: View "cards_v1" makes no item of "cards": "create" refuses its "size" \(/,
    )
  })

  test('is 422 with a fault that the client can fix', async () => {
    const refused = await ask(registry, 'POST /v1/cards', { name: '2', code: 'abc' })
    expect(refused).toMatchObject({
      status: 422,
      body: { issues: [{ pointer: '', message: 'is not valid' }] },
    })
    const long = await ask(registry, 'POST /v1/cards', { name: '4', code: 'abcd' })
    expect(long).toMatchObject({ status: 422, body: { issues: [{ pointer: '/code' }] } })
  })
})

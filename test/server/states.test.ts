import fc from 'fast-check'
import { defineApi, defineRegistry, defineResource, handle } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import '../support/properties.ts'

const Status = z.enum(['draft', 'published', 'archived'])
const Article = z.object({
  id: z.string(),
  title: z.string(),
  status: z.string().nullish(),
  note: z.string().optional(),
  rev: z.number(),
})
const NewArticle = Article.omit({ id: true, rev: true })
const moves = { draft: ['published'], published: ['archived', 'draft'], archived: [] } as const
const articles = defineResource('articles', {
  schema: Article,
  create: NewArticle,
  revision: 'rev',
  states: { status: moves },
  idempotent: true,
})
const api = defineApi({ v1: { '/articles': articles } })

const item = { title: 'A', rev: 1 }
const stored = [
  { ...item, id: 'd', status: 'draft' },
  { ...item, id: 'p', status: 'published' },
  { ...item, id: 'a', status: 'archived' },
  { ...item, id: 'x', status: 'legacy' },
  { ...item, id: 'n' },
]

/** The storage: one that reads and stores as one step, and one that compares revisions. */
const storages = ['modify', 'revision'] as const

function serviceOf(storage: (typeof storages)[number]) {
  const { modify, modifyMany, ...adapter } = memoryAdapter<never>({ items: stored as never })
  const whole = storage === 'modify' ? { ...adapter, modify, modifyMany } : adapter
  const registry = defineRegistry(api).adapters({ articles: whole } as never)
  return async (line: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const [method = '', path = ''] = line.split(' ')
    const request = { method, url: `/v1/articles${path}` }
    const type = { 'content-type': 'application/json' }
    return handle({ ...request, headers: { ...type, ...headers }, body: body as never }, registry)
  }
}

const conflict = (pointer: string, ...allowed: readonly string[]) => ({
  code: 'conflict',
  issues: [
    {
      pointer,
      code: 'state',
      message: `must stay as it is${allowed.length ? `, or become ${allowed.join(' or ')}` : ''}`,
      allowed,
    },
  ],
})
const begins = (...pointers: readonly string[]) => ({
  code: 'validation_failed',
  issues: pointers.map((pointer) => ({
    pointer,
    code: 'state',
    message: 'must be draft, in which an item begins, or left out',
    allowed: ['draft'],
  })),
})

describe.each(storages)('states over %s', (storage) => {
  test.each<[line: string, body: unknown, status: number, answer: unknown]>([
    ['POST', { title: 'B' }, 201, { status: 'draft' }],
    ['POST', { title: 'B', status: 'draft' }, 201, { status: 'draft' }],
    ['POST', { title: 'B', status: 'published' }, 422, begins('/status')],
    ['POST', { title: 'B', status: null }, 422, begins('/status')],
    ['POST', { title: 1, status: 'published' }, 422, { code: 'validation_failed' }],
    ['POST', [{ title: 'B' }, { title: 'C', status: 'draft' }], 201, [{ status: 'draft' }, {}]],
    [
      'POST',
      [{ title: 'B', status: 'archived' }, { title: 'C' }, { title: 'D', status: 'x' }],
      422,
      begins('/0/status', '/2/status'),
    ],
    ['POST ?dry_run=true', { title: 'B' }, 200, { status: 'draft' }],
    ['PUT /d', { title: 'B', status: 'published' }, 200, { status: 'published' }],
    ['PUT /d', { title: 'B', status: 'draft' }, 200, { status: 'draft', title: 'B' }],
    ['PUT /d', { title: 'B', status: 'archived' }, 409, conflict('/status', 'published')],
    ['PUT /d', { title: 'B' }, 409, conflict('/status', 'published')],
    ['PUT /p', { title: 'B', status: null }, 409, conflict('/status', 'archived', 'draft')],
    ['PUT /a', { title: 'B', status: 'draft' }, 409, conflict('/status')],
    ['PUT /d?dry_run=true', { title: 'B', status: 'published' }, 200, { status: 'published' }],
    ['PUT /d?dry_run=true', { title: 'B', status: 'x' }, 409, conflict('/status', 'published')],
    ['PUT /d', { id: 'e', title: 'B', status: 'x' }, 409, { code: 'id_mismatch' }],
    ['PUT /d', { title: 'B', status: 'x', rev: 7 }, 409, { code: 'precondition_failed' }],
    ['PUT /z', { title: 'B', status: 'x' }, 404, { code: 'not_found' }],
    ['PATCH /d', { status: 'published' }, 200, { status: 'published', title: 'A' }],
    ['PATCH /d', { title: 'B' }, 200, { status: 'draft', title: 'B' }],
    ['PATCH /d', { status: 'archived' }, 409, conflict('/status', 'published')],
    ['PATCH /d', { status: null }, 409, conflict('/status', 'published')],
    ['PATCH /d', { status: 'archived', title: 1 }, 422, { code: 'validation_failed' }],
    ['PATCH /x', { title: 'B' }, 200, { status: 'legacy', title: 'B' }],
    ['PATCH /x', { status: 'archived' }, 200, { status: 'archived' }],
    ['PATCH /n', { status: 'published' }, 200, { status: 'published' }],
    ['PATCH /n', { status: null }, 200, { title: 'A' }],
    ['PATCH /n', { status: 'y' }, 409, conflict('/status', 'draft', 'published', 'archived')],
    [
      'PUT',
      [
        { id: 'd', title: 'B', status: 'published' },
        { id: 'a', title: 'B', status: 'draft' },
        { id: 'p', title: 'B', status: 'x' },
      ],
      409,
      {
        issues: [
          ...conflict('/1/status').issues,
          ...conflict('/2/status', 'archived', 'draft').issues,
        ],
      },
    ],
    [
      'PATCH',
      [
        { id: 'd', status: 'published' },
        { id: 'p', status: 'draft' },
      ],
      200,
      [{ status: 'published' }, { status: 'draft' }],
    ],
    [
      'PATCH',
      [
        { id: 'd', status: 'published' },
        { id: 'a', status: 'draft' },
      ],
      409,
      conflict('/1/status'),
    ],
  ])('%s %j is %i', async (line, body, status, answer) => {
    const send = serviceOf(storage)
    const before = (await send('GET')).body
    const response = await send(line, body)
    const expected = Array.isArray(answer)
      ? answer.map((one) => expect.objectContaining(one))
      : expect.objectContaining(answer as object)
    expect([response.status, response.body]).toEqual([status, expected])
    if (status >= 400) expect((await send('GET')).body).toEqual(before)
  })

  test('move a state that the contract does not know once', async () => {
    const send = serviceOf(storage)
    const statuses = []
    for (const status of ['published', 'archived', 'draft'])
      statuses.push((await send('PATCH /x', { status })).status)
    expect(statuses).toEqual([200, 200, 409])
  })

  test('repeat a creation although the item has moved on', async () => {
    const send = serviceOf(storage)
    const headers = { 'idempotency-key': '"k"' }
    const body = { title: 'B', status: 'draft' }
    const { body: created } = await send('POST', body, headers)
    const { id } = Object(created)
    await send(`PATCH /${id}`, { status: 'published' })
    const again = await send('POST', body, headers)
    expect([again.status, again.body]).toEqual([
      201,
      { ...Object(created), status: 'published', rev: 2 },
    ])
    const other = await send('POST', { ...body, status: 'published' }, headers)
    expect(other.status).toBe(422)
  })

  test('let one of twenty moves win where only one is allowed', async () => {
    const send = serviceOf(storage)
    const targets = Array.from({ length: 20 }, (_, index) => (index % 2 ? 'archived' : 'draft'))
    const responses = await Promise.all(
      targets.map((status, index) => send('PUT /p', { title: `${index}`, status })),
    )
    // From "draft" no PUT of "archived" is allowed; from "archived" none of "draft".
    const won = targets.filter((_, index) => responses[index]?.status === 200)
    expect(new Set(won).size).toBe(1)
    const { body } = await send('GET /p')
    expect(Object(body).status).toBe(won[0])
  })
})

describe('any machine of states', () => {
  const names = ['a', 'b', 'c', 'd'] as const
  const machine = fc.record(
    Object.fromEntries(names.map((name) => [name, fc.subarray(names.filter((to) => to !== name))])),
  )
  const writes = fc.array(
    fc.record({
      form: fc.constantFrom('PUT', 'PATCH', 'bulk PUT', 'bulk PATCH'),
      to: fc.constantFrom(...names),
      isDry: fc.boolean(),
    }),
    { maxLength: 12 },
  )
  const Thing = z.object({ id: z.string(), phase: z.enum(names), rev: z.number() })

  test('answers as its table says', async () => {
    await fc.assert(
      fc.asyncProperty(machine, writes, async (table, steps) => {
        const things = defineResource('things', {
          schema: Thing,
          create: Thing.pick({ phase: true }).partial(),
          update: Thing.pick({ phase: true }),
          revision: 'rev',
          states: { phase: table as never },
        })
        const registry = defineRegistry(defineApi({ v1: { '/things': things } })).adapters({
          things: memoryAdapter(),
        })
        const send = (method: string, url: string, body: unknown) =>
          handle(
            { method, url, headers: { 'content-type': 'application/json' }, body: body as never },
            registry,
          )
        const { body: created } = await send('POST', '/v1/things', {})
        const { id } = Object(created)
        let state: string = Object(created).phase
        expect(state).toBe('a')
        for (const { form, to, isDry } of steps) {
          const isBulk = form.startsWith('bulk')
          const query = isDry ? '?dry_run=true' : ''
          const sent = { id, phase: to }
          const url = isBulk ? `/v1/things${query}` : `/v1/things/${id}${query}`
          const answer = await send(form.replace('bulk ', ''), url, isBulk ? [sent] : sent)
          const isAllowed = state === to || table[state]?.includes(to) === true
          expect(answer.status).toBe(isAllowed ? 200 : 409)
          if (!isAllowed) expect(Object(answer.body).issues[0].allowed).toEqual(table[state])
          if (isAllowed && !isDry) state = to
        }
        const { body } = await send('GET', `/v1/things/${id}`, undefined)
        expect(Object(body).phase).toBe(state)
      }),
      { numRuns: 40 },
    )
  })
})

test('OPTIONS tells the moves of a resource with states alone', async () => {
  const send = serviceOf('modify')
  const { body } = await send('OPTIONS')
  expect(Object(body).states).toEqual({ field: 'status', initial: 'draft', moves })
})

test('a schema that requires a state need not get one', async () => {
  const create = z.strictObject({ status: Status })
  const states = { status: { draft: ['published'], published: [], archived: [] } } as const
  const schema = z.object({ id: z.string(), status: Status })
  const notes = defineResource('notes', { schema, create, states })
  const memos = defineResource('memos', {
    ...{ schema, states },
    create: z.strictObject({}),
    update: create,
  })
  const registry = defineRegistry(defineApi({ v1: { '/notes': notes, '/memos': memos } })).adapters(
    {
      notes: memoryAdapter(),
      memos: memoryAdapter(),
    },
  )
  const headers = { 'content-type': 'application/json' }
  for (const noun of ['notes', 'memos']) {
    const request = { method: 'POST', url: `/v1/${noun}`, headers, body: {} as never }
    const { status, body } = await handle(request, registry)
    expect([status, Object(body).status]).toEqual([201, 'draft'])
  }
})

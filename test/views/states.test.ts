import {
  defineApi,
  defineRegistry,
  defineResource,
  defineView,
  handle,
  type Resource,
} from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const Article = z.object({
  id: z.string(),
  title: z.string(),
  // No JSON Schema tells the values, so that a table of a view may lack some.
  status: z.custom<string>((value) => typeof value === 'string'),
  rev: z.number(),
})
const articles = defineResource('articles', {
  schema: Article,
  create: Article.omit({ id: true, rev: true }),
  revision: 'rev',
  states: {
    status: { draft: ['published', 'gone'], published: ['archived'], archived: [], gone: [] },
  },
})

const Titled = z.object({ id: z.string(), title: z.string(), rev: z.number() })
const show = <Shape extends z.ZodRawShape>(shape: Shape) => {
  const schema = Titled.extend(shape)
  return { schema, create: schema.omit({ id: true, rev: true } as never) } as const
}

// By version: the source, another version or the articles, and the view.
const declarations: Readonly<Record<string, readonly [source: string, declared: object]>> = {
  // Other words, and no row for "gone".
  v2: [
    'v1',
    {
      ...show({ stand: z.string() }),
      fields: {
        stand: {
          of: 'status',
          values: { draft: 'neu', published: 'offen', archived: 'alt', old: 'fremd' },
        },
      },
      hidden: {},
    },
  ],
  // A view of a view.
  v3: ['v2', { ...show({ state: z.string() }), fields: { state: 'stand' } }],
  // Two states are one: no client can name a move.
  v4: [
    'v1',
    {
      ...show({ live: z.boolean() }),
      fields: {
        live: {
          of: 'status',
          values: { draft: false, published: true, archived: false, gone: false },
        },
      },
    },
  ],
  v5: [
    'v1',
    {
      ...show({ state: z.string() }),
      fields: {
        state: {
          of: 'status',
          read: (text: string) => text.toUpperCase(),
          write: (text: string) => text.toLowerCase(),
        },
      },
    },
  ],
  v6: ['v1', show({})],
  v7: ['v1', { ...show({}), hidden: { status: () => 'published' } }],
  v8: [
    'v1',
    {
      ...show({ status: z.string() }),
      readOnly: ['status', 'rev'],
      create: Titled.pick({ title: true }),
    },
  ],
  v9: ['v1', show({ status: z.string() })],
  // A function that fails for a state.
  v10: [
    'v1',
    {
      ...show({ state: z.string() }),
      fields: {
        state: {
          of: 'status',
          read: (text: string) => {
            if (text === 'gone') throw new Error('There is no such state.')
            return text
          },
          write: (text: string) => text,
        },
      },
    },
  ],
}

function versionsOf(): Readonly<Record<string, Resource>> {
  const versions: Record<string, Resource> = { v1: articles }
  for (const [version, [source, declared]] of Object.entries(declarations)) {
    const view = [`articles_${version}`, versions[source], declared]
    versions[version] = Reflect.apply(defineView, undefined, view)
  }
  return versions
}

function serviceOf(without: readonly string[] = []) {
  const items = ['draft', 'published', 'archived'].map((status) => {
    return { id: status.charAt(0), title: 'A', status, rev: 1 }
  })
  const whole = Object.entries(memoryAdapter<never>({ items: items as never }))
  const adapter = Object.fromEntries(whole.filter(([name]) => !without.includes(name)))
  const errors: unknown[] = []
  const versions = Object.entries(versionsOf()).map(([name, of]) => [name, { '/articles': of }])
  const api = Reflect.apply(defineApi, undefined, [Object.fromEntries(versions)])
  const registry = defineRegistry(api, { defaultVersion: 'v1' } as never)
    .onError((error) => void errors.push(error))
    .adapters({ articles: adapter } as never)
  const send = async (line: string, body: unknown) => {
    const [method = '', url = ''] = line.split(' ')
    const headers = { 'content-type': 'application/json' }
    return handle({ method, url, headers, body: body as never }, registry)
  }
  return { send, errors }
}

describe('a view of a resource with states', () => {
  const german = {
    field: 'stand',
    initial: 'neu',
    moves: { neu: ['offen'], offen: ['alt'], alt: [] },
  }
  test.each([
    ['v2', german],
    ['v3', { ...german, field: 'state' }],
    ['v9', { ...articles.states, moves: Object.fromEntries(articles.states?.moves ?? []) }],
    ['v4', undefined],
    ['v5', undefined],
    ['v6', undefined],
    ['v8', undefined],
  ])('%s has those that it shows', (version, expected) => {
    const states = versionsOf()[version]?.states
    expect(states && { ...states, moves: Object.fromEntries(states.moves) }).toEqual(expected)
  })

  const begin = (allowed: string) => [
    {
      ...{ code: 'state', allowed: [allowed] },
      message: `must be ${allowed}, in which an item begins, or left out`,
    },
  ]
  const rest = (...allowed: readonly string[]) => [
    {
      ...{ code: 'state', allowed },
      message: `must stay as it is${allowed.length ? `, or become ${allowed.join(' or ')}` : ''}`,
    },
  ]

  describe.each([['one step'], ['revisions', 'modify', 'modifyMany']])(
    'over %s',
    (_, ...without) => {
      test.each<[line: string, body: object, status: number, answer: unknown]>([
        ['POST /v2/articles', { title: 'B' }, 201, { stand: 'neu' }],
        ['POST /v2/articles', { title: 'B', stand: 'offen' }, 422, begin('neu')],
        ['POST /v4/articles', { title: 'B', live: false }, 201, { live: false }],
        ['POST /v4/articles', { title: 'B', live: true }, 422, begin('false')],
        ['POST /v5/articles', { title: 'B', state: 'DRAFT' }, 201, { state: 'DRAFT' }],
        ['POST /v5/articles', { title: 'B', state: 'GONE' }, 422, begin('DRAFT')],
        ['POST /v6/articles', { title: 'B' }, 201, { title: 'B' }],
        ['POST /v8/articles', { title: 'B' }, 201, { status: 'draft' }],
        ['POST /v7/articles', { title: 'B' }, 500, undefined],
        ['POST /v1/articles', { title: 'B', status: 'gone' }, 422, begin('draft')],
        ['PUT /v2/articles/d', { title: 'B', stand: 'offen' }, 200, { stand: 'offen' }],
        ['PUT /v2/articles/d', { title: 'B', stand: 'alt' }, 409, rest('offen')],
        ['PATCH /v2/articles/d', { stand: 'alt' }, 409, rest('offen')],
        ['PATCH /v3/articles/d', { state: 'alt' }, 409, rest('offen')],
        ['PATCH /v3/articles/d?dry_run=true', { state: 'alt' }, 409, rest('offen')],
        ['PATCH /v9/articles/d', { status: 'archived' }, 409, rest('published', 'gone')],
        ['PUT /v4/articles/d', { title: 'B', live: true }, 200, { live: true }],
        ['PUT /v4/articles/p', { title: 'B', live: false }, 409, rest()],
        ['PUT /v4/articles/a', { title: 'B', live: true }, 409, rest()],
        ['PUT /v4/articles/a', { title: 'B', live: false }, 200, { live: false, title: 'B' }],
        ['PATCH /v5/articles/d', { state: 'ARCHIVED' }, 409, rest('PUBLISHED', 'GONE')],
        ['PATCH /v10/articles/d', { state: 'archived' }, 409, rest('published')],
        ['PUT /v6/articles/d', { title: 'B' }, 200, { title: 'B' }],
        [
          'PATCH /v2/articles',
          [
            { id: 'd', stand: 'offen' },
            { id: 'a', stand: 'neu' },
          ],
          409,
          rest(),
        ],
      ])('%s %j is %i', async (line, body, status, answer) => {
        const { send, errors } = serviceOf(without)
        const response = await send(line, body)
        const { issues } = Object(response.body)
        expect([response.status, issues ?? response.body]).toEqual([
          status,
          Array.isArray(answer)
            ? answer.map((issue) => expect.objectContaining(issue))
            : expect.objectContaining(answer ?? {}),
        ])
        expect(errors.map(String)).toEqual(
          status < 500
            ? []
            : [
                'TypeError: View "articles_v7" makes no item of "articles", which begins in ' +
                  '"draft": leave "status" out of "hidden".',
              ],
        )
      })
    },
  )

  test('names the field of the version, and the place in a bulk', async () => {
    const { send } = serviceOf()
    const pointers = []
    for (const [line, body] of [
      ['POST /v2/articles', { title: 'B', stand: 'alt' }],
      ['POST /v4/articles', [{ title: 'B', live: true }]],
      [
        'PATCH /v2/articles',
        [
          { id: 'd', title: 'B' },
          { id: 'a', stand: 'neu' },
        ],
      ],
    ] as const)
      pointers.push(Object((await send(line, body)).body).issues[0].pointer)
    expect(pointers).toEqual(['/stand', '/0/live', '/1/stand'])
  })

  test('hides no other than the first state', () => {
    const viewing = () =>
      defineView('articles_v9', articles, { ...show({}), hidden: { status: 'gone' } } as never)
    expect(viewing).toThrow(
      'hides "status" with "gone", but items of "articles" begin in "draft": leave "status" out ' +
        'of "hidden".',
    )
  })

  test('needs a guard where it offers what its base does not', () => {
    const Note = z.object({ id: z.string(), status: z.enum(['a', 'b']) })
    const notes = defineResource('notes', {
      ...{ schema: Note, create: Note },
      states: { status: { a: ['b'], b: [] } },
      without: ['update', 'updateMany'],
    })
    const view = defineView('notes_v1', notes, { schema: Note, create: Note, offers: ['update'] })
    const { modify: _, modifyMany: __, ...adapter } = memoryAdapter<never>()
    const binding = () =>
      defineRegistry(defineApi({ v1: { '/notes': view } })).adapters({ notes: adapter } as never)
    expect(binding).toThrow(
      'View "notes_v1" shows states of "notes", so its writes need an adapter with "modify", or ' +
        'a "revision" in "notes": else a write could move an item from another state. Or',
    )
  })
})

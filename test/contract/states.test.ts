import { defineApi, defineRegistry, defineResource, defineView } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const Status = z.enum(['draft', 'published', 'archived'])
const Article = z.object({
  id: z.string(),
  title: z.string(),
  status: Status,
  phase: z.string(),
  rank: z.int(),
  rev: z.number(),
})
const NewArticle = Article.omit({ id: true, rev: true })
const moves = { draft: ['published'], published: ['archived'], archived: [] }

const defining = (options: object) => () =>
  defineResource('articles', {
    schema: Article,
    create: NewArticle,
    revision: 'rev',
    ...options,
  } as never)

describe('states', () => {
  const needed = "needs moves by state: write \"states: { status: { draft: ['open'],"
  test.each<[object, string]>([
    [{ states: 'status' }, needed],
    [{ states: { status: {} } }, needed],
    [{ states: { status: ['draft'] } }, needed],
    [{ states: { phase: { a: ['b'], b: 'a' } } }, needed],
    [
      { states: { status: moves, phase: { a: [] } } },
      'has states of "status" and "phase": name one field.',
    ],
    [{ states: { stat: moves } }, '"stat" is no field of "articles". Did you mean "status"?'],
    [
      { states: { status: { ...moves, archived: ['drafts'] } } },
      'moves from "archived" to "drafts", which is no state: write "draft" if that is meant.',
    ],
    [{ states: { phase: { 1: [] } } }, 'has a state "1": name it by a word.'],
    [
      { states: { status: { draft: [], gone: [] } } },
      'has states of "status", which differs in gone, published, archived: name the values of its',
    ],
    [{ states: { rank: { a: [] } } }, 'has states of "rank", which is no text: use z.enum.'],
    [{ states: { id: { a: [] } } }, 'has states of "id", which is the id: leave it out'],
    [{ states: { rev: { a: [] } } }, 'has states of "rev", which is read-only: leave it out'],
    [
      { states: { phase: { a: [] } }, ownedBy: ['phase'] },
      'has states of "phase", which is an owner field: leave it out of "states".',
    ],
    [
      {
        schema: Article.or(Article.omit({ phase: true })),
        create: NewArticle.or(NewArticle.omit({ phase: true })),
        states: { phase: { a: [] } },
      },
      'has states of "phase", which not each alternative of "schema" has: add it there.',
    ],
    [
      { states: { status: moves }, update: NewArticle.omit({ status: true }) },
      'has states of "status", which "update" does not take: add it there.',
    ],
    [
      {
        states: { status: moves },
        create: NewArticle.extend({ status: Status.default('archived') }),
      },
      'has states of "status", which begins in "archived" by "create": put that state first.',
    ],
  ])('refuses %j', (options, message) => {
    expect(defining(options)).toThrow(message)
  })

  test('tells all faults at once', () => {
    const states = { status: { draft: ['x'], published: ['y'] } }
    const all = defining({ states, sortable: ['title', 'title'] })
    const start = 'Resource "articles" '
    const end = 'which is no state: use draft, published.'
    expect(all).toThrow(
      [
        `${start}moves from "draft" to "x", ${end}`,
        `${start}moves from "published" to "y", ${end}`,
        `${start}names a field twice in "sortable": name it once.`,
      ].join('\n'),
    )
  })

  test.each<[object, unknown]>([
    [{ states: {} }, undefined],
    [{ states: { status: undefined } }, undefined],
    [
      { states: { status: { ...moves, draft: ['published', 'draft', 'published'] } } },
      { field: 'status', initial: 'draft', moves: new Map(Object.entries(moves)) },
    ],
    [
      { states: { phase: { a: [] } }, without: ['create', 'update', 'updateMany'], update: Status },
      { field: 'phase', initial: 'a', moves: new Map([['a', []]]) },
    ],
    [
      {
        states: { status: moves },
        create: NewArticle.extend({ status: Status.default('draft') }),
      },
      expect.objectContaining({ initial: 'draft' }),
    ],
  ])('takes %j', (options, states) => {
    expect(defining(options)().states).toEqual(states)
  })

  test('need a guard of the stored state', () => {
    const options = {
      revision: undefined,
      states: { status: moves },
      create: Article,
      schema: Article,
    }
    const articles = defining(options)() as never
    const registry = defineRegistry(defineApi({ v1: { '/articles': articles } }))
    const { modify: _, ...adapter } = memoryAdapter<never>()
    const { modifyMany: __, ...single } = memoryAdapter<never>()
    const text = (kind: string, method: string): string =>
      `Resource "articles" has states of "status", so "${kind}" has to compare it with what is ` +
      `stored: give its adapter "read" and "${method}", declare a "revision", or write ` +
      `"without: ['${kind}']".`
    expect(() => registry.adapters({ articles: adapter } as never)).toThrow(
      text('update', 'modify'),
    )
    expect(() => registry.adapters({ articles: single } as never)).toThrow(
      text('updateMany', 'modifyMany'),
    )
  })

  test('are typed by the values of the field', () => {
    const declaration = { schema: Article, create: NewArticle, revision: 'rev' } as const
    expect(() =>
      // @ts-expect-error: a state is missing.
      defineResource('a', { ...declaration, states: { status: { draft: [] } } }),
    ).toThrow()
    expect(() =>
      // @ts-expect-error: "gone" is no state.
      defineResource('b', { ...declaration, states: { status: { ...moves, draft: ['gone'] } } }),
    ).toThrow()
    // @ts-expect-error: the field holds no text.
    expect(() => defineResource('c', { ...declaration, states: { rank: { a: [] } } })).toThrow()
    expect(() =>
      defineView('articles_v1', defineResource('articles', { ...declaration }), {
        schema: Article,
        create: NewArticle,
        // @ts-expect-error: a view has the states of its base.
        states: { phase: { a: [] } },
      }),
    ).toThrow('declares "states": leave them out, since a view has those of "articles".')
  })
})

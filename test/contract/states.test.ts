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
  test.each<[object, string]>([
    [{ states: 'status' }, 'takes an object as "states": write "states: { status: { draft:'],
    [
      { states: { status: moves, phase: { a: [] } } },
      'has states of "status" and "phase": one field of an item holds its state.',
    ],
    [{ states: { stat: moves } }, '"stat" is no field of "articles". Did you mean "status"?'],
    [{ states: { status: {} } }, 'has no states of "status": write "states: { status: '],
    [{ states: { status: ['draft'] } }, 'has no states of "status": write "states: { status: '],
    [
      { states: { phase: { a: ['b'], b: 'a' } } },
      `has no list of moves from "b": write "b: ['published']", or "b: []".`,
    ],
    [
      { states: { status: { ...moves, archived: ['archived'] } } },
      'moves from "archived" to itself: leave it out, the same state is no move.',
    ],
    [
      { states: { status: { ...moves, archived: ['drafts'] } } },
      'moves from "archived" to "drafts", which is no state: write "draft" if that is meant.',
    ],
    [
      { states: { phase: { 1: [] } } },
      'has a state "1", and an object puts numbers first: use a word.',
    ],
    [
      { states: { status: { draft: [], published: [] } } },
      'has no state "archived", which "status" may hold: add it.',
    ],
    [
      { states: { status: { ...moves, gone: [] } } },
      'has a state "gone", which "status" never holds: add it there.',
    ],
    [
      { states: { rank: { a: [] } } },
      'has states of "rank", whose type is integer: a state is a text, so write ' +
        `"rank: z.enum(['a'])".`,
    ],
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
      'has states of "status", which "update" does not take: add it there, so that it moves.',
    ],
    [
      {
        states: { status: moves },
        create: NewArticle.extend({ status: Status.default('archived') }),
      },
      'begins in "draft", but "create" has "archived" as the default of "status": put that state',
    ],
  ])('refuses %j', (options, message) => {
    expect(defining(options)).toThrow(message)
  })

  test('tells all faults at once', () => {
    const states = { status: { draft: ['x', 'draft'], published: 'x' } }
    const all = defining({ states, sortable: ['title', 'title'] })
    expect(all).toThrow(
      [
        'Resource "articles" moves from "draft" to itself: leave it out, the same state is no ' +
          'move.',
        'Resource "articles" has no list of moves from "published": write ' +
          `"published: ['published']", or "published: []".`,
        'Resource "articles" names a field twice in "sortable": name it once.',
      ].join('\n'),
    )
  })

  test.each<[object, unknown]>([
    [{ states: {} }, undefined],
    [{ states: { status: undefined } }, undefined],
    [
      { states: { status: { ...moves, draft: ['published', 'published'] } } },
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

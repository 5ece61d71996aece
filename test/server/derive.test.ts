import { type HttpResponse, handle, type Operation } from 'nounful'
import { describe, expect, test } from 'vitest'
import { noQuery } from '../../src/contract/resource/operation.ts'
import { delayed, notesWith, noting, verdictOf } from '../support/registry.ts'

const notes = ['a', 'b', 'c'].map((id, rank) => ({ id, text: `${id} note`, rank }))

// The query of the list behind a reserved word.
// biome-ignore format: a row stays a line
const rows: [url: string, query: object, given: object[], body: object][] = [
  ['/notes/first',                  { q: '', words: [], sort: ['+id'], limit: 1 },                     [notes[0] ?? {}], notes[0] ?? {}],
  ['/notes/last',                   { q: '', words: [], sort: ['-id'], limit: 1 },                     [notes[2] ?? {}], notes[2] ?? {}],
  ['/notes/last?sort=-rank,text',   { q: '', words: [], sort: ['+rank', '-text', '-id'], limit: 1 },   notes,            notes[0] ?? {}],
  ['/notes/first?sort=-rank&q=a+b', { q: 'a b', words: ['a', 'b'], sort: ['-rank', '+id'], limit: 1 }, notes,            notes[0] ?? {}],
  ['/notes/count',                  { q: '', words: [], sort: ['+id'], limit: undefined },             notes,            { count: 3 }],
  ['/notes/count?q=a',              { q: 'a', words: ['a'], sort: ['+id'], limit: undefined },         [],               { count: 0 }],
]

describe('what an adapter lacks comes from its list', () => {
  for (const [url, query, given, body] of rows) {
    test(`${url} is a list`, async () => {
      const asked: Operation[] = []
      const list = (operation: Operation) => noting(asked, operation, given)
      for (const adapter of [{ list }, delayed({ list })]) {
        const { registry } = notesWith(adapter, { declaration: { defaultLimit: 2 } })
        expect((await handle({ method: 'GET', url }, registry)).body).toEqual(body)
      }
      const { kind, query: wanted, scope, id } = asked[0] as Operation
      const sort = wanted.sort.map(
        ({ field, direction }) => `${direction === 'asc' ? '+' : '-'}${field}`,
      )
      expect({ ...wanted, sort }).toEqual({ ...noQuery, ...query })
      expect([kind, scope, id, asked.length]).toEqual(['list', {}, undefined, 2])
    })
  }

  test('an empty list has no ends', () => {
    const { registry } = notesWith({ list: () => [] })
    for (const word of ['first', 'last']) {
      const answer = handle({ method: 'GET', url: `/notes/${word}` }, registry) as HttpResponse
      expect(verdictOf(answer)).toBe('404 empty_collection')
    }
  })

  test('a broken list is told as such', () => {
    for (const url of ['/notes/first', '/notes/last', '/notes/count']) {
      const { registry, errors } = notesWith({ list: () => null })
      expect(handle({ method: 'GET', url }, registry)).toMatchObject({ status: 500 })
      expect(String(errors[0])).toContain('gave, for "list", null for a list')
    }
  })
})

describe('what an adapter has is asked itself', () => {
  for (const [word, given, body] of [
    ['first', notes[1], notes[1]],
    ['last', notes[0], notes[0]],
    ['count', 7, { count: 7 }],
  ] as const) {
    test(`${word} is not derived`, () => {
      const list = () => {
        throw new Error('not asked')
      }
      const { registry } = notesWith({ list, [word]: () => given })
      expect(handle({ method: 'GET', url: `/notes/${word}` }, registry)).toMatchObject({
        status: 200,
        body,
      })
    })
  }
})

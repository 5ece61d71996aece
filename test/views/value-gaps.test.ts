import { defineResource, defineView, type Resource } from 'nounful'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ask, serviceOf } from '../support/things.ts'

const text = z.string()
const kind = z.enum(['a', 'b'])
const work = z.object({ city: text })

/** A resource with one field more than its id, and a view that shows it as `x`. */
interface Pair {
  readonly stored: z.ZodRawShape
  /** The schema of `x`, or of all fields of the view. */
  readonly x: z.ZodType | z.ZodRawShape
  readonly fields: object
}

function resourceOf({ stored }: Pair): Resource {
  const schema = z.object({ id: text, ...stored })
  return Reflect.apply(defineResource, undefined, ['things', { schema }])
}

function viewOf({ x, fields }: Pair, of: Resource): Resource {
  const schema = z.object({ id: text, ...(x instanceof z.ZodType ? { x } : x) })
  const declared = { schema, create: schema, fields }
  return Reflect.apply(defineView, undefined, ['things_v1', of, declared])
}

const split = 'last'
const join = ['first', 'second']

describe('a view is refused whose schema refuses a value of its source', () => {
  const hide = (source: string) => `leave it out and hide "${source}".`
  const rows: readonly (readonly [pair: Pair, message: string])[] = [
    [
      { stored: { note: text.nullable() }, x: text, fields: { x: 'note' } },
      'may show null in "x", by "note" of "things", which its schema refuses: write ' +
        `"x: { of: 'note', absent: … }", or make "x" nullable. Or ${hide('note')}`,
    ],
    [
      { stored: { kind }, x: z.enum(['a']), fields: { x: 'kind' } },
      'may show "b" in "x", by "kind" of "things", which its schema refuses: let it take that. ' +
        `Or ${hide('kind')}`,
    ],
    [
      { stored: { work }, x: text, fields: { x: 'work' } },
      `may show an object in "x", by "work" of "things", which its schema refuses`,
    ],
    [
      {
        stored: { kind: kind.nullable() },
        x: text,
        fields: { x: { of: 'kind', values: { a: 'x', b: 'y' } } },
      },
      'may show null in "x", by "kind" of "things", which its schema refuses: make "x" nullable. ' +
        `Or ${hide('kind')}`,
    ],
    [
      {
        stored: { kind: kind.optional() },
        x: text,
        fields: { x: { of: 'kind', values: { a: 'x', b: 'y' } } },
      },
      'requires "x", but an item of "things" may lack its "kind": make "x" optional. Or make it ' +
        `nullable, or ${hide('kind')}`,
    ],
    [
      { stored: { kind }, x: text, fields: { x: { of: 'kind', values: { a: 'x' } } } },
      'has no row for "b" in "values" of "x", which "kind" of "things" may hold: add it',
    ],
    [
      { stored: { note: text.nullable() }, x: text, fields: { x: { of: 'note', absent: 7 } } },
      'may show 7 in "x", by "note" of "things"',
    ],
    [
      { stored: { note: text.optional() }, x: text, fields: { x: { of: 'note', absent: 7 } } },
      'may show 7 in "x", by "note" of "things"',
    ],
    [
      {
        stored: { first: text.nullable(), second: text.optional() },
        x: text,
        fields: { x: { join, split } },
      },
      'requires "x", but an item of "things" may lack its "second"',
    ],
    [
      { stored: { first: text, second: kind }, x: kind, fields: { x: { join, split } } },
      'may show any text in "x", by "first" of "things"',
    ],
    [
      { stored: { first: kind, second: z.any() }, x: kind, fields: { x: { join, split } } },
      'may show any text in "x", by ',
    ],
  ]
  for (const [pair, message] of rows)
    test(message, () => expect(() => viewOf(pair, resourceOf(pair))).toThrow(message))
})

describe('a view takes', () => {
  const rows: readonly (readonly [name: string, pair: Pair])[] = [
    [
      'a row for a value that no item has',
      {
        stored: { kind },
        x: kind,
        fields: { x: { of: 'kind', values: { a: 'a', b: 'b', c: 7 } } },
      },
    ],
    [
      'a stand-in that is never shown',
      { stored: { note: text }, x: text, fields: { x: { of: 'note', absent: 7 } } },
    ],
    [
      'a stand-in for null and for nothing',
      { stored: { note: text.nullish() }, x: text, fields: { x: { of: 'note', absent: '' } } },
    ],
    [
      'the halves of each text',
      {
        stored: { name: z.enum(['a b', 'c d']) },
        x: { x: z.enum(['a', 'c']), y: z.enum(['b', 'd']) },
        fields: { x: { part: 0, of: 'name', split }, y: { part: 1, of: 'name', split } },
      },
    ],
  ]
  test.each(rows)('%s', (_, pair) => {
    expect(viewOf(pair, resourceOf(pair)).base.name).toBe('things')
  })
})

describe('a null that a client writes is stored', () => {
  const note = { x: text.nullable(), fields: { x: 'note' } }
  const city = { x: text.nullable(), fields: { x: { in: 'work', field: 'city' } } }
  const rows: readonly (readonly [as: string, pair: Pair, stored: object])[] = [
    [
      'as null where the source takes it',
      { ...note, stored: { note: text.nullish() } },
      { note: null },
    ],
    ['as nothing where it does not', { ...note, stored: { note: text.optional() } }, {}],
    ['as no object', { ...city, stored: { work: work.optional() } }, {}],
    ['as null for an object', { ...city, stored: { work: work.nullable() } }, { work: null }],
    ['as an object without members', { ...city, stored: { work: work.partial() } }, { work: {} }],
  ]
  test.each(rows)('%s', async (_, pair, stored) => {
    const of = resourceOf(pair)
    const registry = serviceOf(viewOf(pair, of), of)
    const sent = { id: '1', x: null }
    expect(await ask(registry, 'POST /v1/things', sent)).toMatchObject({ status: 201, body: sent })
    expect((await ask(registry, 'GET /v2/things/1')).body).toEqual({ id: '1', ...stored })
    expect((await ask(registry, 'PUT /v1/things/1', { x: 'y' })).status).toBe(200)
    expect(await ask(registry, 'PUT /v1/things/1', { x: null })).toMatchObject({ body: sent })
    expect((await ask(registry, 'GET /v2/things/1')).body).toEqual({ id: '1', ...stored })
  })
})

import { defineApi, defineRegistry, defineResource, narrow } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { refusalOf } from './thrown.ts'

const schema = z.object({ id: z.string() })
const notes = defineResource('notes', { schema, create: z.object({}) })
const api = defineApi({ v1: { '/notes': notes } })

function register(adapter: object): void {
  defineRegistry(api).adapters({ notes: adapter as never })
}

const ours = {
  memoryAdapter: () => memoryAdapter(),
  kyselyAdapter: () => kyselyAdapter(() => undefined as never, { table: 'notes' }),
  narrow: () => narrow(memoryAdapter(), { tenant_id: 'a' }),
}
const list = () => []
const read = () => null
const count = () => 0

for (const [name, make] of Object.entries(ours)) {
  describe(`an adapter of ${name} is refused`, () => {
    type Row = readonly [name: string, make: () => object, own: string, others: string]
    // biome-ignore format: a row stays a line
    const rows: readonly Row[] = [
      ['with a list by hand',      () => ({ ...make(), list }),          '"list"',         '"read", "first", "last", "count"'],
      ['with a read by hand',      () => ({ ...make(), read }),          '"read"',         '"list", "first", "last", "count"'],
      ['with all but a count',     () => ({ ...make(), list, read, first: read, last: read }), '"list", "read", "first", "last"', '"count"'],
      ['where it is left out',     () => ({ ...make(), list, read, first: undefined, last: undefined }), '"list", "read"', '"count"'],
      ['as a prototype',           () => Object.assign(Object.create(make()), { list }), '"list"', '"read", "first", "last", "count"'],
      ['with a bound method',      () => ({ ...make(), list: make().list?.bind(undefined) }), '"list"', '"read", "first", "last", "count"'],
      ['in a class',               () => new (class { list = list; count = make().count })(), '"list"', '"count"'],
      ['with the method of another', () => ({ ...make(), count: memoryAdapter().count }), '"count"', '"list", "read", "first", "last"'],
      ['with that of a narrowed one', () => ({ ...make(), list: narrow(memoryAdapter(), {}).list }), '"list"', '"read", "first", "last", "count"'],
    ]
    for (const [row, mixed, own, others] of rows) {
      test(row, () => {
        expect(refusalOf(() => register(mixed()))).toBe(
          `The adapter of "notes" has its own ${own} beside the ${others} of another adapter, ` +
            'so an item that one hides shows through the other. ' +
            'To hide items, use "ownedBy" and .scope(), or narrow(adapter, scope). ' +
            `Else use a middleware, wrap ${others} too, or leave them out: ` +
            'the core makes "first", "last" and "count" from "list".',
        )
      })
    }
  })

  describe(`an adapter of ${name} is taken`, () => {
    const by = { list, read, first: read, last: read, count }
    const { count: _, ...withoutCount } = make()
    const { first: __, last: ___, ...withoutEnds } = withoutCount
    const rows: readonly (readonly [name: string, adapter: object])[] = [
      ['as it is', make()],
      ['without a count', withoutCount],
      ['without ends and count, beside a list and read by hand', { ...withoutEnds, list, read }],
      ['with all five by hand', { ...make(), ...by }],
      ['with a deletion by hand', { ...make(), delete: () => null }],
      ['as a prototype', Object.create(make())],
      ['narrowed', narrow(make(), { tenant_id: 'a' })],
    ]
    for (const [row, adapter] of rows) {
      test(row, () => expect(() => register(adapter)).not.toThrow())
    }
  })
}

test('an adapter by hand may replace any method', () => {
  class ByHand {
    list = list
    read(): null {
      return null
    }
  }
  expect(() => register(Object.assign(new ByHand(), { count }))).not.toThrow()
})

test('narrow() refuses what a registry refuses', () => {
  expect(refusalOf(() => narrow({ ...memoryAdapter(), list }, {}))).toMatch(
    /^The adapter of narrow\(\) has its own "list" beside the "read"/,
  )
})

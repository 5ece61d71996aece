import { defineApi, defineRegistry, defineResource, handle } from 'nounful'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { asSiblings, faultOfWrapping } from '../../src/contract/resource/siblings.ts'
import { setField } from '../../src/convention/value.ts'
import { formatConditions, noConditions } from '../../src/wire/conditions.ts'
import { formatIdempotencyKey, parseIdempotencyKey } from '../../src/wire/idempotency-key.ts'

const schema = z.object({
  id: z.number(),
  text: z.string(),
  kind: z.union([z.literal('a'), z.null()]).optional(),
  at: z.string().optional(),
})
const notes = defineResource('notes', {
  schema,
  create: schema.omit({ id: true, at: true }),
  id: z.coerce.number(),
  readOnly: ['at'],
  idempotent: false,
})
const api = defineApi({ v1: { '/notes': notes } })
const one = { id: 1, text: 'a', kind: 'a' }
const read = ({ id }: { id: unknown }) => (id === 1 ? one : null)
type Change = (stored: object) => unknown
type ChangeMany = (stored: readonly (object | undefined)[]) => unknown
const modify = (_: unknown, __: unknown, change: Change) => change(one)
const modifyMany = ({ ids }: { ids: readonly number[] }, _: unknown, change: ChangeMany) =>
  change(ids.map((id) => (id === 1 ? one : undefined)))

async function ask(adapter: object, method: string, url: string, body: unknown) {
  const errors: unknown[] = []
  const registry = defineRegistry(api)
    .onError((error) => void errors.push(error))
    .adapters({ notes: adapter } as never)
  const headers = { 'content-type': 'application/json' }
  const answer = await handle({ method, url, headers, body: JSON.stringify(body) }, registry)
  return { ...answer, error: String(errors[0]) }
}

type Broken = readonly [
  name: string,
  adapter: object,
  line: readonly [method: string, url: string, body: unknown],
  message: string,
]

describe('an adapter that breaks the contract of changes is a 500', () => {
  const none = 'that "change" did not make'
  const patch = ['PATCH', '/notes/1', { text: 'b' }] as const
  const patches = ['PATCH', '/notes', [{ id: 1, text: 'b' }]] as const
  const giving = (items: readonly unknown[]) => ({
    read,
    modifyMany(...given: Parameters<typeof modifyMany>) {
      modifyMany(...given)
      return items
    },
  })
  const tooFew = { create: () => one, createMany: () => [] }
  const rows: readonly Broken[] = [
    ['modify without change', { read, modify: () => one }, patch, none],
    ['modifyMany without change', { read, modifyMany: () => [one] }, patches, none],
    ['modifyMany of too few', giving([]), patches, 'not one item for each of 1'],
    ['modifyMany of a lost item', giving([null]), patches, none],
    ['modifyMany of a missing item', giving([undefined]), patches, none],
    ['modifyMany of another item', giving([{ ...one, id: 2 }]), patches, 'another order'],
    ['createMany of too few', tooFew, ['POST', '/notes', [{ text: 'a' }]], 'not one item for each'],
  ]
  for (const [name, adapter, line, message] of rows) {
    test(name, async () => {
      const { status, error } = await ask(adapter, ...line)
      expect([status, error]).toEqual([500, expect.stringContaining(message)])
    })
  }
})

describe('a change', () => {
  test('of an id that no item can have names it', async () => {
    const body = [
      { id: 1, text: 'b' },
      { id: 7, text: 'c' },
    ]
    const answer = await ask({ read, modifyMany }, 'PATCH', '/notes', body)
    expect(answer).toMatchObject({ status: 404, body: { issues: [{ pointer: '/1/id' }] } })
  })

  test('that the adapter does not find is 404', async () => {
    expect(await ask({ read, modify: () => null }, 'PATCH', '/notes/1', {})).toMatchObject({
      status: 404,
    })
  })

  test('stores null where the schema takes it, and drops what is missing', async () => {
    const body = { kind: null, at: null }
    const answer = await ask({ read, modify }, 'PATCH', '/notes/1', body)
    expect(answer).toMatchObject({ status: 200, body: { ...one, kind: null } })
  })

  test('of a PUT keeps read-only fields by modify', async () => {
    const stored = { ...one, at: 'now' }
    const keeping = {
      read: () => stored,
      update: () => null,
      modify: (_: unknown, __: unknown, change: Change) => change(stored),
    }
    const answer = await ask(keeping, 'PUT', '/notes/1', { text: 'b' })
    expect(answer).toMatchObject({ status: 200, body: { id: 1, text: 'b', at: 'now' } })
  })

  test('of a PUT by modify names an item, and is tried without it', async () => {
    const stored = { ...one, at: 'now' }
    const found = ({ id }: { id: unknown }) => (id === 1 ? stored : null)
    const keeping = { read: found, update: () => null, modify }
    expect(await ask(keeping, 'PUT', '/notes/x', { text: 'b' })).toMatchObject({ status: 404 })
    expect(await ask(keeping, 'PUT', '/notes/1?dry_run=true', { text: 'b' })).toMatchObject({
      status: 200,
      body: { id: 1, text: 'b', at: 'now' },
    })
  })

  test('does not go past a wrapped create', async () => {
    const adapter = { ...asSiblings({ create: () => one, createMany: () => [one] }), read }
    const wrapped = { ...adapter, create: () => one }
    await expect(ask(wrapped, 'POST', '/notes', [{ text: 'a' }])).rejects.toThrow(
      'The adapter of "notes" has its own "create"',
    )
  })

  test('tried by an adapter that cannot read shows the body', async () => {
    const plain = defineResource('notes', {
      schema: z.object({ id: z.string(), text: z.string() }),
    })
    const registry = defineRegistry(defineApi({ v1: { '/notes': plain } })).adapters({
      notes: { update: () => null },
    } as never)
    const headers = { 'content-type': 'application/json' }
    const body = '{"text":"b"}'
    expect(
      await handle({ method: 'PUT', url: '/notes/1?dry_run=true', headers, body }, registry),
    ).toMatchObject({ status: 200, body: { id: '1', text: 'b' } })
  })
})

describe('small parts', () => {
  test('a key is written as a header', () => {
    expect(formatConditions({ ...noConditions, key: 'a' })).toEqual({ 'idempotency-key': '"a"' })
  })

  test('a field may be called as every object inherits it', () => {
    const item: Record<string, unknown> = {}
    setField(item, '__proto__', 1)
    expect([Object.keys(item), Object.getPrototypeOf(item)]).toEqual([
      ['__proto__'],
      Object.prototype,
    ])
  })

  test('a wrapped method refuses a sibling that goes past it', () => {
    const adapter = asSiblings({ create: () => 1, createMany: () => 2, other: 3 })
    expect(faultOfWrapping(adapter)).toBeUndefined()
    expect(faultOfWrapping({ ...adapter, create: () => 4 })).toContain('"createMany"')
    expect(faultOfWrapping({ ...adapter, create: () => 4, createMany: () => 5 })).toBeUndefined()
  })

  for (const key of ['a', '"', '\\', 'a"b\\c', '~'.repeat(255)]) {
    test(`the key ${key.slice(0, 9)} is written and read`, () => {
      expect(parseIdempotencyKey(formatIdempotencyKey(key))).toBe(key)
    })
  }
})

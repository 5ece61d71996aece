import { type Api, defineApi, defineRegistry, defineResource, type Registry } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { serve } from 'nounful/node'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { openConnection } from '../../../src/trial/check/connection.ts'
import { findCollections } from '../../../src/trial/check/find.ts'
import { runRules } from '../../../src/trial/check/run.ts'

const names = ['Ann', 'bob', 'Émile', 'Zoe', 'ann', 'Carl', 'Dora']
const Note = z.object({ id: z.string(), name: z.string() })
const shape = { schema: Note, create: Note.omit({ id: true }), sortable: ['name'] } as const
const moments = [
  '2026-01-01T00:00:00Z',
  '2026-01-01T00:30:00+01:00',
  '2026-01-01T00:00:00.5Z',
  '2025-12-31T23:59:59-01:00',
  '2026-01-01T00:00:00.000Z',
]
const Dated = Note.extend({ name: z.iso.datetime({ offset: true }) })
const Numbered = Note.extend({ id: z.number() })

function noted(resource: unknown, adapter: unknown): Registry {
  const api: Api = defineApi({ v1: { '/notes': resource } } as never)
  return defineRegistry(api).adapters({
    notes: adapter,
  } as never)
}

const plain = () => memoryAdapter({ items: names.map((name, at) => ({ id: `n${at}`, name })) })

// biome-ignore format: a row stays a line
const shapes: readonly (readonly [how: string, make: () => Registry])[] = [
  ['short pages unless asked', () => noted(defineResource('notes', { ...shape, defaultLimit: 2, maxLimit: 3 }), plain())],
  ['a maximum of pages below its length', () => noted(defineResource('notes', { ...shape, maxLimit: 2 }), plain())],
  ['no search', () => noted(defineResource('notes', { ...shape }), plain())],
  ['nothing to sort by', () => noted(defineResource('notes', { schema: Note, create: shape.create, searchable: ['name'] }), plain())],
  ['UUIDs', () => noted(defineResource('notes', { ...shape, id: z.uuid() }), memoryAdapter({ items: names.map((name) => ({ id: crypto.randomUUID(), name })) }))],
  ['numbers for ids', () => {
    let last = 100
    const items = names.map((name, at) => ({ id: at + 1, name }))
    const resource = defineResource('notes', {
      id: z.coerce.number().int(),
      schema: Numbered,
      create: shape.create,
      sortable: ['name'],
    })
    return noted(resource, memoryAdapter({ items, nextId: () => ++last }))
  }],
  ['no PATCH', () => noted(defineResource('notes', { ...shape, without: ['patch', 'patchMany'] }), plain())],
  ['no bulk create', () => noted(defineResource('notes', { ...shape }), { ...plain(), createMany: undefined })],
  ['moments in several forms', () => noted(defineResource('notes', { schema: Dated, create: Dated.omit({ id: true }), sortable: ['name'] }), { list: memoryAdapter({ items: moments.map((name, at) => ({ id: `n${at}`, name })) }).list })],
  ['nothing but a list', () => noted(defineResource('notes', { ...shape }), { list: plain().list })],
]

async function checkShape(make: () => Registry) {
  const server = await serve(make(), { port: 0 })
  const connection = openConnection({
    origin: server.url,
    headers: {},
    timeout: 5000,
    requests: 5000,
  })
  const read = async () => (await fetch(`${server.url}/v1/notes?limit=2`)).json()
  try {
    const before = await read()
    const found = await findCollections(connection.send, '/', [])
    const outcome = await runRules(connection, found, { samples: {}, isEmptied: false })
    return { ...outcome, before, after: await read() }
  } finally {
    connection.close()
    await server.close()
  }
}

test.for(shapes)('a server with %s breaks nothing', { timeout: 30_000 }, async ([, make]) => {
  const { verdicts, left, before, after } = await checkShape(make)
  expect(verdicts.flatMap(({ id, faults }) => faults.map(({ message }) => [id, message]))).toEqual(
    [],
  )
  expect(left).toEqual([])
  expect(after).toEqual(before)
})

// biome-ignore format: a row stays a line
const skipped: readonly (readonly [how: string, rule: string, reason: RegExp])[] = [
  ['no PATCH', 'patch', /^\/v1\/notes\/\S+ does not support PATCH\.$/],
  ['no PATCH', 'patch-faults', /does not support PATCH\.$/],
  ['no PATCH', 'accept-patch', /^No "Allow" of OPTIONS has PATCH\.$/],
  ['no bulk create', 'bulk-create', /^The server creates one item at a time\.$/],
  ['no bulk create', 'patch-old-etag', /^Its items have no ETag\.$/],
  ['no bulk create', 'patch-read-only', /^Its items have no read-only field\.$/],
  ['nothing but a list', 'dry-run-create', /^OPTIONS names no "dry_run"\.$/],
]

test.for(skipped)('a server with %s has no rule %s', { timeout: 30_000 }, async (row) => {
  const [how, rule, reason] = row
  const [, make = () => noted({}, {})] = shapes.find(([name]) => name === how) ?? []
  const { verdicts } = await checkShape(make)
  const verdict = verdicts.find(({ id }) => id === rule)
  expect(verdict?.verdict).toBe('not applicable')
  expect(verdict?.reason).toMatch(reason)
})

import { defineApi, defineRegistry, defineResource } from 'nounful'
import { expect, test } from 'vitest'
import { z } from 'zod'

const schema = z.object({ id: z.string(), company_id: z.string() })
const companies = defineResource('companies', { schema: z.object({ id: z.string() }) })
const notes = defineResource('notes', { schema })
const api = defineApi({
  v1: { '/companies': companies, '/notes': notes, '/companies/:company_id/notes': notes },
})

test('ready asks each adapter once, with every path of its resource', async () => {
  const asked: unknown[] = []
  const registry = defineRegistry(api).adapters({
    companies: { read: () => null },
    notes: {
      list: () => [],
      ready: async (resource, mounts) => {
        asked.push([resource.name, mounts.map(({ path }) => path)])
      },
    },
  })
  expect(await registry.ready()).toBeUndefined()
  expect(asked).toEqual([['notes', ['/notes', '/companies/:company_id/notes']]])
})

test('ready tells every mismatch at once', async () => {
  const registry = defineRegistry(api).adapters({
    companies: { read: () => null, ready: () => Promise.reject('no words') },
    notes: {
      list: () => [],
      ready: () => {
        throw new TypeError('There is no table "notes".')
      },
    },
  })
  const error = await registry.ready().then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(AggregateError)
  expect(String(error)).toBe(
    'AggregateError: The storage does not fit the contract:\n' +
      'companies: no words\nnotes: There is no table "notes".',
  )
})

test('ready is no operation', () => {
  const adapters = { companies: { read: () => null, ready: () => undefined }, notes: {} }
  expect(() => defineRegistry(api).adapters(adapters)).toThrow(
    'The adapter of "notes" does nothing',
  )
  const only = { ...adapters, notes: { ready: () => undefined } }
  expect(() => defineRegistry(api).adapters(only)).toThrow('The adapter of "notes" does nothing')
})

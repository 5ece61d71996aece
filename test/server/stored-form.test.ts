import {
  type Adapter,
  defineApi,
  defineRegistry,
  defineResource,
  defineView,
  handle,
} from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const schema = z.object({ id: z.string(), price: z.string(), name: z.string(), seal: z.string() })
const prices = defineResource('prices', {
  schema,
  create: schema.omit({ seal: true }).partial({ id: true }),
  readOnly: ['seal'],
  filled: ['seal'],
  filterable: ['price', 'name'],
  searchable: ['price'],
})
const olderPrices = defineView('older_prices', prices, {
  schema: z.object({ id: z.string(), cost: z.string(), name: z.string(), mark: z.null() }),
  create: z.object({ cost: z.string(), name: z.string() }),
  update: z.object({ cost: z.string(), name: z.string(), mark: z.null().optional() }),
  fields: { cost: 'price', mark: { always: null } },
  filterable: ['cost'],
  readOnly: [],
})

// A storage that holds two digits after the point.
function twoDigits(form = true): Adapter {
  const { createMany: _, ...memory } = memoryAdapter() as Adapter
  const held = (field: string, value: unknown) =>
    field === 'price' || field === 'seal' ? Number(value).toFixed(2) : value
  return {
    ...memory,
    create: (operation, context) =>
      memory.create?.(
        { ...operation, item: { seal: '1.00', ...operation.item } },
        context,
      ) as never,
    storedForm: () => (form ? held : undefined),
  }
}

function askingOf(adapter: Adapter) {
  const api = defineApi({ v1: { '/older_prices': olderPrices }, v2: { '/prices': prices } })
  const registry = defineRegistry(api, { defaultVersion: 'v2' })
    .onError((error) => {
      throw error
    })
    .adapters({ prices: adapter as never })
  return async (method: string, url: string, body?: object) => {
    const sent = body && JSON.stringify(body)
    const headers = { 'content-type': 'application/json' }
    const answer = await handle({ method, url, headers, body: sent }, registry)
    return { ...answer, body: Object(answer.body) }
  }
}

describe('a storage with a form of its own', () => {
  test('compares what a client sends by value', async () => {
    const ask = askingOf(twoDigits())
    const made = await ask('POST', '/v2/prices', { id: 'a', price: '7', name: 'one' })
    expect(made.body).toMatchObject({ price: '7.00', name: 'one' })
    await ask('POST', '/v2/prices', { id: 'b', price: '7.0', name: 'two' })
    for (const url of ['/v2/prices?price=7', '/v1/older_prices?cost=7.0']) {
      expect((await ask('GET', url)).body).toMatchObject([{ id: 'a' }, { id: 'b' }])
    }
    expect((await ask('GET', '/v2/prices?price:contains=7.0')).body).toHaveLength(2)
    expect((await ask('GET', '/v2/prices?name=one')).body).toHaveLength(1)
    for (const seal of ['1', '1.0', '1.00']) {
      const body = { price: '7', name: 'one', seal }
      expect((await ask('PUT', '/v2/prices/a', body)).status).toBe(200)
    }
    const changed = { price: '7', name: 'one', seal: '2' }
    expect((await ask('PUT', '/v2/prices/a', changed)).status).toBe(422)
  })

  test('leaves a constant of a view alone', async () => {
    const ask = askingOf(twoDigits())
    await ask('POST', '/v2/prices', { id: 'a', price: '7', name: 'one' })
    const sent = { cost: '8', name: 'one', mark: null }
    expect((await ask('PUT', '/v1/older_prices/a', sent)).body).toMatchObject({ mark: null })
  })

  test('gives cursors of the query as sent', async () => {
    const ask = askingOf(twoDigits())
    for (const id of ['a', 'b', 'c']) {
      await ask('POST', '/v2/prices', { id, price: '7', name: id })
    }
    const first = await ask('GET', '/v2/prices?price=7&limit=2')
    const [, next = ''] = /<([^>]+)>/.exec(`${first.headers.link}`) ?? []
    expect(next).toContain('price=7&')
    expect((await ask('GET', next)).body).toMatchObject([{ id: 'c' }])
  })

  test('may return every value unchanged', async () => {
    const ask = askingOf(twoDigits(false))
    const made = await ask('POST', '/v2/prices', { id: 'a', price: '7', name: 'one' })
    expect(made.body).toMatchObject({ price: '7' })
    expect((await ask('GET', '/v1/older_prices?cost=7')).body).toMatchObject([{ cost: '7' }])
  })
})

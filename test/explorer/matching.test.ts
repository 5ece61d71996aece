import { defineApi, defineRegistry, defineResource } from 'nounful'
import { explorer } from 'nounful/explorer'
import { toFetchHandler } from 'nounful/fetch'
import { memoryAdapter } from 'nounful/memory'
import { expect, test } from 'vitest'
import { z } from 'zod'

const schema = z.object({ id: z.string(), size: z.number() })
const declaration = { schema, filterable: ['size'], sortable: ['size'] } as const
const api = defineApi({
  v1: {
    '/boxes': defineResource('boxes', declaration),
    '/bags': defineResource('bags', { ...declaration, without: ['deleteMany'] }),
  },
})

async function pageAt(path: string): Promise<string> {
  const items = [{ id: 'a', size: 1 }]
  const registry = defineRegistry(api).adapters({
    boxes: memoryAdapter({ items }),
    bags: memoryAdapter({ items }),
  })
  const fetch = toFetchHandler(registry, { layers: [explorer(registry)] })
  const headers = { accept: 'text/html' }
  return (await fetch(new Request(`https://h/v1${path}`, { headers }))).text()
}

test.each([
  ['/boxes?size:gte=1&sort=size', true],
  ['/boxes', false],
  ['/bags?size:gte=1', false],
])('a page of %s deletes what matches: %s', async (path, isOffered) => {
  const page = await pageAt(path)
  const [form = ''] = /<form data-kind="deleteMany".*?<\/form>/s.exec(page) ?? []
  expect(form !== '').toBe(isOffered)
  if (!isOffered) return
  expect(form).toContain(' data-method="DELETE" data-url="/v1/boxes?size:gte=1"')
  expect(form).toContain(' data-count="/v1/boxes?size:gte=1&amp;dry_run=true" data-most="1000"')
  expect(form).not.toContain(' name=')
})

test('a table offers the deletion of rows where its resource deletes what matches', async () => {
  expect(await pageAt('/boxes')).toContain(' data-list="/v1/boxes" data-most="1000" data-deletes>')
  expect(await pageAt('/bags')).toContain(' data-list="/v1/bags" data-most="1000">')
})

test('a page exports what matches, in its order, from the start', async () => {
  const page = await pageAt('/boxes?size:gte=1&sort=-size&fields=size')
  const url = '/v1/boxes?size:gte=1&amp;sort=-size&amp;limit=1000&amp;fields=size'
  expect(page).toContain(`data-format="csv" data-export="${url}"`)
  expect(page).toContain(`data-format="json" data-export="${url}"`)
})

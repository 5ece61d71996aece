import {
  type Adapter,
  defineApi,
  defineRegistry,
  defineResource,
  defineView,
  type Operation,
} from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { asSiblings } from '../../src/contract/resource/siblings.ts'
import { ask } from '../support/things.ts'

const text = z.string()
const Company = z.object({ id: text, name: text })
const companies = defineResource('companies', {
  schema: Company,
  create: Company,
  filterable: ['name'],
  sortable: ['name'],
})
const Worker = z.object({ id: text, company_id: text })
const workers = defineResource('workers', {
  schema: Worker,
  create: Worker,
  references: { company_id: 'companies' },
})
const companyItems = [
  { id: '1', name: 'Acme' },
  { id: '2', name: 'Bolt' },
]

/** A view of companies and one of workers, over adapters that share a storage. */
function serve(view: object, base: object, items: readonly object[]) {
  const operations: Operation[] = []
  const stored: Adapter = memoryAdapter<never>({ items: items as never })
  const list: Adapter['list'] & object = (operation, context) => {
    operations.push(operation)
    return stored.list?.(operation, context) ?? []
  }
  const Firm = z.object({ id: text, label: text })
  const firm = { schema: Firm, create: Firm, fields: { label: 'name' } } as const
  const api = Reflect.apply(defineApi, undefined, [
    {
      v1: { '/companies': defineView('companies_v1', companies, firm), '/workers': view },
      v2: { '/companies': companies, '/workers': base },
    },
  ])
  const registry = defineRegistry(api, { defaultVersion: 'v1' } as never).adapters({
    companies: memoryAdapter<never>({ items: companyItems as never }),
    workers: asSiblings({ ...stored, list }),
  } as never)
  const idsOf = async (url: string) => {
    const { body } = await ask(registry, `GET ${url}`)
    return Array.isArray(body) ? body.map(({ id }) => id).join('') : body
  }
  return { idsOf, operations }
}

describe('a reference of another name', () => {
  const Shown = z.object({ id: text, firm_id: text })
  const shown = { schema: Shown, create: Shown, fields: { firm_id: 'company_id' } } as const
  const items = [
    { id: 'a', company_id: '2' },
    { id: 'b', company_id: '1' },
    { id: 'c', company_id: '2' },
  ]

  test.each([
    ['/v1/workers?firm.label=Bolt', 'ac'],
    ['/v1/workers?sort=firm.label', 'bac'],
    ['/v1/workers?sort=-firm.label,-id&firm.label=Bolt', 'ca'],
  ])('is joined by the storage in its own field: %s', async (url, ids) => {
    const { idsOf, operations } = serve(defineView('workers_v1', workers, shown), workers, items)
    expect(await idsOf(url)).toBe(ids)
    const [{ query } = { query: undefined }] = operations
    const sorts = query?.sort.flatMap(({ related }) => related?.join ?? []) ?? []
    const filters = query?.related?.flatMap(({ join }) => join ?? []) ?? []
    const joins = [...sorts, ...filters].map(({ field }) => field)
    expect(new Set(joins)).toEqual(new Set(['company_id']))
  })
})

describe('a reference that the view makes of other values', () => {
  const Coded = z.object({ id: text, company_code: z.enum(['c1', 'c2']) })
  const coded = defineResource('workers', { schema: Coded, create: Coded })
  const viewOf = () =>
    Reflect.apply(defineView, undefined, [
      'workers_v1',
      coded,
      {
        schema: Worker,
        create: Worker,
        references: { company_id: 'companies' },
        fields: { company_id: { of: 'company_code', values: { c1: '1', c2: '2' } } },
      },
    ])
  const items = [
    { id: 'a', company_code: 'c2' },
    { id: 'b', company_code: 'c1' },
  ]

  test('has no related items to filter or sort by', async () => {
    const { idsOf, operations } = serve(viewOf(), coded, items)
    for (const query of ['company.label=Bolt', 'sort=company.label'])
      expect(await idsOf(`/v1/workers?${query}`)).toMatchObject({ status: 400 })
    expect([await idsOf('/v1/workers'), operations.length]).toEqual(['ab', 1])
  })
})

import { defineApi, defineRegistry, defineResource, defineView } from 'nounful'
import { isolationOf } from 'nounful/conformance'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  type ContractFeature,
  contractFeatures,
  featurePairs,
  serviceWith,
} from '../../support/feature-contracts.ts'
import { rounds } from '../../support/service.ts'
import { callers } from './service.ts'

const names = Object.keys(contractFeatures) as ContractFeature[]

// A storage with one key for all owners tells that an id is taken. The declaration accepts it.
const gaps = { 'conflicts tell of no taken value': 'clients choose ids of one key' }

async function findingsOf(features: readonly ContractFeature[]): Promise<readonly string[]> {
  const options = features.includes('ids of clients') ? { ...callers, gaps } : callers
  const messages: string[] = []
  for (const check of isolationOf(serviceWith(features), options))
    await check.run().catch(({ message }: Error) => messages.push(message.slice(0, 2000)))
  return messages
}

describe('a correct contract proves isolated', () => {
  for (const name of names) {
    test(`with ${name}, in each round`, { timeout: 60_000 }, async () => {
      for (let round = 0; round < rounds(1); round++) expect(await findingsOf([name])).toEqual([])
    })
  }

  const pairs = [...featurePairs(), ['ids of clients', 'references'] as const]
  for (const pair of pairs) {
    test(`with ${pair.join(' and ')}`, { timeout: 60_000 }, async () => {
      expect(await findingsOf(pair)).toEqual([])
    })
  }
})

// The stored resource is the one that `.reveal()` names.
describe('a resource that no version shows proves isolated', () => {
  const Note = z.object({
    id: z.string(),
    tenant_id: z.string(),
    text: z.string(),
    secret: z.string().optional(),
  })
  const create = Note.omit({ id: true, tenant_id: true })
  const stored_notes = defineResource('stored_notes', {
    schema: Note,
    create,
    ownedBy: ['tenant_id'],
    restricted: ['secret'],
  })
  const notes = defineView('notes', stored_notes, { schema: Note, create })
  const registry = defineRegistry(defineApi({ v1: { '/notes': notes } }))
    .context(({ headers }) => ({ tenant: String(headers?.authorization) }))
    .scope(({ tenant }) => ({ tenant_id: tenant }))
    .reveal(() => ({ stored_notes: ['secret'] }))
    .adapters({ stored_notes: memoryAdapter() })
  const as = ['authorization: alice', 'authorization: bob'] as const
  for (const check of isolationOf(registry, { as })) test(check.name, () => check.run())
})

// The first value of the schema is not the first state.
describe('a resource with states proves isolated', () => {
  const Task = z.object({
    id: z.string(),
    tenant_id: z.string(),
    title: z.string(),
    status: z.enum(['done', 'open']),
  })
  const tasks = defineResource('tasks', {
    schema: Task,
    create: Task.omit({ id: true, tenant_id: true }),
    ownedBy: ['tenant_id'],
    states: { status: { open: ['done'], done: [] } },
  })
  const registry = defineRegistry(defineApi({ v1: { '/tasks': tasks } }))
    .context(({ headers }) => ({ tenant: String(headers?.authorization) }))
    .scope(({ tenant }) => ({ tenant_id: tenant }))
    .adapters({ tasks: memoryAdapter() })
  const as = ['authorization: alice', 'authorization: bob'] as const
  for (const check of isolationOf(registry, { as })) test(check.name, () => check.run())
})

// Its worlds differ in the items of the owner: the owner is in both.
describe('an owner whose items nobody deletes', () => {
  const list = z.object({ id: z.string(), name: z.string() })
  const lists = defineResource('lists', {
    schema: list,
    create: list.omit({ id: true }),
    filterable: ['name'],
    ownedBy: ['id'],
  })
  const item = z.object({ id: z.string(), list_id: z.string(), text: z.string() })
  const items = defineResource('items', {
    schema: item,
    create: item.omit({ id: true, list_id: true }),
    filterable: ['text'],
    references: { list_id: 'lists' },
    ownedBy: 'parent',
    without: ['delete'],
  })
  const named = z.object({ id: z.string(), label: z.string() })
  const view = defineView('labelled_lists', lists, {
    schema: named,
    create: named.omit({ id: true }),
    filterable: ['label'],
    fields: { label: 'name' },
  })
  const nested = { '/lists/:list_id/items': items }
  const versions = { v1: { '/lists': view, ...nested }, v2: { '/lists': lists, ...nested } }
  type Call = (operation: { readonly scope: object }, ...rest: readonly unknown[]) => unknown
  const forgetful = (): object => {
    const adapter = memoryAdapter() as Readonly<Record<string, Call>>
    const methods = Object.entries(adapter).map(([name, call]): [string, Call] => [
      name,
      (operation, ...rest) =>
        call(name === 'count' ? { ...operation, scope: {} } : operation, ...rest),
    ])
    return Object.fromEntries(methods)
  }
  const checksOf = (adapter: object) => {
    const registry = defineRegistry(defineApi(versions), { defaultVersion: false })
      .context(({ headers }) => ({ user: String(headers?.authorization) }))
      .scope(({ user }) => ({ id: user }))
      .adapters({ lists: memoryAdapter(), items: adapter })
    return isolationOf(registry, { as: ['authorization: alice', 'authorization: bob'] })
  }
  for (const { name, run } of checksOf(memoryAdapter())) test(name, () => run())

  test('hides no leak of its items', async () => {
    const failures: string[] = []
    for (const { run } of checksOf(forgetful()))
      await run().catch(({ message }: Error) => failures.push(message))
    expect(failures.join()).toMatch(/items\/count\S* tells of another caller/)
  })
})

import { defineApi, defineRegistry, defineResource, type Registry } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openConnection } from '../../../src/trial/check/connection.ts'
import { findCollections } from '../../../src/trial/check/find.ts'
import { type CheckOutcome, runRules } from '../../../src/trial/check/run.ts'
import { transportOf } from '../../support/check-transport.ts'
import {
  type ContractFeature,
  contractFeatures,
  serviceWith,
} from '../../support/feature-contracts.ts'
import { seed } from '../../support/seeded.ts'

const names = Object.keys(contractFeatures) as ContractFeature[]
const headers = { authorization: 'Bearer alice' }

async function checkService(registry: Registry, isEmptied: boolean): Promise<CheckOutcome> {
  const limits = { timeout: 10_000, requests: 50_000 }
  const transport = transportOf(registry, headers)
  const connection = openConnection({ origin: 'http://127.0.0.1', headers, ...limits }, transport)
  const found = await findCollections(connection.send, '/', [])
  return runRules(connection, found, { samples: {}, isEmptied })
}

const faultsOf = ({ verdicts }: CheckOutcome) =>
  verdicts.flatMap(({ id, faults }) =>
    faults.map(({ collection, message }) => [id, collection, message]),
  )

describe('check --write breaks nothing of a service', () => {
  for (const name of names) {
    test(`with ${name}`, { timeout: 120_000 }, async () => {
      const registry = serviceWith([name])
      await seed(registry, headers)
      expect(faultsOf(await checkService(registry, false))).toEqual([])
    })
  }
})

describe('check --write --empty breaks nothing', () => {
  const Note = z.object({ id: z.string(), text: z.string(), name: z.string() })
  const shape = { schema: Note, create: Note.omit({ id: true }) } as const
  const rows = [
    ['a default limit beside a search', { defaultLimit: 2, maxLimit: 3, searchable: ['text'] }],
    ['no read', { without: ['read'] }],
    ['no list', { without: ['list'] }],
    ['no create', { without: ['create'] }],
    ['no delete', { without: ['delete'] }],
    ['a bound', { bounded: true }],
  ] as const

  test.for(rows)('with %s', { timeout: 120_000 }, async ([, options]) => {
    const notes = defineResource('notes', { ...shape, ...options } as never)
    const words = ['note a b', 'note c d', 'note e+f', 'note g', 'note', 'note a+b']
    const items = words.map((text, at) => ({ id: `n${at}`, text, name: `Note ${text}` }))
    const registry = defineRegistry(defineApi({ v1: { '/notes': notes } } as never)).adapters({
      notes: memoryAdapter({ items }),
    } as never) as never
    expect(faultsOf(await checkService(registry, true))).toEqual([])
  })
})

describe('check --write breaks nothing of a collection below itself', () => {
  const Bare = z.strictObject({ id: z.string(), node_id: z.string().nullable() })
  test.each([
    ['with names', { name: z.string() }, { name: 'A node' }],
    // A draft below a parent has no field.
    ['with nothing but parents', {}, {}],
  ])('%s', { timeout: 120_000 }, async (_, shape, fields) => {
    const schema = Bare.extend(shape)
    const create = schema.omit({ id: true })
    const references = { node_id: 'nodes' }
    const nodes = defineResource('nodes', {
      ...{ schema, create, references, filterable: ['node_id'], sortable: ['node_id'] },
    } as never)
    const paths = { '/nodes': nodes, '/nodes/:node_id/nodes': nodes }
    const items = ['a', 'b', 'c'].map((id) => ({ id, node_id: 'a', ...fields }))
    const registry = defineRegistry(defineApi({ v1: paths } as never)).adapters({
      nodes: memoryAdapter({ items }),
    } as never) as never
    expect(faultsOf(await checkService(registry, false))).toEqual([])
  })
})

describe('check --write breaks nothing for a caller', () => {
  const Person = z.strictObject({ id: z.string(), name: z.string(), salary: z.string().optional() })
  const Note = z.strictObject({
    ...{ id: z.string(), text: z.string(), code: z.string().optional() },
    person_id: z.string().nullable().optional(),
    author_id: z.string().nullable().optional(),
  })
  const personFields = ['name', 'salary'] as const
  const people = defineResource('people', {
    ...{ schema: Person, create: Person.omit({ id: true }), restricted: ['salary'] },
    ...{ sortable: personFields, filterable: personFields, countable: personFields },
    ...{ searchable: personFields, folded: personFields },
  })
  const noteFields = ['text', 'code', 'person_id'] as const
  const notes = defineResource('notes', {
    ...{ schema: Note, create: Note.omit({ id: true }), restricted: ['code', 'person_id'] },
    ...{ sortable: noteFields, countable: noteFields, filterable: noteFields },
    ...{ searchable: ['text', 'code'], folded: ['code'] },
    references: {
      person_id: { to: 'people', as: 'person' },
      author_id: { to: 'people', as: 'author' },
    },
  })
  const numbers = [1, 2, 3]
  const registry = defineRegistry(defineApi({ v1: { '/people': people, '/notes': notes } }))
    .context(() => ({}))
    .reveal(() => ({}))
    .adapters({
      people: memoryAdapter({
        items: numbers.map((n) => ({ id: `p${n}`, name: `Ann ${n}`, salary: `${n}` })),
      }),
      notes: memoryAdapter({
        items: numbers.map((n) => ({
          ...{ id: `n${n}`, text: `Note ${n}` },
          ...{ code: 'a', person_id: 'p1', author_id: `p${n}` },
        })),
      }),
    })

  test('who may not read restricted fields', { timeout: 120_000 }, async () => {
    expect(faultsOf(await checkService(registry, false))).toEqual([])
  })
})

import { defineApi, defineResource } from 'nounful'
import { toOpenApi } from 'nounful/openapi'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { compareDocuments } from '../../../src/evolution/openapi/document-changes.ts'
import { companiesRegistry } from '../../support/companies.ts'
import { linesOf } from './documents.ts'

const info = { title: 'Notes', version: '1' }

interface Parts {
  readonly item?: z.ZodRawShape
  readonly input?: z.ZodRawShape
  readonly sortable?: readonly ['text'] | readonly []
  readonly maxLimit?: number
  readonly filled?: readonly ['tag']
  readonly without?: readonly ['deleteAll']
}

function documentWith({
  item = {},
  input = item,
  sortable = ['text'],
  ...options
}: Parts): unknown {
  const text = z.string().min(1).max(80)
  const notes = Reflect.apply(defineResource, undefined, [
    'notes',
    {
      schema: z.object({ id: z.string(), text, ...item }),
      create: z.strictObject({ text, ...input }),
      sortable,
      ...options,
    },
  ])
  return toOpenApi(defineApi({ v1: { '/notes': notes } }), { info, methods: 'main' })
}

test('the example has no change against itself', () => {
  const document = toOpenApi(companiesRegistry(), { info })
  expect(compareDocuments(document, structuredClone(document))).toEqual([])
})

const plain = documentWith({})

test.each([
  [
    'a longer text',
    { item: { text: z.string().min(1).max(90) } },
    'fine request-max-length-raised',
  ],
  [
    'a shorter text',
    { item: { text: z.string().min(1).max(60) } },
    'breaking request-max-length-lowered',
  ],
  ['a new field', { item: { tag: z.string().optional() } }, 'fine request-field-added'],
  ['a field to send', { input: { tag: z.string() } }, 'breaking request-field-required-added'],
  [
    'a field to get',
    { item: { tag: z.string() }, input: {}, filled: ['tag'] },
    'fine item-field-added',
  ],
  ['no sorting', { sortable: [] }, 'breaking request-enum-removed'],
  ['a lower limit', { maxLimit: 50 }, 'breaking request-maximum-lowered'],
  ['an operation less', { without: ['deleteAll'] }, 'breaking operation-removed DELETE /v1/notes'],
] satisfies (readonly [string, Parts, string])[])('a contract tells %s', (_, parts, line) => {
  const next = documentWith(parts)
  const lines = linesOf(plain, next)
  expect(lines.some((full) => full.startsWith(line))).toBe(true)
  const isBreaking = line.startsWith('breaking')
  expect(lines.some((full) => full.startsWith('breaking'))).toBe(isBreaking)
})

test('each request that breaks is shown', () => {
  const next = documentWith({ input: { tag: z.string() }, sortable: [], maxLimit: 50 })
  const breaking = compareDocuments(plain, next).filter(({ verdict }) => verdict === 'breaking')
  expect(breaking.length).toBeGreaterThan(2)
  for (const { rule, witness } of breaking) {
    expect({ rule, witness }).toEqual({
      rule,
      witness: expect.objectContaining({ target: expect.stringMatching(/^\/v1\/notes/) }),
    })
  }
})

import { defineApi, defineResource } from 'nounful'
import { toOpenApi } from 'nounful/openapi'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { compareDocuments } from '../../../src/diff/openapi/document-changes.ts'
import { companiesRegistry } from '../../support/companies.ts'
import { linesOf } from './documents.ts'

const info = { title: 'Notes', version: '1' }

interface Parts {
  readonly item?: z.ZodRawShape
  readonly input?: z.ZodRawShape
  readonly sortable?: readonly ['text'] | readonly []
  readonly maxLimit?: number
  readonly filled?: readonly ['tag']
  readonly without?: readonly ('deleteAll' | 'deleteMany')[]
}

type Arrays = 'extension' | 'union'

function documentWith(
  { item = {}, input = item, sortable = ['text'], ...options }: Parts,
  arrays: Arrays = 'extension',
): unknown {
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
  return toOpenApi(defineApi({ v1: { '/notes': notes } }), { info, arrays })
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
  [
    'an operation less',
    { without: ['deleteAll', 'deleteMany'] },
    'breaking operation-removed DELETE /v1/notes',
  ],
  ['a deletion of what matches less', { without: ['deleteMany'] }, 'breaking parameter-removed'],
  ['a deletion of all less', { without: ['deleteAll'] }, 'breaking parameter-became-required'],
] satisfies (readonly [string, Parts, string])[])('a contract tells %s', (_, parts, line) => {
  const next = documentWith(parts)
  const lines = linesOf(plain, next)
  expect(lines.some((full) => full.startsWith(line))).toBe(true)
  const isBreaking = line.startsWith('breaking')
  expect(lines.some((full) => full.startsWith('breaking'))).toBe(isBreaking)
})

const forms = ['extension', 'union'] as const
const pairs = forms.flatMap((old) => forms.map((next) => [old, next] as const))

test.each(pairs)('a POST by %s and by %s is the same', (old, next) => {
  const ofPost = linesOf(documentWith({}, old), documentWith({}, next)).filter((line) =>
    line.includes('POST'),
  )
  expect(ofPost).toEqual([])
})

// biome-ignore format: a row stays a line
const arrays: readonly (readonly [name: string, next: (text: string) => string, line: RegExp])[] = [
  ['shorter',  (text) => text.replaceAll('"maxItems":1000', '"maxItems":10'), /^breaking \S+ POST \/v1\/notes body/],
  ['refused',  (text) => text.replaceAll('x-nounful-many', 'x-many'),       /^breaking \S+ POST \/v1\/notes body/],
  ['in other words', (text) => text.replaceAll('.many', '.array'),          /^none/],
]
test.each(arrays)('an array that is %s is told', (_, change, line) => {
  const old = JSON.stringify(documentWith({ without: ['deleteAll'] }))
  const next = change(old)
  expect(next).not.toBe(old)
  const lines = linesOf(JSON.parse(old), JSON.parse(next))
  expect(lines.length === 0 ? ['none'] : lines).toContainEqual(expect.stringMatching(line))
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

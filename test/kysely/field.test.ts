import { type } from 'arktype'
import { defineResource } from 'nounful'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { StandardSchema } from '../../src/contract/schema/schema.ts'
import { type ColumnField, type ColumnMap, columnFieldsOf } from '../../src/kysely/options.ts'

function told({ name, column, type, isNullable }: ColumnField): string {
  const place = column === name ? name : `${name} in ${column}`
  return `${place}: ${type ?? 'any'}${isNullable ? ' or null' : ''}`
}

function fieldsFrom(
  schema: StandardSchema<unknown, { readonly id: string }>,
  columns: ColumnMap = {},
): string[] {
  return columnFieldsOf(defineResource('things', { schema }), { table: 'things', columns }).map(
    told,
  )
}

test('a schema declares its fields, the id first', () => {
  const Thing = z.object({
    name: z.string(),
    id: z.string(),
    size: z.number().int().nullable(),
    isOpen: z.boolean().optional(),
    kind: z.enum(['a', 'b']),
    level: z.literal([1, 2]),
    parts: z.array(z.string()),
    mixed: z.union([z.string(), z.number()]),
    whatever: z.unknown(),
  })
  expect(fieldsFrom(Thing)).toEqual([
    'id: text',
    'name: text',
    'size: number or null',
    'isOpen: boolean',
    'kind: text',
    'level: number',
    'parts: json',
    'mixed: json',
    'whatever: any',
  ])
})

test('a union has the fields of all its members', () => {
  const Shape = z.union([
    z.object({ id: z.string(), radius: z.number() }),
    z.object({ id: z.string(), radius: z.null(), sides: z.array(z.number()) }),
  ])
  expect(fieldsFrom(Shape)).toEqual(['id: text', 'radius: number or null', 'sides: json'])
  expect(fieldsFrom(type({ id: 'string', 'size?': 'number | null' }))).toEqual([
    'id: text',
    'size: number or null',
  ])
})

test('columns have names and types of their own', () => {
  const Thing = z.object({ id: z.string(), size: z.number() })
  const columns = { id: 'key', size: { name: 'width', type: 'text' } } as const
  expect(fieldsFrom(Thing, columns)).toEqual(['id in key: text', 'size in width: text'])
})

test('a schema without JSON Schema needs columns', () => {
  const Thing = v.object({ id: v.string(), size: v.number() })
  expect(() => fieldsFrom(Thing)).toThrow(
    'The schema of "things" does not list its fields as JSON Schema: name them in "columns"',
  )
  expect(fieldsFrom(Thing, { size: {} })).toEqual(['id: any', 'size: any'])
})

import { type } from 'arktype'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineApi } from '../../src/contract/declare/define-api.ts'
import { defineResource } from '../../src/contract/declare/define-resource.ts'
import type { Api } from '../../src/contract/resource/api.ts'
import { namedFieldsOf } from '../../src/contract/schema/required.ts'
import type { StandardSchema } from '../../src/contract/schema/schema.ts'
import { refusalOf } from './thrown.ts'

const text = z.string()

function resourceOf(name: string, schema: StandardSchema): unknown {
  return Reflect.apply(defineResource, undefined, [name, { schema, plural: true }])
}

function items(...fields: readonly string[]): StandardSchema {
  return z.object(Object.fromEntries(['id', ...fields].map((field) => [field, text])))
}

/** Declares paths as a program without types would: each with the schema of its items. */
function declare(paths: Readonly<Record<string, StandardSchema>>): Api {
  const entries = Object.entries(paths).map(([path, schema]) => [
    path,
    resourceOf(path.replace(/^.*\//, ''), schema),
  ])
  return Reflect.apply(defineApi, undefined, [{ v1: Object.fromEntries(entries) }])
}

const above = {
  '/as': items(),
  '/as/:a_id/bs': items('a_id'),
  '/as/:a_id/bs/:b_id/cs': items('b_id'),
}
const third = '/as/:a_id/bs/:b_id/cs/:c_id/ds'

describe('the owner fields of a path', () => {
  const all = ['a_id', 'b_id', 'c_id']
  type Row = readonly [name: string, schema: StandardSchema, owners: readonly string[]]
  // biome-ignore format: a row stays a line
  const rows: readonly Row[] = [
    ['the nearest alone',          items('c_id'),                        ['c_id']],
    ['all of them',                items(...all),                        all],
    ['in the order of the path',   items('c_id', 'a_id'),                ['a_id', 'c_id']],
    ['of arktype, that is open',   type({ id: 'string', c_id: 'string' }), ['c_id']],
    ['beside a field that JSON Schema cannot express', z.object({ id: text, c_id: text, at: z.custom() }), ['c_id']],
    ['in every alternative',       z.union([z.object({ id: text, c_id: text, a_id: text }), z.object({ id: text, c_id: text })]), ['c_id']],
    ['in any part',                z.object({ id: text, b_id: text }).and(z.object({ c_id: text })), ['b_id', 'c_id']],
    ['of items with other fields', z.looseObject({ id: text }),          all],
    ['of items with fields of a type', z.object({ id: text }).catchall(text), all],
    ['of any items',               z.any(),                              all],
    ['of a schema that tells none', { '~standard': { version: 1, vendor: 'x', validate: (value) => ({ value }) } }, all],
  ]
  for (const [name, schema, owners] of rows) {
    test(name, () => {
      expect(declare({ ...above, [third]: schema }).collections.at(-1)).toMatchObject({
        parameters: all,
        owners,
      })
    })
  }

  test('are none at the top', () => {
    expect(declare(above).collections[0]?.owners).toEqual([])
  })

  test('need no parent that tells its fields', () => {
    const paths = { ...above, '/as/:a_id/bs': z.any(), [third]: items('c_id') }
    expect(declare(paths).collections.at(-1)?.owners).toEqual(['c_id'])
  })

  test('are read once', () => {
    let times = 0
    const json = { type: 'object', properties: { id: {}, a_id: {} } }
    const output = () => [times++, json][1]
    const plain = { version: 1, vendor: 'x', validate: (value: unknown) => ({ value }) } as const
    const schema: StandardSchema = { '~standard': Object.assign(plain, { jsonSchema: { output } }) }
    expect([namedFieldsOf(schema), namedFieldsOf(schema), times]).toEqual([
      ['id', 'a_id'],
      ['id', 'a_id'],
      1,
    ])
  })
})

describe('a path is refused', () => {
  type Row = readonly [name: string, path: string, schema: StandardSchema, message: string]
  // biome-ignore format: a row stays a line
  const rows: readonly Row[] = [
    ['without the nearest', third, items('a_id', 'b_id'), `Path "${third}" names ":c_id", but the items of "ds" have no such field: add "c_id" to "schema".`],
    ['without the only one', '/as/:a_id/es', items(), 'Path "/as/:a_id/es" names ":a_id", but the items of "es" have no such field: add "a_id" to "schema".'],
    ['with an outer one that no parent has', '/as/:x_id/bs/:b_id/es', items('b_id'), 'names ":x_id", but the items of "es" have no such field: add "x_id" to "schema", or begin the path with "/as/:a_id/bs".'],
    ['with one in the middle that no parent has', '/as/:a_id/bs/:x_id/cs/:c_id/es', items('c_id'), 'names ":x_id", but the items of "es" have no such field: add "x_id" to "schema", or begin the path with "/as/:a_id/bs/:b_id/cs".'],
  ]
  for (const [name, path, schema, message] of rows) {
    test(name, () => {
      expect(refusalOf(() => declare({ ...above, [path]: schema }))).toContain(message)
    })
  }
})

import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineApi } from '../../src/contract/declare/define-api.ts'
import { defineResource } from '../../src/contract/declare/define-resource.ts'
import { requiredFieldsOf } from '../../src/contract/schema/required.ts'
import type { StandardSchema } from '../../src/contract/schema/schema.ts'
import { refusalOf } from './thrown.ts'

const text = z.string()
const cat = z.object({ id: text, lives: z.number() })
const dog = z.object({ id: text, breed: text, chip: text.optional() })
const Node = z.object({
  id: text,
  get child() {
    return Node.optional()
  },
})

// A schema of any library that tells this JSON Schema.
function telling(json: unknown): StandardSchema {
  const standard = {
    version: 1,
    vendor: 'test',
    validate: (value: unknown) => ({ value }),
  } as const
  const jsonSchema = { output: () => json }
  return { '~standard': Object.assign(standard, { jsonSchema }) }
}

const id = { type: 'object', required: ['id'] }
const both = { type: 'object', required: ['id', 'name'] }

// biome-ignore format: a row stays a line
const rows: [name: string, schema: StandardSchema, names: readonly string[] | undefined][] = [
  ['zod: an object',                     dog,                                                    ['id', 'breed']],
  ['zod: a default and null',            z.object({ a: text.default(''), b: text.nullable() }),  ['a', 'b']],
  ['zod: a default that may be left out', z.object({ a: text.default('').optional() }),          []],
  ['zod: an open object',                z.looseObject({ id: text }),                            ['id']],
  ['zod: a strict object',               z.strictObject({ id: text, a: text.optional() }),       ['id']],
  ['zod: a union',                       z.union([cat, dog]),                                    ['id']],
  ['zod: a union of one kind',           z.discriminatedUnion('is', [z.object({ is: z.literal(1), a: text }), z.object({ is: z.literal(2), a: text })]), ['is', 'a']],
  ['zod: an intersection',               z.intersection(cat, dog),                               ['id', 'lives', 'breed']],
  ['zod: an object that holds itself',   Node,                                                   ['id']],
  ['zod: an object that is referenced',  z.object({ at: z.object({ x: text }) }).meta({ id: 'At' }), ['at']],
  ['zod: a record',                      z.record(text, text),                                   []],
  ['zod: a refinement',                  dog.refine(() => true),                                 ['id', 'breed']],
  ['zod: anything',                      z.any(),                                                undefined],
  ['zod: a transform',                   dog.transform((value) => value),                        undefined],
  ['zod: a field with a transform',      z.object({ id: text.transform((value) => value) }),     undefined],
  ['zod: a transform into a schema',     z.object({ id: text.transform(Number).pipe(z.number()) }), ['id']],
  ['zod: a date',                        z.object({ id: text, at: z.date() }),                   undefined],
  ['arktype: an object',                 type({ id: 'string', 'note?': 'string' }),              ['id']],
  ['arktype: a default',                 type({ id: 'string', note: 'string = ""' }),            ['id', 'note']],
  ['arktype: a union',                   type({ id: 'string', a: '1' }).or({ id: 'string', b: '2' }), ['id']],
  ['arktype: a transform',               type({ id: 'string' }).pipe((value) => value),          undefined],
  ['valibot: it tells nothing',          v.object({ id: v.string() }),                           undefined],
  ['a reference',                        telling({ $ref: '#/$defs/a', $defs: { a: both } }),      ['id', 'name']],
  ['a reference to nothing',             telling({ $ref: '#/$defs/a', ...id }),                   ['id']],
  ['an alternative that is itself',      telling({ anyOf: [{ $ref: '#' }, both] }),               ['id', 'name']],
  ['all of two',                         telling({ allOf: [id, { required: ['name'] }] }),        ['id', 'name']],
  ['any of two',                         telling({ anyOf: [both, id] }),                          ['id']],
  ['one of two',                         telling({ oneOf: [id, both] }),                          ['id']],
  ['alternatives beside each other',     telling({ anyOf: [id], oneOf: [{ required: ['name'] }] }), ['id', 'name']],
  ['alternatives beside a field',        telling({ anyOf: [id, {}], required: ['name'] }),        ['name']],
  ['a field named twice',                telling({ allOf: [id, id] }),                            ['id']],
  ['an object or null',                  telling({ anyOf: [id, { type: 'null' }] }), ['id']],
  ['a type that may be an object',       telling({ ...id, type: ['object', 'null'] }),            ['id']],
  ['an alternative that nothing meets',  telling({ anyOf: [id, false] }),                         ['id']],
  ['an alternative that anything meets', telling({ anyOf: [id, true] }),                          undefined],
  ['no object',                          telling({ ...id, type: 'string' }),                      undefined],
  ['a list of other things than names',  telling({ ...id, required: ['id', 7, null] }),                  ['id']],
  ['a name of the prototype',            telling({ ...id, required: ['__proto__', 'constructor'] }),     ['__proto__', 'constructor']],
  ['JSON Schema that is none',           telling('object'),                                       undefined],
]

describe('the required fields of', () => {
  for (const [name, schema, names] of rows) {
    test(name, () => expect(requiredFieldsOf(schema)).toEqual(names))
  }

  test('a schema are read once', () => {
    let times = 0
    const schema = telling(id)
    const counted = {
      '~standard': {
        ...schema['~standard'],
        jsonSchema: { output: () => [times++, id][1] },
      },
    }
    expect([requiredFieldsOf(counted), requiredFieldsOf(counted), times]).toEqual([
      ['id'],
      ['id'],
      1,
    ])
  })
})

const Company = z.object({ id: text, name: text })
const Employee = Company.extend({ company_id: text, created_at: text, note: text.optional() })
const New = Company.pick({ name: true })
const Whole = Employee.omit({ id: true })
const top = '/employees'
const owned = '/companies/:company_id/employees'

// As a program without types would write it: employees at a path.
function mount(path: string, declaration: object): unknown {
  const employees = Reflect.apply(defineResource, undefined, [
    'employees',
    { schema: Employee, ...declaration },
  ])
  const companies = defineResource('companies', { schema: Company })
  return Reflect.apply(defineApi, undefined, [
    { v1: { '/companies': companies, [path]: employees } },
  ])
}

describe('a contract is refused where a write leaves out a required field', () => {
  const both = '"company_id", "created_at"'
  const tail = 'If the adapter sets'
  // biome-ignore format: a row stays a line
  const rows: [path: string, declaration: object, message: string][] = [
    [top,   { create: New },                                  `Path "/employees" offers create, but its "create" does not require ${both} as "schema" does: require them there. ${tail} them, write "filled: ['company_id', 'created_at']" or "readOnly". Or write "without: ['create']".`],
    [owned, { create: New },                                  `Path "${owned}" offers create, but its "create" does not require "created_at" as "schema" does: require it there. ${tail} it, write "filled: ['created_at']" or "readOnly".`],
    [top,   { create: New, filled: ['created_at'] },          'its "create" does not require "company_id" as'],
    [top,   { create: New, readOnly: ['created_at'] },        'its "create" does not require "company_id" as'],
    [top,   { create: New, revision: 'created_at' },           'its "create" does not require "company_id" as'],
    [top,   { create: Whole.partial() },                      'its "create" does not require "name", "company_id", "created_at" as'],
    [top,   { create: Whole.omit({ company_id: true }).extend({ company_id: text.optional() }) }, 'its "create" does not require "company_id" as'],
    [top,   { create: Whole, update: New },                   `Path "/employees" offers updateMany, update, but its "update" does not require ${both} as`],
    [top,   { create: Whole, update: New, without: ['update'] }, `Path "/employees" offers updateMany, but its "update" does not require ${both} as`],
    [top,   { create: Whole, update: New, without: ['updateMany'] }, `offers update, but its "update" does not require`],
    [top,   { create: New, without: ['create'] },             `offers updateMany, update, but its "update" does not require`],
    [top,   { create: z.union([Whole, New]) },                `"create" does not require ${both} as`],
    [top,   { create: z.looseObject({ name: text }) },        `"create" does not require ${both} as`],
    [top,   { create: type({ name: 'string' }) },             `"create" does not require ${both} as`],
    [top,   { schema: type({ id: 'string', name: 'string' }), create: type({ 'name?': 'string' }) }, '"create" does not require "name" as'],
  ]
  for (const [path, declaration, message] of rows) {
    test(`${path} with ${message.slice(-60)}`, () =>
      expect(refusalOf(() => mount(path, declaration))).toContain(message))
  }
})

describe('a contract is taken where every required field is set', () => {
  // biome-ignore format: a row stays a line
  const rows: [name: string, path: string, declaration: object][] = [
    ['by clients',                     top,   { create: Whole }],
    ['by clients, who send it all',    top,   {}],
    ['by a default',                   top,   { create: Whole.extend({ company_id: text.default('7'), created_at: text.default('') }) }],
    ['by the path, or by the adapter', owned, { create: New, filled: ['created_at'] }],
    ['by the path, or by the server',  owned, { create: New, readOnly: ['created_at'] }],
    ['as the revision',                owned, { create: New, revision: 'created_at' }],
    ['by the adapter',                 top,   { create: New, filled: ['company_id', 'created_at'] }],
    ['where nothing is written',       top,   { create: New, without: ['create', 'update', 'updateMany'] }],
    ['where the item tells nothing',   top,   { schema: v.object({ id: v.string(), a: v.string() }), create: New }],
    ['where the body tells nothing',   top,   { create: v.object({ name: v.string() }) }],
    ['where the body is transformed',  top,   { create: New.transform((value) => value) }],
    ['where arktype transforms',       top,   { create: type({ name: 'string' }).pipe((value) => value) }],
  ]
  for (const [name, path, declaration] of rows) {
    test(name, () => expect(mount(path, declaration)).toBeDefined())
  }
})

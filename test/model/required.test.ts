import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { requiredFieldsOf } from '../../src/model/required.ts'
import type { StandardSchema } from '../../src/model/schema.ts'

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

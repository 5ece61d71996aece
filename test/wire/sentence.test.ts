import { type } from 'arktype'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { jsonSchemaOf } from '../../src/contract/schema/json-schema.ts'
import type { StandardSchema } from '../../src/contract/schema/schema.ts'
import { sentencesAt } from '../../src/wire/sentence.ts'

const of = (schema: StandardSchema): object => jsonSchemaOf(schema, { direction: 'input' }) ?? {}

const strict = z.strictObject({ name: z.string(), age: z.int(), secret: z.string().optional() })
const card = z.object({ kind: z.literal('card'), digits: z.string() })
const iban = z.object({ kind: z.literal('iban'), iban: z.string(), digits: z.null() })

type Row = readonly [schema: object, value: unknown, sentence: string | undefined]
// biome-ignore format: a row stays a line
const values: readonly Row[] = [
  [of(z.string()),                             7,          'must be a text'],
  [of(z.string()),                             null,       'cannot be null'],
  [of(z.string()),                             'x',        undefined],
  [of(z.number()),                             '7',        'must be a number'],
  [of(z.int()),                                1.5,        'must be a whole number'],
  [of(z.int()),                                7,          undefined],
  [of(z.boolean()),                            'true',     'must be true or false'],
  [of(z.array(z.string())),                    'x',        'must be a list'],
  [of(z.object({})),                           [],         'must be an object'],
  [of(z.null()),                               7,          'must be null'],
  [of(z.string().nullable()),                  7,          'must be a text'],
  [of(z.string().nullable()),                  null,       undefined],
  [of(z.union([z.string(), z.number()])),      true,       'must be a text or a number'],
  [of(z.union([z.string(), z.number()])),      null,       'cannot be null'],
  [of(z.enum(['open', 'paid'])),               'x',        'must be one of open, paid'],
  [of(z.enum(['open', 'paid'])),               7,          'must be one of open, paid'],
  [of(z.enum(['open', 'paid']).nullable()),    'x',        'must be one of open, paid'],
  [of(z.literal('open')),                      'x',        'must be open'],
  [of(z.literal('open')),                      'open',     undefined],
  [of(z.union([z.literal('a'), z.literal(7)])), 'x',       'must be one of a, 7'],
  [of(z.string().min(1)),                      '',         'must not be empty'],
  [of(z.string().min(3)),                      'x',        'must have at least 3 characters'],
  [of(z.string().max(1)),                      'xy',       'must have at most 1 character'],
  [of(z.string().max(50)),                     'x'.repeat(51), 'must have at most 50 characters'],
  [of(z.string().length(2)),                   'x',        'must have 2 characters'],
  [of(z.email()),                              'x',        'must be an email address'],
  [of(z.email()),                              'a@b.org',  undefined],
  [of(z.uuid()),                               'x',        'must be a UUID'],
  [of(z.iso.date()),                           'x',        'must be a date, as in 2020-12-31'],
  [of(z.iso.datetime()),                       'x',        'must be a date with time, as in 2020-12-31T23:59:59Z'],
  [of(z.url()),                                'x',        'must be a URL, as in https://example.org'],
  [{ type: 'string', format: 'hostname' },       'a.org',    undefined],
  [of(z.ipv4()),                               'x',        'must be an IPv4 address'],
  [of(z.string().regex(/^[A-Z]+$/)),           'x',        undefined],
  [{ pattern: '^x' },                          7,          undefined],
  [{ minLength: 1 },                           7,          undefined],
  [{ type: 'string', pattern: '(' },           'x',        undefined],
  [{ type: 'string', format: 'email', pattern: '(' }, 'a@b.org', undefined],
  [of(z.number().min(0)),                      -1,         'must be at least 0'],
  [of(z.number().max(9)),                      10,         'must be at most 9'],
  [of(z.number().positive()),                  0,          'must be greater than 0'],
  [of(z.number().lt(9)),                       9,          'must be less than 9'],
  [of(z.number().multipleOf(0.01)),            0.005,      'must be a multiple of 0.01'],
  [of(z.number().multipleOf(0.01)),            4.35,       undefined],
  [of(z.array(z.string()).min(1)),             [],         'must not be empty'],
  [{ type: 'array', uniqueItems: true },       [1, 1],     'must not hold a value twice'],
  [{ type: 'array', uniqueItems: true },       [1, 2],     undefined],
  [of(z.union([z.string().min(3), z.email()])), 'x',       'must have at least 3 characters'],
  [of(z.union([z.string().max(1), z.email()])), 'x',       undefined],
  [of(z.array(z.string()).max(2)),             ['', '', ''], 'must have at most 2 elements'],
  [{ type: 'array', uniqueItems: true },       [{}, {}],   'must not hold a value twice'],
  [{ type: 'array', uniqueItems: true },       [1, 2],     undefined],
  [{ const: [1] },                             7,          'must be 1'],
  [of(type('string.email')),                   'x',        'must be an email address'],
  [of(type('1 <= number <= 5')),               7,          'must be at most 5'],
  [of(type('string | number')),                true,       'must be a text or a number'],
  [of(type("'open' | 'paid'")),                'x',        'must be one of open, paid'],
  [{},                                         7,          undefined],
]

type PathRow = readonly [
  json: object,
  body: unknown,
  path: readonly PropertyKey[],
  sentence?: string,
]
// biome-ignore format: a row stays a line
const paths: readonly PathRow[] = [
  [of(strict),                          { age: 1 },                   ['name'],           'is required'],
  [of(strict),                          { name: null },               ['name'],           'cannot be null'],
  [of(strict),                          {},                           ['secret']],
  [of(strict),                          { nmae: 'x' },                ['nmae'],           'is no known field. Did you mean "name"?'],
  [of(strict),                          { secrte: 'x' },              ['secrte'],         'is no known field'],
  [of(strict),                          { zzz: 'x' },                 ['zzz'],            'is no known field'],
  [of(z.object({ a: strict })),         { a: { secrte: 'x' } },       ['a', 'secrte'],    'is no known field. Did you mean "secret"?'],
  [of(z.object({ a: z.object({ b: z.string() }) })), { a: {} },       ['a', 'b'],         'is required'],
  [of(z.object({ a: z.object({ b: z.string() }) })), { a: 7 },        ['a', 'b']],
  [of(z.object({ a: z.array(z.string()) })), { a: ['x', 7] },         ['a', 1],           'must be a text'],
  [of(z.object({ a: z.tuple([z.string(), z.number()]) })), { a: ['x', 'y'] }, ['a', 1],   'must be a number'],
  [of(z.record(z.string(), z.number())), { a: 'x' },                  ['a'],              'must be a number'],
  [of(z.object({}).loose()),            { a: 'x' },                   ['a']],
  [of(z.discriminatedUnion('kind', [card, iban])), { kind: 'card', digits: 7 }, ['digits'], 'must be a text'],
  [of(z.discriminatedUnion('kind', [card, iban])), { kind: 'iban' },  ['iban'],           'is required'],
  [of(z.union([card, iban])),           { kind: 'card' },             []],
  [of(type({ name: 'string', '+': 'reject' })), { name: 'x', nam: 1 }, ['nam'],           'is no known field. Did you mean "name"?'],
]

describe('a value off its JSON Schema', () => {
  test.each(values)('%j of %j says %s', (json, body, sentence) => {
    expect(sentencesAt([], { body, json, hidden: [] })[0]).toBe(sentence)
  })
  for (const [json, body, path, sentence] of paths) {
    test(`${JSON.stringify(body)} at ${path.join('.')} says ${sentence}`, () => {
      expect(sentencesAt(path, { body, json, hidden: ['secret'] })[0]).toBe(sentence)
    })
  }
})

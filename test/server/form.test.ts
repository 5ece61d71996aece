import { type } from 'arktype'
import { defineApi, defineRegistry, defineResource, handle, type StandardSchema } from 'nounful'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Line, mapOf, pointersOf, requestOf, verdictOf } from '../support/registry.ts'

const ann = { id: 'a', company_id: '1', name: 'Ann' }
const fields = { id: z.string(), company_id: z.string(), name: z.string() }

// Everything that a schema for PUT may or may not know of what the path says.
const schemas: [name: string, update: StandardSchema][] = [
  ['zod, of own fields', z.strictObject({ name: z.string() })],
  ['zod, with the id', z.strictObject({ id: z.string(), name: z.string() })],
  ['zod, with the owner', z.strictObject({ company_id: z.string(), name: z.string() })],
  [
    'zod, of everything',
    z.strictObject({ id: z.string(), company_id: z.string(), name: z.string() }),
  ],
  ['zod, of what it likes', z.object({ id: z.string().optional(), name: z.string() })],
  ['zod, of anything', z.looseObject({ name: z.string() })],
  ['valibot, of own fields', v.strictObject({ name: v.string() })],
  ['valibot, with the id', v.strictObject({ id: v.string(), name: v.string() })],
  ['valibot, with the owner', v.strictObject({ company_id: v.string(), name: v.string() })],
  [
    'valibot, of everything',
    v.strictObject({ id: v.string(), company_id: v.string(), name: v.string() }),
  ],
  [
    'valibot, one fault at a time',
    v.config(v.strictObject({ id: v.string(), company_id: v.string(), name: v.string() }), {
      abortEarly: true,
    }),
  ],
  ['arktype, of own fields', type({ '+': 'reject', name: 'string' })],
  ['arktype, with the id', type({ '+': 'reject', id: 'string', name: 'string' })],
  ['arktype, with the owner', type({ '+': 'reject', company_id: 'string', name: 'string' })],
  [
    'arktype, of everything',
    type({ '+': 'reject', id: 'string', company_id: 'string', name: 'string' }),
  ],
  [
    'asynchronous',
    z.strictObject({
      company_id: z.string(),
      name: z.string().refine(async (name) => name !== 'taken'),
    }),
  ],
]

// Each fault of these is one of the whole item.
const wholes: [name: string, update: StandardSchema][] = [
  [
    'zod, of alternatives with the owner',
    z.union([
      z.strictObject({ company_id: z.string(), name: z.string() }),
      z.strictObject({ company_id: z.string(), alias: z.string() }),
    ]),
  ],
  [
    'zod, of alternatives with everything',
    z.union([z.strictObject({ ...fields, alias: z.string() }), z.strictObject(fields)]),
  ],
  [
    'zod, of an owner that it depends on',
    z
      .strictObject({ company_id: z.string().optional(), name: z.string() })
      .refine(({ company_id }) => company_id !== undefined),
  ],
]

function registryOf(update: StandardSchema) {
  const companies = defineResource('companies', { schema: z.object({ id: z.string() }) })
  const employees = defineResource('employees', {
    schema: z.object({ id: z.string(), company_id: z.string(), name: z.string() }),
    create: z.strictObject({ name: z.string() }),
    update: update as StandardSchema<object, object>,
    // Some of the schemas take less than an item has.
    filled: ['company_id', 'name'],
  })
  const api = defineApi({
    v1: {
      '/companies': companies,
      '/employees': employees,
      '/companies/:company_id/employees': employees,
    },
  })
  return defineRegistry(api).adapters({
    companies: { read: ({ id }) => ({ id }) },
    employees: mapOf({ ...ann }) as never,
  })
}

describe('a schema for PUT may know or not', () => {
  for (const [name, update] of [...schemas, ...wholes]) {
    test(name, async () => {
      const whole = { ...ann, name: 'Bo' }
      for (const body of [
        { name: 'Bo' },
        { id: 'a', name: 'Bo' },
        { company_id: '1', name: 'Bo' },
        whole,
      ]) {
        const one: Line = ['PUT', '/companies/1/employees/a', body]
        expect(await handle(requestOf(one), registryOf(update))).toMatchObject({
          status: 200,
          body: whole,
        })
        const many: Line = ['PUT', '/companies/1/employees', [{ ...body, id: 'a' }]]
        expect(await handle(requestOf(many), registryOf(update))).toMatchObject({
          status: 200,
          body: [whole],
        })
      }
    })
  }

  for (const [name, update] of schemas) {
    test(`${name}, finds faults`, async () => {
      const answer = await handle(
        requestOf(['PUT', '/companies/1/employees/a', { name: 1, company_id: '2' }]),
        registryOf(update),
      )
      expect(verdictOf(answer)).toBe('422 validation_failed')
      const pointers = pointersOf(answer).map((text) => text.split(' ')[0])
      expect(pointers).toEqual(['/company_id', '/name'])
    })
  }

  test('an owner may be sent at the top', async () => {
    const update = z.strictObject({ company_id: z.string(), name: z.string() })
    for (const [body, status] of [
      [{ company_id: '2', name: 'Bo' }, 200],
      [{ name: 'Bo' }, 422],
    ] as const) {
      const answer = await handle(requestOf(['PUT', '/employees/a', body]), registryOf(update))
      expect(answer.status).toBe(status)
    }
  })

  test('a validator that waits is waited for', async () => {
    const [, update] = schemas.at(-1) as (typeof schemas)[number]
    const registry = registryOf(update)
    for (const line of [
      [
        'PUT',
        '/employees',
        [
          { ...ann, name: 'x' },
          { ...ann, id: 'b', name: 'taken' },
        ],
      ],
      ['PUT', '/employees/a', { company_id: '1', name: 'taken' }],
    ] as Line[]) {
      const answer = handle(requestOf(line), registry)
      expect(answer).toBeInstanceOf(Promise)
      expect(pointersOf(await answer)).toEqual([
        line[1].endsWith('a') ? '/name custom' : '/1/name custom',
      ])
    }
  })
})

const answering = (validate: (value: unknown) => unknown): StandardSchema =>
  ({ '~standard': { version: 1, vendor: 'test', validate } }) as never

describe('what a validator answers', () => {
  const line: Line = ['PUT', '/employees', [{ ...ann, id: 'a' }]]

  // biome-ignore format: a row stays a line
  const issues: [name: string, issue: object, pointers: string[]][] = [
    ['without a path',               { message: 'no' },                                          ['/0 invalid']],
    ['with an empty path',           { message: 'no', path: [] },                                ['/0 invalid']],
    ['with keys as segments',        { message: 'no', path: ['name', { key: 3 }] },              ['/0/name/3 invalid']],
    ['with a symbol in its path',    { message: 'no', path: [Symbol('x')] },                     ['/0/Symbol(x) invalid']],
    ['with a code of its own',       { message: 'no', path: ['name'], code: 'too_short' },       ['/0/name too_short']],
    ['with a code that is no text',  { message: 'no', path: ['name'], code: 3 },                 ['/0/name invalid']],
    ['with keys it does not know',   { message: 'no', path: [], keys: ['x', 'y'] },              ['/0/x invalid', '/0/y invalid']],
    ['with keys that are no list',   { message: 'no', path: [], keys: 'x' },                     ['/0 invalid']],
    ['with more keys than are told', { message: 'no', path: [], keys: Array(60).fill('x') },     Array(50).fill('/0/x invalid')],
    ['about the id it was shown',    { message: 'no', path: ['id'] },                            ['/0/id invalid']],
  ]
  for (const [name, issue, pointers] of issues) {
    test(`an issue ${name} is told`, async () => {
      for (const wrap of [(value: unknown) => value, async (value: unknown) => value]) {
        const update = answering(() => wrap({ issues: [issue] }))
        const answer = await handle(requestOf(line), registryOf(update))
        expect([verdictOf(answer), pointersOf(answer)]).toEqual(['422 validation_failed', pointers])
      }
    })
  }

  test('a refusal without a reason is told', async () => {
    for (const body of [{ name: 'Ann' }, [ann]]) {
      const put: Line = ['PUT', Array.isArray(body) ? '/employees' : '/employees/a', body]
      const answer = await handle(requestOf(put), registryOf(answering(() => ({ issues: [] }))))
      const pointer = Array.isArray(body) ? '/0' : ''
      expect([verdictOf(answer), pointersOf(answer)]).toEqual([
        '422 validation_failed',
        [`${pointer} invalid`],
      ])
    }
  })

  test('is 500 when it is no object', async () => {
    for (const value of ['abc', null, 5, [], undefined]) {
      const registry = { ...registryOf(answering(() => ({ value }))), onError: () => undefined }
      expect(verdictOf(await handle(requestOf(line), registry))).toBe('500 internal_error')
    }
  })

  test('is what is stored, but for the path', async () => {
    const update = answering(() => ({
      value: { id: 'z', company_id: '9', name: 'cleaned', extra: 1 },
    }))
    const answer = await handle(
      requestOf(['PUT', '/companies/1/employees/a', {}]),
      registryOf(update),
    )
    // The extra field is stored, but no part of what the schema lets out.
    expect(answer.body).toEqual({ id: 'a', company_id: '1', name: 'cleaned' })
  })

  test('is 500 when it fails', async () => {
    for (const validate of [
      () => {
        throw new Error('secret')
      },
      () => Promise.reject(new Error('secret')),
      () => undefined,
    ]) {
      const registry = { ...registryOf(answering(validate)), onError: () => undefined }
      expect(verdictOf(await handle(requestOf(line), registry))).toBe('500 internal_error')
    }
  })
})

describe('a schema of alternatives may know what the path says', () => {
  const update = z.union([
    z.strictObject({ ...fields, alias: z.string() }),
    z.strictObject(fields),
  ]) as StandardSchema

  // biome-ignore format: a row stays a line
  const rows: [line: Line, verdict: string][] = [
    [['PUT', '/companies/1/employees/a', { name: 'x' }],                                 '200'],
    [['PUT', '/companies/1/employees/a', { id: 'a', name: 'x' }],                        '200'],
    [['PUT', '/companies/1/employees/a', { company_id: '1', name: 'x' }],                '200'],
    [['PUT', '/companies/1/employees/a', { id: 'a', company_id: '1', name: 'x' }],       '200'],
    [['PUT', '/companies/1/employees/a', { id: 'a', company_id: '1', nick: 'x' }],       '422 validation_failed'],
  ]
  for (const [line, verdict] of rows) {
    test(`${JSON.stringify(line[2])} is ${verdict}`, async () => {
      expect(verdictOf(await handle(requestOf(line), registryOf(update)))).toBe(verdict)
    })
  }
})

describe('a path that names nothing is not the fault of the body', () => {
  const id = z.coerce.number()
  const companies = defineResource('companies', { schema: z.object({ id: z.number() }), id })
  const employees = defineResource('employees', {
    schema: z.object({ id: z.number(), company_id: z.number(), name: z.string() }),
    create: z.object({ company_id: z.number(), name: z.string() }),
    update: z.object({ id: z.number(), company_id: z.number(), name: z.string() }),
    id,
  })
  const things = defineResource('things', {
    schema: z.object({ id: z.number(), name: z.string() }),
    id,
  })
  const api = defineApi({
    v1: {
      '/companies': companies,
      '/companies/:company_id/employees': employees,
      '/things': things,
    },
  })
  const registry = defineRegistry(api).adapters({
    companies: mapOf({ id: 1 } as never) as never,
    employees: mapOf({ id: 1, company_id: 1, name: 'Ann' } as never) as never,
    things: mapOf({ id: 1, name: 'x' } as never) as never,
  })

  // biome-ignore format: a row stays a line
  const rows: [line: Line, verdict: string][] = [
    [['POST', '/companies/abc/employees', { name: 'x' }],             '404 parent_not_found'],
    [['POST', '/companies/9/employees', { name: 'x' }],               '404 parent_not_found'],
    [['POST', '/companies/abc/employees', { name: 5 }],               '422 validation_failed'],
    [['PUT', '/companies/abc/employees/1', { name: 'x' }],            '404 parent_not_found'],
    [['PUT', '/companies/first/employees/1', { name: 'x' }],          '404 parent_not_found'],
    [['PUT', '/companies/abc/employees', [{ id: 1, name: 'x' }]],     '404 parent_not_found'],
    [['PUT', '/companies/1/employees/abc', { name: 'x' }],            '404 not_found'],
    [['PUT', '/companies/1/employees/abc', { name: 5 }],              '422 validation_failed'],
    [['PUT', '/things/abc', { name: 'x' }],                           '404 not_found'],
    [['PUT', '/things/01', { name: 'x' }],                            '404 not_found'],
    [['PUT', '/things/9', { id: 8, name: 'x' }],                      '404 not_found'],
    [['PUT', '/things/1', { id: 8, name: 'x' }],                      '409 id_mismatch'],
  ]
  for (const [line, verdict] of rows) {
    test(`${line[0]} ${line[1]} ${JSON.stringify(line[2])} is ${verdict}`, async () => {
      expect(verdictOf(await handle(requestOf(line), registry))).toBe(verdict)
    })
  }
})

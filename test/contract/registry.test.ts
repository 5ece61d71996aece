import { afterEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { defineApi } from '../../src/contract/declare/define-api.ts'
import { defineRegistry } from '../../src/contract/declare/define-registry.ts'
import { defineResource } from '../../src/contract/declare/define-resource.ts'
import type { Api } from '../../src/contract/resource/api.ts'
import type { RegistryOptions } from '../../src/contract/resource/registry.ts'
import { defaultLimits } from '../../src/convention/limits.ts'
import { api, companies, customers, employees, idle } from './companies.ts'
import { refusalOf } from './thrown.ts'

const small = defineApi({ v1: { '/employees': employees } })
const nested = defineApi({
  v1: { '/companies': companies, '/companies/:company_id/customers': customers },
})

const Note = z.object({ id: z.string(), company_id: z.string() })

// As a program without types would call it.
function adapt(contract: Api, adapters: object): unknown {
  return Reflect.apply(defineRegistry(contract).adapters, undefined, [adapters])
}

function registryOf(...given: unknown[]): unknown {
  return Reflect.apply(defineRegistry, undefined, given)
}

afterEach(() => vi.restoreAllMocks())

describe('a registry binds a contract to storage', () => {
  test('with the documented defaults', () => {
    const registry = defineRegistry(small).adapters({ employees: idle })
    expect(registry).toMatchObject({
      api: small,
      defaultVersion: 'v1',
      limits: defaultLimits,
      problemTypes: undefined,
      context: undefined,
      middleware: [],
    })
    expect(registry.bindings[0]).toMatchObject({ resource: employees, adapter: idle })
    expect(Object.isFrozen(registry)).toBe(true)
  })

  test('with the options it is given', () => {
    const options = {
      defaultVersion: false,
      limits: { body: 10, time: 2 ** 31 - 1 },
      problemTypes: 'https://a/',
      requestId: () => 'x',
    } as const
    expect(defineRegistry(small, options).adapters({ employees: idle })).toMatchObject({
      ...options,
      limits: { ...defaultLimits, ...options.limits },
    })
  })

  test('with a context, middleware and a listener', () => {
    const context = () => ({ user: 'ann' })
    const outer = () => ({ gives: 'count', count: 1 }) as const
    const inner = () => ({ gives: 'count', count: 2 }) as const
    const onError = () => {}
    const onAnswer = () => {}
    expect(
      defineRegistry(small)
        .context(context)
        .use(outer)
        .use(inner)
        .onError(onError)
        .onAnswer(onAnswer)
        .adapters({ employees: idle }),
    ).toMatchObject({ context, middleware: [outer, inner], onError, onAnswer })
  })

  test('every call gives a new builder', () => {
    const builder = defineRegistry(small)
    builder.use(() => ({ gives: 'count', count: 1 }))
    expect(builder.adapters({ employees: idle }).middleware).toEqual([])
  })

  test('errors go to the console by default', () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { onError } = defineRegistry(small).adapters({ employees: idle })
    onError('disk full', {
      request: { method: 'GET', url: '/' },
      operation: undefined,
      requestId: 'r',
    })
    expect(log).toHaveBeenCalledWith('disk full')
  })
})

describe('a path without version means one', () => {
  const rows = [
    [small, undefined, 'v1'],
    [small, 'v1', 'v1'],
    [small, false, false],
    [api, 'v2', 'v2'],
    [api, false, false],
  ] as const
  for (const [contract, defaultVersion, version] of rows) {
    const options: RegistryOptions = defaultVersion === undefined ? {} : { defaultVersion }
    test(`of ${[...contract.versions.keys()]}, ${defaultVersion} means ${version}`, () => {
      const adapters = { employees: idle, companies: idle, customers: idle, orders: idle }
      const all = contract === small ? { employees: idle } : adapters
      const builder = defineRegistry<Api>(contract, options)
      expect(builder.adapters(all).defaultVersion).toBe(version)
    })
  }
})

describe('a registry against the contract is refused', () => {
  const { read, ...unreadable } = idle
  const { list, create, update, updateMany, delete: deleteOne } = idle
  const options: readonly (readonly [object, string])[] = [
    [{ limits: { body: 0 } }, 'Limit "body" is 0: use a whole number from 1.'],
    [{ limits: { depth: 1.5 } }, 'Limit "depth" is 1.5'],
    [{ limits: { issues: Number.NaN } }, 'Limit "issues" is NaN'],
    [{ limits: { target: Number.POSITIVE_INFINITY } }, 'Limit "target" is Infinity'],
    [{ limits: { target: 511 } }, 'Limit "target" is 511: use at least 512 bytes, of which a page'],
    [
      { limits: { time: 2 ** 31 } },
      'Limit "time" is 2147483648: use at most 2147483647, as it is in milliseconds.',
    ],
    [{ limits: { arrival: 2 ** 31 } }, 'Limit "arrival" is 2147483648'],
    [{ requestId: 'x' }, '"requestId" takes a function: write { requestId: (request) => … }.'],
    [{ home: 'no' }, '"home" of a registry is a string: write true or false.'],
    [
      { limits: { nesting: 1 } },
      'Path "/companies/:company_id/customers/:customer_id/orders" has more than 1 parents: ' +
        'set "limits.nesting" higher.',
    ],
    [{}, `The api has several versions: write "defaultVersion: 'v1'", or false for none.`],
    [
      { defaultVersion: 'v3' },
      '"defaultVersion" names the unknown version "v3". The api has v1, v2.',
    ],
    [{ defaultVersion: '' }, 'names the unknown version ""'],
    [{ defaultVersion: 'constructor' }, 'names the unknown version "constructor"'],
    [
      { defaultVersio: 'v1' },
      'A registry has no option "defaultVersio": write "defaultVersion" if that is meant.',
    ],
    [{ unversioned: 'v1' }, 'A registry has no option "unversioned": it is now "defaultVersion".'],
    [
      [],
      'A registry takes an object: ' +
        'write some of { defaultVersion, limits, problemTypes, requestId, idempotentFor, home }.',
    ],
    [{ limits: { bodySize: 1 } }, '"limits" of a registry has no option "bodySize": write "body"'],
    [{ limits: 5 }, '"limits" of a registry takes an object: write some of { '],
  ]
  for (const [option, message] of options) {
    test(`for ${JSON.stringify(option)}`, () => {
      expect(refusalOf(() => registryOf(api, option))).toContain(message)
    })
  }

  const adapters: readonly (readonly [object, string])[] = [
    [{}, 'Resource "companies" has no adapter: add "companies: memoryAdapter()", or another.'],
    [{ companies: idle }, 'Resource "customers" has no adapter'],
    [{ companies: undefined, customers: idle }, 'Resource "companies" has no adapter'],
    [
      { companies: idle, customers: idle, orders: idle },
      '.adapters() has no option "orders": use companies, customers.',
    ],
    [
      { companies: idle, costumers: idle },
      '.adapters() has no option "costumers": write "customers" if that is meant.',
    ],
    [{ ...JSON.parse('{ "__proto__": {} }') }, '.adapters() has no option "__proto__"'],
    [{ companies: idle, customers: {} }, 'The adapter of "customers" does nothing'],
    [
      { companies: unreadable, customers: idle },
      'Resource "companies" owns others, so its adapter needs "read" to tell which there are.',
    ],
    [
      { companies: idle, customers: 'memory' },
      'Resource "customers" has no adapter: add "customers: memoryAdapter()", or another.',
    ],
    [{ companies: () => idle, customers: idle }, 'Resource "companies" has no adapter'],
    [[idle], '.adapters() takes an object: write some of { companies, customers }.'],
  ]
  for (const [given, message] of adapters) {
    test(`for adapters of ${Object.keys(given).join(', ') || 'nothing'}`, () => {
      expect(refusalOf(() => adapt(nested, given))).toContain(message)
    })
  }

  const needsRead =
    'Resource "customers" is owned, so its adapter needs "read" to keep writes inside their scope.'
  for (const customers of [{ list, update }, { updateMany }, { delete: deleteOne }, unreadable]) {
    test(`for a child with ${Object.keys(customers)} but no read`, () => {
      expect(refusalOf(() => adapt(nested, { companies: { read }, customers }))).toBe(needsRead)
    })
  }

  test('not for a child that only adds and lists', () => {
    const adapters = { companies: { read }, customers: { list, create } }
    expect(adapt(nested, adapters)).toBeDefined()
  })

  test('not for a child whose writes are not offered', () => {
    const without = ['update', 'updateMany', 'delete'] as const
    const notes = defineResource('notes', { schema: Note, without })
    const contract = defineApi({
      v1: { '/companies': companies, '/companies/:company_id/notes': notes },
    })
    expect(adapt(contract, { companies: { read }, notes: unreadable })).toBeDefined()
  })

  test('not for what nobody owns', () => {
    expect(adapt(small, { employees: { list, create } })).toBeDefined()
    const beside = defineApi({
      v1: {
        '/companies': companies,
        '/companies/:company_id/customers': customers,
        '/employees': employees,
      },
    })
    const owned = { companies: { read }, customers: idle }
    expect(adapt(beside, { ...owned, employees: { list, update } })).toBeDefined()
  })

  test('without an api', () => {
    const needsApi = 'A registry needs an api: write defineRegistry(defineApi({ … })).'
    for (const given of [[], [null], [{ v1: {} }], [{ resources: [] }]]) {
      expect(refusalOf(() => registryOf(...given))).toBe(needsApi)
    }
  })

  const context = () => ({ user: 'ann' })
  test.each([
    ['context', () => defineRegistry(small).context(context)],
    ['scope', () => defineRegistry(small).scope(() => undefined)],
    ['reveal', () => defineRegistry(small).reveal(() => undefined)],
    ['use', () => defineRegistry(small).use((_, __, next) => next())],
  ])('for a context after .%s()', (call, build) => {
    expect(refusalOf(() => build().context(context))).toBe(
      `.context() comes after .${call}(), which takes the context: write one .context(), first.`,
    )
  })

  const rules = { create: () => false }
  test.each<[call: 'scope' | 'reveal' | 'rules', first: unknown, second: unknown]>([
    ['scope', () => undefined, () => ({})],
    ['reveal', () => undefined, () => ({})],
    ['rules', { customers: rules }, { customers: { change: () => false } }],
    ['rules', { customers: rules }, { companies: rules }],
    ['rules', { customers: rules }, {}],
    ['rules', {}, { customers: rules }],
  ])('for a second .%s(), which would replace the first', (call, first, second) => {
    const builder = Reflect.apply(defineRegistry(nested)[call], undefined, [first])
    expect(refusalOf(() => Reflect.apply(builder[call], undefined, [second]))).toBe(
      `.${call}() comes after .${call}(), which it would replace: write one .${call}().`,
    )
  })

  const calls = ['context', 'use', 'onError', 'onAnswer'] as const
  for (const call of calls) {
    test(`for a ${call} that is no function`, () => {
      const builder = defineRegistry(small)
      expect(refusalOf(() => Reflect.apply(builder[call], builder, [{}]))).toContain(
        `.${call}() takes a function: write .${call}((`,
      )
    })
  }
})

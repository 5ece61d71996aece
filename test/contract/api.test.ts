import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineApi } from '../../src/contract/declare/define-api.ts'
import { defineResource } from '../../src/contract/declare/define-resource.ts'
import { defineView } from '../../src/views/define-view.ts'
import { api, collectionAt, companies, customers, employees, orders } from './companies.ts'
import { refusalOf } from './thrown.ts'

// As a program without types would call it.
function declare(declaration: object): unknown {
  return Reflect.apply(defineApi, undefined, [declaration])
}

describe('a contract is where resources live', () => {
  test('it keeps the declaration', () => {
    expect(api.declaration.v1['/companies/:company_id/customers']).toBe(customers)
    expect(Object.isFrozen(api)).toBe(true)
  })

  test('it lists every resource once', () => {
    expect([...api.resources]).toEqual([
      ['companies', companies],
      ['employees', employees],
      ['customers', customers],
      ['orders', orders],
    ])
  })

  test('it lists every collection, parents first', () => {
    expect(api.collections.map(({ version, path }) => `${version} ${path}`)).toEqual([
      'v1 /companies',
      'v1 /employees',
      'v1 /companies/:company_id/employees',
      'v1 /companies/:company_id/customers',
      'v1 /companies/:company_id/customers/:customer_id/orders',
      'v2 /employees',
    ])
  })

  test('it finds collections by noun', () => {
    expect([...api.versions.keys()]).toEqual(['v1', 'v2'])
    expect([...(api.versions.get('v1') ?? new Map()).keys()]).toEqual(['companies', 'employees'])
    expect([...collectionAt('/companies').children.keys()]).toEqual(['employees', 'customers'])
  })

  test('a collection knows who owns it', () => {
    const collection = collectionAt('/companies/:company_id/customers/:customer_id/orders')
    expect(collection).toMatchObject({
      version: 'v1',
      resource: orders,
      parameters: ['company_id', 'customer_id'],
      owners: ['company_id', 'customer_id'],
      ancestors: [collectionAt('/companies'), collectionAt('/companies/:company_id/customers')],
    })
    expect(collectionAt('/companies')).toMatchObject({ parameters: [], ancestors: [] })
  })

  test('the order of the declaration does not matter', () => {
    const { collections } = defineApi({
      v1: { '/companies/:company_id/customers': customers, '/companies': companies },
    })
    expect(collections.map(({ path }) => path)).toEqual([
      '/companies',
      '/companies/:company_id/customers',
    ])
  })

  test('a path needs no resource of its name', () => {
    expect(declare({ v1: { '/people': employees } })).toBeDefined()
  })

  test('a parameter may be any name', () => {
    const Sized = z.object({ id: z.string(), größe: z.string() })
    const sized = defineResource('sizes', { schema: Sized })
    expect(
      declare({ v1: { '/companies': companies, '/companies/:größe/sizes': sized } }),
    ).toBeDefined()
  })
})

describe('a contract against the convention is refused', () => {
  const Employee = z.object({ id: z.string() })
  const others = defineResource('employees', { schema: Employee })
  const third = defineResource('employees_v3', { schema: Employee })
  const fourth = defineResource('employees_v4', { schema: Employee })
  const staff = defineResource('staff', { schema: Employee, plural: true })
  const owned = '/companies/:company_id/employees'
  const alternate =
    'does not alternate nouns and parameters: write it like "/companies/:company_id/employees".'

  // biome-ignore format: a row stays a line
  const rows: readonly (readonly [object, string])[] = [
    [{}, 'An api needs a path: write defineApi({ v1: { "/employees": employees } }).'],
    [{ v1: {} }, 'An api needs a path'],
    [{ v0: { '/employees': employees } }, '"v0" is no version: write "v1", "v2" and so on.'],
    [{ v01: { '/employees': employees } }, '"v01" is no version'],
    [{ V1: { '/employees': employees } }, '"V1" is no version'],
    [{ rev1: { '/employees': employees } }, '"rev1" is no version'],
    [{ v1b: { '/employees': employees } }, '"v1b" is no version'],
    [{ 'v1.0': { '/employees': employees } }, '"v1.0" is no version'],
    [{ v１: { '/employees': employees } }, '"v１" is no version'],
    [{ constructor: { '/employees': employees } }, '"constructor" is no version'],
    [{ v1: { '/employee': employees } }, 'Path "/employee": "employee" is not a plural noun: write "employees", or declare "plural: true" if it is one.'],
    [{ v1: { '/staff': employees } }, 'Path "/staff": "staff" is not a plural noun'],
    [{ v1: { '/v1': staff } }, 'Path "/v1": "v1" looks like a version'],
    [{ v1: { '/count': staff } }, 'Path "/count": "count" is a reserved word'],
    [{ v1: { '/createEmployees': employees } }, 'Path "/createEmployees": "createEmployees" starts with a verb'],
    [{ v1: { '/größen': employees } }, 'Path "/größen": "größen" cannot be written in a path'],
    [{ v1: { [owned]: employees } }, `Path "${owned}" needs its parents: declare "/companies" in v1 too.`],
    [{ v1: { '/companies': companies }, v2: { [owned]: employees } }, 'declare "/companies" in v2 too.'],
    [{ v1: { '/companies': companies, '/companies/:a/customers/:b/orders': orders } }, 'declare "/companies/:a/customers" in v1 too.'],
    [{ v1: { '/companies': companies, [owned]: employees, '/companies/:co_id/employees': employees } }, 'Path "/companies/:co_id/employees" is declared twice in v1, with different parameters: keep one.'],
    [{ v1: { '/employees': employees }, v2: { '/employees': others } }, 'Two resources have the name "employees": rename one to "employees_v2". Its path can stay.'],
    [{ v1: { '/employees': third }, v2: { '/employees': fourth }, v3: { '/employees': { ...third } } }, 'Two resources have the name "employees_v3": rename one to "employees_v5". Its path can stay.'],
    [{ v1: { '/companies': companies, '/companies/:company_id/customers': customers, '/companies/:company_id/customers/:company_id/orders': orders } }, 'names ":company_id" twice: each parameter is a field of its own.'],
    [{ v1: { '/companies': companies, '/companies/:id/customers': customers } }, 'Path "/companies/:id/customers" has to name the field that owns: write "/companies/:company_id/customers".'],
    [{ v1: { '/companies/:company_id/order-items/:id/orders': orders } }, 'write "/companies/:company_id/order-items/:order_item_id/orders".'],
    [{ v1: { '/employees': { without: [] } } }, 'Path "/employees" has no resource: give it a result of defineResource.'],
    [{ v1: { '/companies': companies, '/companies/:__proto__/customers': customers } }, 'Path "/companies/:__proto__/customers" names ":__proto__", a field that objects lose: write "/companies/:company_id/customers".'],
    [{ v1: null }, '"v1" needs paths: write defineApi({ v1: { "/employees": employees } }).'],
    [{ v1: [employees] }, '"v1" needs paths'],
    [{ v1: { '/employees': undefined } }, 'Path "/employees" has no resource: give it a result of defineResource.'],
    [{ v1: { '/employees': { schema: Employee } } }, 'has no resource'],
    [{ v1: { '/employees': { name: 'employees', schema: Employee } } }, 'has no resource'],
    [{ v1: { employees } }, `Path "employees" ${alternate}`],
    [{ v1: { '': employees } }, alternate],
    [{ v1: { '/': employees } }, alternate],
    [{ v1: { '/:id': employees } }, alternate],
    [{ v1: { '/employees/': employees } }, alternate],
    [{ v1: { '//employees': employees } }, alternate],
    [{ v1: { '/employees/:id': employees } }, alternate],
    [{ v1: { '/companies/employees': employees } }, alternate],
    [{ v1: { '/companies/:id/:other/employees': employees } }, alternate],
    [{ v1: { '/companies/:id:other/employees': employees } }, alternate],
    [{ v1: { '/companies/id-:id/employees': employees } }, alternate],
    [{ v1: { '/companies/*id/employees': employees } }, alternate],
    [{ v1: { '/companies{/:id}/employees': employees } }, alternate],
    [{ v1: { '/companies/:"id"/employees': employees } }, alternate],
    [{ v1: { '/emplo\\yees': employees } }, alternate],
    [{ v1: { '/companies/:/employees': employees } }, 'Path "/companies/:/employees" is no template of path-to-regexp (TypeError: Missing parameter name at index 12'],
    [{ v1: { '/employees?': employees } }, 'is no template of path-to-regexp (TypeError: Unexpected ?'],
    [{ v1: { '/{employees': employees } }, 'write it like "/companies/:company_id/employees".'],
  ]
  for (const [declaration, message] of rows) {
    const paths = Object.entries(declaration).map(([version, all]) => [
      version,
      Object.keys(all ?? {}),
    ])
    test(`for ${JSON.stringify(paths)}`, () => {
      expect(refusalOf(() => declare(declaration))).toContain(message)
    })
  }

  test('not for a version of more digits', () => {
    expect(declare({ v10: { '/employees': employees } })).toBeDefined()
  })

  test('for nothing at all', () => {
    for (const given of [[], [null], ['v1'], [[employees]]]) {
      const refusal = refusalOf(() => Reflect.apply(defineApi, undefined, given))
      expect(refusal).toContain('An api needs a path')
    }
  })

  test('for what path-to-regexp says, as its cause', () => {
    expect(() => declare({ v1: { '/employees+': employees } })).toThrow(
      expect.objectContaining({ cause: expect.objectContaining({ name: 'TypeError' }) }),
    )
  })
})

describe('a contract with several faults', () => {
  const Note = z.object({ id: z.string(), boss_id: z.string(), tenant_id: z.string() })
  const notes = defineResource('notes', {
    schema: Note,
    create: Note.omit({ id: true, tenant_id: true }),
    references: { boss_id: 'bosses', tenant_id: 'tenants' },
  })
  const tasks = defineResource('tasks', { schema: Note, restricted: [], ownedBy: ['tenant_id'] })

  test('is told all of them, each on its line', () => {
    const paths = {
      '/note': notes,
      '/note/:note_id/tasks': tasks,
      '/notes': notes,
      '/tasks/:id/notes': notes,
      '/people': tasks,
      '/teams': undefined,
    }
    const lifecycle = { v9: { deprecated: '2026-11-01' } }
    const declare = () =>
      Reflect.apply(defineApi, undefined, [{ v0: {}, v1: paths }, { lifecycle }])
    expect(
      refusalOf(declare)
        .split('\n')
        .map((line) => line.split(':')[0]),
    ).toEqual([
      '"lifecycle" names "v9", which the api lacks',
      '"v0" is no version',
      'Path "/note"',
      'Path "/teams" has no resource',
      'Path "/tasks/',
      'Resource "notes" does not say whose its items are',
      'Resource "notes" references "bosses", which the api does not have',
      'Resource "notes" references "tenants", which the api does not have',
    ])
  })

  test('is told those of its stored resources', () => {
    const bases = [notes, tasks].map((base, at) =>
      defineView(
        `notes_v${at + 1}`,
        { ...base, name: 'notes' } as never,
        {
          schema: Note,
          create: Note.omit({ id: true }),
        } as never,
      ),
    )
    const paths = Object.fromEntries(bases.map((view, at) => [`v${at + 1}`, { '/notes': view }]))
    expect(refusalOf(() => declare(paths))).toContain('Two resources have the name')
  })
})

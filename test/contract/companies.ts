import { z } from 'zod'
import { defineApi } from '../../src/contract/declare/define-api.ts'
import { defineRegistry } from '../../src/contract/declare/define-registry.ts'
import { defineResource } from '../../src/contract/declare/define-resource.ts'
import type { Collection } from '../../src/contract/resource/api.ts'

const Company = z.object({ id: z.string(), name: z.string() })
const Person = Company.extend({ company_id: z.string().nullable(), birthdate: z.string() })
const Order = Company.extend({ company_id: z.string(), customer_id: z.string(), revision: z.int() })

/** The resource that owns the rest. */
export const companies = defineResource('companies', {
  schema: Company,
  sortable: ['name'],
  searchable: ['name'],
})

/** At the top and under a company; with search and order. */
export const employees = defineResource('employees', {
  schema: Person,
  sortable: ['name', 'birthdate', 'id'],
  searchable: ['name'],
})

/** With a limit of its own, without search and order. */
export const customers = defineResource('customers', {
  schema: Person,
  maxLimit: 50,
  defaultLimit: 20,
})

/** Two levels deep, with a version. */
export const orders = defineResource('orders', {
  schema: Order,
  create: Order.omit({ id: true, revision: true }),
  revision: 'revision',
  without: ['deleteAll'],
})

/** The employees of companies, their customers and the orders of those, in two versions. */
export const api = defineApi({
  v1: {
    '/companies': companies,
    '/employees': employees,
    '/companies/:company_id/employees': employees,
    '/companies/:company_id/customers': customers,
    '/companies/:company_id/customers/:customer_id/orders': orders,
  },
  v2: { '/employees': employees },
})

function never(): never {
  throw new Error('An adapter that nobody asks was asked')
}

/** An adapter that has every method, and that no test calls. */
export const idle = {
  list: never,
  create: never,
  createMany: never,
  updateMany: never,
  modifyMany: never,
  deleteAll: never,
  deleteMany: never,
  read: never,
  update: never,
  modify: never,
  delete: never,
}

/** The api over adapters that no test calls. */
export const registry = defineRegistry(api, { defaultVersion: 'v1' }).adapters({
  companies: idle,
  employees: idle,
  customers: idle,
  orders: idle,
})

/** The collection at a template; it is an error when there is none. */
export function collectionAt(path: string, version = 'v1'): Collection {
  const found = api.collections.find((one) => one.version === version && one.path === path)
  if (found) return found
  throw new Error(`There is no ${path} in ${version}`)
}

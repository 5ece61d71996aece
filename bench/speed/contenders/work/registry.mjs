import { door } from './library.mjs'
import { add, companies, count, find, list, replaceAll } from './store.mjs'
import { faultsOf } from './validate.mjs'

const { defineApi, defineRegistry, defineResource } = await door('index')

/** Says of a function that finds faults what Standard Schema says. */
function schemaOf(faults) {
  const validate = (value) => {
    const found = faults(value)
    if (found.length === 0) return { value }
    return { issues: found.map(({ field, message }) => ({ message, path: [field] })) }
  }
  return { '~standard': { version: 1, vendor: 'bench', validate } }
}

const anything = schemaOf(() => [])
const employeesResource = defineResource('employees', {
  schema: anything,
  create: schemaOf(faultsOf),
  sortable: ['name', 'birthdate', 'created_at'],
})
const companiesResource = defineResource('companies', { schema: anything })

const api = defineApi({
  v1: {
    '/companies': companiesResource,
    '/employees': employeesResource,
    '/companies/:company_id/employees': employeesResource,
  },
})

/** Ours: the contract, and adapters over the same store. */
export const registry = defineRegistry(api).adapters({
  companies: { read: ({ id }) => companies.get(id) },
  employees: {
    list: ({ query }) => list(query.sort[0], query.limit),
    create: ({ item }) => add(item),
    updateMany: ({ items }) => replaceAll(items),
    read: ({ id, scope }) => find(id, scope.company_id),
    count,
  },
})

import { door } from './library.mjs'
import { add, companies, count, employees, find, list, replaceAll } from './store.mjs'
import { faultsOf } from './validate.mjs'

const { defineApi, defineRegistry, defineResource } = await door('index')

/** Says of a function that finds faults what Standard Schema says. */
function schemaOf(faults) {
  const validate = (value) => {
    const issues = faults(value)
    if (issues.length === 0) return { value }
    return { issues: issues.map(({ field, message }) => ({ message, path: [field] })) }
  }
  return { '~standard': { version: 1, vendor: 'bench', validate } }
}

/** A schema that takes any value. */
export const anything = {
  '~standard': { version: 1, vendor: 'bench', validate: (value) => ({ value }) },
}

const fields = Object.keys(employees.get('0'))
const outline = {
  type: 'object',
  properties: Object.fromEntries(fields.map((name) => [name, { type: 'string' }])),
  required: fields,
}

/** As validators do that tell their JSON Schema: what leaves is held against it, by field. */
export const outlined = {
  '~standard': {
    ...anything['~standard'],
    jsonSchema: { input: () => outline, output: () => outline },
  },
}

/**
 * Ours: the contract over adapters.
 *
 * @param {object} adapters
 * @param {{ schema?: object, create?: object, options?: object }} [about]
 */
export function registryOf(
  adapters,
  { schema = schemaOf(() => []), create = schemaOf(faultsOf), options } = {},
) {
  const sortable = ['name', 'birthdate', 'created_at']
  const resource = defineResource('employees', { schema, create, sortable })
  const v1 = {
    '/companies': defineResource('companies', { schema: anything }),
    '/employees': resource,
    '/companies/:company_id/employees': resource,
  }
  return defineRegistry(defineApi({ v1 }), options).adapters(adapters)
}

/** Over the same store as the other contenders. */
export const registry = registryOf({
  companies: { read: ({ id }) => companies.get(id) },
  employees: {
    list: ({ query }) => list(query.sort[0], query.limit),
    create: ({ item }) => add(item),
    updateMany: ({ items }) => replaceAll(items),
    read: ({ id, scope }) => find(id, scope.company_id),
    count,
  },
})

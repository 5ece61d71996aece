/** One request that a server gets again and again. */
export interface Case {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly body?: string
}

const employee = {
  name: 'Gita Rao',
  email: 'gita.rao@example.com',
  birthdate: '1991-04-09',
  department: 'Research',
  company_id: '7',
}
const employees = Array.from({ length: 100 }, (_, index) => ({ id: `${index}`, ...employee }))

/** The name of a case that no mean includes: it costs many times the rest. */
export const bulk = 'PUT of 100'

/** Every request that the bench sends. `list` has a next page, so its response has a `Link`. */
export const cases: readonly Case[] = [
  { name: 'read', method: 'GET', path: '/v1/employees/77' },
  { name: 'nested read', method: 'GET', path: '/v1/companies/7/employees/77' },
  { name: 'list', method: 'GET', path: '/v1/employees?sort=-name&limit=20' },
  { name: 'count', method: 'GET', path: '/v1/employees/count' },
  { name: 'create', method: 'POST', path: '/v1/employees', body: JSON.stringify(employee) },
  { name: '404', method: 'GET', path: '/v1/nowhere/77' },
  { name: '405', method: 'DELETE', path: '/v1/employees/77' },
  { name: bulk, method: 'PUT', path: '/v1/employees', body: JSON.stringify(employees) },
]

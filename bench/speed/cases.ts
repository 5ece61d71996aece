/** One request that is asked again and again. */
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

/** What every contender is asked. */
export const cases: readonly Case[] = [
  { name: 'read', method: 'GET', path: '/v1/employees/77' },
  { name: 'nested read', method: 'GET', path: '/v1/companies/7/employees/77' },
  { name: 'list', method: 'GET', path: '/v1/employees?sort=-name&limit=20' },
  { name: 'count', method: 'GET', path: '/v1/employees/count' },
  { name: 'create', method: 'POST', path: '/v1/employees', body: JSON.stringify(employee) },
  { name: 'absent', method: 'GET', path: '/v1/employees/nobody' },
  { name: '404', method: 'GET', path: '/v1/nowhere/77' },
  { name: '405', method: 'DELETE', path: '/v1/employees/77' },
]

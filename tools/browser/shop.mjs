// A registry with a collection for each state of a page: empty, short, long, wide, nested.
import { z } from '../../node_modules/zod/index.js'
import { defineApi, defineRegistry, defineResource } from '../../src/index.ts'
import { memoryAdapter } from '../../src/memory.ts'

const id = { id: z.string() }
const companies = defineResource('companies', {
  schema: z.object({ ...id, name: z.string() }),
  create: z.object({ name: z.string() }),
  sortable: ['name'],
  searchable: ['name'],
})
const departments = defineResource('departments', {
  schema: z.object({ ...id, name: z.string(), company_id: z.string() }),
  searchable: ['name'],
  references: { company_id: 'companies' },
})
const teams = defineResource('teams', {
  schema: z.object({ ...id, name: z.string(), department_id: z.string() }),
  searchable: ['name'],
})
const shifts = defineResource('shifts', {
  schema: z.object({ ...id, day: z.iso.date(), team_id: z.string() }),
})
const NewEmployee = z.object({
  full_name: z.string().min(1),
  birthdate: z.iso.date(),
  email: z.email().optional(),
  company_id: z.string().optional(),
  status: z.enum(['active', 'on leave', 'left']),
})
const employees = defineResource('employees', {
  schema: NewEmployee.extend(id),
  create: NewEmployee,
  sortable: ['full_name', 'birthdate'],
  searchable: ['full_name', 'email'],
  filterable: ['company_id', 'birthdate', 'full_name', 'status'],
  countable: ['company_id', 'status'],
  references: { company_id: 'companies' },
})
const NewOrder = z.object({
  customer: z.string().min(1),
  total: z.number().min(0),
  status: z.enum(['open', 'paid', 'sent', 'cancelled']),
  company_id: z.string().nullable(),
  placed_at: z.iso.datetime(),
  due: z.iso.date(),
  lines: z.array(z.string()),
  address: z.object({ city: z.string() }),
  is_gift: z.boolean(),
  weight: z.number(),
  currency: z.enum(['EUR', 'USD']),
  note: z.string().nullable(),
  reference: z.string().optional(),
})
const orders = defineResource('orders', {
  schema: NewOrder.extend(id),
  create: NewOrder,
  sortable: ['customer', 'total', 'placed_at'],
  searchable: ['customer'],
  filterable: ['status', 'total', 'placed_at', 'company_id'],
  countable: ['status'],
  references: { company_id: 'companies' },
})
const tickets = defineResource('tickets', {
  schema: z.object({ ...id, title: z.string(), state: z.enum(['open', 'done']) }),
  create: z.object({ title: z.string(), state: z.enum(['open', 'done']) }),
  searchable: ['title'],
})
const measurements = defineResource('measurements', {
  schema: z.object({ ...id, sensor: z.string(), celsius: z.number() }),
  total: true,
})
const fields = Array.from({ length: 36 }, (_, index) => [`column_${index + 1}`, z.string()])
const surveys = defineResource('surveys', {
  schema: z.object({ ...id, ...Object.fromEntries(fields) }),
})
const articles = defineResource('articles', {
  schema: z.object({ ...id, title: z.string(), text: z.string(), tags: z.array(z.string()) }),
  create: z.object({ title: z.string(), text: z.string(), tags: z.array(z.string()) }),
  searchable: ['title'],
})

const names = [
  'Ada Moreau',
  'Ben Okafor',
  'Chloé Lindqvist',
  'Dmitri Haas',
  'Emi Tanaka',
  'Farid Nasser',
  'Gita Rao',
  'Hugo Weber',
  'Ines Silva',
  'Jonas Novak',
]
const pick = (list, place) => list[place % list.length]
const idOf = (place, digits = 3) => `${place + 1}`.padStart(digits, '0')
const day = (place) => `${1960 + (place % 40)}-${idOf(place % 12, 2)}-${idOf(place % 28, 2)}`
const sentence = 'A text that is far longer than a cell, so that the table has to cut it off. '

const employeeOf = (place) => ({
  id: idOf(place),
  full_name: place < names.length ? names[place] : `${pick(names, place)} ${place}`,
  birthdate: day(place),
  ...(place % 7 === 0 ? {} : { email: `employee.${place}@mail.example` }),
  company_id: pick(['001', '001', '002', '003'], place),
  status: pick(['active', 'active', 'active', 'on leave', 'left'], place),
})
const orderOf = (place) => ({
  id: idOf(place, 4),
  customer: pick(names, place),
  total: Math.round(1999 + place * 1997) / 100,
  status: pick(['open', 'paid', 'sent', 'paid', 'cancelled'], place),
  company_id: place % 9 === 0 ? null : pick(['001', '002', '003'], place),
  placed_at: new Date(Date.UTC(2026, 4, 22, 10) - place * 5_400_000).toISOString(),
  due: '2026-06-30',
  lines: Array.from({ length: place % 4 }, (_, line) => `Line ${line}`),
  address: { city: 'Rotterdam' },
  is_gift: place % 5 === 0,
  weight: place % 17,
  currency: 'EUR',
  note: place % 3 === 0 ? null : 'Ring twice',
  ...(place % 2 === 0 ? { reference: `R-${place}` } : {}),
})
const measurementOf = (place) => ({ id: idOf(place, 7), sensor: 's1', celsius: place % 40 })
const maxMeasurements = 1_000_000

// Nothing holds so many items at once.
const generated = {
  list({ query: { limit = 100, after } }) {
    const start = after === undefined ? 0 : Number(after.id ?? after)
    const length = Math.min(limit, maxMeasurements - start)
    return Array.from({ length }, (_, place) => measurementOf(start + place))
  },
  count: () => maxMeasurements,
  read: ({ id: key }) => measurementOf(Number(key) - 1),
}

const repeated = (number, itemOf) => Array.from({ length: number }, (_, place) => itemOf(place))

/** A new shop, so that a check may change it. */
export function shopRegistry() {
  const children = (field, number) =>
    repeated(number, (place) => ({
      id: idOf(place),
      name: `${pick(['North', 'South', 'East'], place)} ${place + 1}`,
      [field]: '001',
    }))
  const api = defineApi({
    v1: {
      '/companies': companies,
      '/companies/:company_id/departments': departments,
      '/companies/:company_id/departments/:department_id/teams': teams,
      '/companies/:company_id/departments/:department_id/teams/:team_id/shifts': shifts,
      '/employees': employees,
      '/orders': orders,
      '/tickets': tickets,
      '/measurements': measurements,
      '/surveys': surveys,
      '/articles': articles,
    },
  })
  return defineRegistry(api).adapters({
    companies: memoryAdapter({
      items: ['Acme Instruments', 'Globex Shipping', 'Umbra Films'].map((name, place) => ({
        id: idOf(place),
        name,
      })),
    }),
    departments: memoryAdapter({ items: children('company_id', 3) }),
    teams: memoryAdapter({ items: children('department_id', 3) }),
    shifts: memoryAdapter({
      items: repeated(12, (place) => ({ id: idOf(place), day: day(place), team_id: '001' })),
    }),
    employees: memoryAdapter({ items: repeated(57, employeeOf) }),
    orders: memoryAdapter({ items: repeated(1000, orderOf) }),
    tickets: memoryAdapter({ items: [] }),
    measurements: generated,
    surveys: memoryAdapter({
      items: repeated(12, (place) => ({
        id: idOf(place),
        ...Object.fromEntries(fields.map(([name], index) => [name, `${(place * index) % 7}`])),
      })),
    }),
    articles: memoryAdapter({
      items: repeated(12, (place) => ({
        id: idOf(place),
        title: `${place + 1}. ${sentence}`,
        text: sentence.repeat(40),
        tags: ['long', 'text'],
      })),
    }),
  })
}

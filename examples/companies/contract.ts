import { defineApi, defineResource, defineView } from 'nounful'
import { z } from 'zod'

// A character is a code point: an emoji counts once.
const text = z
  .string()
  .refine((value) => value !== '' && [...value].length <= 200, 'is not 1 to 200 characters long')
const email = z.email().max(254)
const timestamp = z.iso.datetime()

const NewCompany = z.strictObject({ name: text })
const NewEmployee = z.strictObject({
  full_name: text,
  birthdate: z.iso.date(),
  email: email.optional(),
  company_id: z.string().optional(),
  status: z.enum(['active', 'left']),
  phone: text.nullable(),
})
// Version 1 stays as it was released.
export const NewEmployeeV1 = z.strictObject({
  name: text,
  birthdate: z.iso.date(),
  email: email.optional(),
  company_id: z.string().optional(),
})
const NewCustomer = z.strictObject({ name: text, email: email.optional() })

const Company = NewCompany.extend({ id: z.string(), created_at: timestamp })
const Employee = NewEmployee.extend({ id: z.string(), created_at: timestamp })
export const EmployeeV1 = NewEmployeeV1.extend({ id: z.string(), created_at: timestamp })
const Customer = NewCustomer.extend({ id: z.string(), company_id: z.string() })

export const companies = defineResource('companies', {
  schema: Company,
  create: NewCompany,
  readOnly: ['created_at'],
  sortable: ['name', 'created_at'],
  searchable: ['name'],
  filterable: ['name', 'created_at'],
  total: true,
  idempotent: true,
})

export const employees_v2 = defineResource('employees_v2', {
  schema: Employee,
  create: NewEmployee,
  readOnly: ['created_at'],
  sortable: ['full_name', 'birthdate', 'created_at'],
  searchable: ['full_name', 'email'],
  filterable: ['company_id', 'full_name', 'email', 'birthdate', 'created_at', 'status'],
  references: { company_id: 'companies' },
  idempotent: true,
})

export const employees = defineView('employees', employees_v2, {
  schema: EmployeeV1,
  create: NewEmployeeV1,
  readOnly: ['created_at'],
  sortable: ['name', 'birthdate', 'created_at'],
  searchable: ['name', 'email'],
  filterable: ['company_id', 'name', 'email', 'birthdate', 'created_at'],
  references: { company_id: 'companies' },
  idempotent: true,
  fields: { name: 'full_name' },
  hidden: { status: 'active', phone: null },
})

export const customers = defineResource('customers', {
  schema: Customer,
  create: NewCustomer,
  sortable: ['name'],
  searchable: ['name', 'email'],
  filterable: ['name', 'email'],
  references: { company_id: 'companies' },
  idempotent: true,
})

export const api = defineApi(
  {
    v1: {
      '/employees': employees,
      '/companies': companies,
      '/companies/:company_id/customers': customers,
      '/companies/:company_id/employees': employees,
    },
    v2: {
      '/employees': employees_v2,
      '/companies': companies,
      '/companies/:company_id/customers': customers,
      '/companies/:company_id/employees': employees_v2,
    },
  },
  {
    lifecycle: { v1: { deprecated: '2026-11-01', sunset: '2027-11-01', successor: 'v2' } },
  },
)

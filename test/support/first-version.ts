import { defineApi, defineResource } from 'nounful'
import {
  companies,
  customers,
  EmployeeV1,
  NewEmployeeV1,
} from '../../examples/companies/contract.ts'

/** The employees of version 1 as a resource of their own, for adapters that store them so. */
export const employees = defineResource('employees', {
  schema: EmployeeV1,
  create: NewEmployeeV1,
  readOnly: ['created_at'],
  sortable: ['name', 'birthdate', 'created_at'],
  searchable: ['name', 'email'],
  filterable: ['company_id', 'name', 'email', 'birthdate', 'created_at'],
  references: { company_id: 'companies' },
  idempotent: true,
})

/** Version 1 of the example alone, as it was before there was another. */
export const api = defineApi({
  v1: {
    '/employees': employees,
    '/companies': companies,
    '/companies/:company_id/customers': customers,
    '/companies/:company_id/employees': employees,
  },
})

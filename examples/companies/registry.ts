import { type AdapterFor, defineRegistry } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { api } from './contract.ts'
import * as sample from './sample.ts'

const onCreate = (): { created_at: string } => ({ created_at: new Date().toISOString() })

const companies: AdapterFor<typeof api, 'companies'> = memoryAdapter({
  items: sample.companies,
  onCreate,
})

export const registry = defineRegistry(api).adapters({
  companies,
  employees: memoryAdapter({
    items: sample.employees,
    onCreate,
    references: { company_id: companies },
  }),
  customers: memoryAdapter({ items: sample.customers, references: { company_id: companies } }),
})

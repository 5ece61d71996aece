import type { AdapterFor } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import * as sample from '../../../examples/companies/sample.ts'
import { createMakers } from './clock.ts'
import type { api } from './contract.ts'
import { notes } from './notes.ts'
import { registryOn } from './registry.ts'

const { nextId, onCreate } = createMakers()
const companies: AdapterFor<typeof api, 'companies'> = memoryAdapter({
  items: sample.companies,
  nextId,
  onCreate,
})

export const registry = registryOn({
  companies,
  employees: memoryAdapter({
    items: sample.employees,
    nextId,
    onCreate,
    references: { company_id: companies },
  }),
  customers: memoryAdapter({
    items: sample.customers,
    nextId,
    references: { company_id: companies },
  }),
  notes: memoryAdapter({ items: notes, nextId, unique: ['text'] }),
})

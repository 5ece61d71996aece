import { defineRegistry } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { api } from './contract.ts'
import * as sample from './sample.ts'

const onCreate = (): { created_at: string } => ({ created_at: new Date().toISOString() })

export const registry = defineRegistry(api, { defaultVersion: 'v1' }).adapters({
  companies: memoryAdapter({ items: sample.companies, onCreate }),
  employees_v2: memoryAdapter({ items: sample.employees_v2, onCreate }),
  customers: memoryAdapter({ items: sample.customers }),
})

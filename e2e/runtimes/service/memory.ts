import { memoryAdapter } from 'nounful/memory'
import * as sample from '../../../examples/companies/sample.ts'
import { createMakers } from './clock.ts'
import { notes } from './notes.ts'
import { registryOn } from './registry.ts'

const { nextId, onCreate } = createMakers()

export const registry = registryOn({
  companies: memoryAdapter({ items: sample.companies, nextId, onCreate }),
  employees: memoryAdapter({ items: sample.employees, nextId, onCreate }),
  customers: memoryAdapter({ items: sample.customers, nextId }),
  notes: memoryAdapter({ items: notes, nextId, unique: ['text'] }),
})

import { type AdapterFor, defineRegistry, type Registry } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { api } from './first-version.ts'

const created_at = '2026-01-02T03:04:05.000Z'

/** The first items of {@link companiesRegistry}. */
export const companies = [
  { id: 'c-acme', name: 'Acme', created_at },
  { id: 'c-globex', name: 'Globex', created_at },
  { id: 'c-umbra', name: 'Umbra', created_at },
]

/** Likewise; `e-farid` has no company. */
export const employees = [
  { id: 'e-ada', name: 'Ada', birthdate: '1988-12-10', company_id: 'c-acme', created_at },
  { id: 'e-ben', name: 'Ben', birthdate: '1979-06-23', company_id: 'c-acme', created_at },
  { id: 'e-chloe', name: 'Chloé', birthdate: '1993-03-30', company_id: 'c-globex', created_at },
  { id: 'e-farid', name: 'Farid', birthdate: '1996-07-14', created_at },
]

/** Likewise. */
const customers = [
  { id: 'k-harbor', name: 'Harbor Observatory', company_id: 'c-acme' },
  { id: 'k-pomelo', name: 'Pomelo Foods', company_id: 'c-globex' },
]

/** A registry of the example's contract, with ids and times that can be foretold: `1`, `2`, … */
export function companiesRegistry(): Registry {
  let last = 0
  const nextId = () => `${++last}`
  const onCreate = () => ({ created_at })
  const owner: AdapterFor<typeof api, 'companies'> = memoryAdapter({
    items: companies,
    nextId,
    onCreate,
  })
  return defineRegistry(api).adapters({
    companies: owner,
    employees: memoryAdapter({ items: employees, nextId, onCreate }),
    customers: memoryAdapter({ items: customers, nextId }),
  })
}

/** The registry of the example itself, loaded anew each time. */
export async function exampleRegistry(): Promise<Registry> {
  loads++
  const path = `../../examples/companies/registry.ts?${loads}`
  const { registry } = (await import(path)) as typeof import('../../examples/companies/registry.ts')
  return registry
}

let loads = 0

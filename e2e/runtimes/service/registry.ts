import { type AdapterFor, defineRegistry, type Registry } from 'nounful'
import { api } from './contract.ts'
import { failures } from './failures.ts'
import { ticks } from './ticks.ts'

/** The storage of the service. */
export interface Storage {
  readonly companies: AdapterFor<typeof api, 'companies'>
  readonly employees: AdapterFor<typeof api, 'employees'>
  readonly customers: AdapterFor<typeof api, 'customers'>
  readonly notes: AdapterFor<typeof api, 'notes'>
}

/** The service on a storage, with the same responses in every run. */
export function registryOn(storage: Storage): Registry {
  return defineRegistry(api, { requestId: () => 'request-1' })
    .onError((error) => {
      if (!/secret|Come again/.test(String(error))) console.error(error)
    })
    .adapters({ ...storage, ticks, failures })
}

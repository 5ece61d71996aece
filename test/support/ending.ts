import {
  type Answered,
  defineApi,
  defineRegistry,
  defineResource,
  defineView,
  type HttpRequest,
  type Operation,
  problem,
} from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { z } from 'zod'

const Firm = z.object({ id: z.string(), name: z.string() })
const Worker = z.object({ id: z.string(), firm_id: z.string(), name: z.string() })
const Staff = z.object({ id: z.string(), company_id: z.string(), name: z.string() })
const firms = defineResource('firms', { schema: Firm, create: Firm, sortable: ['name'] })
const workers = defineResource('workers', {
  schema: Worker,
  create: Worker.omit({ firm_id: true }),
  filled: ['firm_id'],
  without: ['last'],
  references: { firm_id: 'firms' },
})
const companies = defineView('companies', firms, {
  schema: Firm,
  create: Firm,
  sortable: ['name'],
})
const staff = defineView('staff', workers, {
  offers: ['last'],
  schema: Staff,
  create: Staff.omit({ company_id: true }),
  plural: true,
  references: { company_id: 'companies' },
  fields: { company_id: 'firm_id' },
})
const faxes = defineResource('faxes', { schema: Firm, create: Firm })

/**
 * Version 1 has ended, version 2 will, version 3 stays but for its faxes. A path of version 2 has
 * another name in version 3, has two, or has none.
 */
export const endingApi = defineApi(
  {
    v2: {
      '/companies': companies,
      '/companies/:company_id/staff': staff,
      '/staff': staff,
      '/faxes': faxes,
    },
    v3: {
      '/firms': firms,
      '/firms/:firm_id/workers': workers,
      '/workers': workers,
      '/people': workers,
      '/faxes': faxes,
    },
  },
  {
    lifecycle: {
      v2: {
        deprecated: '2026-11-01',
        sunset: '2027-11-01',
        successor: 'v3',
        docs: 'https://example.com/v2-to-v3',
      },
      'v3/faxes': { deprecated: '2026-12-01T12:00:00Z', docs: '/versions' },
    },
    retired: { v1: { since: '2026-06-01', sunset: '2026-05-01', docs: '/versions' } },
  },
)

/** A registry of {@link endingApi}, with all that it told its observers and its middleware. */
export function endingRegistry(defaultVersion: 'v2' | 'v3' | false = 'v2') {
  const told: Answered[] = []
  const seen: Operation[] = []
  const registry = defineRegistry(endingApi, { defaultVersion, problemTypes: 'https://x.example/' })
    .context(({ headers = {} }: HttpRequest) => {
      if (headers['x-who'] === 'nobody') throw problem('unauthenticated')
      return null
    })
    .use((operation, _context, next) => {
      seen.push(operation)
      if (operation.query.q === '' && operation.id === 'broken') throw new Error('boom')
      return next()
    })
    .onError(() => undefined)
    .onAnswer((answered) => told.push(answered))
    .adapters({
      firms: memoryAdapter({
        items: ['7', 'a b/ü', 'x'].map((id) => ({ id, name: `Firm ${id}` })),
      }),
      workers: memoryAdapter({ items: [{ id: '3', firm_id: '7', name: 'Ann' }] }),
      faxes: memoryAdapter({ items: [{ id: '1', name: 'Fax' }] }),
    })
  return { registry, told, seen }
}

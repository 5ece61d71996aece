// Prints, for each request, the files of src/ and the calls of their functions that it takes, warm.
import { type Profiler, Session } from 'node:inspector/promises'
import {
  defineApi,
  defineRegistry,
  defineResource,
  type HttpRequest,
  type HttpResponse,
  handle,
} from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { z } from 'zod'

const Company = z.object({ id: z.string(), name: z.string() })
const Customer = z.object({ id: z.string(), name: z.string(), company_id: z.string() })
const companies = defineResource('companies', {
  schema: Company,
  create: Company.omit({ id: true }),
})
const customers = defineResource('customers', {
  schema: Customer,
  create: Customer.omit({ id: true, company_id: true }),
  sortable: ['name'],
  searchable: ['name'],
})
const api = defineApi({
  v1: { '/companies': companies, '/companies/:company_id/customers': customers },
})
const registry = defineRegistry(api).adapters({
  companies: memoryAdapter({ items: [{ id: '7', name: 'Acme' }] }),
  customers: memoryAdapter({
    items: [
      { id: '1', name: 'Ann', company_id: '7' },
      { id: '2', name: 'Bob', company_id: '7' },
    ],
  }),
})

function sent(method: string, url: string, name: string, type = 'application/json'): HttpRequest {
  return { method, url, headers: { 'content-type': type }, body: JSON.stringify({ name }) }
}

const requests: Readonly<Record<string, () => HttpRequest>> = {
  read: () => ({ method: 'GET', url: '/v1/companies/7' }),
  list: () => ({ method: 'GET', url: '/v1/companies/7/customers?q=ann&sort=-name&limit=10' }),
  create: () => sent('POST', '/v1/companies', 'New'),
  patch: () => sent('PATCH', '/v1/companies/7', 'Q', 'application/merge-patch+json'),
  'nested update': () => sent('PUT', '/v1/companies/7/customers/1', 'Anna'),
}
const session = new Session()
session.connect()
await session.post('Profiler.enable')

/** Returns the functions that ran while a request was answered, file by file. */
async function coverageOf(request: HttpRequest): Promise<Profiler.ScriptCoverage[]> {
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  await session.post('Profiler.takePreciseCoverage')
  await handle(request, registry)
  const { result } = await session.post('Profiler.takePreciseCoverage')
  await session.post('Profiler.stopPreciseCoverage')
  return result
}

const counts: Record<string, { files: number; calls: number }> = {}
for (const [name, requestOf] of Object.entries(requests)) {
  for (let run = 0; run < 20; run++) {
    const { status }: HttpResponse = await handle(requestOf(), registry)
    if (status >= 300) throw new Error(`${name}: ${status}`)
  }
  const callsOfFiles = (await coverageOf(requestOf()))
    .filter(({ url }) => /\/src\/(?!.*node_modules)/.test(url))
    .map(({ functions }) =>
      functions
        .filter(({ functionName, isBlockCoverage }) => functionName !== '' || isBlockCoverage)
        .reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0),
    )
    .filter((calls) => calls > 0)
  counts[name] = {
    files: callsOfFiles.length,
    calls: callsOfFiles.reduce((sum, calls) => sum + calls, 0),
  }
}
console.log(JSON.stringify(counts))

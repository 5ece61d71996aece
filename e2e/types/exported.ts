// A program that exports what the library gives, and writes declarations: each type has a name.

import {
  defineApi,
  defineRegistry,
  defineResource,
  formatRequest,
  handle,
  operations,
  parseRequest,
  parseResponse,
  problem,
  problems,
} from 'nounful'
import { createClient } from 'nounful/client'
import { toFetchHandler } from 'nounful/fetch'
import { memoryAdapter } from 'nounful/memory'
import { openApiAt, toOpenApi } from 'nounful/openapi'
import { z } from 'zod'

export const people = defineResource('people', {
  schema: z.object({ id: z.string(), name: z.string() }),
  create: z.object({ name: z.string() }),
  sortable: ['name'],
})
export const api = defineApi({ v1: { '/people': people } })
export const mounts = api.versions
export const adapter = memoryAdapter()
export const builder = defineRegistry(api).context(() => ({ user: 'ann' }))
export const registry = builder.adapters({ people: memoryAdapter() })
export const handler = toFetchHandler(defineRegistry(api).adapters({ people: memoryAdapter() }))
export const client = createClient<typeof api>({ baseUrl: 'http://localhost' })
export const ofPeople = client.v1.people
export const parsed = parseRequest({ method: 'GET', url: '/people' }, registry)
export const layer = openApiAt('/api.json', api, { info: { title: 'People', version: '1' } })
export const functions = { formatRequest, handle, parseResponse, problem, toOpenApi }
export const tables = { operations, problems }

import { isDeepStrictEqual } from 'node:util'
import {
  type AdapterFor,
  defineApi,
  defineRegistry,
  defineResource,
  type HttpRequest,
  type HttpResponse,
  type Registry,
  type RegistryOptions,
} from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { expect } from 'vitest'
import { z } from 'zod'
import { created, type Foretold, type Step } from './model.ts'
import type { Loose, ProblemBody } from './registry.ts'

const companies = defineResource('companies', {
  schema: z.object({ id: z.string(), name: z.string() }),
  create: z.strictObject({ name: z.string() }),
  sortable: ['name'],
  searchable: ['name'],
})
const NewTask = z.strictObject({
  id: z.string().optional(),
  title: z.string(),
  rank: z.number().optional(),
  company_id: z.string().optional(),
})
const tasks = defineResource('tasks', {
  schema: NewTask.extend({ id: z.string(), created: z.string(), version: z.number() }),
  create: NewTask,
  revision: 'version',
  readOnly: ['created', 'version'],
  sortable: ['title', 'rank'],
  searchable: ['title'],
  references: { company_id: 'companies' },
})
const numberId = z.coerce.number().int()
const meters = defineResource('meters', {
  schema: z.object({ id: numberId, value: z.number() }),
  create: z.strictObject({ value: z.number() }),
  id: numberId,
  sortable: ['value'],
})
const api = defineApi({
  v1: {
    '/companies': companies,
    '/tasks': tasks,
    '/companies/:company_id/tasks': tasks,
    '/meters': meters,
  },
})

/** Options of {@link modelled}; each is optional. */
interface Modelled {
  /** Put around each adapter. */
  readonly wrap?: (adapter: Loose) => Loose
  readonly options?: RegistryOptions<typeof api>
  readonly onError?: (error: unknown) => void
}

/** The service of model.ts, as a registry: in memory, without an item. */
export function modelled({
  wrap = (adapter) => adapter,
  options,
  onError,
}: Modelled = {}): Registry {
  const counts = { c: 0, t: 0 }
  const nextId = (letter: keyof typeof counts) => () => `${letter}${++counts[letter]}`
  const owners: AdapterFor<typeof api, 'companies'> = memoryAdapter({ nextId: nextId('c') })
  const owned: AdapterFor<typeof api, 'tasks'> = memoryAdapter({
    nextId: nextId('t'),
    onCreate: () => ({ created }),
  })
  const fail = (error: unknown) => {
    throw error
  }
  return defineRegistry(api, options)
    .onError(onError ?? fail)
    .adapters({
      companies: wrap(owners as Loose),
      tasks: wrap(owned as Loose),
      meters: wrap(memoryAdapter() as Loose),
    } as never)
}

/** A step as it is sent. */
export function requestFor(step: Step): HttpRequest {
  const { method, noun, under, end, query = {}, body, ifMatch, ifNoneMatch, most } = step
  const path = [
    ...(under === undefined ? [] : ['companies', under]),
    noun,
    ...(end === undefined ? [] : [end]),
  ]
  const search = new URLSearchParams(query).toString()
  return {
    method,
    url: `/v1/${path.map(encodeURIComponent).join('/')}${search === '' ? '' : `?${search}`}`,
    headers: {
      'content-type': 'application/json',
      ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
      ...(ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch }),
      ...(most === undefined ? {} : { prefer: `max-affected=${most}` }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  }
}

/** Compares a response with the expected one. */
export function expectForetold(answer: HttpResponse, foretold: Foretold): void {
  const [given, expected] = [pick(answer, foretold), pickForetold(foretold)]
  // The matcher tells more, and takes ten times as long.
  if (!isDeepStrictEqual(given, expected)) expect(given).toEqual(expected)
}

function pick({ status, headers, body }: HttpResponse, foretold: Foretold): object {
  const { code, issues = [] } = Object(body) as ProblemBody
  const pointers = [...new Set(issues.map(({ pointer }) => pointer))].sort()
  return {
    status,
    code: status < 400 ? undefined : code,
    pointers: foretold.pointers && pointers,
    body: foretold.body && JSON.parse(JSON.stringify(body)),
    etag: headers.etag,
    location: headers.location,
    allow: headers.allow,
    isCut: headers.link !== undefined,
  }
}

function pickForetold(foretold: Foretold): object {
  const { status, code, pointers, body, etag, location, allow, next } = foretold
  return {
    status,
    code,
    pointers: pointers && [...new Set(pointers)].sort(),
    body,
    etag,
    location,
    allow,
    isCut: next !== undefined,
  }
}

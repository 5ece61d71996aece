import type { Kysely } from 'kysely'
import {
  type AdapterFor,
  defineRegistry,
  handle,
  type Operation,
  type UncheckedAdapter,
} from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { noQuery } from '../../src/contract/resource/operation.ts'
import type { AdapterMethod } from '../../src/convention/adapter-methods.ts'
import { api, employees } from '../../test/support/first-version.ts'
import type { Employee } from './people.ts'
import { pageSize, type Way } from './way.ts'

const onCreate = () => ({ created_at: new Date().toISOString() })
// A search through a million rows may take longer than the default where it is slow.
const timeout = 120_000
const never = new AbortController().signal
const byName = [
  { field: 'name', direction: 'asc' },
  { field: 'id', direction: 'asc' },
] as const

// An operation that the method of its name serves.
type Served = Operation & { readonly kind: AdapterMethod }

// The core's form of a request.
function operationOf(
  kind: Served['kind'],
  query: Partial<Operation['query']>,
  rest: Pick<Partial<Operation>, 'id' | 'item' | 'items'> = {},
): Served {
  return {
    kind,
    resource: employees,
    version: 'v1',
    path: '/employees',
    scope: {},
    parents: [],
    id: rest.id,
    query: { ...noQuery, sort: byName, ...query },
    item: rest.item,
    items: rest.items,
    ids: undefined,
    isDryRun: false,
    isDeprecated: false,
    maxAffected: undefined,
    ifRevision: undefined,
    signal: never,
  }
}

/** The adapter, called as the core calls it. */
export function withNounful(db: Kysely<unknown>): Way {
  const stored: AdapterFor<typeof api, 'employees'> = kyselyAdapter(db, {
    table: 'employees',
    onCreate,
    timeout,
  })
  const adapter: UncheckedAdapter = stored
  const ask = async <Answer>(operation: Served): Promise<Answer> =>
    adapter[operation.kind]?.(operation, undefined) as Promise<Answer>
  const limit = pageSize
  const found = (word: string) => ({ q: word, words: [word] })
  return {
    read: (id) => ask(operationOf('read', {}, { id })),
    list: () => ask(operationOf('list', { limit })),
    search: (word) => ask(operationOf('list', { ...found(word), limit })),
    page: ({ name, id }) => ask(operationOf('list', { limit, after: { name, id } })),
    count: () => ask(operationOf('count', {})),
    countFound: (word) => ask(operationOf('count', found(word))),
    first: () => ask(operationOf('first', {})),
    last: () => ask(operationOf('last', {})),
    create: (item) => ask(operationOf('create', {}, { item })),
    update: (item) => ask(operationOf('update', {}, { id: item.id, item })),
    updateMany: (items) => ask(operationOf('updateMany', {}, { items })),
    delete: (id) => ask(operationOf('delete', {}, { id })),
  }
}

/** Requests, from the URL to the value of the body, without HTTP. */
export function withRequests(db: Kysely<unknown>): Partial<Way> {
  const registry = defineRegistry(api).adapters({
    companies: kyselyAdapter(db, { table: 'companies', onCreate }),
    employees: kyselyAdapter(db, { table: 'employees', onCreate, timeout }),
    customers: kyselyAdapter(db, { table: 'customers' }),
  })
  const get = async (path: string): Promise<unknown> => {
    const { status, body } = await handle({ method: 'GET', url: `/v1/employees${path}` }, registry)
    if (status === 200) return body
    throw new Error(`${path} was answered ${status}: ${JSON.stringify(body)}`)
  }
  const items = (path: string) => get(path) as Promise<Employee[]>
  const item = (path: string) => get(path) as Promise<Employee>
  const list = `?limit=${pageSize}&sort=name`
  const count = async (path: string) => ((await get(path)) as { count: number }).count
  return {
    read: (id) => item(`/${id}`),
    list: () => items(list),
    search: (word) => items(`${list}&q=${word}`),
    count: () => count('/count'),
    countFound: (word) => count(`/count?q=${word}`),
    first: () => item('/first?sort=name'),
    last: () => item('/last?sort=name'),
  }
}

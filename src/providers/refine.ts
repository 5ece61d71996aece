import type { CollectionClient } from '../client/fluent.ts'
import { type CallOptions, type ClientOptions, fetchOf } from '../client/options.ts'
import { pairsOfWhere } from '../client/where.ts'
import {
  collectionsOf,
  dataOf,
  deleteRecords,
  faultsOf,
  metaOf,
  type ProviderOptions,
  patchRecords,
  readQueryOf,
  readRecords,
  withFaults,
  writeOptionsOf,
} from './collections.ts'
import { type RefineListParams, selectionOf } from './refine-list.ts'
import type { RefineCustomParams, RefineDataProvider, RefineParams } from './refine-types.ts'

/**
 * Makes a data provider of refine, for `<Refine dataProvider={…}>`.
 *
 * A resource is a noun of the version, or a path: `companies/7/employees`. `meta` takes a
 * `ProviderMeta`. A filter that the convention cannot express is a `TypeError`.
 *
 * @throws {TypeError} For an invalid option.
 */
export function refineDataProvider({
  version,
  revision = 'revision',
  ...options
}: ProviderOptions): RefineDataProvider {
  const at = collectionsOf(version, options)
  return {
    getList: <One>({ resource, ...params }: RefineParams & RefineListParams) =>
      withFaults(() => listRecords<One>(at(resource), params)),
    getOne: ({ resource, id, ...params }) =>
      dataOf(async () => at(resource)(id).read(readQueryOf(metaOf(params)), callOf(params))),
    getMany: ({ resource, ids, ...params }) => {
      const read = { ...readQueryOf(metaOf(params)), ...callOf(params) }
      return dataOf(async () => readRecords(at(resource), ids, read))
    },
    create: ({ resource, variables, ...params }) =>
      dataOf(async () => at(resource).create(Object(variables), writeOptionsOf(metaOf(params)))),
    createMany: ({ resource, variables, ...params }) =>
      dataOf(async () => at(resource).createMany(variables, callOf(params))),
    update: ({ resource, id, variables, ...params }) => {
      const { [revision]: stored, ...patch } = Object(variables)
      const write = writeOptionsOf(metaOf(params), stored)
      return dataOf(async () => at(resource)(id).patch(patch, write))
    },
    updateMany: ({ resource, ids, variables, ...params }) =>
      dataOf(async () => patchRecords(at(resource), ids, variables, metaOf(params))),
    deleteOne: ({ resource, id, ...params }) =>
      dataOf(async () => at(resource)(id).delete(writeOptionsOf(metaOf(params)))),
    deleteMany: ({ resource, ids, ...params }) =>
      dataOf(async () => deleteRecords(at(resource), ids, metaOf(params))),
    getApiUrl: () => `${options.baseUrl}${options.baseUrl.endsWith('/') ? '' : '/'}${version}`,
    custom: (params) => dataOf(() => sendCustom(options, params)),
  }
}

async function listRecords<One>(
  collection: CollectionClient,
  { pagination = {}, ...params }: Omit<RefineParams, 'resource'> & RefineListParams,
): Promise<{ data: One[]; total: number }> {
  const { currentPage = 1, pageSize: limit = 10, mode = 'server' } = pagination
  const query = { ...selectionOf(params), ...readQueryOf(metaOf(params)) }
  if (mode !== 'server') {
    const { data } = await dataOf<One[]>(() => allOf(collection.items(query, callOf(params))))
    return { data, total: data.length }
  }
  const offset = (currentPage - 1) * limit
  const page = await collection.page({ ...query, limit, offset }, callOf(params))
  const { items, next, total } = page
  const { data } = await dataOf<One[]>(async () => items)
  return { data, total: total ?? offset + items.length + (next === undefined ? 0 : 1) }
}

async function allOf(items: AsyncIterable<object>): Promise<readonly object[]> {
  const all: object[] = []
  for await (const item of items) all.push(item)
  return all
}

function callOf({ meta }: { readonly meta?: unknown }): CallOptions {
  const { headers, queryContext } = Object(meta)
  return { headers, signal: queryContext?.signal }
}

async function sendCustom(
  options: ClientOptions,
  { query, payload, ...custom }: RefineCustomParams & RefineListParams,
): Promise<unknown> {
  const baseUrl = new URL(options.baseUrl, globalThis.location?.href)
  const url = new URL(custom.url, baseUrl)
  // Another server must not get the headers, which may hold a token.
  if (url.origin !== baseUrl.origin) throw new TypeError(`Not of this service: ${url}`)
  const { q, where, sort } = selectionOf(custom)
  const pairs = Object.entries({ ...Object(query), q, sort: sort?.join(',') })
  for (const [name, value] of [...pairs, ...pairsOfWhere(where)]) {
    for (const text of [value].flat()) if (text != null) url.searchParams.append(name, `${text}`)
  }
  const base = typeof options.headers === 'function' ? await options.headers() : options.headers
  const headers = new Headers(base)
  for (const [name, value] of Object.entries({ ...custom.headers })) headers.set(name, `${value}`)
  if (payload !== undefined) headers.set('content-type', 'application/json')
  const body = payload === undefined ? null : JSON.stringify(payload)
  const method = custom.method.toUpperCase()
  const response = await fetchOf(options)(new Request(url, { method, headers, body }))
  const answer = await response.json()
  if (response.ok) return answer
  const error = new Error(answer.message)
  throw Object.assign(error, { statusCode: response.status, ...faultsOf(answer.issues) })
}

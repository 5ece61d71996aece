import type { CollectionClient } from '../client/fluent.ts'
import { type CallOptions, isPlainObject } from '../client/options.ts'
import {
  collectionsOf,
  dataOf,
  deleteRecords,
  metaOf,
  nestedPath,
  patchRecords,
  readQueryOf,
  readRecords,
  withFaults,
  writeOptionsOf,
} from './collections.ts'
import type {
  ReactAdminDataProvider,
  ReactAdminList,
  ReactAdminListParams,
  ReactAdminOptions,
} from './react-admin-types.ts'

/**
 * Makes a data provider of react-admin, for `<Admin dataProvider={…}>`.
 *
 * A resource is a noun of the version, or a path: `companies/7/employees`. `meta` takes a
 * `ProviderMeta`. Messages stand beside their fields with `mutationMode="pessimistic"`.
 *
 * @throws {TypeError} For an invalid option.
 */
export function reactAdminDataProvider({
  version,
  revision = 'revision',
  nested = [],
  ...options
}: ReactAdminOptions): ReactAdminDataProvider {
  const at = collectionsOf(version, options)
  const getList = <One>(resource: string, params: ReactAdminListParams) =>
    withFaults(() => listRecords<One>(at(resource), params))
  return {
    supportAbortSignal: true,
    getList,
    getManyReference: (resource, { target, id, ...params }) => {
      const path = nestedPath(nested, { resource, target, id })
      if (path !== undefined) return getList(path, params)
      return getList(resource, { ...params, filter: { ...Object(params.filter), [target]: id } })
    },
    getOne: (resource, { id, ...params }) =>
      dataOf(async () => at(resource)(id).read(readQueryOf(metaOf(params)), callOf(params))),
    getMany: (resource, { ids, ...params }) => {
      const read = { ...readQueryOf(metaOf(params)), ...callOf(params) }
      return dataOf(async () => readRecords(at(resource), ids, read))
    },
    create: (resource, { data, ...params }) =>
      dataOf(async () => at(resource).create(Object(data), writeOptionsOf(metaOf(params)))),
    update: (resource, { id, ...params }) => {
      const { patch, stored } = changeOf(params, revision)
      const write = writeOptionsOf(metaOf(params), stored)
      return dataOf(async () => at(resource)(id).patch(patch, write))
    },
    updateMany: (resource, { ids, data, ...params }) =>
      dataOf(async () => patchRecords(at(resource), ids, data, metaOf(params)).then(() => ids)),
    delete: (resource, { id, ...params }) =>
      dataOf(async () => at(resource)(id).delete(writeOptionsOf(metaOf(params)))),
    deleteMany: (resource, { ids, ...params }) =>
      dataOf(async () => deleteRecords(at(resource), ids, metaOf(params)).then(() => ids)),
  }
}

async function listRecords<One>(
  collection: CollectionClient,
  params: ReactAdminListParams,
): Promise<ReactAdminList<One>> {
  const { pagination = { page: 1, perPage: 25 }, filter, sort } = params
  const { page, perPage: limit } = pagination
  const { q, ...where } = Object(withoutNull(filter))
  const query = {
    ...{ q, where, limit, offset: (page - 1) * limit },
    ...{ sort: sort && [`${sort.order === 'DESC' ? '-' : ''}${sort.field}`] },
    ...readQueryOf(metaOf(params)),
  }
  const { items, next, total } = await collection.page(query, callOf(params))
  const { data } = await dataOf<One[]>(async () => items)
  const pageInfo = { hasNextPage: next !== undefined, hasPreviousPage: page > 1 }
  return { data, ...(total === undefined ? { pageInfo } : { total }) }
}

// The form of a list gives `null` for an emptied input: `{ company: { name: null } }` for that of
// `company.name`.
function withoutNull(filter: unknown): Readonly<Record<string, unknown>> {
  const entries = Object.entries({ ...Object(filter) })
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [name, isPlainObject(value) ? withoutNull(value) : value])
  return Object.fromEntries(entries)
}

function callOf({ meta, signal }: Pick<ReactAdminListParams, 'meta' | 'signal'>): CallOptions {
  return { headers: metaOf({ meta }).headers, signal }
}

interface Edit {
  readonly data: object
  readonly previousData?: object
}

/** Returns the fields that differ from the previous record, and its revision. */
function changeOf({ data, previousData }: Edit, revision: string) {
  const { [revision]: stored, ...previous } = { ...Object(previousData ?? data) }
  const fields = Object.entries(data).filter(
    ([field, value]) =>
      field !== revision &&
      !(previousData && JSON.stringify(value) === JSON.stringify(previous[field])),
  )
  return { patch: Object.fromEntries(fields), stored }
}

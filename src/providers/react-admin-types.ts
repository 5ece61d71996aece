import type { ProviderOptions, ProviderRecord } from './collections.ts'

/** The options of `reactAdminDataProvider`. */
export interface ReactAdminOptions extends ProviderOptions {
  /**
   * Path templates of the contract: `['/companies/:company_id/employees']`. `getManyReference`
   * lists such a path where it ends with its target and resource. Default: it filters by target.
   */
  readonly nested?: readonly string[] | undefined
}

/** A data provider, as react-admin 5 (`ra-core`) calls it. Each caller names its record's type. */
export interface ReactAdminDataProvider {
  /** React-admin passes its abort signals. */
  readonly supportAbortSignal: true
  /** Returns a page, and the number of all records. `filter` holds `q` and filters by name. */
  getList<One = ProviderRecord>(
    resource: string,
    params: ReactAdminListParams,
  ): Promise<ReactAdminList<One>>
  /** Returns the page of the records that name another one. */
  getManyReference<One = ProviderRecord>(
    resource: string,
    params: ReactAdminListParams & { target: string; id: Id },
  ): Promise<ReactAdminList<One>>
  /** Returns a record. */
  getOne<One = ProviderRecord>(resource: string, params: { id: Id } & Read): Promise<{ data: One }>
  /** Returns the records of these ids that exist. */
  getMany<One = ProviderRecord>(
    resource: string,
    params: { ids: Id[] } & Read,
  ): Promise<{ data: One[] }>
  /** Creates a record. */
  create<One = ProviderRecord>(
    resource: string,
    params: { data: unknown; meta?: unknown },
  ): Promise<{ data: One }>
  /** Changes the fields that differ from the previous record, if nobody else changed it. */
  update<One = ProviderRecord>(
    resource: string,
    params: { id: Id; data: object; previousData?: object; meta?: unknown },
  ): Promise<{ data: One }>
  /** Changes all records, or none. */
  updateMany<Key extends Id = Id>(
    resource: string,
    params: { ids: Key[]; data: unknown; meta?: unknown },
  ): Promise<{ data: Key[] }>
  /** Deletes a record, and returns it. */
  delete<One = ProviderRecord>(
    resource: string,
    params: { id: Id; meta?: unknown },
  ): Promise<{ data: One }>
  /** Deletes the records one by one. Throws the first error at the end. */
  deleteMany<Key extends Id = Id>(
    resource: string,
    params: { ids: Key[]; meta?: unknown },
  ): Promise<{ data: Key[] }>
}

/** The parameters of `getList`. */
export interface ReactAdminListParams extends Read {
  /** Default: the first 25. */
  pagination?: { page: number; perPage: number }
  /** Default: by id. */
  sort?: { field: string; order: 'ASC' | 'DESC' }
  /** `q`, and filters by name: `{ status: 'new', 'birthdate:gte': '1990-01-01' }`. */
  filter?: unknown
}

/** A page of records. */
export interface ReactAdminList<One> {
  data: One[]
  /** Absent where the resource has `total: false`. */
  total?: number
  pageInfo?: { hasNextPage: boolean; hasPreviousPage: boolean }
}

type Id = ProviderRecord['id']
interface Read {
  meta?: unknown
  signal?: AbortSignal
}

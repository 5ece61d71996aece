import type { ProviderRecord } from './collections.ts'
import type { RefineListParams } from './refine-list.ts'

/** A data provider, as refine 5 (`@refinedev/core`) calls it. A caller names its record's type. */
export interface RefineDataProvider {
  /** Returns a page, and the number of all records. */
  getList<One = ProviderRecord>(
    params: RefineParams & RefineListParams,
  ): Promise<{ data: One[]; total: number }>
  /** Returns a record. */
  getOne<One = ProviderRecord>(params: RefineParams & { id: Id }): Promise<{ data: One }>
  /** Returns the records of these ids that exist. */
  getMany<One = ProviderRecord>(params: RefineParams & { ids: Id[] }): Promise<{ data: One[] }>
  /** Creates a record. */
  create<One = ProviderRecord>(
    params: RefineParams & { variables: unknown },
  ): Promise<{ data: One }>
  /** Creates all records, or none. */
  createMany<One = ProviderRecord>(
    params: RefineParams & { variables: unknown[] },
  ): Promise<{ data: One[] }>
  /** Changes the fields in `variables`, if the record has the revision that they name. */
  update<One = ProviderRecord>(
    params: RefineParams & { id: Id; variables: unknown },
  ): Promise<{ data: One }>
  /** Changes all records, or none. */
  updateMany<One = ProviderRecord>(
    params: RefineParams & { ids: Id[]; variables: unknown },
  ): Promise<{ data: One[] }>
  /** Deletes a record, and returns it. */
  deleteOne<One = ProviderRecord>(params: RefineParams & { id: Id }): Promise<{ data: One }>
  /** Deletes the records one by one. Throws the first error at the end. */
  deleteMany<One = ProviderRecord>(params: RefineParams & { ids: Id[] }): Promise<{ data: One[] }>
  /** Returns the URL of the version. */
  getApiUrl(): string
  /** Sends a request to the service, with the headers of the client. Returns the body. */
  custom<One = ProviderRecord>(
    params: RefineCustomParams & RefineListParams,
  ): Promise<{ data: One }>
}

/** A request that the convention has no method for. */
export interface RefineCustomParams {
  /** Absolute, or relative to the base URL. It must be of the same origin. */
  url: string
  method: string
  payload?: unknown
  query?: unknown
  headers?: object
}

type Id = ProviderRecord['id']
/** The resource of a call, and its `meta`. */
export interface RefineParams {
  resource: string
  meta?: unknown
}

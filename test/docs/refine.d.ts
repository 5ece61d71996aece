// The part of @refinedev/core 5 that docs/recipes.md uses.
declare module '@refinedev/core' {
  type BaseKey = string | number

  interface BaseRecord {
    id?: BaseKey
    [field: string]: unknown
  }

  interface ConditionalFilter {
    operator: 'or' | 'and'
    value: CrudFilter[]
  }

  export type CrudFilter = { field: string; operator: string; value: unknown } | ConditionalFilter

  interface GetListParams {
    resource: string
    pagination?: { currentPage?: number; pageSize?: number; mode?: 'client' | 'server' | 'off' }
    sorters?: { field: string; order: 'asc' | 'desc' }[]
    filters?: CrudFilter[]
  }

  interface One {
    resource: string
    id: BaseKey
  }

  interface Many {
    resource: string
    ids: BaseKey[]
  }

  export interface DataProvider {
    getList: <R extends BaseRecord = BaseRecord>(
      params: GetListParams,
    ) => Promise<{ data: R[]; total: number }>
    getMany?: <R extends BaseRecord = BaseRecord>(params: Many) => Promise<{ data: R[] }>
    getOne: <R extends BaseRecord = BaseRecord>(params: One) => Promise<{ data: R }>
    create: <R extends BaseRecord = BaseRecord, Variables = object>(params: {
      resource: string
      variables: Variables
    }) => Promise<{ data: R }>
    createMany?: <R extends BaseRecord = BaseRecord, Variables = object>(params: {
      resource: string
      variables: Variables[]
    }) => Promise<{ data: R[] }>
    update: <R extends BaseRecord = BaseRecord, Variables = object>(
      params: One & { variables: Variables },
    ) => Promise<{ data: R }>
    updateMany?: <R extends BaseRecord = BaseRecord, Variables = object>(
      params: Many & { variables: Variables },
    ) => Promise<{ data: R[] }>
    deleteOne: <R extends BaseRecord = BaseRecord>(params: One) => Promise<{ data: R }>
    deleteMany?: <R extends BaseRecord = BaseRecord>(params: Many) => Promise<{ data: R[] }>
    getApiUrl: () => string
    custom?: <R extends BaseRecord = BaseRecord, Query = unknown, Payload = unknown>(params: {
      url: string
      method: 'get' | 'delete' | 'head' | 'options' | 'post' | 'put' | 'patch'
      payload?: Payload
      query?: Query
      headers?: object
    }) => Promise<{ data: R }>
  }
}

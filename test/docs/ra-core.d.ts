// The part of ra-core 5.15 that docs/recipes.md uses. With its peers the package has 85 MB.
declare module 'ra-core' {
  type Identifier = string | number

  interface RaRecord {
    readonly id: Identifier
    readonly [field: string]: unknown
  }

  type FilterValue = string | number | boolean

  interface Filter {
    readonly q?: string | undefined
    readonly [name: string]: FilterValue | readonly FilterValue[] | undefined
  }

  export interface GetListParams {
    pagination?: { page: number; perPage: number }
    sort?: { field: string; order: 'ASC' | 'DESC' }
    filter?: Filter
  }

  interface GetListResult<One> {
    data: One[]
    total?: number
    pageInfo?: { hasNextPage?: boolean; hasPreviousPage?: boolean }
  }

  export interface UpdateParams<One = RaRecord> {
    id: Identifier
    data: Partial<One>
    previousData: One
  }

  interface Many {
    ids: Identifier[]
  }

  export interface DataProvider {
    getList: <One extends RaRecord>(
      resource: string,
      params: GetListParams,
    ) => Promise<GetListResult<One>>
    getManyReference: <One extends RaRecord>(
      resource: string,
      params: GetListParams & { target: string; id: Identifier },
    ) => Promise<GetListResult<One>>
    getOne: <One extends RaRecord>(
      resource: string,
      params: { id: Identifier },
    ) => Promise<{ data: One }>
    getMany: <One extends RaRecord>(resource: string, params: Many) => Promise<{ data: One[] }>
    create: <One extends RaRecord>(
      resource: string,
      params: { data: Partial<One> },
    ) => Promise<{ data: One }>
    update: <One extends RaRecord>(
      resource: string,
      params: UpdateParams<One>,
    ) => Promise<{ data: One }>
    updateMany: <One extends RaRecord>(
      resource: string,
      params: Many & { data: Partial<One> },
    ) => Promise<{ data?: Identifier[] }>
    delete: <One extends RaRecord>(
      resource: string,
      params: { id: Identifier; previousData?: One },
    ) => Promise<{ data: One }>
    deleteMany: (resource: string, params: Many) => Promise<{ data?: Identifier[] }>
  }
}

export type { ProviderMeta, ProviderOptions, ProviderRecord } from './providers/collections.ts'
export { refineDataProvider } from './providers/refine.ts'
export type { RefineFilter, RefineListParams } from './providers/refine-list.ts'
export type {
  RefineCustomParams,
  RefineDataProvider,
  RefineParams,
} from './providers/refine-types.ts'

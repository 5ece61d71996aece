export type { ProviderMeta, ProviderOptions, ProviderRecord } from './providers/collections.ts'
export { reactAdminDataProvider } from './providers/react-admin.ts'
export type {
  ReactAdminDataProvider,
  ReactAdminList,
  ReactAdminListParams,
  ReactAdminOptions,
} from './providers/react-admin-types.ts'

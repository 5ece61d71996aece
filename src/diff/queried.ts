import type { SnapshotResource } from './snapshot.ts'

/** An option that names fields for a query. */
export type QueryOption = 'sortable' | 'searchable' | 'filterable'

/** Returns the fields that an option names. */
export function queriedIn(resource: SnapshotResource, option: QueryOption): readonly string[] {
  return option === 'filterable' ? Object.keys(resource.filterable) : resource[option]
}

import type { SchemaPair } from '../schema-changes.ts'
import type { Places, ResourcePair } from './context.ts'

/** A body of a request, or the item of a response, at some paths. */
export interface BodyPlace {
  readonly pair: ResourcePair
  readonly places: Places
  readonly body: 'create' | 'update' | 'item'
  readonly schemas: SchemaPair
}

import type { SchemaChange } from './change.ts'
import type { JsonObject } from './snapshot.ts'

/** Two JSON Schemas of the same body, or of the same item. */
export interface SchemaPair {
  readonly old: JsonObject
  readonly new: JsonObject
  /** `request`: old clients send it, so the old must be within the new. `item`: the reverse. */
  readonly side: 'request' | 'item'
}

/** Compares two JSON Schemas as sets, and names each change by a rule. */
export function compareSchemas(_pair: SchemaPair): readonly SchemaChange[] {
  throw new Error('Not yet.')
}

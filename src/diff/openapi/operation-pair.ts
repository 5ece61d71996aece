import type { ApiOperation } from './api-document.ts'
import type { SchemaComparison } from './schema-comparison.ts'

/** An operation that both documents have. */
export interface OperationPair {
  readonly old: ApiOperation
  readonly new: ApiOperation
  /** The method and the path as the old document writes them: `GET /pets/{petId}`. */
  readonly place: string
  readonly schemas: SchemaComparison
  /** The day that ends are judged on: `2026-11-24`. */
  readonly on: string
}

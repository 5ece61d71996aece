import type { Json } from '../../contract/schema/schema.ts'
import type { SchemaChange } from '../../schemas/change.ts'
import { type Pairing, pairBy } from '../../sets/canonical.ts'
import type { ApiDocument, ApiOperation } from './api-document.ts'
import type { OwnedPair, OwnedSchema, SchemaUse } from './schema-book.ts'

/** Two documents of one API. */
export interface DocumentPair {
  readonly old: ApiDocument
  readonly new: ApiDocument
}

/** The schemas at one place of both documents, as they are written there. */
interface PlacedSchemas {
  readonly old: Json | undefined
  readonly new: Json | undefined
  readonly use: SchemaUse
  /** Changes both schemas before they are compared. */
  readonly adjust?: (pair: OwnedPair) => OwnedPair
}

/** A change of a schema, with the rule's whole name. */
export interface PlacedChange extends SchemaChange {
  /** The component that both documents have at the place: `components/schemas/Pet /name`. */
  readonly shared: string | undefined
}

/** Reads and compares the schemas of two documents. */
export interface SchemaComparison {
  /** Reads a schema of one of the documents; `undefined` stands for any value. */
  read(schema: Json | undefined, from: WrittenSource): OwnedSchema
  /** Compares the schemas at a place. */
  compare(placed: PlacedSchemas): readonly PlacedChange[]
}

/** The document of a schema, and its use there. */
interface WrittenSource {
  readonly document: 'old' | 'new'
  readonly use: SchemaUse
}

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

/**
 * Returns a path template without the names of its parameters, which are in no request:
 * `/pets/{petId}` → `/pets/{}`.
 */
export function canonicalPath(path: string): string {
  return path.replaceAll(/\{[^{}]*\}/g, '{}')
}

/** Pairs operations by method and path, those with equal templates first. */
export function pairOperations(
  old: readonly ApiOperation[],
  next: readonly ApiOperation[],
): Pairing<ApiOperation> {
  const exact = pairBy(old, next, ({ method, path }) => `${method} ${path}`)
  const renamed = pairBy(
    exact.removed,
    exact.added,
    ({ method, path }) => `${method} ${canonicalPath(path)}`,
  )
  return { ...renamed, pairs: [...exact.pairs, ...renamed.pairs] }
}

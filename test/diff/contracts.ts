import { defineApi, defineRegistry, defineResource, defineView } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { z } from 'zod'
import type { ContractChange } from '../../src/diff/change.ts'
import { compareSnapshots } from '../../src/diff/compare/snapshots.ts'
import type { Snapshot, SnapshotResource } from '../../src/diff/snapshot.ts'
import { snapshotOf } from '../../src/diff/take.ts'
import type { JsonObject } from '../../src/sets/canonical.ts'

const Note = z.strictObject({
  id: z.string(),
  text: z.string(),
  rank: z.int(),
  kind: z.string().optional(),
})
const notes = defineResource('notes', {
  schema: Note,
  create: Note.omit({ id: true }),
  sortable: ['text'],
  searchable: ['text'],
  filterable: ['text'],
  references: { kind: { to: 'kinds', as: 'sort_of' } },
})
const Kind = z.strictObject({ id: z.string(), title: z.string() })
const kinds = defineResource('kinds', { schema: Kind, create: Kind.omit({ id: true }) })
const Old = z.strictObject({ id: z.string(), words: z.string() })
const notes_v1 = defineView('notes_v1', notes, {
  schema: Old,
  create: Old.omit({ id: true }),
  sortable: ['words'],
  searchable: ['words'],
  fields: { words: 'text' },
  hidden: { rank: 0 },
})

/** A registry with two versions, a view and a nested path. */
const registry = defineRegistry(
  defineApi({
    v1: { '/notes': notes_v1 },
    v2: { '/kinds': kinds, '/notes': notes, '/kinds/:kind/notes': notes },
  }),
  { defaultVersion: 'v1' },
).adapters({ notes: memoryAdapter(), kinds: memoryAdapter() })

/** Its snapshot. */
export const base: Snapshot = snapshotOf(registry, { nounful: '1.0.0' })

/** A snapshot whose members a test may set. */
interface Draft extends Omit<Writable<Snapshot>, 'limits' | 'versions' | 'resources' | 'problems'> {
  limits: Record<string, number>
  problems: Record<string, number>
  versions: Record<string, { paths: Record<string, object> }>
  resources: Record<string, object>
}

type Writable<Value> = { -readonly [Member in keyof Value]: Value[Member] }

/** Returns the snapshot with some changes. */
export function changed(change: (draft: Draft) => void, from: Snapshot = base): Snapshot {
  const draft = structuredClone(from)
  change(draft as unknown as Draft)
  return draft
}

/** Returns the snapshot with other options of `notes`, which version 2 shows twice. */
export function withNotes(options: Partial<SnapshotResource>): Snapshot {
  return changed(({ resources }) => {
    Object.assign(resources.notes ?? {}, options)
  })
}

/** Returns the snapshot with another view of `notes`, in version 1. */
export function withView(options: Partial<SnapshotResource>): Snapshot {
  return changed(({ resources }) => {
    Object.assign(resources.notes_v1 ?? {}, options)
  })
}

/** Makes the schema of an object whose field `x` has a schema. */
export function objectWith(
  x: JsonObject | undefined,
  required: readonly string[] = [],
): JsonObject {
  const properties = { id: { type: 'string' }, ...(x !== undefined && { x }) }
  return { type: 'object', properties, required: ['id', ...required], additionalProperties: false }
}

/** The options of the comparisons in tests. */
export const options = { on: '2026-11-24', grace: 180 }

/** Compares two snapshots. */
export function changesOf(old: Snapshot, after: Snapshot): readonly ContractChange[] {
  return compareSnapshots(old, after, options)
}

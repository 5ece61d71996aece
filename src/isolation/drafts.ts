import { isRecord } from '../model/declared.ts'
import type { ProvenCollection } from './catalog.ts'

/** The body of a new item, with `{n}` where a text must differ. */
export type BodyDraft = Readonly<Record<string, unknown>>

/** Returns the drafts to try for a collection, the best first. */
export type DraftsFor = (collection: ProvenCollection) => readonly BodyDraft[]

/** Returns a sample as drafts: with a mark in its texts, and as it stands. */
export function draftsFrom(sample: BodyDraft): readonly BodyDraft[] {
  if (JSON.stringify(sample).includes('{n}')) return [sample]
  const marked = Object.entries(sample).map(([field, value]) => [field, marking(value)])
  return [Object.fromEntries(marked), sample]
}

// Dates, addresses and ids keep their form.
function marking(value: unknown): unknown {
  return typeof value === 'string' && /^\p{L}[\p{L} ]*$/u.test(value) ? `${value} {n}` : value
}

interface Filling {
  /** Returns the id of an item of a resource; `undefined` for none. */
  readonly idOf: (resource: string) => string | number | undefined
  readonly mark: string
}

/** Fills in a draft: a mark, and the caller's own items as references. */
export function fillDraft(
  draft: BodyDraft,
  collection: ProvenCollection,
  { idOf, mark }: Filling,
): BodyDraft {
  const filled: unknown = JSON.parse(JSON.stringify(draft).replaceAll('{n}', mark))
  const body: Record<string, unknown> = isRecord(filled) ? { ...filled } : {}
  for (const { field, to } of collection.references) {
    const id = idOf(to)
    if (id === undefined) delete body[field]
    else body[field] = id
  }
  // The server fills in the fields that the path and the caller name.
  if (collection.parameter !== undefined) delete body[collection.parameter]
  for (const field of [...collection.owners, ...collection.readOnly]) delete body[field]
  return body
}

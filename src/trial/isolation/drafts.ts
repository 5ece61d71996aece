import { isRecord } from '../../convention/value.ts'
import type { ProvenCollection } from './catalog.ts'
import type { CallerName } from './exchange.ts'

/** The body of a new item, with `{n}` where a text must differ. */
export type BodyDraft = Readonly<Record<string, unknown>>

/** Returns the drafts to try for a collection, the best first. */
export type DraftsFor = (collection: ProvenCollection) => readonly BodyDraft[]

/**
 * Returns the owner fields that a body of a caller must name, with their values. A caller of
 * several owners names one of them.
 */
export type OwnersFor = (collection: ProvenCollection, caller: CallerName) => BodyDraft

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
  /** The owner fields that the caller must name. */
  readonly owners: BodyDraft
}

/** Fills in a draft: a mark, and the caller's own items as references. */
export function fillDraft(
  draft: BodyDraft,
  collection: ProvenCollection,
  { idOf, mark, owners }: Filling,
): BodyDraft {
  const filled: unknown = JSON.parse(JSON.stringify(draft).replaceAll('{n}', mark))
  const body: Record<string, unknown> = isRecord(filled) ? { ...filled } : {}
  for (const { field, to } of collection.references) {
    const id = idOf(to)
    if (id === undefined) delete body[field]
    else body[field] = id
  }
  // The server fills in the fields that the path and the caller name. A caller without the right
  // must not send a restricted field.
  const { parameter, owners: names, readOnly, restricted } = collection
  for (const field of [parameter ?? [], names, readOnly, restricted].flat()) delete body[field]
  const id = newId(draft.id)
  return { ...body, ...owners, ...(id === undefined ? {} : { id }) }
}

let count = 0

// A storage may keep the ids of items that it deleted, so each body has an id of its own.
function newId(drafted: unknown): string | number | undefined {
  count++
  if (typeof drafted === 'number') return (Date.now() % 1_000_000_000) + count
  if (typeof drafted !== 'string') return undefined
  if (isUuid.test(drafted)) return crypto.randomUUID()
  // Of one length, so that ids sort in the order in which the proof makes them.
  return drafted.replaceAll('{n}', `n${String(count).padStart(7, '0')}`)
}

const isUuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

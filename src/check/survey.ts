import { isRecord } from '../model/declared.ts'
import { itemPath } from '../wire/path.ts'
import type { Line } from './exchange.ts'
import type { Found } from './expect.ts'
import type { Ledger } from './ledger.ts'
import { parentFor } from './lineage.ts'
import { placeOf } from './place.ts'
import { describe, read } from './reading.ts'
import { nothing } from './rules/list.ts'
import type { Ask } from './sent.ts'
import { type Writing, workshopFor } from './site.ts'
import { type Subject, textsIn } from './subject.ts'
import type { Watch } from './watch.ts'

/** What a survey works with. */
export interface Tools {
  readonly line: Line
  readonly ledger: Ledger
  readonly watch: Watch
  /** `undefined`: reads only. */
  readonly writing: Writing | undefined
}

/** Learns by reading what a collection is like, and, where writing is allowed, finds a place to write. */
export async function surveyOf(
  name: string,
  { line, ledger, watch, writing }: Tools,
): Promise<Subject> {
  const { ask } = ledger
  const since = line.log.length
  const log = () => line.log.slice(since)
  const parent = await parentFor(name, ask)
  const path = parent === undefined ? name : itemPath(parent.path, parent.id) + parent.rest
  const { items, fault } = await read(path, ask)
  const description = await describe({ path, items }, { ask, watch })
  const readOnly = textsIn(description, 'readOnly') ?? []
  const field = parent && (parent.field ?? fieldIn(description))
  const subject = {
    name,
    path,
    place: placeOf(path),
    ask,
    log,
    items,
    fault,
    sortable: await sortableOf({ description, path, items }, ask),
    searchable: await searchableOf(description, path, ask),
    readOnly,
    isBounded: isRecord(description) && description.bounded === true,
    maxLimit: maxLimitIn(description),
    parent: parent && { ...parent, field },
  }
  const workshop =
    writing && fault === undefined
      ? await workshopFor(subject, { ledger, watch, writing })
      : undefined
  await watch.over(path)
  return { ...subject, workshop }
}

// Where nobody tells, few refuse a hundred.
function maxLimitIn(description: unknown): number {
  const limits = isRecord(description) ? description.limits : undefined
  return isRecord(limits) && typeof limits.limit === 'number' ? limits.limit : 100
}

// The last parameter of the template that a description tells.
function fieldIn(description: unknown): string | undefined {
  const path = isRecord(description) && typeof description.path === 'string' ? description.path : ''
  return /[:{](\w+)\}?\/[^/]+$/.exec(path)?.[1]
}

interface Seen {
  readonly description: unknown
  readonly path: string
  readonly items: readonly Found[]
}

// What the server says of itself: on OPTIONS, or when it refuses. Else whatever it takes.
async function sortableOf(
  { description, path, items }: Seen,
  ask: Ask,
): Promise<readonly string[]> {
  const told = textsIn(description, 'sortable')
  if (told !== undefined) return told
  const refusal = await ask('GET', `${path}?sort=${nothing}`)
  const allowed =
    refusal.answer.status === 400 ? textsIn(refusal.answer.json, 'allowed') : undefined
  if (allowed !== undefined) return allowed
  const fields = Object.entries(items[0] ?? {}).filter(([, value]) => typeof value !== 'object')
  const taken: string[] = []
  for (const [field] of fields) {
    const exchange = await ask('GET', `${path}?sort=${encodeURIComponent(field)}`)
    if (exchange.answer.status === 200) taken.push(field)
  }
  return taken
}

async function searchableOf(
  description: unknown,
  path: string,
  ask: Ask,
): Promise<readonly string[] | undefined> {
  const told = textsIn(description, 'searchable')
  if (told !== undefined) return told
  const { answer } = await ask('GET', `${path}?q=${nothing}`)
  return answer.status === 200 ? undefined : []
}

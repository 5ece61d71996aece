import { isRecord } from '../../model/declared.ts'
import type { Ask, Line } from './exchange.ts'
import { Breach, type Found, idsOf, Unfit } from './expect.ts'
import type { Ledger } from './ledger.ts'
import { itemPath, placeOf } from './place.ts'
import { nothing } from './rules/list.ts'
import { listAll, type Parent, type Subject, textsIn } from './subject.ts'
import { openWorkshop, type Workshop } from './workshop.ts'

/** What is allowed besides reading. */
export interface Writing {
  /** Drafts by the name of their collection. */
  readonly samples: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Everything in the collections may be deleted. */
  readonly isEmptied: boolean
}

/** What a survey works with. */
export interface Tools {
  readonly line: Line
  readonly ledger: Ledger
  /** `undefined`: reads only. */
  readonly writing: Writing | undefined
}

/** Learns by reading what a collection is like, and, where writing is allowed, finds a place to write. */
export async function surveyOf(name: string, { line, ledger, writing }: Tools): Promise<Subject> {
  const { ask } = ledger
  const since = line.log.length
  const log = () => line.log.slice(since)
  const parent = await parentFor(name, ask)
  const path = parent === undefined ? name : itemPath(parent.path, parent.id) + parent.rest
  const { items, fault } = await read(path, ask)
  const description = (await ask('OPTIONS', path)).answer.json
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
  const workshop = writing && (await workshopFor(subject, { ledger, writing }))
  return { ...subject, workshop }
}

/** Where a name like `/v1/companies/{company_id}/customers` leads: the parent with the most items; `undefined` at the top. */
async function parentFor(name: string, ask: Ask): Promise<Parent | undefined> {
  const [, above = '', parameter = '', rest = ''] =
    /^(.*)\/[{:]([^{}/]+)\}?(\/[^/]+)$/.exec(name) ?? []
  if (rest === '') return concreteParent(name, ask)
  const grandparent = await parentFor(above, ask)
  const path =
    grandparent === undefined
      ? above
      : itemPath(grandparent.path, grandparent.id) + grandparent.rest
  const { items } = await read(path, ask)
  let best: { readonly id: string; readonly size: number } | undefined
  for (const id of idsOf(items).slice(0, maxParents)) {
    const below = await read(itemPath(path, id) + rest, ask)
    if (best === undefined || below.items.length > best.size)
      best = { id, size: below.items.length }
  }
  if (best === undefined) throw new Unfit(`${path} has no item to look below.`)
  const { id } = best
  const otherId = idsOf(items).find((other) => other !== id)
  return { path, id, otherId, rest, field: parameter }
}

const maxParents = 10

// A path may name its parent itself: `/v1/companies/7/customers`.
async function concreteParent(name: string, ask: Ask): Promise<Parent | undefined> {
  const { prefix, version, rest } = placeOf(name)
  const segments = rest.split('/').slice(1)
  if (version === undefined || segments.length < 3 || segments.length % 2 === 0) return undefined
  const path = [prefix, version, ...segments.slice(0, -2)].join('/').replace(/^(?!\/)/, '/')
  const id = decodeURIComponent(segments.at(-2) ?? '')
  const { items } = await read(path, ask)
  const otherId = idsOf(items).find((other) => other !== id)
  return { path, id, otherId, rest: `/${segments.at(-1)}`, field: undefined }
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

async function read(
  path: string,
  ask: Ask,
): Promise<{ items: readonly Found[]; fault: string | undefined }> {
  try {
    const { items } = await listAll(ask, path)
    return { items, fault: undefined }
  } catch (error) {
    if (!(error instanceof Breach)) throw error
    return { items: [], fault: `The list cannot be read: ${error.message}` }
  }
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

type Surveyed = Omit<Subject, 'workshop'>

interface Means {
  readonly ledger: Ledger
  readonly writing: Writing
}

async function workshopFor(subject: Surveyed, { ledger, writing }: Means): Promise<Workshop> {
  const sample = writing.samples[subject.name]
  const owner = subject.parent?.field
  const openAt = (path: string, isOwn: boolean): Workshop =>
    openWorkshop({
      ledger,
      path,
      isOwn,
      sample,
      items: subject.items,
      without: [...subject.readOnly, ...(owner === undefined ? [] : [owner])],
    })
  const place = await ownPlace(subject, { ledger, writing, openAt })
  if (writing.isEmptied) ledger.own(subject.path)
  if (place?.isOwn) ledger.own(place.path)
  return openAt(place?.path ?? subject.path, place?.isOwn || writing.isEmptied)
}

interface Site extends Means {
  readonly openAt: (path: string, isOwn: boolean) => Workshop
}

// Who tells what it does with a collection has thought of what DELETE means there.
async function tellsOperations(path: string, ask: Ask): Promise<boolean> {
  const { json } = (await ask('OPTIONS', path)).answer
  return isRecord(json) && Array.isArray(json.operations)
}

// Below a parent that was made for this nothing can be anybody else's, if the server keeps parents apart at all: also when it
// deletes.
async function ownPlace(
  { ask, parent, name }: Surveyed,
  { ledger, writing, openAt }: Site,
): Promise<{ path: string; isOwn: boolean } | undefined> {
  if (parent === undefined) return undefined
  const { path, rest } = parent
  const { items } = await read(path, ask)
  const description = (await ask('OPTIONS', path)).answer.json
  const sample = writing.samples[name.slice(0, name.length - rest.length).replace(/\/[^/]+$/, '')]
  const without = textsIn(description, 'readOnly') ?? []
  const parents = openWorkshop({ ledger, path, isOwn: false, sample, items, without })
  try {
    const places = [await parents.make(), await parents.make()].map(
      ({ id }) => itemPath(path, id) + rest,
    )
    for (const place of places) {
      const { items: inside, fault } = await read(place, ask)
      if (fault !== undefined || inside.length > 0) return undefined
    }
    const [own = '', other = ''] = places
    if (!(await tellsOperations(own, ask))) return { path: own, isOwn: false }
    const { id } = await openAt(own, false).make()
    const { status } = (await ask('DELETE', itemPath(other, id))).answer
    return { path: own, isOwn: status >= 400 }
  } catch (error) {
    if (error instanceof Unfit) return undefined
    throw error
  }
}

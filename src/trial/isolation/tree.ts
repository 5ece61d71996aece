import { isId } from '../../contract/resource/id.ts'
import { isRecord } from '../../convention/value.ts'
import { itemPath } from '../../wire/path.ts'
import {
  listParametersIn,
  memberOf,
  type OfferedReference,
  referencesIn,
  stringsIn,
} from '../check/message.ts'
import { type RelatedFilter, relatedFiltersOf } from '../check/offered-filters.ts'
import type { CallerName, CallerResponse, SendAs } from './exchange.ts'

/** A collection that the proof asks about. */
export interface ProvenCollection {
  /** `/v1/companies/{company_id}/employees` */
  readonly name: string
  /** Letters that no other collection has, for the texts of its items. */
  readonly letters: string
  readonly resource: string
  /** The names of the collections around it, outermost first. */
  readonly ancestors: readonly string[]
  /** The parameter of the nearest parent; `undefined` at the top. */
  readonly parameter: string | undefined
  /** Every caller sees every item. */
  readonly isShared: boolean
  readonly owners: readonly string[]
  readonly references: readonly OfferedReference[]
  /** The fields that the server fills in. */
  readonly readOnly: readonly string[]
  /** The fields that only some callers see. */
  readonly restricted: readonly string[]
  /** `undefined` when the server does not list them. */
  readonly sortable: readonly string[] | undefined
  readonly filterable: readonly string[] | undefined
  readonly countable: readonly string[]
  /** The filters by fields of related items. */
  readonly related: readonly RelatedFilter<OfferedReference>[]
  /** A PUT creates an item that does not exist. */
  readonly putCreates: boolean
  /** The methods of an item. */
  readonly methods: readonly string[]
  /** The methods of the collection. */
  readonly listMethods: readonly string[]
  /** A DELETE of the collection takes filters. */
  readonly selects: boolean
}

/** Tells a collection whose items are owners: each caller has one item at most. */
export function isOfOwners({ owners }: ProvenCollection): boolean {
  return owners.includes('id')
}

/** Returns the names of all collections that the server lists. */
export async function listCollections(send: SendAs): Promise<readonly string[]> {
  const { json } = await send('bob', { method: 'OPTIONS', path: '*' })
  return stringsIn(json, 'paths') ?? []
}

/** Describes collections, parents and referenced ones first. */
export async function describeCollections(
  names: readonly string[],
  send: SendAs,
): Promise<readonly ProvenCollection[]> {
  const written = names.map((name) => name.replace(/:(\w+)/g, '{$1}'))
  const described: ProvenCollection[] = []
  for (const name of written) described.push(await describeCollection(name, written, send))
  // The versions of a resource share its items, so the texts of each collection are its own.
  return inOrderOf(described).map((collection, index) => ({
    ...collection,
    letters: lettersOf(index),
  }))
}

function lettersOf(index: number): string {
  return index.toString(16).replace(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)] ?? 'q')
}

async function describeCollection(
  name: string,
  names: readonly string[],
  send: SendAs,
): Promise<ProvenCollection> {
  const path = name.replace(/\{\w+\}/g, '1')
  const list = await send('bob', { method: 'OPTIONS', path })
  const item = await send('bob', { method: 'OPTIONS', path: `${path}/1` })
  const { json } = list
  const references = referencesIn(json)
  const filterable = stringsIn(json, 'filterable') ?? []
  const ownedBy = memberOf(json, 'ownedBy')
  const prefixes = [...name.matchAll(/\/\{(\w+)\}/g)].map(({ index }) => name.slice(0, index))
  return {
    name,
    letters: '',
    resource: `${memberOf(json, 'resource') ?? name.split('/').at(-1)}`,
    ancestors: prefixes.filter((prefix) => names.includes(prefix)),
    parameter: /\{(\w+)\}\/[^/]+$/.exec(name)?.[1],
    isShared: Array.isArray(ownedBy) && ownedBy.length === 0,
    owners: stringsIn(json, 'ownedBy') ?? [],
    references,
    readOnly: stringsIn(json, 'readOnly') ?? [],
    restricted: stringsIn(json, 'restricted') ?? [],
    sortable: stringsIn(json, 'sortable'),
    filterable: stringsIn(json, 'filterable'),
    countable: stringsIn(json, 'countable') ?? [],
    related: relatedFiltersOf({ parameters: listParametersIn(json), references, filterable }),
    putCreates: memberOf(json, 'putCreates') === true,
    methods: methodsOf(item, ['GET', 'PUT', 'PATCH', 'DELETE']),
    listMethods: methodsOf(list, ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    selects: selectsIn(json),
  }
}

function selectsIn(description: unknown): boolean {
  const operations = memberOf(description, 'operations')
  if (!Array.isArray(operations)) return false
  return operations.some((operation) => memberOf(operation, 'kind') === 'deleteMany')
}

function methodsOf(
  { status, headers: { allow } }: CallerResponse,
  all: readonly string[],
): readonly string[] {
  if (status >= 300 || allow === undefined) return all
  return allow.split(',').map((method) => method.trim())
}

function inOrderOf(collections: readonly ProvenCollection[]): readonly ProvenCollection[] {
  const queue = [...collections].sort(
    (first, second) => first.ancestors.length - second.ancestors.length,
  )
  const ordered: ProvenCollection[] = []
  while (queue.length > 0) {
    const isReady = ({ name, resource, ancestors, references }: ProvenCollection): boolean =>
      queue.every(
        (candidate) =>
          candidate.name === name ||
          (!ancestors.includes(candidate.name) &&
            !references.some(({ to }) => to === candidate.resource && to !== resource)),
      )
    const [next] = queue.splice(Math.max(0, queue.findIndex(isReady)), 1)
    if (next !== undefined) ordered.push(next)
  }
  return ordered
}

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
function fillDraft(
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

/** An item of a caller. */
export interface TreeItem {
  readonly collection: ProvenCollection
  /** The ids of its parents, outermost first. */
  readonly parents: readonly (string | number)[]
  readonly id: string | number
  /** The draft of its body; `undefined` for an item that was there before the proof. */
  readonly draft: BodyDraft | undefined
  /** The body that created it. */
  readonly sent: BodyDraft
  /** The item as the server returned it; `undefined` for an item that never was. */
  readonly stored: BodyDraft | undefined
  /** Its `ETag`; `undefined` for none. */
  readonly tag?: string | undefined
}

/** Returns the owner fields that bodies in a collection must name. */
type OwnersOf = (collection: ProvenCollection) => BodyDraft

/** The items of a caller in every collection. */
export class Tree {
  readonly items: TreeItem[] = []
  readonly #ownersOf: OwnersOf

  constructor(ownersOf: OwnersOf) {
    this.#ownersOf = ownersOf
  }

  /** Returns the items of a collection. */
  of({ name }: Pick<ProvenCollection, 'name'>): readonly TreeItem[] {
    return this.items.filter(({ collection }) => collection.name === name)
  }

  /** Returns the draft of a collection that the server accepted. */
  draftOf(collection: Pick<ProvenCollection, 'name'>): BodyDraft | undefined {
    return this.of(collection)[0]?.draft
  }

  /** Returns the items of a resource, wherever it is mounted. */
  ofResource(resource: string): readonly TreeItem[] {
    return this.items.filter(({ collection }) => collection.resource === resource)
  }

  /** Fills in a draft with a mark, and with items of this tree as references. */
  fill(draft: BodyDraft, collection: ProvenCollection, mark: string): BodyDraft {
    const idOf = (name: string): TreeItem['id'] | undefined => this.ofResource(name)[0]?.id
    return fillDraft(draft, collection, { mark, idOf, owners: this.#ownersOf(collection) })
  }

  /** Returns the ids of the parents of a collection; `undefined` where one has no item. */
  parentsOf({ ancestors }: ProvenCollection): readonly (string | number)[] | undefined {
    const name = ancestors.at(-1)
    if (name === undefined) return []
    const [parent] = this.of({ name })
    return parent && [...parent.parents, parent.id]
  }
}

/** Returns the path of a collection below parents. */
export function pathOfCollection(
  { name }: ProvenCollection,
  parents: readonly (string | number)[],
): string {
  let depth = 0
  return name.replace(/\{\w+\}/g, () => encodeURIComponent(`${parents[depth++]}`))
}

/** Returns the path of an item. */
export function pathOfItem({ collection, parents, id }: TreeItem): string {
  return itemPath(pathOfCollection(collection, parents), id)
}

/** The place of a new item, and its body. */
export interface Seed extends Pick<TreeItem, 'collection' | 'parents' | 'sent'> {
  /** The collection gets two items. */
  readonly isSecond: boolean
}

/** Stores a new item; `undefined` where the server refuses it. */
type SeedItem = (item: Seed) => Promise<SeededItem | undefined>

/** The response of the server about an item. One that was there before has its own values. */
export type SeededItem = Pick<TreeItem, 'id' | 'stored' | 'tag'> & Partial<Pick<TreeItem, 'sent'>>

/** The items to create in each collection. */
interface Seeds {
  readonly collections: readonly ProvenCollection[]
  /** The items of both callers. */
  readonly shared: Tree
  readonly mark: string
  readonly draftsOf: DraftsFor
  readonly ownersOf: OwnersOf
}

/** A collection below parents. */
export type SeedPlace = Pick<TreeItem, 'collection' | 'parents'>

interface Seeder {
  readonly create: SeedItem
  /** Returns items that were there before, for a collection that takes no new ones. */
  readonly find: (place: SeedPlace) => Promise<readonly TreeItem[]>
}

/** Creates two items in each collection that is not shared, parents first. */
export async function seedTree(
  { collections, shared, mark, draftsOf, ownersOf }: Seeds,
  { create, find }: Seeder,
): Promise<Tree> {
  const tree = new Tree(ownersOf)
  tree.items.push(...shared.items)
  for (const collection of collections) {
    const parents = tree.parentsOf(collection)
    if (collection.isShared || parents === undefined) continue
    const place = { collection, parents }
    const isCreatable = collection.listMethods.includes('POST')
    for (const draft of isCreatable ? draftsOf(collection) : []) {
      for (const number of isOfOwners(collection) ? [1] : [1, 2]) {
        const sent = tree.fill(draft, collection, markFor(collection, mark) + number)
        const seed = { ...place, sent, isSecond: number === 2 }
        const seeded =
          (await create(seed)) ?? twinOf(tree, collection) ?? (await ownerAt(place, find))
        if (seeded !== undefined) tree.items.push({ ...place, draft, sent, ...seeded })
      }
      if (tree.of(collection).length > 0) break
    }
    if (tree.of(collection).length === 0) tree.items.push(...(await find(place)))
  }
  return tree
}

// An owner is one item in every version.
function twinOf({ items }: Tree, collection: ProvenCollection): SeededItem | undefined {
  if (!isOfOwners(collection)) return undefined
  const noun = (name: string): string | undefined => name.split('/').at(-1)
  const twin = items.find((item) => noun(item.collection.name) === noun(collection.name))
  return twin && { id: twin.id, stored: twin.stored }
}

// An owner whose items nobody can delete stays.
async function ownerAt(place: SeedPlace, find: Seeder['find']): Promise<SeededItem | undefined> {
  const [item] = isOfOwners(place.collection) ? await find(place) : []
  return item && { id: item.id, sent: item.sent, stored: item.stored }
}

/** Returns the text of the items of a collection. */
export function markFor({ letters }: ProvenCollection, mark: string): string {
  return mark + letters
}

/** Returns an id of the form of another that names no item. */
export function absentLike(id: string | number): string | number {
  if (typeof id === 'number') return id + 700_000 + Math.floor(Math.random() * 100_000)
  if (/^\d+$/.test(id)) return `${absentLike(Number(id))}`
  if (isUuid.test(id)) return id.slice(0, -12) + crypto.randomUUID().slice(-12)
  const random = crypto.randomUUID().replaceAll('-', '')
  return random.repeat(Math.ceil(id.length / random.length)).slice(0, id.length)
}

/** Returns an id likewise: the same one for each id. */
export function steadyAbsentLike(id: string | number): string | number {
  if (typeof id === 'number') return id + 900_000
  if (/^\d+$/.test(id)) return `${steadyAbsentLike(Number(id))}`
  return id.replace(isUuid.test(id) ? /[\da-f](?=[\da-f]{0,11}$)/gi : /./gsu, 'f')
}

/** Returns the ids of the items of a caller alone. */
export function idsIn({ items }: Tree): readonly string[] {
  return items.flatMap(({ collection, id }) => (collection.isShared ? [] : `${id}`))
}

/** Returns the id of an item in a response; `undefined` for none that a path can hold. */
export function idIn(json: unknown): string | number | undefined {
  const id = isRecord(json) ? json.id : undefined
  const isNamed = typeof id === 'number' || (typeof id === 'string' && isId(id))
  return isNamed ? id : undefined
}

/** Returns the items of a list whose ids a path can hold. */
export function namedItemsIn(json: unknown): readonly object[] {
  const items: readonly unknown[] = Array.isArray(json) ? json : []
  return items.filter((item): item is object => idIn(item) !== undefined)
}

/** Returns the idempotency key of a request to a collection. */
export function keyFor({ resource }: ProvenCollection, key: string): string {
  return `"${key}-${resource}"`
}

import { isRecord } from '../../convention/value.ts'
import { itemPath } from '../../wire/path.ts'
import { isOfOwners, type ProvenCollection } from './catalog.ts'
import { type BodyDraft, type DraftsFor, fillDraft } from './drafts.ts'

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
export type OwnersOf = (collection: ProvenCollection) => BodyDraft

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

/** The response of the server about an item. */
export type SeededItem = Pick<TreeItem, 'id' | 'stored' | 'tag'>

/** The items to create in each collection. */
export interface Seeds {
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
        const seeded = (await create(seed)) ?? twinOf(tree, collection)
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

const isUuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Returns the ids of the items of a caller alone. */
export function idsIn({ items }: Tree): readonly string[] {
  return items.flatMap(({ collection, id }) => (collection.isShared ? [] : `${id}`))
}

/** Returns the id of an item in a response; `undefined` for none. */
export function idIn(json: unknown): string | number | undefined {
  const id = isRecord(json) ? json.id : undefined
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}

import { isRecord } from '../model/declared.ts'
import { itemPath } from '../wire/path.ts'
import type { ProvenCollection } from './catalog.ts'
import { type BodyDraft, type DraftsFor, fillDraft } from './drafts.ts'

/** An item of a caller. */
export interface TreeItem {
  readonly collection: ProvenCollection
  /** The ids of its parents, outermost first. */
  readonly parents: readonly (string | number)[]
  readonly id: string | number
  /** The draft of its body. */
  readonly draft: BodyDraft
  /** The body that created it. */
  readonly sent: BodyDraft
  /** The item as the server returned it; `undefined` for an item that never was. */
  readonly stored: BodyDraft | undefined
  /** Its `ETag`; `undefined` for none. */
  readonly tag?: string | undefined
}

/** The items of a caller in every collection. */
export class Tree {
  readonly items: TreeItem[] = []

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
    return fillDraft(draft, collection, { mark, idOf: (name) => this.ofResource(name)[0]?.id })
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

/** Stores a new item; `undefined` where the server refuses it. */
export type PlantItem = (
  item: Pick<TreeItem, 'collection' | 'parents' | 'sent'>,
) => Promise<PlantedItem | undefined>

/** The response of the server about a new item. */
export type PlantedItem = Pick<TreeItem, 'id' | 'stored' | 'tag'>

/** The items to create in each collection. */
export interface Seeds {
  readonly collections: readonly ProvenCollection[]
  /** The items of both callers. */
  readonly shared: Tree
  readonly mark: string
  readonly draftsOf: DraftsFor
}

/** Creates two items in each collection that is not shared, parents first. */
export async function plantTree(
  { collections, shared, mark, draftsOf }: Seeds,
  plant: PlantItem,
): Promise<Tree> {
  const tree = new Tree()
  tree.items.push(...shared.items)
  for (const collection of collections) {
    const parents = tree.parentsOf(collection)
    if (collection.isShared || parents === undefined) continue
    for (const draft of draftsOf(collection)) {
      for (const number of ['1', '2']) {
        const sent = tree.fill(draft, collection, mark + number)
        const planted = await plant({ collection, parents, sent })
        if (planted !== undefined) tree.items.push({ collection, parents, draft, sent, ...planted })
      }
      if (tree.of(collection).length > 0) break
    }
  }
  return tree
}

/** Returns an id of the form of another that names no item. */
export function absentLike(id: string | number): string | number {
  if (typeof id === 'number') return id + 700_000 + Math.floor(Math.random() * 100_000)
  if (/^\d+$/.test(id)) return `${absentLike(Number(id))}`
  const isUuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id)
  if (isUuid) return id.slice(0, -12) + crypto.randomUUID().slice(-12)
  const random = crypto.randomUUID().replaceAll('-', '')
  return random.repeat(Math.ceil(id.length / random.length)).slice(0, id.length)
}

/** Returns the ids of the items of a caller alone. */
export function idsIn({ items }: Tree): readonly string[] {
  return items.flatMap(({ collection, id }) => (collection.isShared ? [] : `${id}`))
}

/** Returns the id of an item in a response; `undefined` for none. */
export function idIn(json: unknown): string | number | undefined {
  const id = isRecord(json) ? json.id : undefined
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}

import { itemPath } from '../wire/path.ts'
import type { ProvenCollection } from './catalog.ts'
import type { DraftsFor } from './drafts.ts'
import {
  type CallerName,
  type CallerRequest,
  type CallerResponse,
  type Exchange,
  isDone,
  type SendAs,
} from './exchange.ts'
import { keyFor } from './question.ts'
import {
  idIn,
  type PlantedItem,
  type PlantItem,
  pathOfCollection,
  pathOfItem,
  plantTree,
  Tree,
  type TreeItem,
} from './tree.ts'

/** Something that a proof found. */
export interface IsolationFinding {
  readonly kind: 'differs' | 'changes' | 'taken' | 'counted' | 'cursor' | 'unseen'
  /** The name of the collection. */
  readonly collection: string
  /** As a sentence. */
  readonly message: string
  /** The requests that show it. */
  readonly exchanges: readonly Exchange[]
}

/** One direction of a proof: the asker must learn nothing of the other. */
export interface ProofSession {
  readonly collections: readonly ProvenCollection[]
  readonly asker: CallerName
  readonly other: CallerName
  readonly send: SendAs
  /** Sends a request to remove an item, also beyond the limits. */
  readonly sendAlways: SendAs
  readonly draftsFor: DraftsFor
  /** The proof may delete every item of the callers. */
  readonly isEmptied: boolean
  readonly hasControl: boolean
  /** The proof may ask without any caller. */
  readonly asksNobody: boolean
  readonly findings: IsolationFinding[]
  /** The items that the proof created, by path, with their caller. */
  readonly created: Map<string, CallerName>
  /** The collections in which some caller may create nothing: 403 for the kind. */
  readonly forbidden: Set<string>
}

/** Sends a request, and keeps it with its response. */
export async function exchangeAs(
  { send }: Pick<ProofSession, 'send'>,
  caller: CallerName,
  request: CallerRequest,
): Promise<Exchange> {
  return { caller, request, response: await send(caller, request) }
}

interface Planting {
  readonly caller: CallerName
  readonly shared: Tree
  readonly mark: string
  readonly draftsOf: DraftsFor
  /** The beginning of the idempotency keys of the second items. Default: no keys. */
  readonly key?: string
}

/** Creates items of a caller in every collection. */
export function plantFor(session: ProofSession, planting: Planting): Promise<Tree> {
  const { caller, key } = planting
  const plant: PlantItem = async ({ collection, parents, sent }) => {
    const path = pathOfCollection(collection, parents)
    const request = { method: 'POST', path, body: sent }
    const headers = { 'idempotency-key': keyFor(collection, key ?? '') }
    const isKeyed = key !== undefined && /\w2\b/.test(JSON.stringify(sent))
    const keyed = isKeyed ? await session.send(caller, { ...request, headers }) : undefined
    const response =
      keyed !== undefined && isDone(keyed) ? keyed : await session.send(caller, request)
    if (response.status === 403) session.forbidden.add(collection.name)
    const planted = plantedFrom(session, { caller, path, response })
    return (
      planted && {
        ...planted,
        tag: planted.tag ?? (await tagAt(session, caller, itemPath(path, planted.id))),
      }
    )
  }
  return plantTree({ ...planting, collections: session.collections }, plant)
}

function plantedFrom(
  { created }: ProofSession,
  { caller, path, response }: { caller: CallerName; path: string; response: CallerResponse },
): PlantedItem | undefined {
  const id = isDone(response) ? idIn(response.json) : undefined
  if (id === undefined) return undefined
  created.set(`${path}/${encodeURIComponent(id)}`, caller)
  return { id, stored: Object(response.json), tag: response.headers.etag }
}

// A server may send the tag of an item with GET alone.
async function tagAt(
  { send }: ProofSession,
  caller: CallerName,
  path: string,
): Promise<string | undefined> {
  const { headers } = await send(caller, { method: 'GET', path })
  return headers.etag
}

/** Creates an item of the asker that nothing else uses; `undefined` where the server refuses it. */
export async function plantFresh(
  session: ProofSession,
  own: Tree,
  collection: ProvenCollection,
): Promise<TreeItem | undefined> {
  const draft = own.draftOf(collection)
  const parents = own.parentsOf(collection)
  if (draft === undefined || parents === undefined) return undefined
  const sent = own.fill(draft, collection, 'fresh')
  const path = pathOfCollection(collection, parents)
  const caller = session.asker
  const response = await session.send(caller, { method: 'POST', path, body: sent })
  const planted = plantedFrom(session, { caller, path, response })
  return planted && { collection, parents, draft, sent, ...planted }
}

/** Finds or creates an item in each collection that every caller sees. */
export async function findShared(session: ProofSession): Promise<Tree> {
  const shared = new Tree()
  const { asker, send } = session
  for (const collection of session.collections.filter(({ isShared }) => isShared)) {
    const parents = shared.parentsOf(collection)
    if (parents === undefined) continue
    const path = pathOfCollection(collection, parents)
    const { json } = await send(asker, { method: 'GET', path })
    const [first]: readonly unknown[] = Array.isArray(json) ? json : []
    const id = idIn(first)
    const [draft = {}] = session.draftsFor(collection)
    const sent = shared.fill(draft, collection, 'shared')
    if (id !== undefined) {
      shared.items.push({ collection, parents, draft, sent, id, stored: Object(first) })
      continue
    }
    const response = await send(asker, { method: 'POST', path, body: sent })
    const planted = plantedFrom(session, { caller: asker, path, response })
    if (planted !== undefined) shared.items.push({ collection, parents, draft, sent, ...planted })
  }
  return shared
}

/** Deletes items of a tree that the proof created, the last first. */
export async function uproot(session: ProofSession, tree: Tree): Promise<void> {
  for (const item of [...tree.items].reverse()) {
    if (!item.collection.isShared) await removeItem(session, pathOfItem(item))
  }
}

/** Deletes an item that the proof created. */
export async function removeItem(
  { created, sendAlways }: ProofSession,
  path: string,
): Promise<void> {
  const caller = created.get(path)
  if (caller === undefined) return
  const response = await sendAlways(caller, { method: 'DELETE', path })
  if (isDone(response) || response.status === 404 || response.status === 410) created.delete(path)
}

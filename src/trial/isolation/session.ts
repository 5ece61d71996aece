import type { Awaitable } from '../../convention/awaitable.ts'
import { parseLink } from '../../wire/link.ts'
import { itemPath } from '../../wire/path.ts'
import { isSuccess } from '../check/message.ts'
import type {
  CallerName,
  CallerRequest,
  CallerResponse,
  Exchange,
  IsolationFinding,
  SendAs,
} from './exchange.ts'
import {
  type BodyDraft,
  type DraftsFor,
  idIn,
  isOfOwners,
  keyFor,
  namedItemsIn,
  type OwnersFor,
  type ProvenCollection,
  pathOfCollection,
  pathOfItem,
  type Seed,
  type SeededItem,
  type SeedPlace,
  seedTree,
  Tree,
  type TreeItem,
} from './tree.ts'

/** A restricted field of a collection below some parents. */
interface RestrictedField {
  readonly collection: ProvenCollection
  readonly path: string
  readonly field: string
}

/** One direction of a proof: the asker must learn nothing of the other. */
export interface ProofSession {
  readonly collections: readonly ProvenCollection[]
  /** The collection that the questions are about. */
  readonly focus: ProvenCollection
  readonly asker: CallerName
  readonly neighbour: CallerName
  readonly send: SendAs
  /** Sends a request to remove an item, also beyond the limits. */
  readonly sendAlways: SendAs
  /** Sends a request as a caller to whom every restricted field is revealed. */
  readonly sendRevealed: SendAs | undefined
  readonly draftsFor: DraftsFor
  readonly ownersFor: OwnersFor
  /** Tells whether a caller sees a restricted field. */
  readonly isRevealed: (caller: CallerName, restricted: RestrictedField) => Awaitable<boolean>
  /** Returns values of a restricted field to try. Default: of every type. */
  readonly valuesFor?: (collection: ProvenCollection, field: string) => readonly unknown[]
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
  /** The collections whose items no caller of the proof can delete. */
  readonly lasting: Set<string>
}

/** Sends a request, and keeps it with its response. */
export async function exchangeAs(
  { send }: Pick<ProofSession, 'send'>,
  caller: CallerName,
  request: CallerRequest,
): Promise<Exchange> {
  return { caller, request, response: await send(caller, request) }
}

/** The items to create for a caller. */
export interface Seeding {
  readonly caller: CallerName
  readonly shared: Tree
  readonly mark: string
  readonly draftsOf: DraftsFor
  /** The beginning of the idempotency keys of the second items. Default: no keys. */
  readonly key?: string
}

/** Creates items of a caller in every collection, and finds those where it can create none. */
export function seedFor(session: ProofSession, seeding: Seeding): Promise<Tree> {
  const { caller } = seeding
  const ownersOf = ownersOfCaller(session, caller)
  const create = (seed: Seed): Promise<SeededItem | undefined> => seedItem(session, seed, seeding)
  const find = (place: SeedPlace): Promise<readonly TreeItem[]> => findItems(session, caller, place)
  return seedTree({ ...seeding, collections: session.collections, ownersOf }, { create, find })
}

/** Returns the owner fields that bodies of a caller must name. */
export function ownersOfCaller({ ownersFor }: ProofSession, caller: CallerName) {
  return (collection: ProvenCollection): BodyDraft => ownersFor(collection, caller)
}

async function seedItem(
  session: ProofSession,
  { collection, parents, sent, isSecond }: Seed,
  { caller, key }: Seeding,
): Promise<SeededItem | undefined> {
  const path = pathOfCollection(collection, parents)
  const request = { method: 'POST', path, body: sent }
  const headers = { 'idempotency-key': keyFor(collection, key ?? '') }
  const isKeyed = key !== undefined && isSecond
  const keyed = isKeyed ? await session.send(caller, { ...request, headers }) : undefined
  const response =
    keyed !== undefined && isSuccess(keyed) ? keyed : await session.send(caller, request)
  if (response.status === 403) session.forbidden.add(collection.name)
  const seeded = seededFrom(session, { caller, path, response })
  if (seeded === undefined) return undefined
  const itemAt = itemPath(path, seeded.id)
  if (!isSecond && caller === session.neighbour) await revise(session, itemAt, sent)
  const tag = await tagAt(session, caller, itemAt)
  return { ...seeded, tag: tag ?? seeded.tag }
}

// A tag that no new item of the asker has: a condition must not find it at another item.
async function revise(
  { send, neighbour }: ProofSession,
  path: string,
  body: object,
): Promise<void> {
  for (let writes = 0; writes < 2; writes++)
    if (!isSuccess(await send(neighbour, { method: 'PATCH', path, body }))) return
}

function seededFrom(
  { created }: ProofSession,
  { caller, path, response }: { caller: CallerName; path: string; response: CallerResponse },
): SeededItem | undefined {
  const id = isSuccess(response) ? idIn(response.json) : undefined
  if (id === undefined) return undefined
  created.set(`${path}/${encodeURIComponent(id)}`, caller)
  return { id, stored: Object(response.json), tag: response.headers.etag }
}

// Items that were there before the proof. The proof only reads them.
async function findItems(
  session: ProofSession,
  caller: CallerName,
  { collection, parents }: SeedPlace,
): Promise<readonly TreeItem[]> {
  const path = pathOfCollection(collection, parents)
  const { json } = await session.send(caller, { method: 'GET', path })
  return namedItemsIn(json)
    .slice(0, 2)
    .flatMap((item) => {
      const id = idIn(item)
      const { id: _, ...sent } = Object(item)
      return id === undefined
        ? []
        : [{ collection, parents, id, draft: undefined, sent, stored: Object(item) }]
    })
}

/** Tells whether the neighbour finds an item. */
export async function isThere({ send, neighbour }: ProofSession, item: TreeItem): Promise<boolean> {
  return isSuccess(await send(neighbour, { method: 'GET', path: pathOfItem(item) }))
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
export async function seedFresh(
  session: ProofSession,
  ownTree: Tree,
  collection: ProvenCollection,
): Promise<TreeItem | undefined> {
  const draft = ownTree.draftOf(collection)
  const parents = ownTree.parentsOf(collection)
  if (draft === undefined || parents === undefined || isOfOwners(collection)) return undefined
  const sent = ownTree.fill(draft, collection, 'fresh')
  const path = pathOfCollection(collection, parents)
  const caller = session.asker
  const response = await session.send(caller, { method: 'POST', path, body: sent })
  const seeded = seededFrom(session, { caller, path, response })
  return seeded && { collection, parents, draft, sent, ...seeded }
}

/** Finds or creates an item in each collection that every caller sees. */
export async function findShared(session: ProofSession): Promise<Tree> {
  const { asker, send } = session
  const shared = new Tree(ownersOfCaller(session, asker))
  for (const collection of session.collections.filter(({ isShared }) => isShared)) {
    const parents = shared.parentsOf(collection)
    if (parents === undefined) continue
    const path = pathOfCollection(collection, parents)
    const { json } = await send(asker, { method: 'GET', path })
    const [first] = namedItemsIn(json)
    const id = idIn(first)
    const [draft = {}] = session.draftsFor(collection)
    const sent = shared.fill(draft, collection, 'shared')
    if (id !== undefined) {
      shared.items.push({ collection, parents, draft, sent, id, stored: Object(first) })
      continue
    }
    const response = await send(asker, { method: 'POST', path, body: sent })
    const seeded = seededFrom(session, { caller: asker, path, response })
    if (seeded !== undefined) shared.items.push({ collection, parents, draft, sent, ...seeded })
  }
  return shared
}

/** Deletes items of a tree that the proof created, the last first. */
export async function removeTree(session: ProofSession, tree: Tree): Promise<void> {
  for (const item of [...tree.items].reverse()) {
    if (!item.collection.isShared) await removeItem(session, pathOfItem(item))
  }
}

/** Deletes an item that the proof created. Where its caller may not, the control does. */
export async function removeItem(
  { created, sendAlways, hasControl, lasting, collections }: ProofSession,
  path: string,
): Promise<void> {
  const caller = created.get(path)
  if (caller === undefined) return
  const remove = (as: CallerName): Promise<CallerResponse> =>
    sendAlways(as, { method: 'DELETE', path })
  const first = await remove(caller)
  const response = first.status === 403 && hasControl ? await remove('everything') : first
  if (isSuccess(response) || response.status === 404 || response.status === 410)
    created.delete(path)
  const found = collections.find((collection) => isWithin(path, collection))
  // Items that nobody can delete may keep their owner.
  const isKept = response.status === 409 && found !== undefined && isOfOwners(found)
  if (response.status !== 403 && response.status !== 405 && !isKept) return
  if (found !== undefined) lasting.add(found.name)
}

// Tells whether a path is that of an item of a collection.
function isWithin(path: string, { name }: ProvenCollection): boolean {
  const [segments, template] = [path.split('/').slice(0, -1), name.split('/')]
  return (
    segments.length === template.length &&
    template.every((piece, index) => piece.startsWith('{') || piece === segments[index])
  )
}

/** Follows the links of a list; the first page is the first of the result. */
export async function followPages(
  session: ProofSession,
  first: Exchange,
  most: number,
): Promise<readonly Exchange[]> {
  const pages = [first]
  for (let page = first; pages.length < most; ) {
    const { next } = parseLink(page.response.headers.link ?? '')
    if (next === undefined || !next.startsWith('/')) break
    page = await exchangeAs(session, first.caller, { method: 'GET', path: next })
    pages.push(page)
  }
  return pages
}

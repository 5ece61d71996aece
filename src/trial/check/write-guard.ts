import { isId } from '../../contract/resource/id.ts'
import { reservedWords } from '../../convention/operations.ts'
import { quote } from '../../convention/problem.ts'
import { isRecord, isSame } from '../../convention/value.ts'
import { itemPath } from '../../wire/path.ts'
import { maxCleanUpTime } from './limits.ts'
import {
  type CheckRequest,
  type CheckResponse,
  idTextOf,
  isServerItem,
  isSuccess,
  NoResponse,
  type SendRequest,
  skip,
  writeMethods,
} from './message.ts'
import {
  barePath,
  decodeSegment,
  endsWithReservedWord,
  isAtOrBelow,
  isUnambiguous,
  parameterOf,
  relativeOrigin,
  resolveReference,
} from './path.ts'

/** Protects the items of other clients, and remembers the items that the check created. */
export interface WriteGuard {
  /**
   * Sends a request, and remembers the item it creates. Rejects with `NotApplicable`, and sends
   * nothing, when a write could reach an item that the check did not create.
   */
  readonly send: SendRequest
  /** Tells whether the check created the item at a path. */
  readonly isCreated: (path: string) => boolean
  /** Allows every write at and below a path. */
  readonly allow: (path: string) => void
  /** Removes the created items. Returns the paths that may still hold one. */
  readonly cleanUp: () => Promise<readonly string[]>
}

interface GuardRecords extends SeenItems {
  readonly allowed: Set<string>
}

/** The part of a connection that the guard takes. */
interface GuardedConnection {
  readonly origin: string
  readonly send: SendRequest
  readonly sendAlways: SendRequest
}

/** Creates a guard around `send`. */
export function guardWrites({ origin, send, sendAlways }: GuardedConnection): WriteGuard {
  const records: GuardRecords = {
    origin,
    created: new Map(),
    deleted: new Set(),
    lost: new Set(),
    foreign: new Map(),
    collections: new Set(),
    allowed: new Set(),
  }
  const guarded: SendRequest = async (method, path, parts) => {
    if (writeMethods.has(method)) await checkWrite(records, method, path, send)
    const response = await send(method, path, parts).catch((error) => {
      if (error instanceof NoResponse && method === 'POST')
        records.lost.add(`${barePath(path)}, an item without a response`)
      throw error
    })
    if (!(await isOnlyShown(records, response, send))) record(records, response)
    await recordStrays(records, response, send)
    return response
  }
  return {
    send: guarded,
    isCreated: (path) => records.created.has(path),
    allow: (path) => void records.allowed.add(path),
    cleanUp: () => cleanUp(records, sendAlways),
  }
}

// A write may reach an item that the check created, an allowed path, and a path without item.
async function checkWrite(
  { created, allowed }: GuardRecords,
  method: string,
  path: string,
  send: SendRequest,
): Promise<void> {
  const target = barePath(path)
  if (!isUnambiguous(target))
    skip(`${method} is not sent to ${target}: a server could take it for another path.`)
  if (method === 'POST' && !endsWithReservedWord(target)) return
  if (created.has(target) || [...allowed].some((area) => isAtOrBelow(target, area))) return
  const { status } = await send('GET', target)
  if (status !== 404)
    skip(`${method} could change an item at ${target} that the check did not create.`)
}

/** The items of a server, as far as the check has seen them. */
interface SeenItems extends CreatedItems {
  readonly origin: string
  /** Items of other clients, by path. */
  readonly foreign: Map<string, unknown>
  /** Paths of collections. */
  readonly collections: Set<string>
}

/** Records the items that a response lists, creates or deletes. */
function record(records: SeenItems, response: CheckResponse): void {
  const { request, json, status } = response
  const target = barePath(request.path)
  const { method } = request
  if (method === 'GET' && Array.isArray(json)) recordList(records, target, json)
  if (status < 200 || status > 399) return
  if (method === 'POST') recordPost(records, response)
  if (method === 'PUT' || method === 'PATCH') recordChange(records, request)
  if (method === 'DELETE')
    for (const path of records.created.keys())
      if (isAtOrBelow(path, target) && isSelected(path, request.path)) records.deleted.add(path)
}

// A query selects the items to delete. The rules name their ids.
function isSelected(path: string, requested: string): boolean {
  const question = requested.indexOf('?')
  if (question < 0) return true
  const query = new URLSearchParams(requested.slice(question))
  const ids = query.getAll('id').map(encodeURIComponent)
  return !query.has('dry_run') && ids.some((id) => path.endsWith(`/${id}`))
}

/**
 * Tells whether a POST with `dry_run` has only shown an item: its response is 200, without
 * `Location`, and the server has no item with its id.
 */
async function isOnlyShown(
  { created, foreign }: SeenItems,
  { request, status, headers, json }: CheckResponse,
  send: SendRequest,
): Promise<boolean> {
  if (request.method !== 'POST' || !isDryRun(request)) return false
  if (status !== 200 || headers.location !== undefined) return false
  for (const item of [json].flat()) {
    const itemAt = pathOfId(barePath(request.path), idTextOf(item))
    if (itemAt === undefined || created.has(itemAt) || foreign.has(itemAt)) continue
    if (isSuccess(await send('GET', itemAt))) return false
  }
  return true
}

/**
 * Names new items in the list that a POST sent, but its response does not show: of an array, or
 * with `dry_run`. The check cannot be sure that it created them.
 */
async function recordStrays(
  { created, foreign, lost }: SeenItems,
  { request }: CheckResponse,
  send: SendRequest,
): Promise<void> {
  if (request.method !== 'POST') return
  const sent = bodyOfRequest(request)
  const isDoubtful = Array.isArray(sent) || isDryRun(request)
  const drafts = [sent].flat().filter(isFilled)
  if (!isDoubtful || drafts.length === 0) return
  const target = barePath(request.path)
  const { json } = await send('GET', target)
  for (const item of Array.isArray(json) ? json : []) {
    const path = pathOfId(target, idTextOf(item))
    const isOwn = drafts.some((draft) => isSame({ ...item, ...draft }, item))
    if (path !== undefined && isOwn && !created.has(path) && !foreign.has(path)) lost.add(path)
  }
}

function isFilled(value: unknown): value is object {
  return isRecord(value) && Object.keys(value).length > 0
}

function isDryRun({ path }: CheckRequest): boolean {
  return parameterOf(path, 'dry_run') !== undefined
}

function recordList(
  { created, foreign, collections }: SeenItems,
  target: string,
  json: readonly unknown[],
): void {
  collections.add(target)
  for (const item of json) {
    const path = pathOfId(target, idTextOf(item))
    if (path !== undefined && !created.has(path) && !foreign.has(path)) foreign.set(path, item)
  }
}

function recordPost(records: SeenItems, { request, status, headers, json }: CheckResponse): void {
  const { created } = records
  const target = barePath(request.path)
  const isItem = created.has(target)
  // POST on an item may change it, which creates nothing.
  if (isItem && status !== 201) return
  const sent = bodyOfRequest(request)
  if (Array.isArray(sent) && Array.isArray(json) && json.length === sent.length && !isItem) {
    for (const item of json) recordNew(records, { target, item, id: idTextOf(item) })
    return
  }
  const id = isItem
    ? undefined
    : (idTextOf(json) ?? idInLocation(headers.location, target, records))
  recordNew(records, { target, item: json, id })
}

interface NewItem {
  /** The path of the collection. */
  readonly target: string
  readonly item: unknown
  readonly id: string | undefined
}

function recordNew(records: SeenItems, { target, item, id }: NewItem): void {
  const { created, deleted, lost } = records
  const path = pathOfId(target, id)
  if (id === undefined) {
    lost.add(`${target}, an item without an id`)
  } else if (path === undefined) {
    lost.add(`${target}, an item with the id ${quote(id)}`)
  } else if (isForeign(records, path, item)) {
    lost.add(`${target}, an item with the id of another: ${path}`)
  } else {
    deleted.delete(path)
    created.set(path, item)
  }
}

function bodyOfRequest({ body = '' }: CheckRequest): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

// Returns no path for an invalid id, nor for one that a server could take for another path. A
// reserved word has a path: the clean-up compares the item there before it deletes it.
function pathOfId(collection: string, id: string | undefined): string | undefined {
  if (id === undefined) return undefined
  if (reservedWords.some((word) => word === id)) return `${collection}/${id}`
  const path = isId(id) ? itemPath(collection, id) : undefined
  return path !== undefined && isUnambiguous(path) ? path : undefined
}

// The item may also be a foreign one, unchanged, from another collection of the same noun.
function isForeign({ foreign, created }: SeenItems, path: string, item: unknown): boolean {
  if (created.has(path) || foreign.has(path)) return !created.has(path)
  const end = lastTwoSegments(path)
  return [...foreign].some(
    ([otherPath, seen]) => lastTwoSegments(otherPath) === end && isSame(seen, item),
  )
}

function lastTwoSegments(path: string): string {
  return path.slice(path.lastIndexOf('/', path.lastIndexOf('/') - 1))
}

// A `Location` outside the collection, or on another server, may name an item of another client.
function idInLocation(
  location: string | undefined,
  collection: string,
  { origin }: SeenItems,
): string | undefined {
  const url = location === undefined ? undefined : resolveReference(location, collection)
  if (!url || (url.origin !== origin && url.origin !== relativeOrigin)) return undefined
  if (!url.pathname.startsWith(`${collection}/`)) return undefined
  const [, id = ''] = /^\/([^/]+)\/?$/.exec(url.pathname.slice(collection.length)) ?? []
  return decodeSegment(id)
}

// Some servers create an absent item on PUT or PATCH: under the path, or under the id of the body.
function recordChange({ created, foreign, collections }: SeenItems, request: CheckRequest): void {
  const target = barePath(request.path)
  const isCollection = collections.has(target)
  const collection = isCollection ? target : target.slice(0, target.lastIndexOf('/'))
  if (!collections.has(collection)) return
  const items = [bodyOfRequest(request)].flat().filter(isServerItem)
  const named = items.map(({ id }) => pathOfId(collection, `${id}`))
  for (const path of isCollection ? named : [target, ...named])
    if (path !== undefined && !foreign.has(path) && !created.has(path)) created.set(path, undefined)
}

// A server that fails to respond this often gets no more requests.
const maxFailures = 3

/** The items that the check created. */
interface CreatedItems {
  /** Items by path, as the server returned them. */
  readonly created: Map<string, unknown>
  /** The paths of those that a rule deleted. */
  readonly deleted: Set<string>
  /** Possible items that the check cannot tell from items of other clients, in words. */
  readonly lost: Set<string>
}

/**
 * Removes the created items, the last first, in two minutes at most. Returns the paths that may
 * still hold one.
 */
export async function cleanUp(
  { created, deleted, lost }: CreatedItems,
  send: SendRequest,
): Promise<readonly string[]> {
  const remaining = [...lost]
  const start = performance.now()
  let failures = 0
  for (const [path, item] of [...created].reverse()) {
    if (failures >= maxFailures || performance.now() - start >= maxCleanUpTime) {
      remaining.push(path)
      continue
    }
    try {
      // A server may claim that it deleted an item. If it did not, another client may use the item.
      const isDeleted = deleted.has(path) || (await deletes(path, item, send))
      if (!isDeleted || isSuccess(await send('GET', path))) remaining.push(path)
    } catch {
      failures++
      remaining.push(path)
    }
  }
  for (const paths of [created, deleted, lost]) paths.clear()
  return remaining
}

async function deletes(path: string, item: unknown, send: SendRequest): Promise<boolean> {
  // The path of an item with the id "first" may name the first item instead.
  const word = reservedWords.find((reserved) => path.endsWith(`/${reserved}`))
  if (word !== undefined) {
    const { json } = await send('GET', path)
    if (idTextOf(json) !== word || !isSame(json, item)) return false
  }
  return isSuccess(await send('DELETE', path))
}

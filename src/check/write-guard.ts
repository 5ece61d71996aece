import { reservedWords } from '../model/convention.ts'
import { isId } from '../model/id.ts'
import { quote } from '../model/problem.ts'
import { isSame } from '../model/value.ts'
import { itemPath } from '../wire/path.ts'
import { type CreatedItems, cleanUp } from './clean-up.ts'
import type { Connection } from './connection.ts'
import { idTextOf, isServerItem, skip } from './expect.ts'
import { type CheckResponse, NoResponse, type SendRequest, writeMethods } from './message.ts'
import {
  barePath,
  decodeSegment,
  endsWithReservedWord,
  isUnambiguous,
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

interface Records extends CreatedItems {
  readonly origin: string
  /** Items of other clients, by path. */
  readonly foreign: Map<string, unknown>
  /** Paths of collections. */
  readonly collections: Set<string>
  readonly allowed: Set<string>
}

/** Creates a guard around `send`. */
export function guardWrites({
  origin,
  send,
  sendAlways,
}: Pick<Connection, 'origin' | 'send' | 'sendAlways'>): WriteGuard {
  const records: Records = {
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
    record(records, response, parts?.body)
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
  { created, allowed }: Records,
  method: string,
  path: string,
  send: SendRequest,
): Promise<void> {
  const target = barePath(path)
  if (!isUnambiguous(target))
    skip(`${method} is not sent to ${target}: a server could take it for another path.`)
  if (method === 'POST' && !endsWithReservedWord(target)) return
  if (created.has(target) || [...allowed].some((own) => isWithin(target, own))) return
  const { status } = await send('GET', target)
  if (status !== 404)
    skip(`${method} could change an item at ${target} that the check did not create.`)
}

// Tells a path at or below another.
function isWithin(path: string, other: string): boolean {
  return path === other || path.startsWith(`${other}/`)
}

function record(records: Records, response: CheckResponse, body: unknown): void {
  const { request, json, status } = response
  const target = barePath(request.path)
  const { method } = request
  if (method === 'GET' && Array.isArray(json)) recordList(records, target, json)
  if (status < 200 || status > 399) return
  if (method === 'POST') recordPost(records, response)
  if (method === 'PUT') recordPut(records, target, body)
  if (method === 'DELETE')
    for (const path of records.created.keys()) if (isWithin(path, target)) records.deleted.add(path)
}

function recordList(
  { created, foreign, collections }: Records,
  target: string,
  json: readonly unknown[],
): void {
  collections.add(target)
  for (const item of json) {
    const path = pathOfId(target, idTextOf(item))
    if (path !== undefined && !created.has(path) && !foreign.has(path)) foreign.set(path, item)
  }
}

function recordPost(records: Records, { request, status, headers, json }: CheckResponse): void {
  const { created, deleted, lost } = records
  const target = barePath(request.path)
  const isItem = created.has(target)
  // POST on an item may change it, which creates nothing.
  if (isItem && status !== 201) return
  const id = idTextOf(json) ?? idInLocation(headers.location, target, records)
  const path = pathOfId(target, id)
  if (id === undefined || isItem) {
    lost.add(`${target}, an item without an id`)
  } else if (path === undefined) {
    lost.add(`${target}, an item with the id ${quote(id)}`)
  } else if (isForeign(records, path, json)) {
    lost.add(`${target}, an item with the id of another: ${path}`)
  } else {
    deleted.delete(path)
    created.set(path, json)
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
function isForeign({ foreign, created }: Records, path: string, item: unknown): boolean {
  if (created.has(path) || foreign.has(path)) return !created.has(path)
  const end = lastTwoSegments(path)
  return [...foreign].some(([other, seen]) => lastTwoSegments(other) === end && isSame(seen, item))
}

function lastTwoSegments(path: string): string {
  return path.slice(path.lastIndexOf('/', path.lastIndexOf('/') - 1))
}

// A `Location` outside the collection, or on another server, may name an item of another client.
function idInLocation(
  location: string | undefined,
  collection: string,
  { origin }: Records,
): string | undefined {
  const url = location === undefined ? undefined : resolveReference(location, collection)
  if (!url || (url.origin !== origin && url.origin !== relativeOrigin)) return undefined
  if (!url.pathname.startsWith(`${collection}/`)) return undefined
  const [, id = ''] = /^\/([^/]+)\/?$/.exec(url.pathname.slice(collection.length)) ?? []
  return decodeSegment(id)
}

// Some servers create an absent item on PUT: under the path, or under the id of the body.
function recordPut(
  { created, foreign, collections }: Records,
  target: string,
  body: unknown,
): void {
  const isCollection = collections.has(target)
  const collection = isCollection ? target : target.slice(0, target.lastIndexOf('/'))
  if (!collections.has(collection)) return
  const items = [body].flat().filter(isServerItem)
  const named = items.map(({ id }) => pathOfId(collection, `${id}`))
  for (const path of isCollection ? named : [target, ...named])
    if (path !== undefined && !foreign.has(path) && !created.has(path)) created.set(path, undefined)
}

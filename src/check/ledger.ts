import { reservedWords } from '../model/convention.ts'
import { isId } from '../model/id.ts'
import { isSame } from '../model/operation.ts'
import { quote } from '../model/problem.ts'
import { itemPath } from '../wire/path.ts'
import { clearBooks } from './clear.ts'
import type { Line } from './exchange.ts'
import { idIn, isFound, unfit } from './expect.ts'
import { barePath, decodedOnce, isPlain, nowhere, targetOf } from './place.ts'
import { type Ask, changing, type Exchange, Silence } from './sent.ts'

/** Remembers what was made, to remove it, and keeps everything else from being changed. */
export interface Ledger {
  /**
   * Sends a request, and remembers the item it makes. Rejects with an `Unfit`, and sends nothing, where a change could reach what
   * the check has not made.
   */
  readonly ask: Ask
  /** Whether the item at a path was made here. */
  readonly isMade: (path: string) => boolean
  /** Says that everything below a path may be changed. */
  readonly own: (path: string) => void
  /** Removes what was made, the last first. Gives what could not be removed, or was no longer found. */
  readonly clear: () => Promise<readonly string[]>
}

interface Books {
  readonly origin: string
  /** Items by their path, as they were answered when they were made. */
  readonly made: Map<string, unknown>
  /** The paths of those that a rule has deleted. */
  readonly gone: Set<string>
  /** What others have, by path. */
  readonly known: Map<string, unknown>
  /** Paths that are known to be of collections. */
  readonly collections: Set<string>
  readonly owned: Set<string>
  /** What may have been made, and cannot be told from what others have. */
  readonly lost: Set<string>
}

/** Opens a ledger. */
export function openLedger({
  origin,
  ask,
  insist,
}: Pick<Line, 'origin' | 'ask' | 'insist'>): Ledger {
  const books: Books = {
    origin,
    made: new Map(),
    gone: new Set(),
    known: new Map(),
    collections: new Set(),
    owned: new Set(),
    lost: new Set(),
  }
  const watched: Ask = async (method, path, extras) => {
    await guard(books, { method, path, ask })
    const exchange = await ask(method, path, extras).catch((error) => {
      if (error instanceof Silence && method === 'POST')
        books.lost.add(`${barePath(path)}, what was made without an answer`)
      throw error
    })
    note(books, exchange, extras?.body)
    return exchange
  }
  return {
    ask: watched,
    isMade: (path) => books.made.has(path),
    own: (path) => void books.owned.add(path),
    clear: () => clearBooks(books, insist),
  }
}

interface Wish {
  readonly method: string
  readonly path: string
  readonly ask: Ask
}

// Nothing is changed but what was made here, what is below an own place, and what is not there.
async function guard({ made, owned }: Books, { method, path, ask }: Wish): Promise<void> {
  if (!changing.has(method)) return
  const place = barePath(path)
  if (!isPlain(place))
    unfit(`${method} is not sent to ${place}: a server could take it for another path.`)
  if (method === 'POST' && !isWord(place)) return
  const isOwn = [...owned].some((own) => place === own || place.startsWith(`${own}/`))
  if (isOwn || made.has(place)) return
  const { answer } = await ask('GET', place)
  if (answer.status !== 404)
    unfit(`${method} could change what is at ${place}, and that was not made by the check.`)
}

function isWord(path: string): boolean {
  return reservedWords.some((word) => path.endsWith(`/${word}`))
}

function note(books: Books, exchange: Exchange, body: unknown): void {
  const { sent, answer } = exchange
  const place = barePath(sent.path)
  if (sent.method === 'GET') remember(books, place, answer.json)
  if (answer.status < 200 || answer.status > 399) return
  if (sent.method === 'POST') notePost(books, exchange)
  if (sent.method === 'PUT') notePut(books, place, body)
  if (sent.method === 'DELETE') noteDelete(books, place)
}

// Alone, or with all that is below.
function noteDelete({ made, gone }: Books, place: string): void {
  for (const path of made.keys()) if (path === place || path.startsWith(`${place}/`)) gone.add(path)
}

function remember({ made, known, collections }: Books, place: string, json: unknown): void {
  if (!Array.isArray(json)) return
  collections.add(place)
  for (const item of json) {
    const path = pathOf(place, idIn(item))
    if (path !== undefined && !made.has(path) && !known.has(path)) known.set(path, item)
  }
}

function notePost(books: Books, { sent, answer }: Exchange): void {
  const place = barePath(sent.path)
  // What makes something of an item, if anything, makes nothing that could be told.
  if (books.made.has(place) && answer.status !== 201) return
  const id = idIn(answer.json) ?? idAt(answer.headers.location, place, books)
  const path = pathOf(place, id)
  if (id === undefined || books.made.has(place)) {
    books.lost.add(`${place}, what was made without an id`)
  } else if (path === undefined) {
    books.lost.add(`${place}, what was made with the id ${quote(id)}`)
  } else if (isTaken(books, path, answer.json)) {
    books.lost.add(`${place}, what was made with the id of another item: ${path}`)
  } else {
    books.gone.delete(path)
    books.made.set(path, answer.json)
  }
}

// Gives no path for a text that is never an id, and for one that a server could take for another path. A reserved word has a
// path: the clean-up deletes the item there only when it is the one that was made.
function pathOf(place: string, id: string | undefined): string | undefined {
  if (id === undefined) return undefined
  if (reservedWords.some((word) => word === id)) return `${place}/${id}`
  const path = isId(id) ? itemPath(place, id) : undefined
  return path !== undefined && isPlain(path) ? path : undefined
}

// What others have, here or, unchanged, in another collection of the same noun.
function isTaken({ known, made }: Books, path: string, item: unknown): boolean {
  if (made.has(path)) return false
  if (known.has(path)) return true
  const tail = tailOf(path)
  for (const [other, seen] of known) if (tailOf(other) === tail && isSame(seen, item)) return true
  return false
}

function tailOf(path: string): string {
  return path.slice(path.lastIndexOf('/', path.lastIndexOf('/') - 1))
}

// The id that a `Location` ends with. Whatever is named elsewhere, or of another server, may be anybody's.
function idAt(location: string | undefined, place: string, { origin }: Books): string | undefined {
  const url = location === undefined ? undefined : targetOf(location, place)
  if (!url || (url.origin !== origin && url.origin !== nowhere)) return undefined
  const [, id = ''] = /^\/([^/]+)\/?$/.exec(url.pathname.slice(place.length)) ?? []
  if (!url.pathname.startsWith(`${place}/`)) return undefined
  return decodedOnce(id)
}

// A PUT should make nothing, but some make what is not there: under the path, or under the id of the body.
function notePut({ made, known, collections }: Books, place: string, body: unknown): void {
  const isCollection = collections.has(place)
  const above = isCollection ? place : place.slice(0, place.lastIndexOf('/'))
  if (!collections.has(above)) return
  const named = [body].flat().map((item) => (isFound(item) ? pathOf(above, idIn(item)) : undefined))
  for (const path of isCollection ? named : [place, ...named])
    if (path !== undefined && !known.has(path) && !made.has(path)) made.set(path, undefined)
}

import { reservedWords } from '../../model/convention.ts'
import { isRecord } from '../../model/declared.ts'
import { isSame } from '../../model/operation.ts'
import { type Ask, type Exchange, type Line, Silence } from './exchange.ts'
import { type Found, isFound, unfit } from './expect.ts'
import { barePath, itemPath } from './place.ts'

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
  /** Paths of items. */
  readonly made: Set<string>
  /** Those of them that a rule has deleted. */
  readonly gone: Set<string>
  /** What others have, by path. */
  readonly known: Map<string, Found>
  /** Paths that are known to be of collections. */
  readonly collections: Set<string>
  readonly owned: Set<string>
  /** What may have been made, and cannot be told from what others have. */
  readonly lost: Set<string>
}

/** Opens a ledger. */
export function openLedger({ ask, insist }: Line): Ledger {
  const books: Books = {
    made: new Set(),
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
    clear: () => clear(books, insist),
  }
}

interface Wish {
  readonly method: string
  readonly path: string
  readonly ask: Ask
}

// Nothing is changed but what was made here, what is below an own place, and what is not there.
async function guard({ made, owned }: Books, { method, path, ask }: Wish): Promise<void> {
  const place = barePath(path)
  const isWord = reservedWords.some((word) => place.endsWith(`/${word}`))
  if (!changing.has(method) && !(method === 'POST' && isWord)) return
  const isOwn = [...owned].some((own) => place === own || place.startsWith(`${own}/`))
  if (isOwn || made.has(place)) return
  const { answer } = await ask('GET', place)
  if (answer.status !== 404)
    unfit(`${method} could change what is at ${place}, and that was not made by the check.`)
}

const changing: ReadonlySet<string> = new Set(['PUT', 'PATCH', 'DELETE'])

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
  for (const path of made) if (path === place || path.startsWith(`${place}/`)) gone.add(path)
}

function remember({ made, known, collections }: Books, place: string, json: unknown): void {
  if (!Array.isArray(json)) return
  collections.add(place)
  for (const item of json) {
    const path = isFound(item) ? itemPath(place, item.id) : undefined
    if (path !== undefined && !made.has(path) && !known.has(path)) known.set(path, item)
  }
}

function notePost(books: Books, { sent, answer }: Exchange): void {
  const place = barePath(sent.path)
  // What makes something of an item, if anything, makes nothing that could be told.
  if (books.made.has(place) && answer.status !== 201) return
  const path = isFound(answer.json)
    ? itemPath(place, answer.json.id)
    : placeIn(answer.headers.location, place)
  if (path === undefined || books.made.has(place)) {
    books.lost.add(`${place}, what was made without an id`)
  } else if (isTaken(books, path, answer.json)) {
    books.lost.add(`${place}, what was made with the id of another item: ${path}`)
  } else {
    books.gone.delete(path)
    books.made.add(path)
  }
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

// Whatever is named elsewhere may be anybody's.
function placeIn(location: string | undefined, place: string): string | undefined {
  const base = `http://host${place}`
  if (location === undefined || !URL.canParse(location, base)) return undefined
  const { pathname } = new URL(location, base)
  return pathname.startsWith(`${place}/`) && pathname.length > place.length + 1
    ? pathname
    : undefined
}

// A PUT should make nothing, but some make what is not there: under the path, or under the id of the body.
function notePut({ made, known, collections }: Books, place: string, body: unknown): void {
  const isCollection = collections.has(place)
  const above = isCollection ? place : place.slice(0, place.lastIndexOf('/'))
  if (!collections.has(above)) return
  const bodies = [body].flat().filter(isFound)
  const named = bodies.map(({ id }) => itemPath(above, id))
  for (const path of isCollection ? named : [place, ...named]) if (!known.has(path)) made.add(path)
}

// Who has been silent so often is not waited for again.
const maxSilences = 3

async function clear({ made, gone, lost }: Books, insist: Ask): Promise<readonly string[]> {
  const left = [...lost]
  let silences = 0
  for (const path of [...made].reverse()) {
    const isLeft = gone.has(path) ? isThere : isKept
    const isRemoved =
      silences < maxSilences &&
      !(await isLeft(path, insist).catch(() => {
        silences++
        return true
      }))
    if (!isRemoved) left.push(path)
  }
  for (const book of [made, gone, lost]) book.clear()
  return left
}

// Who says that something is deleted may have done nothing; what is there meanwhile may be somebody's.
async function isThere(path: string, ask: Ask): Promise<boolean> {
  const { status } = (await ask('GET', path)).answer
  return status >= 200 && status < 300
}

async function isKept(path: string, ask: Ask): Promise<boolean> {
  if (await isAnother(path, ask)) return true
  const { status } = (await ask('DELETE', path)).answer
  return status < 200 || status > 299 || (await isThere(path, ask))
}

// What answers to "first" may not be what was made under that name, but the first item.
async function isAnother(path: string, ask: Ask): Promise<boolean> {
  const word = reservedWords.find((reserved) => path.endsWith(`/${reserved}`))
  if (word === undefined) return false
  const { json } = (await ask('GET', path)).answer
  return !isRecord(json) || json.id !== word
}

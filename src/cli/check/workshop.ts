import { reservedWords } from '../../model/convention.ts'
import { isRecord } from '../../model/declared.ts'
import type { Ask, Exchange, Line } from './exchange.ts'
import { expectStatus, type Found, isFound, told, unfit } from './expect.ts'
import { itemPath } from './place.ts'

/** What writing rules work with: items of their own. */
export interface Workshop {
  /** The collection that is written to. */
  readonly path: string
  /** Everything in that collection is the check's own: made by it, below a parent made by it, or given up with `--empty`. */
  readonly isOwn: boolean
  /** The body of a new item. */
  readonly draft: () => Promise<Readonly<Record<string, unknown>>>
  /** Makes an item. Rejects with an `Unfit` where none can be made. */
  readonly make: () => Promise<Found>
}

/** Remembers what was made, to remove it. */
export interface Ledger {
  /** Sends a request, and remembers the item it makes. */
  readonly ask: Ask
  /** Removes what was made, the last first. Gives what could not be removed, or was no longer found. */
  readonly clear: () => Promise<readonly string[]>
}

/** Opens a ledger. */
export function openLedger({ ask, insist }: Line): Ledger {
  const made: string[] = []
  const known = new Set<string>()
  const nameless: string[] = []
  const watched: Ask = async (method, path, extras) => {
    const exchange = await ask(method, path, extras)
    if (method === 'GET') remember(known, exchange)
    if (method === 'DELETE') forget(made, exchange)
    const place = placeMade(exchange)
    if (method === 'POST' && exchange.answer.status === 201 && place === undefined)
      nameless.push(`${collectionOf(path)}, something without an id`)
    // What was there before is nobody's to delete, whatever the server calls it.
    if (place !== undefined && !known.has(place) && !made.includes(place)) made.push(place)
    return exchange
  }
  const clear = async (): Promise<readonly string[]> => {
    const left: string[] = nameless.splice(0)
    for (const path of made.splice(0).reverse()) {
      if (await isAnother(path, insist)) {
        left.push(path)
        continue
      }
      const { answer } = await insist('DELETE', path)
      if (answer.status < 200 || answer.status > 299) left.push(path)
    }
    return left
  }
  return { ask: watched, clear }
}

// What answers to "first" may not be what was made under that name, but the first item.
async function isAnother(path: string, ask: Ask): Promise<boolean> {
  const word = reservedWords.find((reserved) => path.endsWith(`/${reserved}`))
  if (word === undefined) return false
  const { json } = (await ask('GET', path)).answer
  return !isFound(json) || json.id !== word
}

// What a rule has deleted, alone or with all that is below.
function forget(made: string[], { sent: { path }, answer }: Exchange): void {
  if (answer.status < 200 || answer.status > 299) return
  const place = collectionOf(path)
  const left = made.filter((own) => own !== place && !own.startsWith(`${place}/`))
  made.splice(0, made.length, ...left)
}

// The path of what a request has made; `undefined` where it made nothing.
function placeMade({ sent: { method, path }, answer }: Exchange): string | undefined {
  if (answer.status < 200 || answer.status > 299) return undefined
  const collection = collectionOf(path)
  // A PUT on an item that is not there should make none, but some do.
  if (method === 'PUT' && isFound(answer.json))
    return collection.endsWith(itemPath('', answer.json.id)) ? collection : undefined
  if (method !== 'POST') return undefined
  if (isFound(answer.json)) return itemPath(collection, answer.json.id)
  const { location } = answer.headers
  const named = location === undefined ? '' : new URL(location, `http://host${path}`).pathname
  // Whatever is named elsewhere may be anybody's.
  return named.startsWith(`${collection}/`) && named.length > collection.length + 1
    ? named
    : undefined
}

// Without query and trailing slashes.
function collectionOf(path: string): string {
  return (path.split('?')[0] ?? '').replace(/\/+$/, '')
}

function remember(known: Set<string>, { sent, answer }: Exchange): void {
  const path = collectionOf(sent.path)
  if (Array.isArray(answer.json)) {
    for (const item of answer.json) if (isFound(item)) known.add(itemPath(path, item.id))
  }
}

/** What drafts are made from. */
export interface Material {
  readonly ask: Ask
  readonly path: string
  readonly isOwn: boolean
  /** Drafts as they were given with `--sample`; else `items` are copied. */
  readonly sample: Readonly<Record<string, unknown>> | undefined
  readonly items: readonly Found[]
  /** Fields that are not sent: the server's own, and the one that owns. */
  readonly without: readonly string[]
}

const maxAttempts = 5

/** Opens a workshop. The first item it makes finds out what a draft must look like. */
export function openWorkshop({ ask, path, isOwn, sample, items, without }: Material): Workshop {
  let pattern = sample ?? copyOf(items[0], ['id', ...without])
  let isVaried = false
  let isTried = false
  let number = 0
  const fill = (): Readonly<Record<string, unknown>> => {
    if (pattern === undefined) unfit('There is no item to copy: give one with --sample.')
    number++
    return isVaried ? varied(pattern, number) : numbered(pattern, number)
  }
  const make = async (): Promise<Found> => {
    for (let attempt = 1; ; attempt++) {
      const exchange = await ask('POST', path, { body: fill() })
      const { answer } = exchange
      if (answer.status === 405) unfit('Items cannot be created here.')
      isTried = answer.status >= 200 && answer.status < 300
      if (isTried && isFound(answer.json)) return answer.json
      if (isTried) unfit('What is made does not tell its id.')
      const fields = faultyFields(answer.json)
      if (sample === undefined && attempt < maxAttempts && answer.status === 409) isVaried = true
      else if (sample === undefined && attempt < maxAttempts && fields.length > 0)
        pattern = copyOf(pattern, fields)
      else
        unfit(
          `No item could be made: POST ${path} was answered ${told(exchange)}. Give a draft with --sample.`,
        )
    }
  }
  const draft = async (): Promise<Readonly<Record<string, unknown>>> => {
    // What was made may not tell its id, which is another rule's.
    if (!isTried) {
      await make().catch((error) => {
        if (!isTried) throw error
      })
    }
    return fill()
  }
  return { path, isOwn, draft, make }
}

function copyOf(
  item: Readonly<Record<string, unknown>> | undefined,
  without: readonly string[],
): Readonly<Record<string, unknown>> | undefined {
  if (item === undefined) return undefined
  return Object.fromEntries(Object.entries(item).filter(([field]) => !without.includes(field)))
}

// A sample may say "{n}" where no two items may have the same.
function numbered(
  pattern: Readonly<Record<string, unknown>>,
  number: number,
): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify(pattern).replaceAll('{n}', `${Date.now().toString(36)}${number}`),
  )
}

function varied(
  pattern: Readonly<Record<string, unknown>>,
  number: number,
): Record<string, unknown> {
  const mark = `${Date.now().toString(36)}${number}`
  return Object.fromEntries(
    Object.entries(pattern).map(([field, value]) => [field, variant(value, mark)]),
  )
}

function variant(value: unknown, mark: string): unknown {
  if (typeof value !== 'string' || /^\d{4}-\d\d/.test(value)) return value
  return value.includes('@') ? `${mark}.${value}` : `${value} ${mark}`
}

// The fields that a problem complains of.
function faultyFields(json: unknown): readonly string[] {
  const issues = isRecord(json) && Array.isArray(json.issues) ? json.issues : []
  return issues.flatMap((issue: unknown) => {
    const pointer = isRecord(issue) && typeof issue.pointer === 'string' ? issue.pointer : ''
    return /^\/[^/]+$/.test(pointer) ? [pointer.slice(1)] : []
  })
}

/**
 * Makes sure that an operation is offered at all.
 *
 * @throws {Unfit} For 405: a server may go without.
 */
export function expectOffered(exchange: Exchange, ...statuses: readonly number[]): void {
  const { sent, answer } = exchange
  if (answer.status === 405) unfit(`${sent.method} is not offered on ${sent.path}.`)
  expectStatus(exchange, ...statuses)
}

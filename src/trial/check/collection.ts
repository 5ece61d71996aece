import { parseLink } from '../../wire/link.ts'
import { itemPath } from '../../wire/path.ts'
import type { ChangeMonitor } from './change-monitor.ts'
import {
  expectItems,
  idTextsOf,
  ListTooLong,
  memberOf,
  RuleViolation,
  type ServerItem,
  skip,
} from './expect.ts'
import { maxListLength, maxPages } from './limits.ts'
import type { CheckResponse, SendRequest } from './message.ts'
import { type Offers, offersIn } from './offers.ts'
import { absentName, type PathParts, resolveReference } from './path.ts'
import type { WritableCollection } from './writable.ts'

/** The item that owns a collection. */
export interface Parent {
  /** The collection of the item: `/v1/companies`. */
  readonly path: string
  readonly id: string
  /** Another item of that collection, if it has one. */
  readonly otherId: string | undefined
  /** The path after the id: `/customers`. */
  readonly rest: string
  /** The field that holds the parent's id, from the template: `company_id`. */
  readonly field: string | undefined
}

/** A collection of the server, with everything that the check learned by reading. */
export interface CheckedCollection {
  /** As the user named it: `/v1/companies/{company_id}/customers`. */
  readonly name: string
  /** The path that the check reads: `/v1/companies/7/customers`. */
  readonly path: string
  readonly pathParts: PathParts
  readonly send: SendRequest
  /** Returns every response about this collection. */
  readonly log: () => readonly CheckResponse[]
  readonly items: readonly ServerItem[]
  /** Why the list cannot be read; `undefined` when it can. */
  readonly listProblem: string | undefined
  readonly sortable: readonly string[]
  /** The fields of `q`, `[]` when the server does not take it; `undefined` when unknown. */
  readonly searchable: readonly string[] | undefined
  readonly readOnly: readonly string[]
  /** The fields that a PUT may leave out: they keep their values. */
  readonly keep: readonly string[]
  /** The fields whose values the server knows: owners, references and restricted fields. */
  readonly fixed: readonly string[]
  readonly offers: Offers
  /** DELETE on the collection needs `Prefer: max-affected`. */
  readonly isBounded: boolean
  /** The largest `limit`, as far as the check knows. */
  readonly maxLimit: number
  readonly parent: Parent | undefined
  /** Only with `--write`, and when the list can be read. */
  readonly writable: WritableCollection | undefined
}

interface WholeList {
  readonly items: readonly ServerItem[]
  /** The response with the first page. */
  readonly first: CheckResponse
}

/**
 * Reads every page of a list.
 *
 * @throws {RuleViolation} Unless every page is a list.
 * @throws {ListTooLong} For more pages, or longer ones, than the check reads.
 */
export async function readAll(send: SendRequest, path: string): Promise<WholeList> {
  const first = await send('GET', path)
  const items = [...expectItems(first)]
  const seen = new Set([path])
  let length = first.text.length
  // A link back to a page that was read ends the list.
  for (let next = nextPage(first); next !== undefined && !seen.has(next); ) {
    if (seen.size === maxPages) throw new ListTooLong(`It has more than ${maxPages} pages.`)
    if (length > maxListLength)
      throw new ListTooLong(`It has more than ${maxListLength} characters.`)
    seen.add(next)
    const page = await send('GET', next)
    for (const item of expectItems(page)) items.push(item)
    length += page.text.length
    next = nextPage(page)
  }
  return { items, first }
}

/** Reads a list. Returns the reason as `problem` when the list cannot be read. */
export async function readList(
  path: string,
  send: SendRequest,
): Promise<{ items: readonly ServerItem[]; problem: string | undefined }> {
  try {
    const { items } = await readAll(send, path)
    return { items, problem: undefined }
  } catch (error) {
    if (!(error instanceof RuleViolation || error instanceof ListTooLong)) throw error
    return { items: [], problem: `The list cannot be read: ${error.message}` }
  }
}

/**
 * Reads the description of a collection, the response to OPTIONS. Tries OPTIONS on an absent item
 * and on one item first. If a server takes it for another method, the monitor stops the check
 * in time.
 */
export async function readDescription(
  { path, items }: Pick<CheckedCollection, 'path' | 'items'>,
  { send, monitor }: { readonly send: SendRequest; readonly monitor: ChangeMonitor },
): Promise<unknown> {
  await monitor.observe(path)
  for (const id of [absentName, ...idTextsOf(items.slice(0, 1))])
    await send('OPTIONS', itemPath(path, id))
  return (await send('OPTIONS', path)).json
}

/** Returns path and query of the next page from `Link`. */
export function nextPage({ request, headers }: CheckResponse): string | undefined {
  const { next } = parseLink(headers.link ?? '')
  const url = next === undefined ? undefined : resolveReference(next, request.path)
  return url && url.pathname + url.search
}

/** Returns the first item. Skips the rule for an empty collection. */
export function firstItem({ items }: CheckedCollection): ServerItem {
  return items[0] ?? skip('The collection is empty.')
}

/** Returns the fields that a description says to be owners, references or restricted. */
export function fixedIn(description: unknown): readonly string[] {
  const lists = ['ownedBy', 'restricted'].map((name) => stringsIn(description, name) ?? [])
  return [...lists.flat(), ...offersIn(description).references.map(({ field }) => field)]
}

/** Returns the strings in a list field of a JSON object; `undefined` when it is no list. */
export function stringsIn(json: unknown, field: string): readonly string[] | undefined {
  const value = memberOf(json, field)
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : undefined
}

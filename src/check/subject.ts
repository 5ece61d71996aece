import { isRecord } from '../model/declared.ts'
import { parseLink } from '../wire/link.ts'
import { maxListLength, maxPages } from './bounds.ts'
import { expectItems, type Found, TooLong, unfit } from './expect.ts'
import { type Place, targetOf } from './place.ts'
import type { Ask, Exchange } from './sent.ts'
import type { Workshop } from './workshop.ts'

/** The item that owns a collection. */
export interface Parent {
  /** The collection it is in: `/v1/companies`. */
  readonly path: string
  readonly id: string
  /** Another item beside it, if there is one. */
  readonly otherId: string | undefined
  /** What follows its id: `/customers`. */
  readonly rest: string
  /** The field that owns, as the template names it: `company_id`; `undefined` where it names none. */
  readonly field: string | undefined
}

/** A collection of a server, and what could be learnt of it by reading. */
export interface Subject {
  /** As it was named: `/v1/companies/{company_id}/customers`. */
  readonly name: string
  /** Where it is read: `/v1/companies/7/customers`. */
  readonly path: string
  readonly place: Place
  readonly ask: Ask
  /** Everything that was asked about it. */
  readonly log: () => readonly Exchange[]
  readonly items: readonly Found[]
  /** Why the items cannot be read; `undefined` when they can. */
  readonly fault: string | undefined
  readonly sortable: readonly string[]
  /** The fields `q` looks into, `[]` where it is not taken; `undefined` where nobody tells. */
  readonly searchable: readonly string[] | undefined
  readonly readOnly: readonly string[]
  /** Its server says that DELETE on it needs `Prefer: max-affected`. */
  readonly isBounded: boolean
  /** The longest page that can be asked for, as far as that is known. */
  readonly maxLimit: number
  readonly parent: Parent | undefined
  /** Only with `--write`, and where the list can be read. */
  readonly workshop: Workshop | undefined
}

/** All of a list. */
interface Listed {
  readonly items: readonly Found[]
  /** The exchange of its first page. */
  readonly first: Exchange
}

/**
 * Reads all of a list, from its first page on.
 *
 * @throws {Breach} Unless every page is a list.
 * @throws {TooLong} For a list of more pages, or longer ones, than are followed.
 */
export async function listAll(ask: Ask, path: string): Promise<Listed> {
  const first = await ask('GET', path)
  const items = [...expectItems(first)]
  const seen = new Set([path])
  let length = first.answer.text.length
  // A link that leads back would be followed for ever.
  for (let next = nextOf(first); next !== undefined && !seen.has(next); ) {
    if (seen.size === maxPages) throw new TooLong(`It has more than ${maxPages} pages.`)
    if (length > maxListLength) throw new TooLong(`It has more than ${maxListLength} characters.`)
    seen.add(next)
    const page = await ask('GET', next)
    for (const item of expectItems(page)) items.push(item)
    length += page.answer.text.length
    next = nextOf(page)
  }
  return { items, first }
}

/** The path and query of the next page, as `Link` gives it. */
export function nextOf({ sent, answer }: Exchange): string | undefined {
  const { next } = parseLink(answer.headers.link ?? '')
  const url = next === undefined ? undefined : targetOf(next, sent.path)
  return url && url.pathname + url.search
}

/** A parameter of a path and query, decoded; `undefined` where it is not there. */
export function parameterOf(path: string, name: string): string | undefined {
  return new URLSearchParams(path.split('?')[1] ?? '').get(name) ?? undefined
}

/** The items, of which there are some. */
export function someItem({ items }: Subject): Found {
  return items[0] ?? unfit('The collection is empty.')
}

/** A list of texts in a JSON value; `undefined` where it is none. */
export function textsIn(json: unknown, field: string): readonly string[] | undefined {
  const value = isRecord(json) ? json[field] : undefined
  if (!Array.isArray(value)) return undefined
  return value.filter((text): text is string => typeof text === 'string')
}

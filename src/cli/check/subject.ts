import { isRecord } from '../../model/declared.ts'
import { parseLink } from '../../wire/link.ts'
import type { Ask, Exchange } from './exchange.ts'
import { expectItems, type Found, unfit } from './expect.ts'
import type { Place } from './place.ts'
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
  /** Only with `--write`. */
  readonly workshop: Workshop | undefined
}

const maxPages = 500

/** All of a list, from its first page on: with the exchange of every page. */
export async function listAll(
  ask: Ask,
  path: string,
): Promise<{ items: readonly Found[]; pages: readonly Exchange[] }> {
  const pages: Exchange[] = []
  const items: Found[] = []
  let next: string | undefined = path
  while (next !== undefined && pages.length < maxPages) {
    const page = await ask('GET', next)
    pages.push(page)
    items.push(...expectItems(page))
    const after = nextOf(page)
    // A link that leads nowhere else would be followed for ever.
    next = after === next ? undefined : after
  }
  return { items, pages }
}

/** The path and query of the next page, as `Link` gives it. */
export function nextOf({ sent, answer }: Exchange): string | undefined {
  const { next } = parseLink(answer.headers.link ?? '')
  if (next === undefined) return undefined
  try {
    const url = new URL(next, `http://host${sent.path}`)
    return url.pathname + url.search
  } catch {
    return undefined
  }
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

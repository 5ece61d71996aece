import type { HttpResponse } from '../../contract/resource/http.ts'
import { isId } from '../../contract/resource/id.ts'
import { filterPathOf } from '../../contract/schema/filter.ts'
import { type ParameterName, parameterNames } from '../../convention/operations.ts'
import { isRecord } from '../../convention/value.ts'
import { parseLink } from '../../wire/link.ts'
import { itemPath } from '../../wire/path.ts'
import { maxListLength, maxPages } from './limits.ts'
import {
  type CheckRequest,
  type CheckResponse,
  expect,
  idTextsOf,
  ListTooLong,
  listMember,
  listParametersIn,
  memberOf,
  type OfferedReference,
  RuleViolation,
  referencesIn,
  type SendRequest,
  type ServerItem,
  skip,
  stringsIn,
} from './message.ts'
import {
  filterIn,
  type OfferedFilter,
  type RelatedFilter,
  relatedFiltersOf,
} from './offered-filters.ts'
import { decodeSegment, type PathParts, resolveReference, splitAtVersion } from './path.ts'

/** The parameters of a list, as far as OPTIONS names them, and the references of its items. */
interface Offers {
  /** Those whose types OPTIONS tells. */
  readonly filters: readonly OfferedFilter[]
  /** The filters by fields of related items. */
  readonly related: readonly RelatedFilter<OfferedReference>[]
  /** The parameters of a list as a client writes them, with every filter. */
  readonly names: readonly string[]
  /** The JSON Schemas of fields to filter and to sort by. */
  readonly schemas: Readonly<Record<string, unknown>>
  readonly references: readonly OfferedReference[]
  readonly parameters: readonly ParameterName[]
  /** The fields of an item; `undefined` when OPTIONS does not name them. */
  readonly fields: readonly string[] | undefined
  /** A write can be tried with `dry_run`. */
  readonly hasDryRun: boolean
  /** A DELETE of the collection takes filters. */
  readonly selects: boolean
  /** A DELETE of the collection needs no filter, as far as OPTIONS tells. */
  readonly clears: boolean
  /** A create takes `Idempotency-Key`; `undefined` when OPTIONS does not tell. */
  readonly takesKey: boolean | undefined
  /** A PUT creates an item that does not exist. */
  readonly putCreates: boolean
  /** A list without `limit` is cut too. */
  readonly hasDefaultLimit: boolean
}

/** Reads the response to OPTIONS on a collection. */
export function offersIn(description: unknown): Offers {
  const operations = listMember(description, 'operations')
  const written = listParametersIn(description)
  const references = referencesIn(description)
  const filterable = stringsIn(description, 'filterable') ?? []
  const fields = memberOf(description, 'fields')
  const isIdempotent = memberOf(description, 'idempotent')
  const member = memberOf(description, 'schemas')
  const schemas = isRecord(member) ? member : {}
  return {
    filters: written
      .flatMap(filterIn)
      .filter(({ field }) => field === 'id' || Object.hasOwn(schemas, field)),
    // The caller may not see a restricted field, and the related items do not tell.
    related: relatedFiltersOf({ parameters: written, references, filterable }).filter(
      ({ field, reference }) => !reference.restricted.includes(filterPathOf(field).field),
    ),
    names: written,
    schemas,
    references,
    parameters: parameterNames.filter((name) => written.includes(name)),
    fields: Array.isArray(fields) ? textsOf(fields) : undefined,
    hasDryRun: operations.some((operation) =>
      listMember(operation, 'parameters').includes('dry_run'),
    ),
    clears:
      operations.length === 0 ||
      operations.some((operation) => memberOf(operation, 'kind') === 'deleteAll'),
    selects: operations.some((operation) => memberOf(operation, 'kind') === 'deleteMany'),
    takesKey: typeof isIdempotent === 'boolean' ? isIdempotent : undefined,
    putCreates: memberOf(description, 'putCreates') === true,
    hasDefaultLimit: typeof memberOf(memberOf(description, 'limits'), 'defaultLimit') === 'number',
  }
}

function textsOf(list: readonly unknown[]): readonly string[] {
  return list.filter((text) => typeof text === 'string')
}

/** The states of the items of a collection. */
interface OfferedStates {
  readonly field: string
  /** The state of a new item. */
  readonly initial: string
  /** By state: the states that follow. */
  readonly moves: Readonly<Record<string, readonly string[]>>
}

// `undefined` for no states.
function statesIn(description: unknown): OfferedStates | undefined {
  const { field, initial, moves } = Object(memberOf(description, 'states'))
  if (typeof field !== 'string' || typeof initial !== 'string' || !isRecord(moves)) return undefined
  const texts = Object.keys(moves).map((state) => [state, stringsIn(moves, state) ?? []])
  return { field, initial, moves: Object.fromEntries(texts) }
}

/** The item that owns a collection. */
interface Parent {
  /** The collection of the item: `/v1/companies`. */
  readonly path: string
  readonly id: string
  /** Another item of that collection, if it has one. */
  readonly otherId: string | undefined
  /** The path after the id: `/customers`. */
  readonly suffix: string
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
  /** The sortable fields that sort without case. */
  readonly folded: readonly string[]
  /** The fields of `q`; `undefined` when OPTIONS does not name them. */
  readonly searchable: readonly string[] | undefined
  /** The fields of `by`. */
  readonly countable: readonly string[]
  readonly readOnly: readonly string[]
  /** The fields that a PUT may leave out: they keep their values. */
  readonly keep: readonly string[]
  /** The fields whose values the server knows: owners, references and restricted fields. */
  readonly fixed: readonly string[]
  /** The states of items, as OPTIONS tells them. */
  readonly states: OfferedStates | undefined
  readonly offers: Offers
  readonly reference: ReferenceCollection
  /** DELETE on the collection needs `Prefer: max-affected`. */
  readonly isBounded: boolean
  /** The largest `limit`, as far as the check knows. */
  readonly maxLimit: number
  readonly parent: Parent | undefined
  /** Only with `--write`, and when the list can be read. */
  readonly writable: WritableCollection | undefined
}

/** The same collection of a right server. Its expectations reject with {@link RuleViolation}. */
export interface ReferenceCollection {
  readonly answer: (request: CheckRequest) => Promise<HttpResponse>
  /** Expects its answer: a problem, a body, or the ids and fields of items on all pages. */
  readonly same: (response: CheckResponse) => Promise<void>
  /** Expects that all pages of a list are together its list without `limit`. */
  readonly pages: (response: CheckResponse) => Promise<void>
  /** Expects a link to the next page with its parameters, and that page. */
  readonly next: (response: CheckResponse) => Promise<void>
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
  return readFrom(await send('GET', path), send)
}

/** Reads the other pages of a list. Throws as {@link readAll}. */
export async function readFrom(first: CheckResponse, send: SendRequest): Promise<WholeList> {
  const items = [...expect.items(first)]
  const seen = new Set([first.request.path])
  let length = first.text.length
  // A link back to a page that was read ends the list.
  for (let next = nextPage(first); next !== undefined && !seen.has(next); ) {
    if (seen.size === maxPages) throw new ListTooLong(`It has more than ${maxPages} pages.`)
    if (length > maxListLength)
      throw new ListTooLong(`It has more than ${maxListLength} characters.`)
    seen.add(next)
    const page = await send('GET', next)
    for (const item of expect.items(page)) items.push(item)
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

/**
 * Reads the roles of fields in a description: the states, and the fields whose values the server
 * knows, states among them.
 */
export function rolesIn(description: unknown): Pick<CheckedCollection, 'fixed' | 'states'> {
  const lists = ['ownedBy', 'restricted'].map((name) => stringsIn(description, name) ?? [])
  const states = statesIn(description)
  const references = offersIn(description).references.map(({ field }) => field)
  const fixed = [...lists.flat(), ...references, ...(states ? [states.field] : [])]
  return { fixed, states }
}

/** The collection that the rules write to. */
export interface WritableCollection {
  readonly path: string
  /** Every item in it belongs to the check: created by it, below its own parent, or `--empty`. */
  readonly isOwn: boolean
  /**
   * Returns the body of a new item. Rejects like `create`. The first time that the server assigns
   * an invalid id, rejects with `RuleViolation`.
   */
  readonly draft: () => Promise<ItemDraft>
  /** Creates an item. Rejects with `NotApplicable` when that is impossible. */
  readonly create: () => Promise<ServerItem>
  /**
   * Changes a text of a draft that takes other words, as far as the server has one: no owner,
   * reference or restricted field, and no text of a format or an enumeration.
   */
  readonly change: (draft: ItemDraft) => Promise<ItemDraft>
}

/** The body of a new item. */
export type ItemDraft = Readonly<Record<string, unknown>>

/** Options of a check that writes. */
export interface CheckWriteOptions {
  /** Drafts by the name of their collection. */
  readonly samples: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Allows the check to delete every item of the collections. */
  readonly isEmptied: boolean
}

/**
 * Finds the parent of a collection like `/v1/companies/{company_id}/customers`: the one with the
 * most items. Returns `undefined` for a collection at the top.
 */
export async function findParent(name: string, send: SendRequest): Promise<Parent | undefined> {
  const [, above = '', field = '', suffix = ''] =
    /^(.*)\/[{:]([^{}/]+)\}?(\/[^/]+)$/.exec(name) ?? []
  if (suffix === '') return parentInPath(name, send)
  const grandparent = await findParent(above, send)
  const path = grandparent === undefined ? above : pathBelow(grandparent)
  const { items } = await readList(path, send)
  const ids = idTextsOf(items)
  let [id = skip(`${path} has no item, and so no collection below one.`)] = ids
  let most = 0
  for (const candidate of ids.slice(0, maxParents)) {
    const { length } = (await readList(pathBelow({ path, id: candidate, suffix }), send)).items
    if (length > most) [id, most] = [candidate, length]
  }
  return { path, id, otherId: ids.find((candidate) => candidate !== id), suffix, field }
}

const maxParents = 10

/** Returns the path of the collection below a parent. */
export function pathBelow({ path, id, suffix }: Pick<Parent, 'path' | 'id' | 'suffix'>): string {
  return itemPath(path, id) + suffix
}

/** The reason why a rule about parents does not apply. */
export const noParent = 'The collection has no parent.'

/** Returns the parent. Skips the rule for a collection without one. */
export function parentOf({ parent }: CheckedCollection): Parent {
  return parent ?? skip(noParent)
}

// A path may hold the parent's id: `/v1/companies/7/customers`.
async function parentInPath(name: string, send: SendRequest): Promise<Parent | undefined> {
  const { prefix, version, route } = splitAtVersion(name)
  const segments = route.split('/').slice(1)
  if (version === undefined || segments.length < 3 || segments.length % 2 === 0) return undefined
  const path = [prefix, version, ...segments.slice(0, -2)].join('/').replace(/^(?!\/)/, '/')
  const id = decodeSegment(segments.at(-2) ?? '')
  if (id === undefined || !isId(id)) skip(`${name} holds an invalid parent id.`)
  const { items } = await readList(path, send)
  const otherId = idTextsOf(items).find((candidate) => candidate !== id)
  return { path, id, otherId, suffix: `/${segments.at(-1)}`, field: undefined }
}

import type { HttpResponse, Operation, Registry, RegistryOptions } from 'nounful'
import { type Adapter, defineApi, defineRegistry, defineResource, type HttpRequest } from 'nounful'
import { z } from 'zod'
import { takenFieldsOf } from '../../src/contract/schema/required.ts'
import type { StandardSchema } from '../../src/contract/schema/schema.ts'
import { fieldOf } from '../../src/convention/value.ts'

/** An adapter as a test writes it: any methods, giving anything at all. */
export type Loose = {
  readonly [Kind in Exclude<
    keyof Adapter,
    'ready' | 'examine' | 'layout' | 'join' | 'holdsValue' | 'advise' | 'storage'
  >]?: (operation: Operation, context: unknown, change?: (stored: unknown) => unknown) => unknown
}

/** An item of the small registries. */
export interface Note {
  readonly id: string
  readonly [field: string]: unknown
}

/** The differences of a test's small registry from the plain one. */
export interface Differences {
  /** Merged into the declaration of `notes`. */
  readonly declaration?: object
  readonly options?: RegistryOptions
  readonly context?: (request: HttpRequest) => unknown
  readonly use?: readonly ((
    operation: Operation,
    context: unknown,
    next: () => unknown,
  ) => unknown)[]
}

/** A registry, and the errors that its `onError` received. */
export interface Small {
  readonly registry: Registry
  readonly errors: unknown[]
  /** The operation each of {@link errors} was about. */
  readonly operations: (Operation | undefined)[]
}

const Text = z.strictObject({ text: z.string(), rank: z.number().optional() })

/** One resource, `notes`, with an adapter written by hand. */
export function notesWith(adapter: Loose, differences: Differences = {}): Small {
  const { declaration, options, context, use = [] } = differences
  // Many a test stores nothing but an id.
  const own = Text.partial().extend({ id: z.string() })
  const fields = takenFieldsOf(
    (fieldOf(declaration ?? {}, 'schema') as StandardSchema | undefined) ?? own,
  )
  const among = <Name extends string>(...names: Name[]): Name[] =>
    names.filter((name) => fields === undefined || fields.includes(name))
  const notes = defineResource('notes', {
    schema: own,
    create: Text,
    sortable: among('text', 'rank'),
    searchable: among('text'),
    ...declaration,
  })
  const errors: unknown[] = []
  const operations: (Operation | undefined)[] = []
  // Tests give adapters and middleware that break their types on purpose.
  let builder = defineRegistry(defineApi({ v1: { '/notes': notes } }), options)
  if (context) builder = builder.context(context)
  for (const middleware of use) builder = builder.use(middleware as never)
  const registry = builder
    .onError((error, { operation }) => {
      errors.push(error)
      operations.push(operation)
    })
    .adapters({ notes: adapter as never })
  return { registry, errors, operations }
}

/** Notes in a `Map`, by hand: everything but `first`, `last` and `count`. */
export function mapOf(...items: readonly Note[]): Loose & { readonly stored: Map<unknown, Note> } {
  const stored = new Map<unknown, Note>(items.map((item) => [item.id, item]))
  const put = (item: unknown): Note => {
    stored.set((item as Note).id, item as Note)
    return item as Note
  }
  const inScope = ({ scope }: Operation, item: Note | undefined): Note | undefined =>
    item && Object.entries(scope).every(([field, value]) => item[field] === value)
      ? item
      : undefined
  return {
    stored,
    list: (operation) =>
      [...stored.values()]
        .filter((item) => inScope(operation, item))
        .slice(0, operation.query.limit),
    read: (operation) => inScope(operation, stored.get(operation.id)) ?? null,
    create: ({ item }) => put({ id: `n${stored.size + 1}`, ...item }),
    update: ({ id, item }) => (stored.has(id) ? put(item) : null),
    updateMany: ({ items = [] }) => {
      const ids = items.map((item) => fieldOf(item, 'id'))
      const isWhole = ids.every((id) => stored.has(id))
      return isWhole ? items.map(put) : ids.map((id) => stored.get(id) ?? null)
    },
    delete: (operation) => {
      const item = inScope(operation, stored.get(operation.id))
      stored.delete(item?.id)
      return item
    },
    deleteAll: (operation) => {
      const all = [...stored.values()].filter((item) => inScope(operation, item))
      for (const { id } of all) stored.delete(id)
      return all.length
    },
  }
}

/** The same adapter, whose every answer takes its time. */
export function delayed(adapter: Loose): Loose {
  return Object.fromEntries(
    Object.entries(adapter)
      .filter(([, method]) => typeof method === 'function')
      .map(([kind, method]) => [
        kind,
        async (...given: Parameters<typeof method>) => {
          await Promise.resolve()
          return method(...given)
        },
      ]),
  )
}

/**
 * A request in one line: `['POST', '/notes', { text: 'a' }]`; a body other than text becomes JSON.
 */
export type Line = readonly [
  method: string,
  url: string,
  body?: unknown,
  headers?: HttpRequest['headers'],
]

/** The request of a {@link Line}; its body is declared JSON unless the headers say otherwise. */
export function requestOf([method, url, body, headers]: Line): HttpRequest {
  if (body === undefined) return { method, url, headers }
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { method, url, headers: { 'content-type': 'application/json', ...headers }, body: text }
}

/** The members of a problem document. */
export interface ProblemBody {
  readonly code: string
  readonly message: string
  readonly issues?: readonly {
    pointer?: string
    parameter?: string
    code: string
    message: string
  }[]
  readonly allowed?: readonly string[]
}

/**
 * Returns the status, with the code of a problem: `200`, `'404 not_found'`. A message of a problem
 * must not be empty, or end where a word is missing.
 */
export function verdictOf({ status, body }: Pick<HttpResponse, 'status' | 'body'>): string {
  if (status < 400) return `${status}`
  const { code, message, issues = [] } = body as ProblemBody
  const messages = [message, ...issues.map((issue) => issue.message)]
  const isSaid = messages.every((text) => /^\S(?:.*\S)?$/s.test(text))
  return isSaid ? `${status} ${code}` : `${status} ${code} without words`
}

/** The places an answer's issues point to. */
export function pointersOf({ body }: Pick<HttpResponse, 'body'>): string[] {
  return ((body as ProblemBody).issues ?? []).map(({ pointer = '', code }) => `${pointer} ${code}`)
}

/** Notes a value and gives another: `list: ({ query }) => noting(seen, query.limit, [])`. */
export function noting<Noted, Given>(seen: Noted[], value: Noted, given: Given): Given {
  seen.push(value)
  return given
}

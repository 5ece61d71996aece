import {
  defineApi,
  defineRegistry,
  defineResource,
  type HttpRequest,
  handle,
  type Operation,
  type Registry,
} from 'nounful'
import { toFetchHandler } from 'nounful/fetch'
import { serve } from 'nounful/node'
import { expect } from 'vitest'
import { z } from 'zod'
import type { Answered } from '../../src/contract/resource/http.ts'
import { keepsReadOnly } from '../../src/contract/resource/siblings.ts'
import { type OperationKind, operationKinds } from '../../src/convention/operations.ts'
import { Connection } from './connection.ts'
import { methodOf } from './methods.ts'
import { type Line, type Loose, requestOf } from './registry.ts'
import { bytesOf } from './socket.ts'

/** A text that faults carry, and no answer may. */
export const secret = 'the-key-under-the-mat'

/** A request of each kind, and its verdict without a fault. */
// biome-ignore format: a row stays a line
export const calm: Readonly<Record<OperationKind, readonly [line: Line, verdict: string]>> = {
  list:       [['GET', '/notes'],                                                    '200'],
  create:     [['POST', '/notes', { text: 'c' }],                                    '201'],
  updateMany: [['PUT', '/notes', [{ id: 'n1', text: 'a' }, { id: 'n2', text: 'b' }]], '200'],
  deleteAll:  [['DELETE', '/notes'],                                                 '200'],
  deleteMany: [['DELETE', '/notes?id=n1', undefined, { prefer: 'max-affected=9' }],    '200'],
  read:       [['GET', '/notes/n1'],                                                 '200'],
  update:     [['PUT', '/notes/n1', { text: 'a' }],                                  '200'],
  patch:      [['PATCH', '/notes/n1', { text: 'a' }],                                 '200'],
  patchMany:  [['PATCH', '/notes', [{ id: 'n1', text: 'a' }, { id: 'n2', text: 'b' }]], '200'],
  delete:     [['DELETE', '/notes/n1'],                                              '200'],
  first:      [['GET', '/notes/first'],                                              '200'],
  last:       [['GET', '/notes/last'],                                               '200'],
  count:      [['GET', '/notes/count'],                                              '200'],
}

const notes = ['n1', 'n2'].map((id) => ({ id, text: `of ${id}` }))

const noteOf = (id: unknown) => notes.find((note) => note.id === id)

/** An adapter without a memory that answers everything well. */
export const calmAdapter: Loose = {
  list: () => notes,
  create: ({ item }) => ({ ...item, id: 'n3' }),
  updateMany: ({ items }) => items,
  deleteAll: () => 2,
  deleteMany: () => 1,
  modify: ({ id }, _, change) => change?.(noteOf(id)),
  modifyMany: ({ ids = [] }, _, change) => change?.(ids.map(noteOf)),
  read: ({ id }) => noteOf(id),
  update: ({ item }) => item,
  delete: ({ id }) => noteOf(id),
  first: () => notes[0],
  last: () => notes[1],
  count: () => 2,
}

/** The place of a fault: a method of the adapter, or a hook. */
export type Point =
  | OperationKind
  | 'context'
  | 'middleware'
  | 'onError'
  | 'onAnswer'
  | 'requestId'
  | 'schema'

type Method = NonNullable<Loose['list']>
type Fault = (...given: never[]) => unknown

/** The call of `onError`. */
interface Told {
  readonly error: unknown
  readonly requestId: string
  readonly operation: Operation | undefined
}

/** An answer, whichever way it came. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** It ended before it was whole. */
  readonly isCut: boolean
}

/** The ways a request may come. */
export const doors = ['handle', 'node', 'fetch'] as const

/** One of {@link doors}. */
export type Door = (typeof doors)[number]

/** The differences of a world from the plain one. */
interface Conditions {
  readonly adapter?: Loose
  /** Merged into the declaration of `notes`. */
  readonly declaration?: object
  readonly options?: object
  /** No middleware looks at what adapters give. Default: one does. */
  readonly isBare?: boolean
}

const Text = z.strictObject({ text: z.string(), rank: z.number().optional() })

/** Notes in a registry where everything goes well, until a fault is put somewhere. */
export class World {
  readonly registry: Registry
  readonly told: Told[] = []
  /** The events of the responses. */
  readonly answered: Answered[] = []
  /** The kinds of the adapter's calls. */
  readonly asked: OperationKind[] = []
  readonly #faults = new Map<Point, { readonly fault: Fault; times: number }>()
  readonly #closed: (() => Promise<void>)[] = []
  #connection: Connection | undefined
  #port = 0

  constructor({ adapter = calmAdapter, declaration, options, isBare }: Conditions = {}) {
    const resource = defineResource('notes', {
      schema: Text.extend({ id: z.string() }),
      create: this.#watched(Text),
      sortable: ['text'],
      searchable: ['text'],
      ...declaration,
    })
    const methods = operationKinds.flatMap((kind) => {
      const method = adapter[methodOf(kind)]
      return method ? [[methodOf(kind), this.#method(kind, method)]] : []
    })
    const requestId = (request: HttpRequest) =>
      this.#go('requestId', () => crypto.randomUUID(), request) as string
    const begun = defineRegistry(defineApi({ v1: { '/notes': resource } }), {
      requestId,
      ...options,
    }).context((request) => this.#go('context', () => ({ request }), request))
    const builder = isBare
      ? begun
      : begun.use(
          (operation, context, next) =>
            // Middleware of tests breaks its types on purpose.
            this.#go('middleware', next, operation, context, next) as ReturnType<typeof next>,
        )
    this.registry = builder
      .onError((error, { operation, requestId: told }) => {
        this.told.push({ error, requestId: told, operation })
        return this.#go('onError', () => undefined) as undefined
      })
      .onAnswer((answered) => {
        this.answered.push(answered)
        return this.#go('onAnswer', () => undefined) as undefined
      })
      .adapters({ notes: Object.fromEntries(methods) })
  }

  /** Puts a fault somewhere, for so many calls. */
  arm(point: Point, fault: Fault, times = 1): void {
    this.#faults.set(point, { fault, times })
  }

  /** Takes all faults away, and forgets what has been. */
  calm(): void {
    this.#faults.clear()
    this.told.length = 0
    this.answered.length = 0
    this.asked.length = 0
  }

  /** Asks through a door; over Node, all requests come on one connection while it lasts. */
  async ask(door: Door, line: Line): Promise<Reply> {
    if (door === 'handle') return this.#handle(requestOf(line))
    if (door === 'fetch') return this.#fetch(requestOf(line))
    const { method, url, headers, body } = requestOf(line)
    const fields = Object.entries(headers ?? {}).map(
      ([name, value]) => [name, String(value)] as const,
    )
    const connection = await this.connect()
    return connection.ask(bytesOf([method, url], fields, body as string | undefined))
  }

  /** The connection that {@link ask} uses, or a new one where that is over. */
  async connect(): Promise<Connection> {
    if (this.#port === 0) {
      const server = await serve(this.registry, { port: 0 })
      this.#port = server.port
      this.#closed.push(() => server.close())
    }
    if (this.#connection?.isOver !== false) this.#connection = new Connection(this.#port)
    return this.#connection
  }

  async close(): Promise<void> {
    this.#connection?.destroy()
    for (const close of this.#closed) await close()
  }

  #go(point: Point, calmly: (...given: never[]) => unknown, ...given: unknown[]): unknown {
    const armed = this.#faults.get(point)
    if (armed && --armed.times <= 0) this.#faults.delete(point)
    return (armed?.fault ?? calmly)(...(given as never[]))
  }

  #method(kind: OperationKind, method: Method): Method {
    // Else the core would call `modify` for an update.
    return keepsReadOnly((...given) => {
      this.asked.push(kind)
      return this.#go(kind, () => method(...given), ...given)
    })
  }

  #watched(schema: typeof Text): typeof Text {
    const standard = schema['~standard']
    const validate: typeof standard.validate = (value) =>
      this.#go('schema', () => standard.validate(value), value) as ReturnType<typeof validate>
    return Object.create(schema, { '~standard': { value: { ...standard, validate } } })
  }

  async #handle(request: HttpRequest): Promise<Reply> {
    const { status, headers, body } = await handle(request, this.registry)
    const isStream = typeof body === 'object' && body !== null && Symbol.asyncIterator in body
    if (!isStream) return { status, headers, text: JSON.stringify(body) ?? '', isCut: false }
    const items: unknown[] = []
    try {
      for await (const item of body as AsyncIterable<unknown>) items.push(item)
      return { status, headers, text: JSON.stringify(items), isCut: false }
    } catch {
      return { status, headers, text: JSON.stringify(items), isCut: true }
    }
  }

  async #fetch({ method, url, headers, body }: HttpRequest): Promise<Reply> {
    const init = { method, headers: headers as Record<string, string>, body: body as string }
    const request = new Request(`http://any.example${url}`, init)
    const response = await toFetchHandler(this.registry)(request)
    const head = { status: response.status, headers: Object.fromEntries(response.headers) }
    try {
      return { ...head, text: await response.text(), isCut: false }
    } catch {
      return { ...head, text: '', isCut: true }
    }
  }
}

/** The status, with the code where it is a problem: `200`, `'404 not_found'`. */
export function verdictOf({ status, text }: Reply): string {
  return status < 400 ? `${status}` : `${status} ${JSON.parse(text).code}`
}

/** A fault, and what has to come of it. */
interface Strike {
  readonly door: Door
  readonly kind: OperationKind
  /** Default: the adapter's method of the kind. */
  readonly point?: Point
  readonly fault: Fault
  /** Calls that the fault lasts. Default 1. */
  readonly times?: number
  readonly verdict: string
  /** The adapter's calls. Default: the kind for a fault of the adapter, else none. */
  readonly asked?: readonly OperationKind[]
}

/**
 * Makes a request fail. The response must have the verdict without the cause, and `onError` must
 * get the cause once with the same request id. The next request must succeed.
 */
export async function strike(world: World, fault: Strike): Promise<Reply> {
  const { door, kind, point = kind, verdict } = fault
  const [line, expected] = calm[kind]
  world.calm()
  world.arm(point, fault.fault, fault.times)
  const hit = await world.ask(door, line)
  expect(verdictOf(hit)).toBe(verdict)
  expect(JSON.stringify(hit)).not.toContain(secret)
  // The response went out all the same.
  const failures = world.told.filter(({ error }) => !isStoredValueError(error))
  const ids = failures.map(({ requestId }) => requestId)
  expect(ids).toEqual(hit.status >= 500 ? [JSON.parse(hit.text).request_id] : [])
  for (const id of ids) expect(id).toMatch(/^[!-~]+$/)
  // A write happens once.
  const {
    asked = point === 'context' && hit.status >= 400 ? [] : [point === 'list' ? point : kind],
  } = fault
  expect(world.asked).toEqual(asked)
  world.calm()
  expect(verdictOf(await world.ask(door, line))).toBe(expected)
  expect(world.told).toEqual([])
  return hit
}

/** The unhandled errors of a file of tests. */
export function watchProcess(): unknown[] {
  const strays: unknown[] = []
  process.on('unhandledRejection', (error) => strays.push(error))
  process.on('uncaughtException', (error) => strays.push(error))
  return strays
}

// A hostile error throws whatever one asks of it.
function isStoredValueError(error: unknown): boolean {
  try {
    return Object(error).name === 'StoredValueError'
  } catch {
    return false
  }
}

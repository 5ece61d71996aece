import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import {
  type AdapterFor,
  defineApi,
  defineRegistry,
  defineResource,
  handle,
  type Registry,
} from 'nounful'
import { type FetchHandler, toFetchHandler } from 'nounful/fetch'
import { kyselyAdapter, sqliteDialect } from 'nounful/kysely'
import { memoryAdapter } from 'nounful/memory'
import { type RunningServer, serve } from 'nounful/node'
import type { Layer } from 'nounful/openapi'
import { afterAll, describe, expect, test } from 'vitest'
import { companies, customers } from '../../../examples/companies/contract.ts'
import { createTables } from '../../../examples/companies/tables.ts'
import { statuses } from '../../../src/convention/operations.ts'
import { Connection } from '../../support/connection.ts'
import { employees } from '../../support/first-version.ts'
import { bytesOf } from '../../support/socket.ts'

const { schema, create, sortable, searchable } = employees
// The example's contract, whose employees also have a filter of every kind of text.
const filtered = defineResource('employees', {
  schema,
  create,
  readOnly: ['created_at'],
  sortable,
  searchable,
  references: { company_id: 'companies' },
  filterable: {
    name: 'text',
    email: 'text',
    birthdate: 'date',
    created_at: 'date-time',
    company_id: 'text',
  },
})
const api = defineApi({
  v1: {
    '/employees': filtered,
    '/companies': companies,
    '/companies/:company_id/customers': customers,
    '/companies/:company_id/employees': filtered,
  },
})

/** The rest of a row besides request and verdict. */
interface More {
  readonly body?: string | Uint8Array
  /** The `content-type` of the body. Default `application/json`; `null` for none. */
  readonly type?: string | null
  readonly fields?: readonly (readonly [name: string, value: string])[]
  /** How the body is sent over a socket. Default: whole, with its length. */
  readonly framing?: 'chunked'
  /** Changes of the store: `-employees/e-ada` is deleted, `~` changed, `+` new. Default: none. */
  readonly changes?: readonly string[]
  /** Texts that the answer, head included, has. */
  readonly holds?: readonly string[]
  /** Texts that it has not. */
  readonly lacks?: readonly string[]
  /** `raw`: a `Request` cannot hold it. `fetch`: only a `Request` makes this of it. */
  readonly only?: 'raw' | 'fetch'
}

/**
 * `GET /v1/employees?q=ada` and its verdict: `200 [e-ada]`, `404 not_found`, `200 count 1`; of HEAD
 * the status alone.
 */
export type Row = readonly [request: string, verdict: string, more?: More]

/** The storage of the service. */
export type Store = 'memory' | 'SQLite'

/** The layers before a registry. */
export type LayersFor = (registry: Registry) => readonly Layer[]

const created_at = '2026-01-02T03:04:05.000Z'
const onCreate = () => ({ created_at })

/** Makes the ids `n1`, `n2`, … of a world: after new items it is over. */
function counting(): () => string {
  let made = 0
  return () => `n${++made}`
}

const odd = `100%_Grace \\ Hopper's "x"`

/** The first items of every case; `c-umbra` has nothing under it, `e-grace` no company. */
const items = {
  companies: [
    { id: 'c-acme', name: 'Acme', created_at },
    { id: 'c-globex', name: 'Globex', created_at },
    { id: 'c-umbra', name: 'Umbra', created_at },
  ],
  employees: [
    { id: '7', name: 'Seven', birthdate: '1977-07-07', company_id: 'c-globex', created_at },
    { id: 'e-ada', name: 'Ada Lovelace', birthdate: '1815-12-10', company_id: 'c-acme', created_at },
    { id: 'e-alan', name: 'Alan Turing', birthdate: '1912-06-23', company_id: 'c-acme', created_at },
    { id: 'e-grace', name: odd, birthdate: '1906-12-09', created_at },
  ],
  customers: [
    { id: 'k-kay', name: 'Kay', company_id: 'c-acme' },
    { id: 'k-lee', name: 'Lee', company_id: 'c-globex' },
  ],
} // biome-ignore format: rows

/** The service of the example's contract, and how it ends. */
interface Kept {
  readonly registry: Registry
  readonly end: () => unknown
}

function inMemory(): Kept {
  const nextId = counting()
  const companies: AdapterFor<typeof api, 'companies'> = memoryAdapter({
    items: items.companies,
    nextId,
    onCreate,
  })
  const registry = defineRegistry(api).adapters({
    companies,
    employees: memoryAdapter({ items: items.employees, nextId, onCreate }),
    customers: memoryAdapter({ items: items.customers, nextId }),
  })
  return { registry, end: () => undefined }
}

async function inSqlite(): Promise<Kept> {
  const db = new Kysely<unknown>({
    dialect: sqliteDialect(new DatabaseSync(':memory:')),
  })
  await createTables({ db, textType: async () => 'text' })
  const tables = db.withTables<Record<keyof typeof items, object>>()
  for (const name of ['customers', 'employees'] as const) await tables.deleteFrom(name).execute()
  for (const name of ['companies', 'employees', 'customers'] as const) {
    await tables.deleteFrom(name).execute()
    for (const item of items[name]) await tables.insertInto(name).values(item).execute()
  }
  const nextId = counting()
  const registry = defineRegistry(api).adapters({
    companies: kyselyAdapter(db, { table: 'companies', nextId, onCreate }),
    employees: kyselyAdapter(db, { table: 'employees', nextId, onCreate }),
    customers: kyselyAdapter(db, { table: 'customers', nextId }),
  })
  return { registry, end: () => db.destroy() }
}

/** Two services alike: one listens, the other is called. */
interface World {
  readonly raw: Kept
  readonly fetched: Kept
  readonly server: RunningServer
  readonly call: FetchHandler
  /** The methods of the requests so far: bytes beyond the last response are a fault. */
  connection?: Connection
}

/** Makes a test of each row: sends it both ways, and compares verdicts and changes. */
export function attack(
  rows: readonly Row[],
  stores: readonly Store[] = ['memory'],
  layersFor: LayersFor = () => [],
): void {
  describe.each(stores)('%s', (store) => {
    let world: World | undefined
    const leave = async () => {
      world?.connection?.destroy()
      await Promise.all([world?.server.close(), world?.raw.end(), world?.fetched.end()])
      world = undefined
    }
    afterAll(leave)
    test.each(rows.map((row) => [titleOf(row), ...row] as const))(
      '%s',
      async (_, request, verdict, more = {}) => {
        world ??= await begin(store, layersFor)
        const changes = [...(more.changes ?? [])].sort()
        const outcomes = await Promise.all([
          overSocket(request, more, world),
          byCall(request, more, world),
        ])
        // A case with changes gets new items.
        if (outcomes.some((outcome) => outcome && outcome.changes.length > 0)) await leave()
        for (const outcome of outcomes) {
          if (outcome === undefined) continue
          checkAnswer(request, outcome)
          expect({ verdict: verdictOf(outcome), changes: outcome.changes }).toEqual({
            verdict,
            changes,
          })
          const whole = `${JSON.stringify(outcome.headers)} ${outcome.text}`
          for (const text of more.holds ?? []) expect(whole).toContain(text)
          for (const text of more.lacks ?? []) expect(whole).not.toContain(text)
        }
        const [raw, fetched] = outcomes
        if (raw && fetched) expect(comparable(raw)).toEqual(comparable(fetched))
      },
    )
  })
}

function titleOf([request, verdict, { body = '', fields = [], type = '' } = {}]: Row): string {
  const text = typeof body === 'string' ? body : body.join()
  const sent = [request, type, ...fields.map((field) => field.join(': ')), text]
    .filter(Boolean)
    .join(' ')
  return `${JSON.stringify(sent).slice(1, -1).slice(0, 100)} → ${verdict}`
}

async function begin(store: Store, layersFor: LayersFor): Promise<World> {
  const make = store === 'memory' ? inMemory : inSqlite
  const [raw, fetched] = await Promise.all([make(), make()])
  const server = await serve(raw.registry, { port: 0, layers: layersFor(raw.registry), hosts: '*' })
  const layers = layersFor(fetched.registry)
  return { raw, fetched, server, call: toFetchHandler(fetched.registry, { layers }) }
}

interface Outcome {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly changes: readonly string[]
}

async function overSocket(request: string, more: More, world: World): Promise<Outcome | undefined> {
  if (more.only === 'fetch') return undefined
  const [method, target] = split(request)
  const { body, framing } = more
  const bytes =
    body === undefined || framing === undefined
      ? bytesOf([method, target], fieldsOf(more), body)
      : Buffer.concat([
          bytesOf([method, target], [...fieldsOf(more), ['Transfer-Encoding', framing]]),
          chunksOf(Buffer.from(body)),
        ])
  return await changing(world.raw.registry, async () => {
    world.connection ??= new Connection(world.server.port)
    const answer = await world.connection.ask(bytes)
    if (answer.headers.connection === 'close') {
      world.connection.destroy()
      delete world.connection
    }
    return answer
  })
}

async function byCall(request: string, more: More, world: World): Promise<Outcome | undefined> {
  if (more.only === 'raw') return undefined
  const [method, target] = split(request)
  const { body } = more
  const init: RequestInit = {
    method,
    headers: fieldsOf(more).map((field): [string, string] => [...field]),
  }
  if (body !== undefined) init.body = Uint8Array.from(Buffer.from(body))
  const sent = new Request(`http://any.example${target}`, init)
  if (more.only !== 'fetch') expect(spelled(sent.url)).toBe(spelled(`http://any.example${target}`))
  return await changing(world.fetched.registry, async () => {
    const answer = await world.call(sent)
    const { status, headers } = answer
    return { status, headers: Object.fromEntries(headers), text: await answer.text() }
  })
}

// URL parsers encode these characters. A row whose target they change otherwise is left out.
function spelled(url: string): string {
  return url.replaceAll(
    /["<>^`{|}' ]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function split(request: string): [method: string, target: string] {
  const space = request.indexOf(' ')
  return [request.slice(0, space), request.slice(space + 1)]
}

function fieldsOf({
  body,
  type = 'application/json',
  fields = [],
}: More): readonly (readonly [string, string])[] {
  return body === undefined || type === null ? fields : [['Content-Type', type], ...fields]
}

function chunksOf(body: Uint8Array): Buffer {
  const middle = body.length >> 1
  const parts = [body.subarray(0, middle), body.subarray(middle)].filter(({ length }) => length > 0)
  const chunks = parts.flatMap((part) => [`${part.length.toString(16)}\r\n`, part, '\r\n'])
  return Buffer.concat([...chunks, '0\r\n\r\n'].map((part) => Buffer.from(part as string)))
}

async function changing(
  registry: Registry,
  ask: () => Promise<Omit<Outcome, 'changes'>>,
): Promise<Outcome> {
  const before = await contentsOf(registry)
  const answer = await ask()
  const after = await contentsOf(registry)
  const changes: string[] = []
  for (const [name, text] of before) {
    if (!after.has(name)) changes.push(`-${name}`)
    else if (after.get(name) !== text) changes.push(`~${name}`)
  }
  for (const name of after.keys()) if (!before.has(name)) changes.push(`+${name}`)
  return { ...answer, changes: changes.sort() }
}

/** Everything that is stored, by collection and id. */
async function contentsOf(registry: Registry): Promise<ReadonlyMap<string, string>> {
  const contents = new Map<string, string>()
  const list = async (path: string): Promise<void> => {
    const { body } = await handle({ method: 'GET', url: path }, registry)
    for await (const item of body as Iterable<{ id: string }> | AsyncIterable<{ id: string }>)
      contents.set(`${path.split('/').at(-1)}/${item.id}`, JSON.stringify(item))
  }
  for (const noun of ['companies', 'employees']) await list(`/v1/${noun}`)
  for (const { id } of items.companies)
    if (contents.has(`companies/${id}`)) await list(`/v1/companies/${id}/customers`)
  return contents
}

// Stacks, paths, and words of engines, databases and drivers.
const leak =
  /\n\s+at |\bat .{1,80}\.[cm]?[jt]s:\d|node_modules|SQLITE|syntax error|constraint failed|(?:Type|Range|URI|Syntax)Error|Unexpected token|at position|JSON\.parse|file:\/\//

/** Checks the facts of every response. */
function checkAnswer(request: string, { status, headers, text }: Outcome): void {
  const [method] = split(request)
  expect(statuses).toContain(status)
  expect(text).not.toMatch(leak)
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(status < 400 ? 1_000_000 : 65_536)
  expect('allow' in headers).toBe(status === 405 || (method === 'OPTIONS' && status === 200))
  expect('location' in headers).toBe(status === 201 && !text.startsWith('['))
  for (const name of ['x-injected', 'set-cookie', 'access-control-allow-origin', 'x-powered-by'])
    expect(headers).not.toHaveProperty(name)
  if (method === 'HEAD') return void expect(text).toBe('')
  const type = status < 400 ? 'application/json' : 'application/problem+json'
  expect(headers).toMatchObject({
    'content-type': type,
    'content-length': `${Buffer.byteLength(text)}`,
  })
  const body = JSON.parse(text)
  if (status < 400) return
  const { type: kind, title, detail, message, code } = body
  for (const member of [kind, title, detail, code]) expect(member).toMatch(/./)
  expect(body.status).toBe(status)
  expect(message).toBe(detail)
}

function verdictOf({ status, headers, text }: Outcome): string {
  if (text === '') return `${status}`
  const body = JSON.parse(text)
  if (headers.allow !== undefined && status === 200) return '200 allow'
  if (Array.isArray(body)) return `${status} [${body.map(({ id }) => id).join(' ')}]`
  const [said] = ['code', 'count', 'deleted', 'id'].filter((name) => Object.hasOwn(body, name))
  if (said === undefined) return `${status}`
  return said === 'code' || said === 'id'
    ? `${status} ${body[said]}`
    : `${status} ${said} ${body[said]}`
}

const ofTheConnection = new Set(['date', 'connection', 'keep-alive'])

function comparable({ status, headers, text }: Outcome): object {
  const fields = Object.entries(headers).filter(([name]) => !ofTheConnection.has(name))
  return { status, headers: Object.fromEntries(fields), text }
}

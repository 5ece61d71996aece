import fc from 'fast-check'
import { sql } from 'kysely'
import { defineApi, defineRegistry, defineResource, handle, type Registry } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { fieldOf, isSame } from '../../src/convention/value.ts'
import { anyOfKind, columnsOf, type Kind, kinds } from '../support/columns.ts'
import { postgresJsDialect } from '../support/postgres-js.ts'
import {
  type DatabaseOptions,
  databaseOf,
  type Engine,
  engines,
  has,
  type TestDatabase,
} from '../support/stores.ts'

const numRuns = Number(process.env.RUNS ?? 100)
const schemas = { text: z.string(), number: z.number(), boolean: z.boolean(), json: z.json() }

const headers = { 'content-type': 'application/json' }
type Stored = { readonly id: string } & Record<string, unknown>

interface Way {
  readonly name: string
  readonly engine: Engine
  readonly options?: DatabaseOptions
}

const ways: readonly Way[] = [
  ...engines.map((engine) => ({ name: engine, engine })),
  { name: 'postgres.js', engine: 'postgres', options: { served: postgresJsDialect } },
]
const found = ways.filter(({ engine }) => has(engine))

describe.each(found)('every response of $name', ({ engine, options }) => {
  let opened: Opened

  beforeAll(async () => {
    opened = await open(engine, options)
  }, 60_000)
  afterAll(() => opened.database.drop())

  test('leaves a list with every acknowledged write', { timeout: 60_000 + numRuns * 300 }, () =>
    fc.assert(fc.asyncProperty(fc.array(writeOf(engine), { minLength: 1, maxLength: 8 }), run), {
      numRuns,
    }),
  )

  async function run(writes: readonly Write[]): Promise<void> {
    await ask('DELETE', '/samples')
    const kept = new Map<string, Stored>()
    for (const { method, url, body } of writes) {
      const answer = await ask(method, url, body)
      const told = (seen: object) => JSON.stringify({ method, url, body, errors, ...seen })
      if (answer.status < 300) {
        const items = (Array.isArray(answer.body) ? answer.body : [answer.body]) as Stored[]
        for (const item of items) kept.set(item.id, item)
        const sent = Array.isArray(body) ? body : [body]
        const changed = sent.flatMap((item, place) => changedIn(item, items[place]))
        if (changed.length > 0) throw new Error(`It changed ${changed}: ${told({ answer })}`)
      }
      const list = await ask('GET', '/samples')
      if (list.status !== 200) throw new Error(`The list is lost: ${told({ answer, list })}`)
      const stored = new Map((list.body as Stored[]).map((item) => [item.id, item]))
      if (!isSame(Object.fromEntries(stored), Object.fromEntries(kept))) {
        throw new Error(`The list is another: ${told({ answer, list })}`)
      }
    }
  }

  const { columns } = columnsOf(engine)

  // A column may hold a missing field only as null.
  function changedIn(sent: object, stored: object | undefined): readonly string[] {
    return columns
      .filter(({ name, isRounded }) => {
        const value = fieldOf(sent, name)
        const isSent = value !== undefined && value !== null && !isRounded
        return isSent && !isSame(value, fieldOf(Object(stored), name))
      })
      .map(({ name, declared }) => `${name} ${declared}`)
  }

  const errors: string[] = []
  async function ask(method: string, url: string, body?: object) {
    errors.splice(0)
    const { registry } = opened
    registry.errors = errors
    const answer = await handle(
      { method, url, headers, body: body && JSON.stringify(body) },
      registry.of,
    )
    return { status: answer.status, body: answer.body && JSON.parse(JSON.stringify(answer.body)) }
  }
})

interface Opened {
  readonly database: TestDatabase<unknown>
  readonly registry: { readonly of: Registry; errors: string[] }
}

async function open(engine: Engine, options?: DatabaseOptions): Promise<Opened> {
  const database = await databaseOf<unknown>(engine, options)
  const { columns, begin, id } = columnsOf(engine)
  for (const statement of begin) await sql.raw(statement).execute(database.db)
  const all = columns.map(({ name, declared }) => `${name} ${declared}`)
  await sql.raw(`create table samples (id ${id}, ${all.join(', ')})`).execute(database.db)
  const fields = columns.map(({ name, kind }) => [name, schemas[kind].optional()] as const)
  const Sample = z.looseObject({ id: z.string(), ...Object.fromEntries(fields) })
  const samples = defineResource('samples', {
    schema: Sample,
    create: Sample.partial({ id: true }),
  })
  const told: { errors: string[] } = { errors: [] }
  const registry = defineRegistry(defineApi({ v1: { '/samples': samples } }))
    .onError((error) => void told.errors.push(String(error)))
    .adapters({ samples: kyselyAdapter(database.db, { table: 'samples' }) })
  return { database, registry: Object.assign(told, { of: registry }) }
}

interface Write {
  readonly method: string
  readonly url: string
  readonly body: object
}

function writeOf(engine: Engine): fc.Arbitrary<Write> {
  const { columns } = columnsOf(engine)
  const field = fc
    .constantFrom(...columns)
    .chain(({ name, kind }) => anyValue(kind).map((value) => [name, value] as const))
  const item = fc
    .array(field, { minLength: 1, maxLength: 3 })
    .map((entries) => Object.fromEntries(entries))
  const id = fc.constantFrom('a', 'b', 'c')
  const whole = fc.tuple(id, item).map(([id, item]) => ({ id, ...item }))
  return fc.oneof(
    { weight: 3, arbitrary: whole.map((body) => ({ method: 'POST', url: '/samples', body })) },
    {
      weight: 2,
      arbitrary: whole.map((body) => ({ method: 'PUT', url: `/samples/${body.id}`, body })),
    },
    {
      weight: 1,
      arbitrary: fc
        .uniqueArray(whole, { selector: ({ id }) => id, minLength: 1 })
        .map((body) => ({ method: 'PUT', url: '/samples', body })),
    },
  )
}

// Now and then of another type than the column's.
function anyValue(kind: Kind): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 12, arbitrary: anyOfKind(kind) },
    { weight: 1, arbitrary: fc.constantFrom(...kinds).chain(anyOfKind) },
  )
}

test('the columns of each engine are of every kind', () => {
  for (const engine of engines) {
    expect(new Set(columnsOf(engine).columns.map(({ kind }) => kind))).toEqual(new Set(kinds))
  }
})

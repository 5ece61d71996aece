import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import { defineRegistry, everything, type HttpRequest, problem, type Registry } from 'nounful'
import { kyselyAdapter, snakeCase, sqliteDialect } from 'nounful/kysely'
import { memoryAdapter } from 'nounful/memory'
import { type Contract, contractOf } from './contract.ts'
import type { ContractRow } from './features.ts'
import { type Field, type FieldType, restrictedFieldOf } from './fields.ts'
import type { Item, Levels } from './levels.ts'

/** A contract with its storage. */
export interface Service {
  readonly name: 'memory' | 'sqlite'
  readonly registry: Registry
  readonly db: Kysely<unknown> | undefined
  /** The same storage under a contract that leaves no operation out. */
  readonly full: Registry
  /** The errors that no client may cause. */
  readonly errors: unknown[]
  end(): Promise<void>
}

/** The callers. Alice and Bob share nothing. */
export type Caller = 'alice' | 'bob' | 'operator'

interface Context {
  readonly user: Caller
  /** The rule that refuses each item of this request. */
  readonly refused: string | undefined
}

const callers: readonly string[] = ['alice', 'bob', 'operator']

/** Serves a contract from memory. */
export function memoryService(contract: Contract): Service {
  const { row, levels } = contract
  const make = Object.fromEntries(
    contract.stored.map(({ name, noun }) => [
      name,
      memoryAdapter<never>({ nextId: idsOf(noun, 'text') as never }),
    ]),
  )
  const things = memoryAdapter<never>({
    ...hooksOf(row),
    ...(row.unique === 'yes' && { unique: ['code' as never] }),
  } as never)
  const served = servedBy(contract, { ...make, [levels.stored.name]: things })
  return { name: 'memory', ...served, db: undefined, end: () => Promise.resolve() }
}

/** Serves a contract from a SQLite database of its own. */
export async function sqliteService(contract: Contract): Promise<Service> {
  const { row, levels } = contract
  const file = new DatabaseSync(':memory:')
  const db = new Kysely<unknown>({ dialect: sqliteDialect(file) })
  for (const statement of tablesOf(contract)) await sql.raw(statement).execute(db)
  const make = Object.fromEntries(
    contract.stored.map(({ name, noun, fields }) => [
      name,
      kyselyAdapter<never>(db, {
        table: noun,
        nextId: idsOf(noun, 'text'),
        ...columnsFor(fields, row),
      } as never),
    ]),
  )
  const things = kyselyAdapter<never>(db, {
    table: 'things',
    ...hooksOf(row),
    ...columnsFor(levels.stored.fields, row),
    ...(row.deletion === 'soft' && { softDelete: 'deleted_at' }),
    ...(row.folded === 'yes' && { folded: { title: 'title_folded' } }),
  } as never)
  const served = servedBy(contract, { ...make, [levels.stored.name]: things })
  return { name: 'sqlite', ...served, db, end: () => db.destroy() }
}

function servedBy(contract: Contract, adapters: object) {
  const errors: unknown[] = []
  const registry = bound(contract, adapters, errors)
  const { row } = contract
  const full =
    row.without === 'create'
      ? bound(contractOf({ ...row, without: 'none' }), adapters, errors)
      : registry
  return { registry, full, errors }
}

function bound({ row, api, levels }: Contract, adapters: object, errors: unknown[]): Registry {
  const versions = levels.shown.map(([version]) => version)
  const { first, last } = { first: versions[0], last: versions.at(-1) }
  const defaultVersion = { first, last, none: false }[row.defaultVersion]
  let builder = Reflect.apply(defineRegistry, undefined, [
    api,
    {
      defaultVersion,
      requestId: () => 'a request',
      ...(row.owner === 'none' && { idempotentFor: ({ user }: Context) => user }),
    },
  ])
  builder = builder.context(contextOf)
  if (row.owner !== 'none') builder = builder.scope(scopeFor(row))
  const restricted = restrictedFieldOf(row)
  if (restricted !== undefined) {
    const names = row.restricted === 'seen' ? [restricted] : []
    builder = builder.reveal(() => ({ [levels.stored.name]: names }))
  }
  if (row.rules !== 'none') builder = builder.rules({ [levels.stored.name]: rulesFor(row, levels) })
  const middleware = middlewares[row.middleware]
  if (middleware !== undefined) builder = builder.use(middleware)
  return builder.onError((error: unknown) => errors.push(error)).adapters(adapters)
}

function contextOf({ headers }: HttpRequest): Context {
  const user = String(headers?.authorization)
  if (!callers.includes(user)) throw problem('unauthenticated')
  return { user: user as Caller, refused: headers?.['x-refused']?.toString() }
}

// A rule gets whole items, in the words of the stored resource.
function rulesFor({ rules, server }: ContractRow, { stored }: Levels): object {
  const moving = ['id', 'revision', 'made_at', 'rank']
  const isSet = (name: string): boolean => moving.includes(name) || /_id$/.test(name)
  const known = [
    ...stored.fields.map(({ name }) => name),
    ...(server === 'writeOnly' ? ['pin'] : []),
  ]
  const needed = stored.fields.filter(({ isRequired }) => isRequired).map(({ name }) => name)
  const holdWhole = (item: Item, names: readonly string[]) => {
    const missing = names.filter((name) => item[name] === undefined)
    const foreign = Object.keys(item).filter((name) => !known.includes(name))
    if (missing.length + foreign.length > 0)
      throw new Error(`A rule misses ${missing.join()}, and does not know ${foreign.join()}.`)
  }
  const drafted = needed.filter((name) => !isSet(name))
  const all = {
    create: (draft: Item, { refused }: Context) => {
      holdWhole(draft, drafted)
      return refused !== 'create'
    },
    change: (item: Item, { refused }: Context, changed: Item) => {
      holdWhole(item, needed)
      holdWhole(changed, drafted)
      return refused !== 'change'
    },
    delete: (item: Item, { refused }: Context) => {
      holdWhole(item, needed)
      return refused !== 'delete'
    },
  }
  return rules === 'all' ? all : { [rules]: Reflect.get(all, rules) }
}

function scopeFor({ owner }: ContractRow) {
  return ({ user }: Context) => {
    if (user === 'operator') return everything
    if (owner === 'itself') return { id: user }
    return { tenant_id: owner === 'several' ? [user, `${user}-2`] : user }
  }
}

const refused = ['delete', 'deleteAll', 'deleteMany']

type Next = () => unknown

const middlewares: Readonly<Record<ContractRow['middleware'], unknown>> = {
  none: undefined,
  passing: (_: unknown, __: unknown, next: Next) => next(),
  waiting: async (_: unknown, __: unknown, next: Next) => {
    await Promise.resolve()
    return next()
  },
  refusing: ({ kind }: { readonly kind: string }, _: unknown, next: Next) => {
    if (refused.includes(kind)) throw problem('forbidden')
    return next()
  },
}

/** Makes the ids of new items: the same ones in each store. */
function idsOf(noun: string, ids: ContractRow['ids']): () => string {
  let count = 0
  return () => {
    count++
    const digits = String(count).padStart(12, '0')
    // Of one length, so that they sort in the order of creation.
    return ids === 'uuid' ? `00000000-0000-7000-8000-${digits}` : `${noun}-${digits.slice(-6)}`
  }
}

const moment = (second: number): string =>
  `2026-02-03T04:05:${String(second).padStart(2, '0')}.000Z`

// The next value depends on the stored one alone, so that each store makes the same.
function hooksOf(row: ContractRow): object {
  const { ids, server, revision } = row
  const isStamped = server === 'readOnly' || server === 'touched'
  const isCounted = ids === 'integer' || ids === 'counted'
  const isText = revision === 'text'
  const next = (stored: Item) => ({
    ...(server === 'touched' && {
      made_at: moment((Number(String(stored.made_at).slice(17, 19)) + 1) % 60),
    }),
    ...(isText && { revision: `r${Number(String(stored.revision).slice(1)) + 1}` }),
  })
  return {
    ...(!isCounted && { nextId: idsOf('thing', ids) }),
    onCreate: ({ rank = 7 }: Item) => ({
      ...(isStamped && { made_at: moment(0) }),
      ...(isText && { revision: 'r1' }),
      ...(server === 'filled' && { rank }),
    }),
    ...((server === 'touched' || isText) && {
      onUpdate: (_: Item, stored: Item) => next(stored),
    }),
  }
}

const types: Readonly<Record<FieldType, string>> = {
  text: 'text',
  integer: 'integer',
  number: 'real',
  boolean: 'boolean',
  enum: 'text',
  date: 'text',
  moment: 'text',
  uuid: 'text',
  address: 'json',
  list: 'json',
  nothing: 'text',
}

/** Returns the column of a field of things. */
function columnOf(name: string, { columns }: ContractRow): string {
  if (columns === 'named' && ['title', 'mark', 'code'].includes(name)) return `col_${name}`
  return columns === 'snake' ? snakeCase(name) : name
}

// A schema without a JSON Schema names no fields.
function columnsFor(fields: readonly Field[], row: ContractRow): object {
  const isPlain = row.validator === 'plain' || row.validator === 'valibot'
  const named = fields.flatMap(({ name, type }) => {
    const column = columnOf(name, row)
    if (!isPlain && column === name) return []
    if (!isPlain && row.columns === 'snake') return []
    const json = type === 'address' ? { type: 'json' } : {}
    const text = type === 'boolean' ? { type: 'boolean' } : json
    return [[name, isPlain ? { name: column, ...text } : column] as const]
  })
  const pin = row.server === 'writeOnly' && fields.some(({ name }) => name === 'title')
  const columns = Object.fromEntries([
    ...named,
    ...(pin ? [['pin', isPlain ? { name: 'pin', writeOnly: true } : 'pin'] as const] : []),
  ])
  return {
    ...(Object.keys(columns).length > 0 && { columns }),
    ...(row.columns === 'snake' && { naming: snakeCase }),
  }
}

function tablesOf({ row, levels, stored }: Contract): readonly string[] {
  const isCounted = row.ids === 'integer' || row.ids === 'counted'
  const column = ({ name, type, isRequired, isNullable }: Field) => {
    if (name === 'id')
      return isCounted && type === 'integer'
        ? 'id integer primary key autoincrement'
        : 'id text primary key'
    const need = isRequired && !isNullable ? ' not null' : ''
    return `${columnOf(name, row)} ${types[type]}${need}`
  }
  const tables = stored.map(
    ({ noun, fields }) => `create table ${noun} (${fields.map(column).join(', ')})`,
  )
  const more = [
    ...(row.server === 'writeOnly' ? ['pin text'] : []),
    ...(row.deletion === 'soft' ? ['deleted_at text'] : []),
    ...(row.folded === 'yes' ? ['title_folded text not null'] : []),
  ]
  const columns = [...levels.stored.fields.map(column), ...more]
  const code = columnOf('code', row)
  const where = row.deletion === 'soft' ? ' where deleted_at is null' : ''
  return [
    ...tables,
    `create table things (${columns.join(', ')})`,
    ...(row.unique === 'yes'
      ? [`create unique index things_code on things (${code})${where}`]
      : []),
  ]
}

import { type ControlledTransaction, type Kysely, sql } from 'kysely'
import { checksFor, type SpecimenAdapter } from 'nounful/conformance'
import { kyselyAdapter } from 'nounful/kysely'
import { memoryAdapter } from 'nounful/memory'
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest'
import {
  type DatabaseOptions,
  databaseOf,
  type Engine,
  has,
  type TestDatabase,
} from '../../support/stores.ts'

/** A way to store specimens. */
export interface Store {
  readonly name: string
  readonly engine: Engine
  /** The types of its columns, `number` of doubles. */
  readonly types: {
    readonly id: string
    readonly text: string
    readonly number: string
    readonly json: string
    /** Default: as JSON. */
    readonly list?: string
  }
  /** The checks that it leaves out, each with a reason. */
  readonly gaps?: Readonly<Record<string, string>>
  readonly options?: DatabaseOptions
  /** How its adapter differs. */
  readonly adapter?: 'guarded' | 'joined'
}

export const sqlite = { id: 'text', text: 'text', number: 'real', json: 'json' }
export const postgres = { id: 'text', text: 'text', number: 'double precision', json: 'jsonb' }
const exact = 'character set utf8mb4 collate utf8mb4_nopad_bin'
export const mariadb = {
  id: `varchar(255) ${exact}`,
  text: `longtext ${exact}`,
  number: 'double',
  json: 'json',
}

export const sameIds =
  'to the unique key of the table, ids that differ in case, accents or their emoji are one'
export const asciiOnly =
  'without the function of sqliteDialect, SQLite ignores the case of ASCII only'

const elsewhere = 'collations say nothing of numbers: the same table in another one is asked'
export const slow = {
  'updateMany takes a thousand items': elsewhere,
  'list gives more than a thousand items': elsewhere,
  'list gives a thousand items by id': elsewhere,
  'deleteAll deletes more than a thousand items': elsewhere,
}

/** The stores that every engine has: of some items, and in a transaction. */
export function variants(engine: Engine, types: Store['types']): readonly Store[] {
  return [
    { name: `${engine}, some items hidden`, engine, types, gaps: slow, adapter: 'guarded' },
    { name: `${engine}, in a transaction`, engine, types, adapter: 'joined' },
  ]
}

const folded = { name: 'name_folded', note: 'note_folded' }

/** Tests that the adapter over each store keeps the contract. */
export function describeStores(stores: readonly Store[]): void {
  for (const store of stores)
    describe.skipIf(!has(store.engine))(store.name, () => testStore(store))
}

function testStore({ engine, types, gaps = {}, options = {}, adapter: kind }: Store): void {
  let database: TestDatabase<unknown>
  let transaction: ControlledTransaction<unknown> | undefined
  const others = {
    visible: () => sql<boolean>`coalesce(name, '') <> ${'hidden'}`,
    softDelete: 'deleted_at',
  }
  const adapter = (db: Kysely<unknown> = database.db): SpecimenAdapter =>
    kyselyAdapter(() => db, { table: 'specimens', folded, ...(kind === 'guarded' && others) })

  beforeAll(async () => {
    database = await databaseOf(engine, options)
    const { id, text, number, json, list = json } = types
    const rank = engine === 'mariadb' ? '`rank`' : 'rank'
    await sql
      .raw(
        `create table specimens (
            id ${id} primary key, name ${text} not null, note ${text}, ${rank} ${number},
          flag boolean, data ${json}, tags ${list}, owner_id ${id}, revision integer,
          deleted_at bigint, name_folded ${text}, note_folded ${text})`,
      )
      .execute(database.db)
  }, 60_000)

  afterEach(async () => {
    await transaction?.rollback().execute()
    transaction = undefined
  })

  afterAll(() => database.drop())

  // The checks are known before the database starts: those of an adapter with every method.
  for (const check of checksFor(memoryAdapter(), gaps)) {
    test(check.name, () =>
      check.run(async () => {
        await sql`delete from specimens`.execute(database.db)
        if (kind !== 'joined') return adapter()
        transaction = await database.db.startTransaction().execute()
        return adapter(transaction)
      }),
    )
  }
}

import { type ControlledTransaction, type Kysely, sql } from 'kysely'
import { checksFor, type SpecimenAdapter } from 'nounful/conformance'
import { d1Dialect, kyselyAdapter } from 'nounful/kysely'
import { memoryAdapter } from 'nounful/memory'
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest'
import { d1Of } from '../support/d1.ts'
import { plainDialect } from '../support/plain.ts'
import { postgresJsDialect } from '../support/postgres-js.ts'
import { remoteDialect } from '../support/remote.ts'
import {
  type DatabaseOptions,
  databaseOf,
  type Engine,
  engines,
  has,
  type TestDatabase,
} from '../support/stores.ts'

/** A way to store specimens. */
interface Store {
  readonly name: string
  readonly engine: Engine
  /** The types of its columns, `number` of doubles. */
  readonly types: {
    readonly id: string
    readonly text: string
    readonly number: string
    readonly json: string
  }
  /** The checks that it leaves out, each with a reason. */
  readonly gaps?: Readonly<Record<string, string>>
  readonly options?: DatabaseOptions
  /** How its adapter differs. */
  readonly adapter?: 'guarded' | 'joined'
}

const sqlite = { id: 'text', text: 'text', number: 'real', json: 'json' }
const postgres = { id: 'text', text: 'text', number: 'double precision', json: 'jsonb' }
const exact = 'character set utf8mb4 collate utf8mb4_nopad_bin'
const mariadb = {
  id: `varchar(255) ${exact}`,
  text: `longtext ${exact}`,
  number: 'double',
  json: 'json',
}

const sameIds =
  'to the unique key of the table, ids that differ in case, accents or their emoji are one'
const asciiOnly = 'without the function of sqliteDialect, SQLite ignores the case of ASCII only'

const elsewhere = 'collations say nothing of numbers: the same table in another one is asked'
const slow = {
  'updateMany takes a thousand items': elsewhere,
  'list gives more than a thousand items': elsewhere,
  'list gives a thousand items by id': elsewhere,
  'deleteAll deletes more than a thousand items': elsewhere,
}

const stores: readonly Store[] = [
  ...engines.flatMap((engine): Store[] => {
    const types = { sqlite, postgres, mariadb }[engine]
    return [
      { name: `${engine}, some items hidden`, engine, types, gaps: slow, adapter: 'guarded' },
      { name: `${engine}, in a transaction`, engine, types, adapter: 'joined' },
    ]
  }),
  { name: 'SQLite', engine: 'sqlite', types: sqlite },
  { name: 'PostgreSQL', engine: 'postgres', types: postgres },
  {
    name: 'PostgreSQL through postgres.js',
    engine: 'postgres',
    types: postgres,
    options: { served: postgresJsDialect },
  },
  { name: 'MariaDB', engine: 'mariadb', types: mariadb },
  {
    name: 'MariaDB with the collation it comes with',
    engine: 'mariadb',
    types: { ...mariadb, id: 'varchar(255)', text: 'longtext' },
    gaps: {
      ...slow,
      'keeps ids that clients choose': sameIds,
      'orders chosen ids by code point': sameIds,
      'filters find many by id': sameIds,
      'keeps ids of 255 characters': sameIds,
    },
  },
  {
    name: 'PostgreSQL with the order of English',
    engine: 'postgres',
    types: postgres,
    gaps: slow,
    options: {
      clause: "template template0 locale_provider icu icu_locale 'en-US' locale 'C.UTF-8'",
    },
  },
  {
    name: 'PostgreSQL with the order of English over that of C',
    engine: 'postgres',
    types: postgres,
    gaps: slow,
    options: { clause: "template template0 locale_provider icu icu_locale 'en-US' locale 'C'" },
  },
  {
    name: 'SQLite that ignores case',
    engine: 'sqlite',
    types: { ...sqlite, id: 'text collate nocase', text: 'text collate nocase' },
    gaps: {
      ...slow,
      'keeps ids that clients choose': sameIds,
      'orders chosen ids by code point': sameIds,
      'filters find many by id': sameIds,
    },
  },
  {
    name: "SQLite through another's dialect",
    engine: 'sqlite',
    types: sqlite,
    gaps: {
      ...slow,
      'search ignores case beyond ASCII': asciiOnly,
      'search takes every sigma for one': asciiOnly,
      'search takes ß for SS': asciiOnly,
      'parts of text ignore case': asciiOnly,
      'filters agree with the core': asciiOnly,
      'count agrees with the core': asciiOnly,
    },
    options: { sqlite: (file) => plainDialect(file) },
  },
  {
    name: 'SQLite behind a service',
    engine: 'sqlite',
    types: sqlite,
    gaps: {
      ...slow,
      'search ignores case beyond ASCII': asciiOnly,
      'search takes every sigma for one': asciiOnly,
      'search takes ß for SS': asciiOnly,
      'parts of text ignore case': asciiOnly,
      'filters agree with the core': asciiOnly,
      'count agrees with the core': asciiOnly,
    },
    options: { sqlite: (file) => remoteDialect(String(file.location())) },
  },
  {
    name: 'D1',
    engine: 'sqlite',
    types: sqlite,
    gaps: {
      'search ignores case beyond ASCII': asciiOnly,
      'search takes every sigma for one': asciiOnly,
      'search takes ß for SS': asciiOnly,
      'parts of text ignore case': asciiOnly,
      'filters agree with the core': asciiOnly,
      'count agrees with the core': asciiOnly,
      'search takes many long words': 'D1 takes 100 parameters a statement: one a word and field',
    },
    options: { sqlite: (file) => d1Dialect(d1Of(file)) },
  },
]

describe.each(stores.filter(({ engine }) => has(engine)))(
  '$name',
  ({ engine, types, gaps = {}, options = {}, adapter: kind }) => {
    let database: TestDatabase<unknown>
    let transaction: ControlledTransaction<unknown> | undefined
    const others = {
      visible: () => sql<boolean>`coalesce(name, '') <> ${'hidden'}`,
      softDelete: 'deleted_at',
    }
    const adapter = (db: Kysely<unknown> = database.db): SpecimenAdapter =>
      kyselyAdapter(() => db, { table: 'specimens', ...(kind === 'guarded' && others) })

    beforeAll(async () => {
      database = await databaseOf(engine, options)
      const { id, text, number, json } = types
      const rank = engine === 'mariadb' ? '`rank`' : 'rank'
      await sql
        .raw(
          `create table specimens (
            id ${id} primary key, name ${text} not null, note ${text}, ${rank} ${number},
          flag boolean, data ${json}, owner_id ${id}, revision integer,
          deleted_at bigint)`,
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
  },
)

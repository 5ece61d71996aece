import { type Kysely, sql } from 'kysely'
import type { Operation } from '../../contract/resource/operation.ts'
import { d1 } from '../engine/d1.ts'
import type { DeclaringEngine } from '../engine/declarations.ts'
import type { Session } from '../engine/engine.ts'
import { mysql } from '../engine/mysql.ts'
import { postgres } from '../engine/postgres.ts'
import { sqlite } from '../engine/sqlite.ts'
import { embedded } from '../engine/sqlite-dialect.ts'
import type { DatabaseSource, KyselyHooks } from '../options.ts'
import type { Store } from '../table.ts'
import { sessionOf } from './session.ts'

/** The options of a store that no request changes. */
export type StoreSettings = Pick<
  Store,
  | 'table'
  | 'writeTo'
  | 'columns'
  | 'naming'
  | 'key'
  | 'timeout'
  | 'search'
  | 'softDelete'
  | 'folded'
  | 'nextId'
>

/** Returns the store of a request. */
export type OpenStore = (operation: Operation, context: unknown) => Store

type Home = Pick<Store, 'database' | 'source' | 'engine' | 'tables' | 'isJoined'>

/**
 * Finds the databases of an adapter. It knows each, so that it looks up the tables of a database
 * once, also if every request has a transaction of its own.
 */
export class Homes {
  readonly #source: DatabaseSource
  readonly #homes = new WeakMap<object, Home>()
  // A database and its transactions share the adapter of their dialect.
  readonly #shared = new WeakMap<object, Pick<Home, 'engine' | 'tables'>>()

  constructor(source: DatabaseSource) {
    this.#source = source
    if (typeof source !== 'function') this.#homeOf(source)
  }

  /**
   * Returns the database for a context; `undefined` for none.
   *
   * @throws {TypeError} For a dialect of another database, and for a plugin that changes schemas.
   */
  find(context: unknown): Home | undefined {
    const source = this.#source
    const database = typeof source === 'function' ? source(context) : source
    return database && this.#homeOf(database)
  }

  #homeOf(source: Kysely<unknown>): Home {
    const cached = this.#homes.get(source)
    if (cached) return cached
    checkPlugins(source)
    const database = source.withoutPlugins()
    const { adapter } = database.getExecutor()
    const shared = this.#shared.get(adapter) ?? {
      engine: engineOf(database),
      tables: new WeakMap(),
    }
    this.#shared.set(adapter, shared)
    const home = { ...shared, database, source, isJoined: source.isTransaction }
    this.#homes.set(source, home)
    return home
  }
}

/** Returns the function that makes the store of a request. */
export function openerOf(homes: Homes, settings: StoreSettings, hooks: KyselyHooks): OpenStore {
  const { onCreate, onUpdate, visible } = hooks
  const isSame = [onCreate, onUpdate, visible].every((hook) => hook === undefined)
  const stores = new WeakMap<Home, Store>()
  return (operation, context) => {
    const home = homes.find(context)
    if (home === undefined) {
      throw new TypeError(
        `The function of the kyselyAdapter of "${operation.resource.name}" returned no database ` +
          'for a request: return one for every context.',
      )
    }
    if (visible !== undefined && sessionOf(home).isFinal) {
      const { name } = home.engine
      throw new TypeError(
        `${name} has no transactions, so a kyselyAdapter takes no "visible" there.`,
      )
    }
    const cached = stores.get(home)
    if (cached !== undefined) return cached
    const store: Store = {
      ...settings,
      ...home,
      visible: visible?.(context, operation),
      // The hook gets an item of a bulk as if it came alone.
      onCreate:
        onCreate && ((item) => onCreate(item, { ...operation, item, items: undefined }, context)),
      onUpdate: onUpdate && ((item, stored) => onUpdate(item, stored, operation, context)),
    }
    // Without hooks, no request changes the store.
    if (isSame) stores.set(home, store)
    return store
  }
}

// Else a request would silently use the tables of another schema, perhaps those of another tenant.
function checkPlugins(database: Kysely<unknown>): void {
  const { plugins } = database.getExecutor()
  if (!plugins.some((plugin) => plugin.constructor.name === 'WithSchemaPlugin')) return
  throw new TypeError(
    'A kyselyAdapter ignores withSchema(): name the schema in "table", as in \'hr.employees\'.',
  )
}

// One row an engine. The first that speaks a dialect takes it.
const engines: readonly DeclaringEngine[] = [d1, embedded, sqlite, postgres, mysql]

function engineOf(database: Session): DeclaringEngine {
  const { adapter } = database.getExecutor()
  // Compares the SQL, not the class: a second copy of Kysely has other classes.
  const comparison = sql`${sql.id('a')} = ${1}`.compile(database).sql
  const engine = engines.find((candidate) => candidate.speaks({ adapter, comparison }))
  if (engine !== undefined) return engine
  const names = [...new Set(engines.map(({ name }) => name))]
  throw new TypeError(
    `The kyselyAdapter does not know the SQL of ${adapter.constructor.name}: ` +
      `use a dialect of ${names.join(', ')}.`,
  )
}

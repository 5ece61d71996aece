import { DatabaseSync } from 'node:sqlite'
import type { JWTVerifyGetKey } from 'jose'
import { Kysely } from 'kysely'
import { defineRegistry, everything, type Registry } from 'nounful'
import { kyselyAdapter, sqliteDialect } from 'nounful/kysely'
import { type Caller, callerOf } from './callers.ts'
import { api } from './contract.ts'
import { byRole } from './roles.ts'
import { createTables } from './tables.ts'

/** The service on a SQLite file. */
export interface TenantService {
  readonly registry: Registry<typeof api>
  readonly file: DatabaseSync
  close(): Promise<void>
}

interface Context {
  readonly caller: Caller
}

/**
 * Opens the service: `.context` says who calls, `.scope` says whose items they reach, and the
 * middleware says which kinds of operation their role has.
 */
export async function openTenants(path: string, keys: JWTVerifyGetKey): Promise<TenantService> {
  const file = new DatabaseSync(path, { timeout: 1000 })
  createTables(file)
  const db = new Kysely<unknown>({ dialect: sqliteDialect(file) })
  // Without this option, a key would belong to all users of a tenant together.
  const idempotentFor = ({ caller }: Context) => caller.sub
  const registry = defineRegistry(api, { idempotentFor })
    .context(async (request): Promise<Context> => ({ caller: await callerOf(request, keys) }))
    .scope(({ caller }) => scopeOf(caller))
    .use(byRole)
    .adapters({
      tenants: kyselyAdapter(db, { table: 'tenants' }),
      users: kyselyAdapter(db, { table: 'users' }),
      projects: kyselyAdapter(db, { table: 'projects' }),
      tasks: kyselyAdapter(db, { table: 'tasks' }),
      templates: kyselyAdapter(db, { table: 'templates' }),
    })
  await registry.ready()
  return { registry, file, close: () => db.destroy() }
}

function scopeOf(caller: Caller) {
  if (caller.role === 'operator') return everything
  return { id: caller.tenant_id, tenant_id: caller.tenant_id }
}

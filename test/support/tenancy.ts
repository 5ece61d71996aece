import { type Kysely, sql } from 'kysely'
import { defineApi, defineRegistry, defineResource, everything, type Operation } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { memoryAdapter } from 'nounful/memory'
import { z } from 'zod'
import { databaseOf, type Engine } from './stores.ts'

const text = z.string()
const Tenant = z.object({ id: text, name: text })
const User = z.object({ id: text, tenant_id: text, name: text })
const Project = User.extend({ lead_id: text.nullish() })
const Task = z.object({ id: text, project_id: text, title: text, assignee_id: text.nullish() })
const Note = z.object({ id: text, tenant_id: text, task_id: text, text })

const ownedBy = ['tenant_id'] as const
const projects = defineResource('projects', {
  ownedBy,
  schema: Project,
  create: Project.omit({ tenant_id: true }),
  sortable: ['name'],
  searchable: ['name'],
  filterable: ['name', 'tenant_id'],
  references: { lead_id: 'users' },
})

const api = defineApi({
  v1: {
    '/tenants': defineResource('tenants', { schema: Tenant, ownedBy: [] }),
    '/users': defineResource('users', {
      ownedBy,
      schema: User,
      create: User.omit({ tenant_id: true }),
    }),
    '/projects': projects,
    '/tenants/:tenant_id/projects': projects,
    '/projects/:project_id/tasks': defineResource('tasks', {
      ownedBy: 'parent',
      schema: Task,
      create: Task.partial({ project_id: true }),
      references: { project_id: 'projects', assignee_id: 'users' },
    }),
    '/notes': defineResource('notes', {
      ownedBy,
      schema: Note,
      create: Note.omit({ tenant_id: true }),
      references: { task_id: 'tasks' },
    }),
  },
})

/** The items of tenants "a" and "b": each has one of every kind. */
export const tenancyItems = {
  tenants: ['a', 'b', 'c'].map((id) => ({ id, name: id })),
  users: ['a', 'b'].map((tenant_id) => ({ id: `u${tenant_id}`, tenant_id, name: 'Ann' })),
  projects: ['a', 'b'].map((tenant_id) => ({
    id: `p${tenant_id}`,
    tenant_id,
    name: `project ${tenant_id}`,
    lead_id: `u${tenant_id}`,
  })),
  tasks: ['a', 'b'].map((tenant) => ({
    id: `t${tenant}`,
    project_id: `p${tenant}`,
    title: 'x',
    assignee_id: `u${tenant}`,
  })),
  notes: ['a', 'b'].map((tenant_id) => ({
    id: `n${tenant_id}`,
    tenant_id,
    task_id: `t${tenant_id}`,
    text: 'x',
  })),
}

type Name = keyof typeof tenancyItems
const names = Object.keys(tenancyItems) as Name[]

// "ab" owns the items of both, "nobody" those of no one, "operator" reaches all.
const owners: Readonly<Record<string, string | readonly string[] | typeof everything>> = {
  ab: ['a', 'b'],
  nobody: [],
  operator: everything,
}

const builder = defineRegistry(api)
  .context(({ headers = {} }) => ({ who: String(headers.who) }))
  .scope(({ who }) => {
    const tenant_id = owners[who] ?? who
    return typeof tenant_id === 'symbol' ? tenant_id : { tenant_id }
  })

/** A service for tenants. The header `who` names the caller: "a", "b", "ab", "operator". */
export interface Tenancy {
  readonly registry: ReturnType<typeof builder.adapters>
  /** Stores the items anew. */
  reset(): Promise<void>
  stored(): Promise<Readonly<Record<Name, readonly object[]>>>
  drop(): Promise<void>
}

/** Opens a service for tenants. `seen` gets the operations that its middleware sees. */
export async function tenancyIn(
  home: 'memory' | Engine,
  seen: (operation: Operation) => void = () => undefined,
): Promise<Tenancy> {
  const watched = builder.use((operation, _, next) => {
    seen(operation)
    return next()
  })
  if (home === 'memory') {
    const service = () =>
      watched.adapters({
        tenants: memoryAdapter({ items: tenancyItems.tenants }),
        users: memoryAdapter({ items: tenancyItems.users }),
        projects: memoryAdapter({ items: tenancyItems.projects }),
        tasks: memoryAdapter({ items: tenancyItems.tasks }),
        notes: memoryAdapter({ items: tenancyItems.notes }),
      })
    let registry = service()
    return {
      get registry() {
        return registry
      },
      reset: async () => {
        registry = service()
      },
      stored: async () => listAll(registry),
      drop: async () => undefined,
    }
  }
  const { db, drop } = await databaseOf<Record<string, object>>(home)
  await createTables(db)
  const registry = watched.adapters({
    tenants: kyselyAdapter(db, { table: 'tenants' }),
    users: kyselyAdapter(db, { table: 'users' }),
    projects: kyselyAdapter(db, { table: 'projects' }),
    tasks: kyselyAdapter(db, { table: 'tasks' }),
    notes: kyselyAdapter(db, { table: 'notes' }),
  })
  await registry.ready()
  const reset = async () => {
    for (const name of names) {
      await db.deleteFrom(name).execute()
      await db.insertInto(name).values(tenancyItems[name]).execute()
    }
  }
  return { registry, reset, stored: async () => rowsOf(db), drop }
}

// Below the handler, in no scope.
async function listAll({ api, bindings }: Tenancy['registry']) {
  const all = names.map(async (name) => {
    const place = api.collections.find(({ resource }) => resource.name === name)?.place ?? 0
    const sort = [{ field: 'id', direction: 'asc' }]
    const query = { sort, where: [], words: [], q: '', offset: 0 }
    const operation = { kind: 'list', resource: api.resources.get(name), scope: {}, query }
    return [name, await bindings[place]?.adapter.list?.(operation as never, undefined)]
  })
  return Object.fromEntries(await Promise.all(all))
}

async function rowsOf(db: Kysely<Record<string, object>>) {
  const all = names.map(async (name) => {
    const { rows } = await sql.raw(`select * from ${name} order by id`).execute(db)
    return [name, rows.map((row) => ({ ...Object(row) }))]
  })
  return Object.fromEntries(await Promise.all(all))
}

async function createTables(db: Kysely<Record<string, object>>): Promise<void> {
  for (const name of names) {
    const columns = Object.keys(Object(tenancyItems[name][0])).map((field) =>
      field === 'id'
        ? 'id varchar(64) primary key'
        : `${field} varchar(64)${/lead|assignee/.test(field) ? '' : ' not null'}`,
    )
    await sql.raw(`create table ${name} (${columns.join(', ')})`).execute(db)
  }
}

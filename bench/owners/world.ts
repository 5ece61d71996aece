import { type Kysely, sql } from 'kysely'
import {
  defineApi,
  defineRegistry,
  defineResource,
  everything,
  type HttpRequest,
  type handle,
} from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { memoryAdapter } from 'nounful/memory'
import { z } from 'zod'
import { fill, openers } from '../storage/stores.ts'

/** The stores that are measured. */
export const stores = ['memory', 'sqlite', 'postgres', 'mariadb'] as const

/** One of them. */
export type Store = (typeof stores)[number]

/** A store with two tenants, and registries on it. */
export interface World {
  readonly version: string
  /** By the way to say whose the items are. */
  readonly registries: Readonly<Record<Calling, Registry>>
  close(): Promise<void>
}

/** `context`: no owners. `everything`: owners, and a caller of all. `owner`: a caller of one. */
export type Calling = 'context' | 'everything' | 'owner'

type Registry = Parameters<typeof handle>[1]

const Project = z.object({
  id: z.string(),
  tenant_id: z.string(),
  name: z.string(),
  created_at: z.string(),
})
const project = { schema: Project, create: Project.omit({ id: true }), sortable: ['name'] } as const
const plain = defineApi({ v1: { '/projects': defineResource('projects', project) } })
const owned = defineApi({
  v1: { '/projects': defineResource('projects', { ...project, ownedBy: ['tenant_id'] }) },
})

/** How many items each of the two tenants has. */
export const itemsOfEach = 10_000

const text = (place: number) => place.toString(16).padStart(8, '0')

/** Ids of one tenant, of the other, and of no item: alike in form, mixed in order. */
export const ids = {
  own: Array.from({ length: itemsOfEach }, (_, place) => `${text(place * 3)}-project`),
  hidden: Array.from({ length: itemsOfEach }, (_, place) => `${text(place * 3 + 1)}-project`),
  absent: Array.from({ length: itemsOfEach }, (_, place) => `${text(place * 3 + 2)}-project`),
}

/** The request for an item. */
export function requestOf(id: string): HttpRequest {
  const headers = { host: 'localhost', accept: '*/*' }
  // A text in one piece, as a socket gives it.
  const url = Buffer.from(`/v1/projects/${id}`).toString('latin1')
  return { method: 'GET', url, headers }
}

const items = ids.own.flatMap((own, place) =>
  [own, ids.hidden[place] ?? ''].map((id, at) => ({
    id,
    tenant_id: at === 0 ? 'acme' : 'globex',
    name: `Project ${place}`,
    created_at: '2026-11-23T12:00:00.000Z',
  })),
)

/** Opens a store and fills it; `undefined` for one that is not installed. */
export async function openWorld(store: Store, keys: string): Promise<World | undefined> {
  if (store === 'memory') {
    const version = 'memoryAdapter'
    return { version, registries: registriesOf(undefined), close: async () => undefined }
  }
  const place = await openers[store]()
  if (place === undefined) return undefined
  const { db, version } = place
  const columns = ['id', 'tenant_id', 'name', 'created_at'] as const
  const typeOf = (name: string) => (store === 'mariadb' ? `${name} varchar(64)` : `${name} text`)
  const definition = [...columns.map((name) => `${typeOf(name)} not null`), keys]
  await sql`create table projects (${sql.raw(definition.join(', '))})`.execute(db)
  await fill(place, 'projects', items)
  return { version, registries: registriesOf(db), close: () => place.close() }
}

function registriesOf(db: Kysely<unknown> | undefined): World['registries'] {
  const context = () => ({ tenant_id: 'acme' })
  const table = 'projects'
  return {
    context: defineRegistry(plain)
      .context(context)
      .adapters({ projects: db ? kyselyAdapter(db, { table }) : memoryAdapter({ items }) }),
    everything: defineRegistry(owned)
      .context(context)
      .scope(() => everything)
      .adapters({ projects: db ? kyselyAdapter(db, { table }) : memoryAdapter({ items }) }),
    owner: defineRegistry(owned)
      .context(context)
      .scope(({ tenant_id }) => ({ tenant_id }))
      .adapters({ projects: db ? kyselyAdapter(db, { table }) : memoryAdapter({ items }) }),
  }
}

import { type Kysely, sql } from 'kysely'
import {
  defineApi,
  defineRegistry,
  defineResource,
  defineView,
  type HttpRequest,
  type handle,
} from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { memoryAdapter } from 'nounful/memory'
import { z } from 'zod'
import type { Store } from '../owners/world.ts'
import { fill, openers } from '../storage/stores.ts'

/** A store, and registries on it. */
export interface World {
  readonly version: string
  /** By what a request asks for. */
  readonly registries: Readonly<Record<Shown, Registry>>
  close(): Promise<void>
}

/** `hub`: the resource itself. `alone`: it, where nothing is a view. `view`: a view of it. */
export type Shown = 'hub' | 'alone' | 'view'

type Registry = Parameters<typeof handle>[1]

const text = z.string()

const Project = z.object({
  id: text,
  name: text,
  summary: text,
  state: z.enum(['running', 'stopped']),
  rank: z.int(),
  owner: text,
  place: text,
  created_at: text,
})
const projects = defineResource('projects', {
  schema: Project,
  create: Project.omit({ id: true }),
  sortable: ['name'],
})

// Two other names, a table from words to booleans, and nothing of the rank.
const ProjectV1 = z.object({
  id: text,
  title: text,
  description: text,
  is_running: z.boolean(),
  owner: text,
  place: text,
  created_at: text,
})
const projects_v1 = defineView('projects_v1', projects, {
  schema: ProjectV1,
  create: ProjectV1.omit({ id: true }),
  sortable: ['title'],
  fields: {
    title: 'name',
    description: 'summary',
    is_running: { of: 'state', values: { running: true, stopped: false } },
  },
  hidden: { rank: 0 },
})

const both = defineApi({ v1: { '/projects': projects_v1 }, v2: { '/projects': projects } })
const alone = defineApi({ v2: { '/projects': projects } })

const size = 10_000
const ids = Array.from({ length: size }, (_, place) => `${place.toString(16)}-project`)
const items = ids.map((id, place) => ({
  id,
  name: `Project ${place}`,
  summary: `What project ${place} is for`,
  state: place % 3 === 0 ? ('stopped' as const) : ('running' as const),
  rank: place % 10,
  owner: `Person ${place % 100}`,
  place: `City ${place % 37}`,
  created_at: '2026-11-23T12:00:00.000Z',
}))

const routes: Readonly<Record<Shown, string>> = {
  hub: '/v2/projects',
  alone: '/v2/projects',
  view: '/v1/projects',
}

/** The requests for an item each. */
export function readsOf(shown: Shown): readonly HttpRequest[] {
  return ids.map((id) => requestOf(`${routes[shown]}/${id}`))
}

/** The request for a page of 20 items. */
export function pagesOf(shown: Shown): readonly HttpRequest[] {
  return [requestOf(`${routes[shown]}?limit=20&sort=${shown === 'view' ? 'title' : 'name'}`)]
}

function requestOf(url: string): HttpRequest {
  const headers = { host: 'localhost', accept: '*/*' }
  // A text in one piece, as a socket gives it.
  return { method: 'GET', url: Buffer.from(url).toString('latin1'), headers }
}

/** Opens a store and fills it; `undefined` for one that is not installed. */
export async function openWorld(store: Store): Promise<World | undefined> {
  if (store === 'memory') {
    const version = 'memoryAdapter'
    return { version, registries: registriesOf(undefined), close: async () => undefined }
  }
  const database = await openers[store]()
  if (database === undefined) return undefined
  const { db, version } = database
  const type = await database.textType()
  const typeOf = (name: string) => `${name} ${name === 'rank' ? 'integer' : type} not null`
  const columns = [...Object.keys(Project.shape).map(typeOf), 'primary key (id)'].join(', ')
  await sql`create table projects (${sql.raw(columns)})`.execute(db)
  await sql`create index projects_by_name on projects (name, id)`.execute(db)
  await fill(database, 'projects', items)
  return { version, registries: registriesOf(db), close: () => database.close() }
}

function registriesOf(db: Kysely<unknown> | undefined): World['registries'] {
  const table = 'projects'
  const seen = defineRegistry(both, { defaultVersion: false }).adapters({
    projects: db ? kyselyAdapter(db, { table }) : memoryAdapter({ items }),
  })
  const other = defineRegistry(alone).adapters({
    projects: db ? kyselyAdapter(db, { table }) : memoryAdapter({ items }),
  })
  return { hub: seen, view: seen, alone: other }
}

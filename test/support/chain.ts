import { sql } from 'kysely'
import { defineApi, defineRegistry, defineResource, type Operation, type Registry } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { memoryAdapter } from 'nounful/memory'
import { z } from 'zod'
import { databaseOf, type Engine } from './stores.ts'

const text = z.string()
const Project = z.strictObject({ id: text, organisation_id: z.int(), name: text })
const Task = z.strictObject({ id: text, project_id: text, title: text })
const Comment = z.strictObject({ id: text, task_id: text, text })

/** Four levels. Each item has the id of its nearest parent only. */
export const api = defineApi({
  v1: {
    '/organisations': defineResource('organisations', {
      schema: z.strictObject({ id: z.int(), name: text }),
      id: z.coerce.number().int().positive(),
    }),
    '/organisations/:organisation_id/projects': defineResource('projects', {
      schema: Project,
      create: Project.partial({ organisation_id: true }),
    }),
    '/organisations/:organisation_id/projects/:project_id/tasks': defineResource('tasks', {
      schema: Task,
      create: Task.partial({ id: true, project_id: true }),
      sortable: ['title'],
      searchable: ['title'],
      filterable: ['title'],
    }),
    '/organisations/:organisation_id/projects/:project_id/tasks/:task_id/comments': defineResource(
      'comments',
      { schema: Comment, create: Comment.partial({ task_id: true }) },
    ),
  },
})

/** The rows of a new store. Project `p3` and task `t3` are further children of the first ones. */
export const rows = {
  organisations: [1, 2].map((id) => ({ id, name: `Organisation ${id}` })),
  projects: [
    { id: 'p1', organisation_id: 1, name: 'Web' },
    { id: 'p2', organisation_id: 2, name: 'App' },
    { id: 'p3', organisation_id: 1, name: 'Shop' },
  ],
  tasks: [
    { id: 't1', project_id: 'p1', title: 'Draw' },
    { id: 't2', project_id: 'p2', title: 'Secret' },
    { id: 't3', project_id: 'p1', title: 'Write' },
  ],
  comments: [
    { id: 'c1', task_id: 't1', text: 'Nice' },
    { id: 'c2', task_id: 't2', text: 'Hidden' },
    { id: 'c3', task_id: 't1', text: 'Bold' },
  ],
}

type Names = keyof typeof rows

/** A store of the four levels, and a service on it. */
export interface Chain {
  readonly registry: Registry<typeof api>
  /** What the middleware saw. */
  readonly asked: Operation[]
  drop(): Promise<void>
}

/** Opens a store with the rows. */
export async function chainIn(home: 'memory' | Engine): Promise<Chain> {
  const asked: Operation[] = []
  const builder = defineRegistry(api)
    .onError((error) => console.error(error))
    .use((operation, _, next) => {
      asked.push(operation)
      return next()
    })
  if (home === 'memory') {
    const registry = builder.adapters({
      organisations: memoryAdapter({ items: rows.organisations }),
      projects: memoryAdapter({ items: rows.projects }),
      tasks: memoryAdapter({ items: rows.tasks }),
      comments: memoryAdapter({ items: rows.comments }),
    })
    return { registry, asked, drop: () => Promise.resolve() }
  }
  const { db, drop } =
    await databaseOf<{
      [Name in Names]: (typeof rows)[Name][number]
    }>(home)
  for (const [name, items] of Object.entries(rows)) {
    const [first = {}] = items
    const columns = Object.entries(first).map(([field, value]) => {
      const type = typeof value === 'number' ? 'integer not null' : 'varchar(64) not null'
      return `${field} ${type}${field === 'id' ? ' primary key' : ''}`
    })
    await sql.raw(`create table ${name} (${columns.join(', ')})`).execute(db)
    await db
      .insertInto(name as Names)
      .values(items as never)
      .execute()
  }
  const registry = builder.adapters({
    organisations: kyselyAdapter(db, { table: 'organisations' }),
    projects: kyselyAdapter(db, { table: 'projects' }),
    tasks: kyselyAdapter(db, { table: 'tasks' }),
    comments: kyselyAdapter(db, { table: 'comments' }),
  })
  await registry.ready()
  return { registry, asked, drop }
}

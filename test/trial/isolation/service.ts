import { type Adapter, defineApi, defineRegistry, defineResource, everything } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { z } from 'zod'

const Project = z.object({
  id: z.string(),
  name: z.string(),
  rank: z.number(),
  place: z.object({ city: z.string() }).optional(),
  tags: z.array(z.string()).optional(),
  tenant_id: z.string(),
})
const Task = z.object({
  id: z.string(),
  title: z.string(),
  project_id: z.string(),
  label_id: z.string().optional(),
})
const Label = z.object({
  id: z.string(),
  name: z.string(),
  place: z.object({ city: z.string() }).optional(),
  tenant_id: z.string(),
  version: z.number(),
})
const Comment = z.object({
  id: z.string(),
  text: z.string(),
  task_id: z.string(),
  label_id: z.string(),
})

const projects = defineResource('projects', {
  schema: Project,
  create: Project.omit({ id: true }),
  sortable: ['name', 'rank'],
  folded: ['name'],
  searchable: ['name'],
  filterable: ['name', 'rank', 'tenant_id', 'place.city', 'tags'],
  countable: ['name', 'rank'],
  ownedBy: ['tenant_id'],
  idempotent: true,
})
const labels = defineResource('labels', {
  schema: Label,
  create: Label.omit({ id: true, version: true }),
  revision: 'version',
  searchable: ['name'],
  sortable: ['name'],
  filterable: ['name', 'place.city'],
  ownedBy: ['tenant_id'],
})
const tasks = defineResource('tasks', {
  schema: Task,
  create: Task.omit({ id: true }),
  searchable: ['title'],
  sortable: ['title'],
  filterable: ['title', 'label_id'],
  countable: ['title'],
  references: { project_id: 'projects', label_id: 'labels' },
  ownedBy: 'parent',
})
const comments = defineResource('comments', {
  schema: Comment,
  create: Comment.omit({ id: true }),
  searchable: ['text'],
  references: { task_id: 'tasks', label_id: 'labels' },
  ownedBy: 'parent',
})

/** A service of several tenants, with owners of every kind. */
const api = defineApi({
  v1: {
    '/projects': projects,
    '/labels': labels,
    '/projects/:project_id/tasks': tasks,
    '/projects/:project_id/tasks/:task_id/comments': comments,
  },
})

/** The adapters of the service. */
export type Adapters = Readonly<Record<'projects' | 'labels' | 'tasks' | 'comments', Adapter>>

/** Makes the service over adapters. Default: in memory. */
export function tenantService(adapters: Partial<Adapters> = {}) {
  return (
    defineRegistry(api, { idempotentFor: ({ tenant }: { tenant: string }) => tenant })
      .context(({ headers }) => {
        const token = /^Bearer (\w+)$/.exec(`${headers?.authorization}`)?.[1]
        return token === undefined ? undefined : { tenant: token }
      })
      .scope(({ tenant }) => (tenant === 'root' ? everything : { tenant_id: tenant }))
      // An adapter that is wrong on purpose is no news.
      .onError(() => undefined)
      .adapters({
        projects: memoryAdapter(),
        labels: memoryAdapter(),
        tasks: memoryAdapter(),
        comments: memoryAdapter(),
        ...adapters,
      } as never)
  )
}

/** The callers of a proof. */
export const callers = {
  as: ['authorization: Bearer alice', { authorization: 'Bearer bob' }],
  everything: 'authorization: Bearer root',
} as const

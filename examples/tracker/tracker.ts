import { defineApi, defineRegistry, defineResource, type Registry } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { z } from 'zod'

const text = z.string().min(1).max(200)

const Organisation = z.object({ id: z.string(), name: text })
const User = z.object({ id: z.string(), organisation_id: z.string(), name: text, email: z.email() })
const Project = z.object({
  id: z.string(),
  organisation_id: z.string(),
  name: text,
  archived: z.boolean().default(false),
})
const Task = z.object({
  id: z.string(),
  organisation_id: z.string(),
  project_id: z.string(),
  title: text,
  status: z.enum(['todo', 'doing', 'done']).default('todo'),
  assignee_id: z.string().optional(),
  due: z.iso.date().optional(),
  points: z.int().min(0).optional(),
  created_at: z.iso.datetime(),
})
const Comment = z.object({
  id: z.string(),
  task_id: z.string(),
  author_id: z.string(),
  text,
  created_at: z.iso.datetime(),
})

const organisations = defineResource('organisations', {
  schema: Organisation,
  create: Organisation.omit({ id: true }),
  sortable: ['name'],
  folded: ['name'],
  filterable: ['name'],
  bounded: true,
})
// An identity provider chooses the ids: a PUT adds a user, or brings it up to date.
const users = defineResource('users', {
  schema: User,
  create: User.omit({ id: true, organisation_id: true }),
  sortable: ['name'],
  folded: ['name'],
  searchable: ['name', 'email'],
  filterable: ['name', 'email'],
  putCreates: true,
})
const projects = defineResource('projects', {
  schema: Project,
  create: Project.omit({ id: true, organisation_id: true }),
  sortable: ['name'],
  folded: ['name'],
  searchable: ['name'],
  filterable: ['archived'],
})
const tasks = defineResource('tasks', {
  schema: Task,
  create: Task.omit({ id: true, organisation_id: true, created_at: true }),
  readOnly: ['created_at'],
  sortable: ['title', 'due', 'points', 'created_at'],
  searchable: ['title'],
  filterable: ['project_id', 'title', 'status', 'assignee_id', 'due', 'points', 'created_at'],
  countable: ['status', 'project_id', 'assignee_id'],
  references: { project_id: 'projects', assignee_id: 'users' },
  defaultLimit: 50,
  total: true,
})
// Its path holds the organisation and the project: a comment needs only the id of its task.
const comments = defineResource('comments', {
  schema: Comment,
  create: Comment.pick({ text: true }),
  readOnly: ['author_id', 'created_at'],
  sortable: ['created_at'],
})

export const api = defineApi({
  v1: {
    '/organisations': organisations,
    '/organisations/:organisation_id/users': users,
    '/organisations/:organisation_id/projects': projects,
    // all tasks of an organisation, and those of one project
    '/organisations/:organisation_id/tasks': tasks,
    '/organisations/:organisation_id/projects/:project_id/tasks': tasks,
    '/organisations/:organisation_id/projects/:project_id/tasks/:task_id/comments': comments,
  },
})

interface Caller {
  readonly userId: string
}

/**
 * A project tracker in memory. Everybody reads a comment, its author changes and deletes it. A
 * service of yours takes the caller from a token instead of a header.
 */
export function trackerRegistry(): Registry {
  const onCreate = () => ({ created_at: new Date().toISOString() })
  const isAuthor = (comment: z.infer<typeof Comment>, { userId }: Caller) =>
    comment.author_id === userId
  return defineRegistry(api)
    .context(({ headers }): Caller => ({ userId: String(headers?.['x-user'] ?? 'nobody') }))
    .rules({ comments: { change: isAuthor, delete: isAuthor } })
    .adapters({
      organisations: memoryAdapter(),
      users: memoryAdapter({ unique: ['email'] }),
      projects: memoryAdapter(),
      tasks: memoryAdapter({ onCreate }),
      comments: memoryAdapter({
        onCreate: (_item, _operation, { userId }: Caller) => ({ ...onCreate(), author_id: userId }),
      }),
    })
}

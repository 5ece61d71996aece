import { defineApi, defineResource } from 'nounful'
import { z } from 'zod'

const text = z.string().trim().min(1).max(200)
const name = z.string().regex(/^[a-z][a-z0-9-]{1,39}$/, 'is not 2 to 40 of a to z, 0 to 9 and "-"')

const Tenant = z.strictObject({ id: name, title: text })
const NewUser = z.strictObject({ name: text, email: z.email().max(254) })
const NewProject = z.strictObject({
  name: text,
  owner_id: z.string(),
  lead_id: z.string().optional(),
  template_id: z.string().optional(),
})
const NewTask = z.strictObject({
  title: text,
  status: z.enum(['todo', 'doing', 'done']).default('todo'),
  assignee_id: z.string().optional(),
})
const Template = z.strictObject({ id: name, title: text })

const owned = { id: z.string(), tenant_id: z.string() }

// A tenant owns itself: its id is the owner.
const tenants = defineResource('tenants', {
  schema: Tenant,
  ownedBy: ['id'],
  sortable: ['title'],
})

const users = defineResource('users', {
  schema: NewUser.extend(owned),
  create: NewUser,
  ownedBy: ['tenant_id'],
  sortable: ['name'],
  searchable: ['name', 'email'],
  filterable: ['email'],
})

// Two users may edit one project: `revision` refuses a change that overwrites another one.
const projects = defineResource('projects', {
  schema: NewProject.extend({ ...owned, revision: z.int() }),
  create: NewProject,
  revision: 'revision',
  ownedBy: ['tenant_id'],
  references: { owner_id: 'users', lead_id: 'users', template_id: 'templates' },
  sortable: ['name'],
  searchable: ['name'],
  filterable: ['name', 'owner_id'],
  defaultLimit: 50,
  total: true,
  idempotent: true,
})

// A task has no tenant of its own: it belongs to the tenant of its project.
const tasks = defineResource('tasks', {
  schema: NewTask.extend({ id: z.string(), project_id: z.string() }),
  create: NewTask,
  ownedBy: 'parent',
  references: { project_id: 'projects', assignee_id: 'users' },
  sortable: ['title'],
  searchable: ['title'],
  filterable: ['status', 'assignee_id'],
  defaultLimit: 50,
})

// Every tenant reads the same templates.
const templates = defineResource('templates', {
  schema: Template,
  ownedBy: [],
  sortable: ['title'],
})

export const api = defineApi({
  v1: {
    '/tenants': tenants,
    '/users': users,
    '/projects': projects,
    '/projects/:project_id/tasks': tasks,
    '/templates': templates,
  },
})

import type { FilledProject } from './from-file.ts'
import type { ProjectField, ProjectModel, ProjectResource, ValueType } from './model.ts'

function field(name: string, type: ValueType, options: Partial<ProjectField> = {}): ProjectField {
  return { name, type, isNullable: false, isOptional: false, inBody: 'required', ...options }
}

const text: ValueType = { kind: 'text', maxLength: 200 }

const projects: ProjectResource = {
  noun: 'projects',
  isPlural: false,
  table: 'projects',
  id: { kind: 'uuid', inBody: 'refused' },
  fields: [
    field('id', { kind: 'uuid' }),
    field('name', text),
    field('due_on', { kind: 'date' }, { isNullable: true }),
  ],
  sortable: ['name', 'due_on'],
  searchable: ['name'],
  filterable: ['name', 'due_on'],
  references: [],
  advice: [],
}

const tasks: ProjectResource = {
  noun: 'tasks',
  isPlural: false,
  table: 'tasks',
  id: { kind: 'uuid', inBody: 'refused' },
  fields: [
    field('id', { kind: 'uuid' }),
    field('project_id', { kind: 'uuid' }),
    field('title', text),
    field('status', { kind: 'enumeration', values: ['todo', 'doing', 'done'] }),
  ],
  sortable: ['title', 'status'],
  searchable: ['title'],
  filterable: ['status', 'project_id'],
  references: [{ field: 'project_id', to: 'projects' }],
  advice: [],
}

const ids = [
  '0198c5f0-0000-7000-8000-000000000001',
  '0198c5f0-0000-7000-8000-000000000002',
] as const

/** Returns a project to begin with: projects and their tasks, with a few rows. */
export function starterProject(title: string): FilledProject {
  return {
    model: {
      title,
      resources: [projects, tasks],
      mounts: [
        { path: '/projects', noun: 'projects' },
        { path: '/tasks', noun: 'tasks' },
        { path: '/projects/:project_id/tasks', noun: 'tasks' },
      ],
    },
    items: new Map([
      [
        'projects',
        [
          { id: ids[0], name: 'New website', due_on: '2027-03-01' },
          { id: ids[1], name: 'Office plants', due_on: null },
        ],
      ],
      [
        'tasks',
        [
          { id: ids[0], project_id: ids[0], title: 'Choose the colours', status: 'doing' },
          { id: ids[1], project_id: ids[1], title: 'Water the ficus', status: 'todo' },
        ],
      ],
    ]),
    notes: [],
  }
}

const owner = field('tenant_id', { kind: 'text' }, { inBody: 'refused' })

/** Returns the same project, whose items belong to tenants. */
export function tenantProject(title: string): ProjectModel {
  const { model } = starterProject(title)
  const resources = model.resources.map((resource) => {
    const [id, ...fields] = resource.fields
    return { ...resource, ownedBy: [owner.name], fields: [...(id ? [id] : []), owner, ...fields] }
  })
  return { ...model, resources }
}

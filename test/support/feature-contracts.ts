import {
  type Adapter,
  defineApi,
  defineRegistry,
  defineResource,
  defineView,
  everything,
  type Middleware,
  type OperationKind,
  problem,
  type Registry,
} from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { z } from 'zod'

type Fields = Record<string, z.ZodType>
type Options = Record<string, unknown>

type Rule = (item: Readonly<Record<string, unknown>>, context: { tenant: string }) => boolean

/** A resource that features change. */
interface Part {
  fields: Fields
  /** The fields that a body does not have. */
  filled: string[]
  options: Options
  adapter: (options: object) => Adapter
  adapterOptions: Options
}

/** A contract that features change. */
interface Draft {
  readonly projects: Part
  readonly tasks: Part
  readonly labels: Part
  /** More resources, by name. */
  readonly more: Record<string, Part>
  paths: Record<string, string>
  /** Makes the views of version 1; the bases are version 2. */
  view?: (base: never) => Record<string, unknown>
  isDeprecated?: boolean
  middleware?: Middleware
  scope: (tenant: string) => Record<string, unknown>
  reveals?: Record<string, string[]>
  /** The rules of the labels. */
  rules?: Readonly<Record<string, Rule>>
  registryOptions: Options
}

const part = (fields: Fields, filled: string[], options: Options = {}): Part => ({
  fields: { id: z.string(), ...fields },
  filled: ['id', ...filled],
  options,
  adapter: memoryAdapter as never,
  adapterOptions: {},
})

function draftOf(): Draft {
  return {
    projects: part({ name: z.string(), rank: z.number(), tenant_id: z.string() }, ['tenant_id'], {
      ownedBy: ['tenant_id'],
      sortable: ['name', 'rank'],
      searchable: ['name'],
      filterable: ['name', 'rank'],
    }),
    tasks: part({ title: z.string(), project_id: z.string() }, ['project_id'], {
      ownedBy: 'parent',
      references: { project_id: 'projects' },
      sortable: ['title'],
      filterable: ['title'],
    }),
    labels: part({ name: z.string(), tenant_id: z.string() }, ['tenant_id'], {
      ownedBy: ['tenant_id'],
      sortable: ['name'],
      filterable: ['name'],
    }),
    more: {},
    paths: { '/projects': 'projects', '/projects/:project_id/tasks': 'tasks', '/labels': 'labels' },
    scope: (tenant) => ({ tenant_id: tenant }),
    registryOptions: {},
  }
}

const without =
  (...kinds: OperationKind[]) =>
  ({ labels, tasks }: Draft) => {
    for (const { options } of [labels, tasks])
      options.without = [...((options.without as string[]) ?? []), ...kinds]
  }

const refusing =
  (...kinds: OperationKind[]) =>
  (draft: Draft) => {
    draft.middleware = ({ kind }, context, next) => {
      const isRefused = kinds.includes(kind) && (context as { tenant: string }).tenant !== 'root'
      if (isRefused) throw problem('forbidden')
      return next()
    }
  }

const isListed = ({ options: { without = [] } }: Part): boolean =>
  !(without as readonly string[]).includes('list')

let last = 0
const counted = (part: Part) => {
  part.fields.id = z.number()
  part.options.id = z.coerce.number()
  part.options.ids = 'counted'
  part.adapterOptions.nextId = () => ++last
}

/** What a contract may have: each feature alone, and each two of them, must prove isolated. */
export const contractFeatures = {
  'a deprecated version': (draft: Draft) => {
    draft.isDeprecated = true
  },
  'a view that renames': (draft: Draft) => {
    draft.view = (base) => {
      const { name, tenant_id: _, ...fields } = draft.labels.fields
      const Label = z.object({ ...fields, title: name as z.ZodString, tenant_id: z.string() })
      return {
        '/labels': defineView('labels', base, {
          schema: Label,
          create: Label.omit(omitted(draft.labels.filled) as never),
          fields: { title: 'name' },
          sortable: ['title'],
          filterable: ['title'],
        } as never),
      }
    }
  },
  'a view with a constant': (draft: Draft) => {
    draft.view = (base) => {
      const Label = z.object({ ...draft.labels.fields, fax: z.null() })
      return {
        '/labels': defineView('labels', base, {
          schema: Label,
          create: Label.omit(omitted(draft.labels.filled) as never),
          fields: { fax: { always: null } },
        } as never),
      }
    }
  },
  'no create': without('create'),
  'no list': without('list'),
  'no read': without('read'),
  'no update': without('update'),
  'no delete': without('delete'),
  'no deleteAll': without('deleteAll'),
  'no count, first or last': without('count', 'first', 'last'),
  'no bulks': without('updateMany'),
  'no patch': without('patch', 'patchMany'),
  'counted ids': ({ labels }: Draft) => counted(labels),
  'counted ids below a parent': ({ tasks }: Draft) => counted(tasks),
  'ids of clients': ({ labels, tasks }: Draft) => {
    for (const own of [labels, tasks]) own.filled = own.filled.filter((field) => field !== 'id')
    for (const own of [labels, tasks])
      own.options.create = z
        .object(own.fields)
        .omit(omitted(own.filled) as never)
        .partial({ id: true } as never)
  },
  'an owner that is an item': (draft: Draft) => {
    const { more } = draft
    more.tenants = part({ name: z.string() }, [], { ownedBy: ['id'] })
    more.notes = part({ text: z.string(), tenant_id: z.string() }, ['tenant_id'], {
      ownedBy: ['tenant_id'],
      references: { tenant_id: 'tenants' },
    })
    draft.paths = { ...draft.paths, '/tenants': 'tenants', '/tenants/:tenant_id/notes': 'notes' }
    const { scope } = draft
    draft.scope = (tenant) => ({ ...scope(tenant), id: tenant })
  },
  'a role that may not delete': refusing('delete', 'deleteAll'),
  'a role that may not create': (draft: Draft) => {
    draft.middleware = ({ kind, resource }, _, next) => {
      if (kind === 'create' && resource.name.startsWith('labels')) throw problem('forbidden')
      return next()
    }
  },
  'a role that may not write': refusing('update', 'patch', 'updateMany', 'patchMany'),
  'a random revision': ({ labels, projects }: Draft) => {
    for (const own of [labels, projects]) {
      own.fields.etag = z.string()
      own.filled.push('etag')
      own.options.revision = 'etag'
      const etag = () => ({ etag: crypto.randomUUID().replaceAll('-', '') })
      Object.assign(own.adapterOptions, { onCreate: etag, onUpdate: etag })
    }
  },
  'a counted revision': ({ labels }: Draft) => {
    labels.fields.version = z.number()
    labels.filled.push('version')
    labels.options.revision = 'version'
  },
  'callers of several owners': (draft: Draft) => {
    const { scope } = draft
    draft.scope = (tenant) => ({ ...scope(tenant), tenant_id: [`${tenant}_1`, `${tenant}_2`] })
    for (const own of [draft.projects, draft.labels, ...Object.values(draft.more)]) {
      if (own.fields.tenant_id === undefined || !own.filled.includes('tenant_id')) continue
      own.filled = own.filled.filter((field) => field !== 'tenant_id')
      own.options.filled = ['tenant_id']
    }
  },
  'restricted fields': ({ labels, tasks }: Draft) => {
    labels.fields.secret = z.string().optional()
    labels.options.restricted = ['secret']
    tasks.fields.cost = z.number().optional()
    tasks.options.restricted = ['cost']
  },
  'restricted fields that one caller sees': (draft: Draft) => {
    draft.labels.fields.pin = z.string().optional()
    draft.labels.options.restricted = ['pin']
    draft.labels.options.filterable = ['name', 'pin']
    draft.labels.options.sortable = ['name', 'pin']
    draft.reveals = { alice: ['pin'] }
  },
  references: ({ labels, tasks }: Draft) => {
    tasks.fields.label_id = labels.fields.id?.optional() as z.ZodType
    tasks.options.references = { ...(tasks.options.references as object), label_id: 'labels' }
    tasks.options.filterable = ['title', 'label_id']
  },
  'restricted fields of a related item': ({ labels, tasks }: Draft) => {
    labels.fields.code = z.string().optional()
    labels.options.restricted = [...((labels.options.restricted as string[]) ?? []), 'code']
    labels.options.filterable = [...(labels.options.filterable as string[]), 'code']
    tasks.fields.mark_id = labels.fields.id?.optional() as z.ZodType
    tasks.options.references = { ...(tasks.options.references as object), mark_id: 'labels' }
  },
  'a required reference': (draft: Draft) => {
    draft.more.marks = part(
      { text: z.string(), project_id: z.string(), tenant_id: z.string() },
      ['tenant_id'],
      {
        ownedBy: ['tenant_id'],
        references: { project_id: 'projects' },
      },
    )
    draft.paths = { ...draft.paths, '/marks': 'marks' }
  },
  'a reference to itself': ({ projects }: Draft) => {
    projects.fields.parent_id = z.string().optional()
    projects.options.references = { parent_id: 'projects' }
  },
  'everybody’s items': (draft: Draft) => {
    draft.more.countries = part({ name: z.string() }, [], { ownedBy: [], searchable: ['name'] })
    draft.paths = { ...draft.paths, '/countries': 'countries' }
  },
  'folded orders': ({ projects, labels }: Draft) => {
    projects.options.folded = ['name']
    labels.options.folded = ['name']
  },
  'counts by values': ({ projects, labels }: Draft) => {
    projects.options.countable = ['name', 'rank']
    labels.options.countable = ['name']
  },
  'PUT that creates': ({ labels, tasks }: Draft) => {
    for (const { options } of [labels, tasks]) options.putCreates = true
  },
  'rules of items': (draft: Draft) => {
    // The proof has to delete each item by some caller.
    const isFree: Rule = ({ name }, { tenant }) => tenant === 'root' || !/2$/.test(`${name}`)
    const isCreatable: Rule = ({ name }) => !/second$/.test(`${name}`)
    draft.rules = { change: isFree, delete: isFree, create: isCreatable }
  },
  'idempotency keys': (draft: Draft) => {
    draft.projects.options.idempotent = true
    draft.registryOptions.idempotentFor = ({ tenant }: { tenant: string }) => tenant
  },
  'bounded deletions': ({ labels }: Draft) => {
    labels.options.bounded = true
  },
  totals: ({ projects, labels }: Draft) => {
    projects.options.total = true
    if (isListed(labels)) labels.options.total = false
  },
  'a default limit': ({ projects }: Draft) => {
    Object.assign(projects.options, { defaultLimit: 2, maxLimit: 3 })
  },
  'a kept field': ({ labels }: Draft) => {
    labels.fields.color = z.enum(['red', 'green']).optional()
    labels.options.keep = ['color']
  },
  'read-only fields': ({ labels }: Draft) => {
    labels.fields.created_at = z.iso.datetime()
    labels.filled.push('created_at')
    labels.options.readOnly = ['created_at']
    labels.adapterOptions.onCreate = () => ({ created_at: new Date().toISOString() })
  },
  'filters of every type': ({ labels }: Draft) => {
    Object.assign(labels.fields, {
      due: z.iso.datetime(),
      day: z.iso.date(),
      state: z.enum(['open', 'done']),
      price: z.number(),
      ready: z.boolean(),
      mail: z.email(),
    })
    const names = ['due', 'day', 'state', 'price', 'ready', 'mail']
    labels.options.filterable = ['name', ...names]
    labels.options.sortable = ['name', ...names]
    labels.options.searchable = ['name', 'mail']
  },
  'three levels': (draft: Draft) => {
    draft.more.comments = part(
      { text: z.string(), task_id: draft.tasks.fields.id as z.ZodType },
      ['task_id'],
      {
        ownedBy: 'parent',
        references: { task_id: 'tasks' },
      },
    )
    draft.paths['/projects/:project_id/tasks/:task_id/comments'] = 'comments'
  },
  'a default version': (draft: Draft) => {
    draft.registryOptions.defaultVersion = 'v1'
  },
} satisfies Record<string, (draft: Draft) => void>

/** A feature of a contract. */
export type ContractFeature = keyof typeof contractFeatures

function omitted(names: readonly string[]): Record<string, true> {
  return Object.fromEntries(names.map((name) => [name, true as const]))
}

/** Makes a service with features, whose callers are `Bearer alice`, `bob` and `root`. */
export function serviceWith(features: readonly ContractFeature[]): Registry {
  const draft = draftOf()
  // In the order of the table: a later feature builds on an earlier one.
  const names = Object.keys(contractFeatures) as ContractFeature[]
  for (const name of names) if (features.includes(name)) contractFeatures[name](draft)
  // A base has the name of its version.
  const nameOf = (name: string) => (name === 'labels' && draft.view ? 'labels_v2' : name)
  const parts = {
    projects: draft.projects,
    tasks: draft.tasks,
    labels: draft.labels,
    ...draft.more,
  }
  const resources = Object.fromEntries(
    Object.entries(parts).map(([key, { fields, filled, options }]) => {
      const name = nameOf(key)
      const schema = z.object(fields)
      const create = schema.omit(omitted(filled) as never)
      return [key, defineResource(name, { schema, create, ...options } as never)]
    }),
  )
  const paths = Object.fromEntries(
    Object.entries(draft.paths).map(([path, name]) => [path, resources[name]]),
  )
  const isVersioned = draft.view !== undefined || draft.isDeprecated
  const labels = resources.labels as never
  const versions = isVersioned
    ? { v1: { ...paths, ...draft.view?.(labels) }, v2: paths }
    : { v1: paths }
  const lifecycle = draft.isDeprecated
    ? { lifecycle: { v1: { deprecated: '2026-11-01', successor: 'v2' } } }
    : {}
  const api = defineApi(versions as never, lifecycle as never)
  const options = { ...(isVersioned && { defaultVersion: false }), ...draft.registryOptions }
  const builder = defineRegistry(api as never, options as never) as never as Builder
  const base = builder
    .context(({ headers }: { headers?: Record<string, string> }) => {
      const tenant = /^Bearer (\w+)$/.exec(`${headers?.authorization}`)?.[1]
      return tenant === undefined ? undefined : { tenant }
    })
    .onError((error) => void (process.env.SHOW && console.log(error)))
    .scope(({ tenant }: { tenant: string }) =>
      tenant === 'root' ? everything : draft.scope(tenant),
    )
  const revealing = draft.reveals
    ? base.reveal(({ tenant }: { tenant: string }) => ({
        [nameOf('labels')]: draft.reveals?.[tenant] ?? [],
      }))
    : base
  const ruled = draft.rules ? revealing.rules({ [nameOf('labels')]: draft.rules }) : revealing
  const used = draft.middleware ? ruled.use(draft.middleware) : ruled
  const adapters = Object.entries(parts).map(([name, { adapter, adapterOptions }]) => [
    nameOf(name),
    adapter(adapterOptions),
  ])
  return used.adapters(Object.fromEntries(adapters))
}

interface Builder {
  onError: (listener: (error: unknown) => void) => Builder
  context: (context: unknown) => Builder
  scope: (scope: unknown) => Builder
  reveal: (reveal: unknown) => Builder
  rules: (rules: unknown) => Builder
  use: (middleware: unknown) => Builder
  adapters: (adapters: unknown) => Registry
}

/**
 * Returns pairs of features: some of them, or all where `NOUNFUL_LONG` is set. Leaves out those
 * that no contract can have, such as counts without `count`.
 */
export function featurePairs(): readonly (readonly [ContractFeature, ContractFeature])[] {
  const names = Object.keys(contractFeatures) as ContractFeature[]
  const isLong = Boolean(process.env.NOUNFUL_LONG)
  return names.flatMap((one, at) =>
    names
      .slice(at + 1)
      .filter((_, distance) => isLong || (at + distance) % 17 === 0)
      .map((other) => [one, other] as const)
      .filter(isDefinable),
  )
}

function isDefinable(features: readonly ContractFeature[]): boolean {
  try {
    return serviceWith(features) !== undefined
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}

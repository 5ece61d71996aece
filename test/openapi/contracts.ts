import { type } from 'arktype'
import { defineApi, defineRegistry, defineResource, problem, type Registry } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import type { OpenApiOptions } from 'nounful/openapi'
import * as v from 'valibot'
import { z } from 'zod'
import { endingRegistry } from '../support/ending.ts'

/** A service to describe. */
export interface Specimen {
  readonly registry: Registry
  readonly options: OpenApiOptions
  /** An initial item of each resource. */
  readonly items: Readonly<Record<string, object>>
}

/** The info of a document. */
export const info = {
  title: 'Specimens',
  version: '1.0.0',
  license: { name: 'MIT', identifier: 'MIT' },
} as const

/** A version that ends and one that stays, but for a path. */
export function ending(): Specimen {
  const firm = { id: '7', name: 'Firm 7' }
  return {
    registry: endingRegistry().registry,
    options: { info },
    items: {
      firms: firm,
      companies: firm,
      workers: { id: '3', firm_id: '7', name: 'Ann' },
      staff: { id: '3', company_id: '7', name: 'Ann' },
      faxes: { id: '1', name: 'Fax' },
    },
  }
}

/** Two versions with different people. */
export function versions(): Specimen {
  const Address = z.object({ city: z.string() }).meta({ id: 'Address' })
  const Person = z.object({
    id: z.string(),
    name: z.string(),
    home: Address,
    work: Address.optional(),
  })
  const Newer = z
    .object({ country: z.string().default('nl'), city: z.string() })
    .meta({ id: 'Address2' })
  const people = defineResource('people', { schema: Person, create: Person.omit({ id: true }) })
  const people_v2 = defineResource('people_v2', {
    schema: Person.extend({ home: Newer, email: z.email() }),
    create: Person.omit({ id: true }).extend({ home: Newer, email: z.email() }),
    searchable: ['name'],
    sortable: ['name', 'email'],
    filterable: ['name', 'email'],
    defaultLimit: 20,
    maxLimit: 100,
  })
  const api = defineApi({ v1: { '/people': people }, v2: { '/people': people_v2 } })
  const person = { id: '1', name: 'Ann', home: { city: 'Delft' } }
  const person2 = { ...person, home: { city: 'Delft', country: 'nl' }, email: 'ann@x.example' }
  return {
    registry: defineRegistry(api, {
      defaultVersion: 'v2',
      problemTypes: 'https://x.example/p#',
    }).adapters({
      people: memoryAdapter({ items: [person] }),
      people_v2: memoryAdapter({ items: [person2] }),
    }),
    options: { info, examples: { people: person, people_v2: person2 } },
    items: { people: person, people_v2: person2 },
  }
}

/** Three levels, numeric ids, revisions, and a whole item as body. */
export function deep(): Specimen {
  const id = z.coerce.number().int().positive()
  const Region = z.strictObject({ id, name: z.string() })
  const Site = z.strictObject({ id: z.uuid(), name: z.string(), region_id: z.number().int() })
  const Room = z.strictObject({
    id: z.string(),
    label: z.string().nullable(),
    seats: z.number().int().min(1),
    site_id: z.uuid(),
    region_id: z.number().int(),
    revision: z.number().int(),
    made_at: z.iso.datetime(),
  })
  const regions = defineResource('regions', {
    schema: Region,
    bounded: true,
    create: Region.omit({ id: true }),
    id,
  })
  const sites = defineResource('sites', { schema: Site, id: z.uuid(), sortable: ['name'] })
  const rooms = defineResource('rooms', {
    schema: Room,
    // The schema requires the parent ids, although a nested path sets them.
    create: Room.omit({ id: true, revision: true, made_at: true }),
    revision: 'revision',
    readOnly: ['made_at'],
    sortable: ['label', 'seats'],
    searchable: ['label'],
    filterable: ['label', 'seats', 'site_id', 'made_at'],
    without: ['deleteAll'],
  })
  const api = defineApi({
    v1: {
      '/regions': regions,
      '/rooms': rooms,
      '/regions/:region_id/sites': sites,
      '/regions/:region_id/sites/:site_id/rooms': rooms,
    },
  })
  const site_id = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'
  const items = {
    regions: { id: 1, name: 'North' },
    sites: { id: site_id, name: 'Dock', region_id: 1 },
    rooms: {
      id: 'r1',
      label: null,
      seats: 4,
      site_id,
      region_id: 1,
      revision: 1,
      made_at: '2026-01-02T03:04:05.000Z',
    },
  }
  return {
    registry: defineRegistry(api).adapters({
      regions: memoryAdapter({ items: [items.regions] }),
      sites: memoryAdapter({ items: [items.sites] }),
      rooms: memoryAdapter({
        items: [items.rooms],
        onCreate: () => ({ made_at: items.rooms.made_at }),
      }),
    }),
    options: { info, examples: items },
    items,
  }
}

interface Tree {
  id: string
  name: string
  trees?: Tree[] | undefined
}

/** Recursive items. */
export function recursive(): Specimen {
  const Folder: z.ZodType<Tree> = z.object({
    id: z.string(),
    name: z.string(),
    get trees() {
      return z.array(Folder).optional()
    },
  })
  const NewFolder = z.strictObject({
    name: z.string(),
    get trees() {
      return z.array(Folder).optional()
    },
  })
  const Note = z.strictObject({ id: z.string(), extra: z.json(), $ref: z.string().optional() })
  const folders = defineResource('folders', { schema: Folder, create: NewFolder, update: Folder })
  const notes = defineResource('notes', { schema: Note, create: Note.omit({ id: true }) })
  const api = defineApi({ v1: { '/folders': folders, '/notes': notes } })
  const items = {
    folders: { id: '1', name: 'a', trees: [{ id: '2', name: 'b' }] },
    notes: { id: '1', extra: { a: [null, { b: 1 }] }, $ref: '#/nowhere' },
  }
  return {
    registry: defineRegistry(api).adapters({
      folders: memoryAdapter({ items: [items.folders] }),
      notes: memoryAdapter({ items: [items.notes] }),
    }),
    options: { info, examples: items },
    items,
  }
}

/** arktype, which numbers unnamed schemas, and alternatives. */
export function arktypes(): Specimen {
  const branches = type.module({ branch: { name: 'string', 'branches?': 'branch[]' } })
  const Tool = type({
    id: 'string',
    label: 'string <= 20',
    'weight?': 'number > 0',
    parts: branches.branch,
  })
  const tools = defineResource('tools', {
    schema: Tool,
    create: Tool.omit('id').onUndeclaredKey('reject'),
    sortable: ['label', 'weight'],
    searchable: ['label'],
  })
  const Card = z.strictObject({ id: z.string(), kind: z.literal('card'), number: z.string() })
  const Cash = z.strictObject({ id: z.string(), kind: z.literal('cash'), amount: z.number() })
  const payments = defineResource('payments', {
    schema: z.discriminatedUnion('kind', [Card, Cash]),
    create: z.discriminatedUnion('kind', [Card.omit({ id: true }), Cash.omit({ id: true })]),
  })
  const api = defineApi({ v1: { '/tools': tools, '/payments': payments } })
  const items = {
    tools: { id: '1', label: 'saw', parts: { name: 'a', branches: [{ name: 'b' }] } },
    payments: { id: '1', kind: 'cash' as const, amount: 3 },
  }
  return {
    registry: defineRegistry(api).adapters({
      tools: memoryAdapter({ items: [items.tools] }),
      payments: memoryAdapter({ items: [items.payments] }),
    }),
    options: { info, examples: items },
    items,
  }
}

/** References: to itself, in a cycle, of alternatives, to a nested path, and of an open schema. */
export function referring(): Specimen {
  const User = z.strictObject({
    id: z.string(),
    name: z.string(),
    bossId: z.string().nullable(),
    team_id: z.number().optional(),
  })
  const Team = z.strictObject({ id: z.number(), name: z.string(), lead_id: z.string().optional() })
  const own = {
    id: z.string(),
    team_id: z.number(),
    user_id: z.string().optional(),
    'of~/id': z.string().optional(),
  }
  const Note = z.discriminatedUnion('kind', [
    z.strictObject({ ...own, kind: z.literal('text'), text: z.string() }),
    z.strictObject({ ...own, kind: z.literal('copy'), count: z.number() }),
  ])
  const Mark = z.looseObject({ id: z.string(), note_id: z.string() })
  const users = defineResource('users', {
    schema: User,
    create: User.partial({ id: true }),
    references: { bossId: 'users', team_id: 'teams' },
  })
  const teams = defineResource('teams', {
    schema: Team,
    create: Team.omit({ id: true }),
    id: z.coerce.number(),
    references: { lead_id: { to: 'users', as: 'team lead' } },
  })
  const notes = defineResource('notes', {
    schema: Note,
    references: { user_id: 'users', team_id: 'teams', 'of~/id': { to: 'notes', as: 'origin' } },
  })
  const marks = defineResource('marks', { schema: Mark, references: { note_id: 'notes' } })
  const api = defineApi({
    v1: { '/users': users, '/teams': teams, '/teams/:team_id/notes': notes, '/marks': marks },
    v2: { '/teams': teams, '/teams/:team_id/notes': notes },
  })
  const items = {
    users: { id: 'ann', name: 'Ann', bossId: 'ann', team_id: 7 },
    teams: { id: 7, name: 'Red', lead_id: 'ann' },
    notes: { id: 'n', kind: 'copy' as const, count: 1, team_id: 7, user_id: 'ann', 'of~/id': 'n' },
    marks: { id: 'm', note_id: 'n', color: 'red' },
  }
  return {
    registry: defineRegistry(api, { defaultVersion: 'v1' }).adapters({
      users: memoryAdapter({ items: [items.users] }),
      teams: memoryAdapter({ items: [items.teams] }),
      notes: memoryAdapter({ items: [items.notes] }),
      marks: memoryAdapter({ items: [items.marks] }),
    }),
    options: { info, examples: items },
    items,
  }
}

/** valibot, which has no JSON Schema itself, irregular plurals, and read-only adapters. */
export function valibots(toJsonSchema?: OpenApiOptions['toJsonSchema']): Specimen {
  const Member = v.strictObject({ id: v.string(), name: v.pipe(v.string(), v.minLength(1)) })
  const staff = defineResource('staff', {
    schema: Member,
    create: v.omit(Member, ['id']),
    plural: true,
    searchable: ['name'],
  })
  const Device = v.object({
    id: v.string(),
    staff_id: v.string(),
    made: v.pipe(v.string(), v.isoDate()),
  })
  const equipment = defineResource('equipment', {
    schema: Device,
    plural: true,
    sortable: ['made'],
    without: ['count'],
  })
  const api = defineApi({ v1: { '/staff': staff, '/staff/:staff_id/equipment': equipment } })
  const items = {
    staff: { id: '1', name: 'Ann' },
    equipment: { id: '1', staff_id: '1', made: '2026-01-02' },
  }
  const { list, read } = memoryAdapter({ items: [items.equipment] })
  return {
    registry: defineRegistry(api)
      .context(({ headers }) => {
        if (headers?.authorization === undefined) throw problem('unauthenticated')
        return {}
      })
      .use((_, __, next) => next())
      .adapters({
        staff: memoryAdapter({ items: [items.staff] }),
        equipment: { list, read } as never,
      }),
    options: {
      info,
      security: [{ bearer: [] }],
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      tags: { staff: 'Those who work here.' },
      examples: items,
      ...(toJsonSchema === undefined ? {} : { toJsonSchema }),
    },
    items,
  }
}

import { type Api, defineApi, defineResource, defineView, type Resource } from 'nounful'
import type { ContractRow } from './features.ts'
import {
  amountOf,
  type Field,
  field,
  namesOwner,
  ownerFieldOf,
  referenceFieldOf,
  restrictedFieldOf,
} from './fields.ts'
import { type Item, type Level, type Levels, levelsOf } from './levels.ts'
import { idSchemaOf, schemaOf } from './validators.ts'

/** A contract of the family, with what its requests have to know. */
export interface Contract {
  readonly row: ContractRow
  readonly api: Api
  readonly levels: Levels
  /** The names of the stored resources beside the things. */
  readonly stored: readonly Beside[]
}

/** A resource beside the things: its parents, and the items that they reference. */
interface Beside {
  readonly noun: 'groups' | 'lists' | 'peers' | 'badges'
  /** The name of what is stored. */
  readonly name: string
  readonly fields: readonly Field[]
}

const define = (name: string, declaration: object): Resource =>
  Reflect.apply(defineResource, undefined, [name, declaration])
const view = (name: string, of: Resource, declaration: object): Resource =>
  Reflect.apply(defineView, undefined, [name, of, declaration])

/** Declares a contract. */
export function contractOf(row: ContractRow): Contract {
  const levels = levelsOf(row)
  const all = besideOf(row)
  const beside = all.map((one) => ({ ...one, shown: besideIn(one, row) }))
  const stored = define(levels.stored.name, thingsOf(levels.stored, row))
  const versions = Object.fromEntries(
    levels.shown.map(([version], index) => {
      const things = thingsAt(index, { stored, levels, row })
      const isFirst = index === 0 && levels.shown.length > 1
      const entries = beside.flatMap(({ noun, shown }) => {
        if (isFirst && noun === 'peers' && row.target === 'absent') return []
        const path = noun === 'lists' && hasGroups(row) ? '/groups/:group_id/lists' : `/${noun}`
        return [[path, isFirst ? shown.first : shown.last] as const]
      })
      const mounts = pathsOf(row).map((path) => [path, things] as const)
      return [version, Object.fromEntries([...entries, ...mounts])]
    }),
  )
  const api = Reflect.apply(defineApi, undefined, [versions, lifecycleOf(row, levels)])
  return { row, api, levels, stored: all }
}

/** Returns the paths of the things in each version. */
export function pathsOf({ nesting }: ContractRow): readonly string[] {
  if (nesting === 'top') return ['/things']
  if (nesting === 'parent') return ['/lists/:list_id/things']
  if (nesting === 'both') return ['/things', '/lists/:list_id/things']
  return ['/groups/:group_id/lists/:list_id/things']
}

function hasGroups({ nesting }: ContractRow): boolean {
  return nesting === 'two parents' || nesting === 'chain'
}

function besideOf(row: ContractRow): readonly Beside[] {
  const { nesting, owner, parents, target } = row
  const never = { inCreate: 'never', inUpdate: 'never' } as const
  const id = field('id', 'text', never)
  const mayName = namesOwner(row)
    ? ({ inCreate: 'optional', inUpdate: 'optional' } as const)
    : never
  const isOwned = ownerFieldOf(row) !== undefined || owner === 'parent'
  const tenant = isOwned ? [field('tenant_id', 'text', mayName)] : []
  const group = hasGroups(row) ? [field('group_id', 'text', never)] : []
  const name = field('name', 'text')
  const plain = [id, ...tenant, name]
  return [
    ...(hasGroups(row) ? [{ noun: 'groups', name: 'groups', fields: plain } as const] : []),
    ...(nesting === 'top'
      ? []
      : [
          {
            noun: 'lists',
            name: parents === 'view' ? 'lists_v2' : 'lists',
            fields: [id, ...group, ...tenant, name],
          } as const,
        ]),
    { noun: 'peers', name: target === 'view' ? 'peers_v2' : 'peers', fields: plain },
    ...(owner === 'everybody'
      ? [
          {
            noun: 'badges',
            name: 'badges',
            fields: [id, field('tenant_id', 'text', never), name],
          } as const,
        ]
      : []),
  ]
}

// The resource in the first version, and in the others.
function besideIn({ noun, name, fields }: Beside, row: ContractRow) {
  const options = {
    ...bodiesOf(fields, row),
    ...ownedBeside(noun, row),
    ...(namesOwner(row) && { filled: ['tenant_id'] }),
    sortable: ['name'],
    searchable: ['name'],
  }
  const isPlain = row.validator === 'plain' || row.validator === 'valibot'
  const filterable = isPlain ? { name: 'text' } : ['name']
  const last = define(name, { ...options, filterable })
  if (!name.endsWith('_v2')) return { first: last, last }
  const labelled = fields.map((one) => (one.name === 'name' ? { ...one, name: 'label' } : one))
  const { filled } = options
  const first = view(noun, last, {
    ...bodiesOf(labelled, row),
    ...(filled && { filled }),
    sortable: ['label'],
    searchable: ['label'],
    filterable: isPlain ? { label: 'text' } : ['label'],
    fields: { label: 'name' },
  })
  return { first, last }
}

function ownedBeside(noun: Beside['noun'], { owner }: ContractRow): object {
  if (owner === 'none') return {}
  if (noun === 'badges') return { ownedBy: ['tenant_id'] }
  if (owner === 'everybody') return { ownedBy: [] }
  if (owner === 'itself') return { ownedBy: noun === 'lists' ? ['id'] : [] }
  return { ownedBy: ['tenant_id'] }
}

function bodiesOf(fields: readonly Field[], { bodies, validator }: ContractRow) {
  const isStrict = bodies !== 'open'
  const shape = (body: 'inCreate' | 'inUpdate') => ({
    isStrict,
    fields: fields
      .filter((one) => one[body] !== 'never')
      .map((one) => ({ ...one, isSent: one[body] === 'required' })),
  })
  const schema = { isStrict, fields: fields.map((one) => ({ ...one, isSent: one.isRequired })) }
  return {
    schema: schemaOf(schema, validator),
    create: schemaOf(shape('inCreate'), validator),
    ...(bodies === 'two' && { update: schemaOf(shape('inUpdate'), validator) }),
  }
}

// A write-only field is no field of the items.
function thingBodies(level: Level, row: ContractRow) {
  const { schema, ...bodies } = bodiesOf(level.fields, row)
  if (row.server !== 'writeOnly' || level.name !== levelsOf(row).stored.name)
    return { schema, ...bodies }
  const pin = field('pin', 'text', { isRequired: false })
  const { schema: _, ...wider } = bodiesOf([...level.fields, pin], row)
  return { schema, ...wider }
}

function thingsOf(level: Level, row: ContractRow): object {
  const { owner, ids, validator } = row
  const restricted = restrictedFieldOf(row)
  const ownerField = ownerFieldOf(row)
  const id = idSchemaOf(ids, validator)
  const ownedBy =
    owner === 'parent' || owner === 'itself' ? 'parent' : ownerField ? [ownerField] : []
  return {
    ...thingBodies(level, row),
    ...(owner !== 'none' && { ownedBy }),
    ...(id && { id }),
    ...(restricted && { restricted: [restricted] }),
    ...behaviourOf(row),
    ...queriesOf(level, row),
  }
}

// The options that name no field.
function behaviourOf(row: ContractRow): object {
  const { without, limits, total, bounded, idempotent, putCreates, ids } = row
  return {
    ...(ids === 'counted' && { ids }),
    ...(without !== 'none' && { without: [without] }),
    ...((limits === 'max' || limits === 'both') && { maxLimit: 5 }),
    ...((limits === 'default' || limits === 'both') && { defaultLimit: 3 }),
    ...(total !== 'asked' && { total: total === 'always' }),
    ...(bounded === 'yes' && { bounded: true }),
    ...(idempotent === 'yes' && { idempotent: true }),
    ...(putCreates === 'yes' && { putCreates: true }),
  }
}

/** The stored fields that a client can sort by, search and filter by. */
export function storedQueries(row: ContractRow) {
  const { operators, restricted, counted, folded, nested } = row
  const reference = referenceFieldOf(row)
  const owner = namesOwner(row) ? ['tenant_id'] : []
  const secret = restricted === 'seen' || restricted === 'unseen' ? ['secret'] : []
  return {
    sortable: ['title', amountOf(row), ...(operators === 'order' ? ['mark'] : []), ...secret],
    folded: folded === 'yes' ? ['title'] : [],
    searchable: ['title', 'first', 'last', ...(operators === 'search' ? ['mark'] : [])],
    filterable: [
      'title',
      'state',
      amountOf(row),
      ...(operators === 'none' ? [] : ['mark']),
      ...(reference ? [reference] : []),
      ...secret,
      ...owner,
      ...(nested === 'yes' ? ['tags', 'address.city'] : []),
    ],
    countable: counted === 'yes' ? ['title', amountOf(row), ...(reference ? [reference] : [])] : [],
  }
}

// The options that name fields, in the words of a level.
function queriesOf(level: Level, row: ContractRow): object {
  const { revision, owner, options, server } = row
  const { sortable, folded, searchable, filterable, countable } = storedQueries(row)
  const here = (names: readonly string[]) => names.flatMap(level.namesOf)
  const filters = [...here(filterable), ...level.tabled]
  const isTyped =
    row.operators === 'typed' || row.validator === 'valibot' || row.validator === 'plain'
  const keep = server === 'keep' ? here(['color']) : []
  const readOnly = readOnlyOf(level, row)
  const filled = [
    ...(server === 'filled' ? here(['rank']) : []),
    ...(namesOwner(row) ? ['tenant_id'] : []),
  ]
  const references = {
    ...referenceOf(level, row),
    ...((owner === 'parent' || owner === 'itself') && {
      list_id: row.parents === 'view' && options === 'inherited' ? 'lists_v2' : 'lists',
    }),
  }
  return {
    sortable: here(sortable),
    ...(here(folded).length > 0 && { folded: here(folded) }),
    searchable: [...here(searchable), ...level.worded],
    ...(here(countable).length > 0 && { countable: here(countable) }),
    filterable: isTyped
      ? Object.fromEntries(filters.map((name) => [name, filterTypeOf(name, level)]))
      : filters,
    ...(keep.length > 0 && { keep }),
    ...(readOnly.length > 0 && { readOnly }),
    ...(filled.length > 0 && { filled }),
    ...(revision !== 'none' && { revision: 'revision' }),
    ...(Object.keys(references).length > 0 && { references }),
  }
}

function readOnlyOf(level: Level, { server }: ContractRow): readonly string[] {
  const isStamped = server === 'readOnly' || server === 'touched'
  return [...(isStamped ? level.namesOf('made_at') : []), ...level.computed]
}

function referenceOf(level: Level, row: ContractRow): object {
  const { reference, target, options } = row
  const peers = target === 'view' && options === 'inherited' ? 'peers_v2' : 'peers'
  if (reference === 'none') return {}
  if (reference === 'self') return { origin_id: level.name }
  return { peer_id: reference === 'alias' ? { to: peers, as: 'mate' } : peers }
}

const filterTypes: Readonly<Record<string, string>> = {
  ...{ moment: 'date-time', enum: 'text', list: 'text' },
}

function filterTypeOf(name: string, { fields }: Level): string {
  const type = fields.find((one) => one.name === name)?.type ?? 'text'
  return filterTypes[type] ?? type
}

interface Making {
  readonly stored: Resource
  readonly levels: Levels
  readonly row: ContractRow
}

const views = new WeakMap<Resource, Map<string, Resource>>()

function thingsAt(index: number, { stored, levels, row }: Making): Resource {
  const level = levels.shown[index]?.[1] as Level
  if (level === levels.stored) return stored
  const made = views.get(stored) ?? new Map<string, Resource>()
  views.set(stored, made)
  const known = made.get(level.name)
  if (known !== undefined) return known
  const isChained = row.versions === 'chain' && index === 0
  const source = isChained ? thingsAt(1, { stored, levels, row }) : stored
  const id = idSchemaOf(row.ids, row.validator)
  // A view that names one read-only field names all of them.
  const isNamed = row.options === 'inherited' && level.computed.length > 0
  const own = view(level.name, source, {
    ...bodiesOf(level.fields, row),
    ...(id && { id }),
    ...(row.options === 'explicit' && { ...behaviourOf(row), ...queriesOf(level, row) }),
    ...(isNamed && { readOnly: readOnlyOf(level, row) }),
    fields: level.links,
    hidden: level.hidden,
  })
  made.set(level.name, own)
  return own
}

function lifecycleOf({ lifecycle, nesting }: ContractRow, { shown }: Levels): Item {
  const dates = { deprecated: '2026-11-01', sunset: '2027-11-01' }
  const successor = shown.length > 1 ? { successor: shown[1]?.[0] } : {}
  const [path] = pathsOf({ nesting } as ContractRow)
  switch (lifecycle) {
    case 'none':
      return {}
    case 'version':
      return { lifecycle: { v1: { ...dates, ...successor, docs: '/changes' } } }
    case 'path':
      return { lifecycle: { [`v1${path}`]: { ...dates, ...successor } } }
    case 'draft':
      return { drafts: [shown.at(-1)?.[0]] }
  }
}

import { defineApi } from '../contract/declare/define-api.ts'
import { defineRegistry } from '../contract/declare/define-registry.ts'
import { defineResource } from '../contract/declare/define-resource.ts'
import type { Adapter } from '../contract/resource/adapter.ts'
import type { ErrorListener, Registry } from '../contract/resource/registry.ts'
import type { Resource } from '../contract/resource/resource.ts'
import { readFilterable } from '../contract/schema/filter.ts'
import type { SchemaIssue, SchemaResult, StandardSchema } from '../contract/schema/schema.ts'
import { isRecord } from '../convention/value.ts'
import { type Ids, idOfText } from './ids.ts'
import type { FileCollection } from './model.ts'
import { referenceIn } from './relations.ts'

/** How a file is served. */
export interface ContractOptions {
  /** New items have the fields of the file, with their types. */
  readonly isStrict: boolean
  readonly onError: ErrorListener
}

/** The contract of a file, bound to its storage. */
export interface ServedFile {
  readonly registry: Registry
  /** Sentences for the author of the file. */
  readonly notes: readonly string[]
}

/** Makes the contract of a file, as its items show it, and binds it to their storage. */
export function serveCollections(
  collections: readonly FileCollection[],
  adapters: Readonly<Record<string, Adapter>>,
  { isStrict, onError }: ContractOptions,
): ServedFile {
  const declared = collections.map((each) => declare(each, collections, isStrict))
  const resources = new Map(declared.map(({ resource }) => [resource.name, resource]))
  const paths = pathsOf(collections).map(([path, noun]) => [path, resources.get(noun)])
  const versions: Versions = { v1: Object.fromEntries(paths) }
  const registry = defineRegistry(defineApi(versions)).onError(onError).adapters(adapters)
  return { registry, notes: declared.flatMap(({ notes }) => notes) }
}

type Body = Readonly<Record<string, unknown>>

type Versions = Readonly<Record<'v1', Readonly<Record<`/${string}`, Resource>>>>

function declare(
  { key, noun, items, ids, isOne, isPlural, relations }: FileCollection,
  collections: readonly FileCollection[],
  isStrict: boolean,
) {
  const fields = withId(readFields(items), ids)
  // An empty collection tells no field.
  const isHeld = isStrict && items.length > 0
  const normalize = normalizerOf(relations, collections)
  const schema = schemaOf(fields, { isStrict: isHeld, id: 'required' })
  const create = schemaOf(fields, { isStrict: isHeld, id: 'optional', normalize })
  const { unnamed, ...queried } = queriedFieldsOf(fields, schema)
  const references = relations.map(({ field, to, as }) => [field, { to, as }] as const)
  const resource = defineResource(noun, {
    ...{ schema, create, plural: isPlural, ...queried },
    id: idSchemaOf(ids),
    references: Object.fromEntries(references),
    without: isOne ? ['create', 'delete', 'deleteAll'] : [],
  })
  const notes = unnamed.map(
    (name) => `Clients cannot sort or filter "${key}" by "${name}": a parameter cannot name it.`,
  )
  return { resource, notes }
}

function withId(fields: FileFields, { kind }: Pick<Ids, 'kind'>): FileFields {
  const otherFields = [...fields].filter(([name]) => name !== 'id')
  return new Map([
    ['id', { ...noFacts, types: typesOfIds[kind], isRequired: true }],
    ...otherFields,
  ])
}

const noFacts = { elements: new Set<JsonType>(), members: new Map() }

const typesOfIds: Readonly<Record<Ids['kind'], ReadonlySet<'number' | 'string'>>> = {
  number: new Set(['number']),
  digits: new Set(['string']),
  text: new Set(['string']),
  mixed: new Set(['number', 'string']),
}

function idSchemaOf(ids: Ids): StandardSchema<unknown, string | number> {
  const json = { type: [...typesOfIds[ids.kind]] }
  const jsonSchema = { input: () => json, output: () => json }
  const standard = { version: 1, vendor: 'nounful', jsonSchema } as const
  return {
    '~standard': {
      ...standard,
      validate: (value) => {
        const id = idOfText(ids, String(value))
        return id === undefined ? { issues: [{ message: 'is no id' }] } : { value: id }
      },
    },
  }
}

// Clients may send "1" for the id 1, as the file may have it.
function normalizerOf(
  relations: FileCollection['relations'],
  collections: readonly FileCollection[],
) {
  const targets = relations.flatMap(({ field, to }) => {
    const target = collections.find(({ noun }) => noun === to)
    return target === undefined ? [] : [{ field, target }]
  })
  return (item: Body): Body => {
    const entries = targets
      .filter(({ field }) => Object.hasOwn(item, field))
      .map(({ field, target }) => [field, referenceIn(item[field], target)])
    return entries.length === 0 ? item : { ...item, ...Object.fromEntries(entries) }
  }
}

/**
 * Returns the paths of collections with their nouns: at the top, and below the collections that
 * they refer to, at most two: `/users/:userId/posts/:postId/comments`.
 */
function pathsOf(collections: readonly FileCollection[]): readonly (readonly [string, string])[] {
  const tops = collections.map(({ noun }) => [`/${noun}`, noun] as const)
  const nested = collections.flatMap((child) =>
    child.relations.flatMap((relation) => pathsBelow(child.noun, relation, collections)),
  )
  const paths = [...tops, ...nested]
  const forms = paths.map(([path]) => path.replace(/:\w+/g, ':'))
  return paths.filter((_, place) => forms.indexOf(forms[place] ?? '') === place)
}

function pathsBelow(
  noun: string,
  { field, to }: FileCollection['relations'][number],
  collections: readonly FileCollection[],
): readonly (readonly [string, string])[] {
  const parents = collections.find((collection) => collection.noun === to)?.relations ?? []
  const path = `/${to}/:${field}/${noun}`
  const deeper = parents
    .filter((parent) => parent.field !== field)
    .map((parent) => [`/${parent.to}/:${parent.field}${path}`, noun] as const)
  return [[path, noun], ...deeper]
}

/** The type of a value in JSON. */
type JsonType = 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object'

/** The values of a field in a file. */
interface FieldFacts {
  readonly types: ReadonlySet<JsonType>
  /** Every item has the field. */
  readonly isRequired: boolean
  /** The types of the elements of its lists. */
  readonly elements: ReadonlySet<JsonType>
  /** The types of the members of its objects, by name. None where objects have too many. */
  readonly members: ReadonlyMap<string, ReadonlySet<JsonType>>
}

/** The fields of a collection. */
type FileFields = ReadonlyMap<string, FieldFacts>

/** The facts of a field while its values are read. */
interface FieldCount {
  readonly types: Set<JsonType>
  readonly elements: Set<JsonType>
  readonly members: Map<string, Set<JsonType>>
  count: number
}

// An object with so many names is a table: its keys are values, such as ids or dates.
const mostMembers = 16

/** Reads which fields items have, and the types of their values. */
function readFields(items: Iterable<object>): FileFields {
  const counts = new Map<string, FieldCount>()
  let total = 0
  for (const item of items) {
    total++
    for (const [name, value] of Object.entries(item)) {
      const field = counts.get(name) ?? newCount()
      counts.set(name, field)
      field.count++
      countValue(field, value)
    }
  }
  const facts = [...counts].map(([name, { types, elements, members, count }]) => {
    const isTable = members.size > mostMembers
    const namedMembers = isTable ? new Map() : members
    return [name, { types, elements, members: namedMembers, isRequired: count === total }] as const
  })
  return new Map(facts)
}

function newCount(): FieldCount {
  return { types: new Set(), elements: new Set(), members: new Map(), count: 0 }
}

function countValue({ types, elements, members }: FieldCount, value: unknown): void {
  types.add(typeOf(value))
  if (Array.isArray(value)) for (const element of value) elements.add(typeOf(element))
  if (!isRecord(value)) return
  for (const [name, member] of Object.entries(value)) {
    if (members.size > mostMembers) return
    const memberTypes = members.get(name) ?? new Set()
    members.set(name, memberTypes.add(typeOf(member)))
  }
}

function typeOf(value: unknown): JsonType {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  const type = typeof value
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object'
}

/** What a schema takes besides the fields of the file. */
interface SchemaOptions {
  /** Refuses unknown fields, other types and missing fields. */
  readonly isStrict: boolean
  /** The id: required in a stored item, free in a body. */
  readonly id: 'required' | 'optional'
  /** Changes a body before its checks. */
  readonly normalize?: (item: Body) => Body
}

/** Makes the schema of items with some fields. */
function schemaOf(fields: FileFields, options: SchemaOptions): StandardSchema<unknown, Stored> {
  const { isStrict, id, normalize = (item: Body) => item } = options
  const isNeeded = (name: string, { isRequired }: FieldFacts): boolean =>
    name === 'id' ? id === 'required' : isStrict && isRequired
  const required = [...fields].filter(([name, field]) => isNeeded(name, field))
  const names = required.map(([name]) => name)
  const json = {
    type: 'object',
    properties: Object.fromEntries([...fields].map(([name, facts]) => [name, jsonOf(facts)])),
    required: names,
    // A body may have any field, while the paths go by those of the file.
    ...(isStrict || id === 'optional' ? { additionalProperties: !isStrict } : {}),
  }
  const validate = (value: unknown): SchemaResult<Stored> => {
    if (!isRecord(value)) return { issues: [{ message: 'must be an object' }] }
    const item = normalize(value)
    const issues = isStrict ? issuesOf(item, fields, names) : []
    // The core adds the id of a body that has none.
    return issues.length > 0 ? { issues } : { value: item as Stored }
  }
  const tell = () => json
  const standard = { version: 1, vendor: 'nounful', validate } as const
  return { '~standard': { ...standard, jsonSchema: { input: tell, output: tell } } } as Schema
}

/** An item as far as the types tell. */
interface Stored {
  readonly id: string | number
  readonly [field: string]: unknown
}
type Schema = StandardSchema<unknown, Stored>

function jsonOf({ types, elements, members }: FieldFacts): object {
  const properties = Object.fromEntries(
    [...members].map(([name, memberTypes]) => [name, typesIn(memberTypes)]),
  )
  return {
    ...typesIn(types),
    ...(elements.size > 0 && { items: typesIn(elements) }),
    ...(members.size > 0 && { properties }),
  }
}

function typesIn(types: ReadonlySet<JsonType>): object {
  const [first, second] = types
  return { type: second === undefined ? first : [...types] }
}

function issuesOf(item: Body, fields: FileFields, required: readonly string[]): SchemaIssue[] {
  const missing = required.filter((name) => !Object.hasOwn(item, name))
  const wrong = Object.entries(item).flatMap(([name, value]): SchemaIssue[] => {
    const facts = fields.get(name)
    if (facts === undefined) return [{ path: [name], message: 'is no field of this collection' }]
    return [...typeIssues([name], value, facts.types), ...nestedIssues(name, value, facts)]
  })
  return [...missing.map((name) => ({ path: [name], message: 'is missing' })), ...wrong]
}

// An empty list of the file tells no type of its elements, and an object may have other members.
function nestedIssues(name: string, value: unknown, facts: FieldFacts): SchemaIssue[] {
  const { elements, members } = facts
  if (Array.isArray(value) && elements.size > 0)
    return value.flatMap((element, index) => typeIssues([name, index], element, elements))
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([member, memberValue]) =>
    typeIssues([name, member], memberValue, members.get(member)),
  )
}

function typeIssues(
  path: readonly (string | number)[],
  value: unknown,
  types: ReadonlySet<JsonType> | undefined,
): SchemaIssue[] {
  if (types === undefined || types.has(typeOf(value))) return []
  return [{ path, message: `must be ${[...types].join(' or ')}` }]
}

/** The fields that clients sort by, filter by and search. */
interface QueriedFields {
  readonly sortable: readonly string[]
  readonly searchable: readonly string[]
  readonly filterable: readonly string[]
  /** The scalar fields that no parameter can name. */
  readonly unnamed: readonly string[]
}

/** Returns the fields with one type of scalars, of lists of them and of members, but no id. */
function queriedFieldsOf(fields: FileFields, schema: StandardSchema): QueriedFields {
  const otherFields = [...fields].filter(([name]) => name !== 'id')
  const scalars = otherFields.filter(([, { types }]) => scalarOf(types)).map(([name]) => name)
  const paths = otherFields.flatMap(([name, { members }]) => [
    name,
    ...[...members.keys()].map((member) => `${name}.${member}`),
  ])
  const isFilter = (name: string): boolean => typeof readFilterable([name], schema) !== 'string'
  const isSort = (name: string): boolean => /^[^-,][^,]*$/.test(name) && name !== '__proto__'
  const isText = (name: string): boolean => scalarOf(fields.get(name)?.types) === 'string'
  return {
    sortable: scalars.filter(isSort),
    searchable: scalars.filter((name) => isSort(name) && isText(name)),
    filterable: paths.filter(isFilter),
    unnamed: scalars.filter((name) => !isSort(name) || !isFilter(name)),
  }
}

function scalarOf(types: ReadonlySet<JsonType> = new Set()): JsonType | undefined {
  const [type, second] = [...types].filter((each) => each !== 'null')
  return second === undefined && type !== 'array' && type !== 'object' ? type : undefined
}

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
  return new Map([['id', { types: typesOfIds[kind], isRequired: true }], ...otherFields])
}

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
}

/** The fields of a collection. */
type FileFields = ReadonlyMap<string, FieldFacts>

/** Reads which fields items have, and the types of their values. */
function readFields(items: Iterable<object>): FileFields {
  const counts = new Map<string, { types: Set<JsonType>; count: number }>()
  let total = 0
  for (const item of items) {
    total++
    for (const [name, value] of Object.entries(item)) {
      const field = counts.get(name) ?? { types: new Set(), count: 0 }
      counts.set(name, field)
      field.types.add(typeOf(value))
      field.count++
    }
  }
  return new Map(
    [...counts].map(([name, { types, count }]) => [name, { types, isRequired: count === total }]),
  )
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
    properties: Object.fromEntries([...fields].map(([name, { types }]) => [name, typesIn(types)])),
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

function typesIn(types: ReadonlySet<JsonType>): object {
  const [first, second] = types
  return { type: second === undefined ? first : [...types] }
}

function issuesOf(item: Body, fields: FileFields, required: readonly string[]): SchemaIssue[] {
  const missing = required.filter((name) => !Object.hasOwn(item, name))
  const wrong = Object.entries(item).flatMap(([name, value]): SchemaIssue[] => {
    const types = fields.get(name)?.types
    if (types === undefined) return [{ path: [name], message: 'is no field of this collection' }]
    if (types.has(typeOf(value))) return []
    return [{ path: [name], message: `must be ${[...types].join(' or ')}` }]
  })
  return [...missing.map((name) => ({ path: [name], message: 'is missing' })), ...wrong]
}

/** The fields that clients sort by, filter by and search. */
interface QueriedFields {
  readonly sortable: readonly string[]
  readonly searchable: readonly string[]
  readonly filterable: readonly string[]
  /** The scalar fields that no parameter can name. */
  readonly unnamed: readonly string[]
}

/** Returns the fields with one type of scalars, apart from the id. */
function queriedFieldsOf(fields: FileFields, schema: StandardSchema): QueriedFields {
  const scalars = [...fields.keys()].filter((name) => name !== 'id' && scalarOf(fields, name))
  const isFilter = (name: string): boolean => typeof readFilterable([name], schema) !== 'string'
  const isSort = (name: string): boolean => /^[^-,][^,]*$/.test(name) && name !== '__proto__'
  return {
    sortable: scalars.filter(isSort),
    searchable: scalars.filter((name) => isSort(name) && scalarOf(fields, name) === 'string'),
    filterable: scalars.filter(isFilter),
    unnamed: scalars.filter((name) => !isSort(name) || !isFilter(name)),
  }
}

function scalarOf(fields: FileFields, name: string): JsonType | undefined {
  const types = [...(fields.get(name)?.types ?? [])].filter((type) => type !== 'null')
  const [type] = types
  return types.length === 1 && type !== 'array' && type !== 'object' ? type : undefined
}

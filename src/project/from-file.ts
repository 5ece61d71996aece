import { memberNameOf } from '../contract/declare/field-tables.ts'
import type { Item, Resource } from '../contract/resource/resource.ts'
import { filterPathOf } from '../contract/schema/filter.ts'
import { isClock, isDay, isMoment, storedDate } from '../convention/format.ts'
import { fieldOf, isRecord } from '../convention/value.ts'
import type { FileCollection } from '../file/model.ts'
import { openFile, type ServedContent } from '../file/open.ts'
import type {
  ProjectField,
  ProjectId,
  ProjectMember,
  ProjectModel,
  ProjectResource,
  ValueType,
} from './model.ts'

/** A project with the rows of its tables. */
export interface FilledProject {
  readonly model: ProjectModel
  /** By noun, the items with the fields of the model. */
  readonly items: ReadonlyMap<string, readonly Item[]>
  /** Sentences for the author of the project. */
  readonly notes: readonly string[]
}

/** How a file becomes a project. */
interface FileProjectOptions {
  readonly title: string
  /** The member with the id of an item. */
  readonly id: string
}

/**
 * Reads a JSON file as `nounful serve` serves it, and describes it as a project with the same
 * paths, ids, relations and parameters.
 *
 * @throws {TypeError} For a file that cannot be served.
 */
export async function projectOfFile(
  path: string,
  { title, id }: FileProjectOptions,
): Promise<FilledProject> {
  const notes: string[] = []
  let content: ServedContent | undefined
  const file = await openFile(path, {
    ...{ id, ids: undefined, isStrict: false, isReadOnly: true, isWatched: false },
    onNotice: (text) => void notes.push(text),
    onError: (error) => void notes.push(String(error)),
    onServed: (served) => {
      content = served
    },
  })
  await file.close()
  if (content === undefined) throw new TypeError(`${path} was not read`)
  return {
    ...projectOf(content, title),
    notes: [...notes, ...content.collections.flatMap(notesOf)],
  }
}

/** Tells what a table cannot hold as the file does. */
function notesOf(collection: FileCollection): readonly string[] {
  const rows = [...valuesIn(collection)]
  return rows.flatMap(([name, { values, isNullable, isOptional }]) => {
    const field = `"${name}" of "${collection.key}"`
    const isCut = values.some((value) => typeof value === 'string' && /\p{Surrogate}/u.test(value))
    return [
      ...(isNullable && isOptional ? [`${field} is null or missing: here it is null.`] : []),
      ...(isCut ? [`${field} has half a character: the database replaces it.`] : []),
      ...(name === '__proto__' ? [`${field} stays in the file: no contract can name it.`] : []),
    ]
  })
}

function projectOf({ registry, collections }: ServedContent, title: string) {
  const { api } = registry
  const targets = new Map(collections.map((collection) => [collection.noun, collection]))
  const tables = sqlNames(collections.map(({ noun }) => noun))
  const resources = collections.flatMap((collection, place): readonly ProjectResource[] => {
    const resource = api.resources.get(collection.noun)
    const table = tables[place] ?? collection.noun
    return resource === undefined ? [] : [{ ...resourceOf(collection, resource, targets), table }]
  })
  const mounts = api.collections.map(({ path, resource }) => ({
    path: path as `/${string}`,
    noun: resource.name,
  }))
  const items = new Map(collections.map((each) => [each.noun, each.items]))
  return { model: { title, resources, mounts }, items }
}

function resourceOf(
  collection: FileCollection,
  resource: Resource,
  targets: ReadonlyMap<string, FileCollection>,
): Omit<ProjectResource, 'table'> {
  const { noun, isPlural, isOne, ids, order, relations } = collection
  const kindsOfReferences = new Map(
    relations.flatMap(({ field, to }) => {
      const target = targets.get(to)
      return target === undefined ? [] : [[field, typeOfId(idOf(target).kind)] as const]
    }),
  )
  // No object literal can hold such a member.
  const names = [...order.keys()].filter((name) => name !== '__proto__')
  const columns = sqlNames(names)
  const values = valuesIn(collection)
  const typeIn = (name: string, facts: FieldFacts): ValueType =>
    kindsOfReferences.get(name) ?? structureOf(resource, name, facts) ?? typeOf(facts.values)
  const fields = names.map((name, place): ProjectField => {
    const facts = values.get(name) ?? noFacts
    const type = name === 'id' ? typeOfId(idOf(collection).kind) : typeIn(name, facts)
    const { isNullable, isOptional } = facts
    return {
      ...{ name, column: columns[place], type, isNullable, isOptional, inBody: 'required' },
      comment: name === 'id' ? undefined : commentOf(type, facts.values),
    }
  })
  return {
    ...{ noun, isPlural, fields, id: idOf(collection) },
    ...{ sortable: resource.sortable, searchable: resource.searchable },
    filterable: resource.filterable.map(({ name }) => name).filter((name) => name !== 'id'),
    references: relations.map(({ field, to, as }) => ({
      ...{ field, to },
      as: as === memberNameOf(field) ? undefined : as,
    })),
    without: isOne ? ['create', 'delete', 'deleteAll'] : undefined,
    advice: ids.kind === 'mixed' ? [mixedAdvice] : [],
  }
}

// An object whose members are filters.
function structureOf(
  { filterable }: Resource,
  name: string,
  { values }: FieldFacts,
): ValueType | undefined {
  const members = filterable.flatMap(({ name: path }) => {
    const { field, member } = filterPathOf(path)
    return field === name && member !== undefined ? [memberOf(member, values)] : []
  })
  return members.length === 0 ? undefined : { kind: 'structure', members }
}

const mixedAdvice = 'Some ids were numbers: here each is a text.'

/** Returns names of tables or columns. To a database, `postID` and `postId` are one name. */
function sqlNames(names: readonly string[]): readonly string[] {
  const usedNames = new Set<string>()
  return names.map((name) => {
    // SQLite keeps names that begin so.
    const base = name.replace(/^sqlite_/i, 'my_$&') || 'unnamed'
    const numbers = Array.from(usedNames, (_, place) => `${base}_${place + 2}`)
    const freeName = [base, ...numbers].find((each) => !usedNames.has(each.toLowerCase())) ?? base
    usedNames.add(freeName.toLowerCase())
    return freeName
  })
}

function idOf({ ids: { kind, values }, isOne }: FileCollection): ProjectId {
  const inBody = isOne ? 'refused' : 'optional'
  if (kind === 'number') {
    const isCounted = values.every((value) => Number.isSafeInteger(value))
    // Only whole numbers are counted up.
    return isCounted ? { kind: 'counted', inBody } : { kind: 'number', inBody: 'required' }
  }
  const isUuid = values.length > 0 && values.every((value) => uuid.test(String(value)))
  if (kind === 'text') return { kind: isUuid ? 'uuid' : 'text', inBody }
  return { kind: kind === 'mixed' ? 'mixed' : 'text', inBody }
}

// The type that holds the ids, of any text and number of a client.
const typesOfIds: Readonly<Record<ProjectId['kind'], ValueType>> = {
  counted: { kind: 'number' },
  number: { kind: 'number' },
  text: { kind: 'text' },
  uuid: { kind: 'text' },
  mixed: { kind: 'text' },
}

function typeOfId(kind: ProjectId['kind']): ValueType {
  return typesOfIds[kind]
}

/** The values of a field in a file. */
interface FieldFacts {
  /** Without `null`. */
  readonly values: readonly unknown[]
  readonly isNullable: boolean
  readonly isOptional: boolean
}

const noFacts: FieldFacts = { values: [], isNullable: false, isOptional: true }

function valuesIn({ items, order }: FileCollection): ReadonlyMap<string, FieldFacts> {
  return new Map([...order.keys()].map((name) => [name, factsOf(name, items)]))
}

function factsOf(name: string, objects: readonly object[]): FieldFacts {
  const all = objects
    .filter((object) => Object.hasOwn(object, name))
    .map((object) => fieldOf(object, name))
  const values = all.filter((value) => value !== null)
  const isOptional = all.length < objects.length
  return { values, isNullable: values.length < all.length, isOptional }
}

function memberOf(name: string, objects: readonly unknown[]): ProjectMember {
  const { values, ...absence } = factsOf(name, objects.filter(isRecord))
  // A member with a format would have other filters than `serve` gives it.
  const type = memberTypes[jsonTypeOf(values[0])]?.([]) ?? { kind: 'json' }
  return { name, type, ...absence }
}

function typeOf(values: readonly unknown[]): ValueType {
  const types = new Map<string, ValueType>()
  const unionOf = (name: string, members: readonly unknown[]): void => {
    if (members.length > 0) types.set(name, memberTypes[name]?.(members) ?? { kind: 'json' })
  }
  for (const name of Object.keys(memberTypes)) {
    unionOf(
      name,
      values.filter((value) => jsonTypeOf(value) === name),
    )
  }
  const [first, second] = [...types.values()]
  if (first === undefined) return { kind: 'json' }
  return second === undefined ? first : { kind: 'union', members: [...types.values()] }
}

function jsonTypeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return isRecord(value) ? 'object' : typeof value
}

const memberTypes: Readonly<Record<string, (values: readonly unknown[]) => ValueType>> = {
  string: (values) => textType(values.map(String)),
  number: () => ({ kind: 'number' }),
  boolean: () => ({ kind: 'boolean' }),
  object: () => ({ kind: 'object' }),
  array: (values) => listType(values.flat()),
}

function listType(elements: readonly unknown[]): ValueType {
  const values = elements.filter((element) => element !== null)
  const names = new Set(values.map(jsonTypeOf))
  const [name = ''] = names
  if (names.size !== 1 || !['string', 'number', 'boolean'].includes(name)) return { kind: 'array' }
  const element = memberTypes[name]?.([]) ?? { kind: 'json' }
  if (values.length === elements.length) return { kind: 'list', element }
  return { kind: 'list', element: { kind: 'union', members: [element, { kind: 'null' }] } }
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const email = /^(?!\.)(?!.*\.\.)[\w'+\-.]*[\w+-]@(?:[A-Za-z\d][A-Za-z\d-]*\.)+[A-Za-z]{2,}$/
const url = /^https?:\/\/\S+$/

/** The formats of texts, with their tests. A moment has the one form that adapters store. */
const formats: readonly (readonly [ValueType, (text: string) => boolean])[] = [
  [{ kind: 'moment' }, (text) => isMoment(text) && storedDate(text) === text],
  [{ kind: 'date' }, isDay],
  [{ kind: 'time' }, (text) => /:.*:/.test(text) && isClock(text)],
  [{ kind: 'uuid' }, (text) => uuid.test(text)],
  [{ kind: 'email' }, (text) => email.test(text)],
  [{ kind: 'url' }, (text) => url.test(text) && URL.canParse(text)],
]

function textType(texts: readonly string[]): ValueType {
  const format = formats.find(([, isOfFormat]) => texts.length > 0 && texts.every(isOfFormat))
  return format?.[0] ?? { kind: 'text' }
}

const mostValues = 8

/** Names the values of a text that has few of them. They may not be all that there can be. */
function commentOf(type: ValueType, values: readonly unknown[]): string | undefined {
  const distinct = new Set(values)
  const isFew =
    distinct.size > 1 && distinct.size <= mostValues && values.length >= 3 * distinct.size
  const isShort = [...distinct].join('').length < 80
  if (type.kind !== 'text' || !isFew || !isShort) return undefined
  return `In the file: ${[...distinct].join(', ')}`
}

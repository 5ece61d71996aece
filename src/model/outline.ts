import {
  foldSchema,
  type JsonSchema,
  jsonSchemaOf,
  listOf,
  membersOf,
  typesOf,
} from './json-schema.ts'
import { bodySchemaOf, kindsWithout } from './kinds.ts'
import type { Resource } from './resource.ts'
import type { StandardSchema } from './schema.ts'
import { fieldOf } from './value.ts'

/** The parts of a value, by its schema. */
export interface Outline {
  /** The fields of an object; `undefined` if it can have any. */
  fields: ReadonlyMap<string, Field> | undefined
  /** The number of required fields. */
  required: number
  /** The outline of an array's elements. */
  elements: Outline | undefined
}

/** A field, by its schema. */
export interface Field {
  readonly outline: Outline
  readonly isRequired: boolean
}

/** The outline of an unknown value. */
export const anything: Outline = { fields: undefined, required: 0, elements: undefined }

/**
 * Reads the fields of a JSON Schema at every depth, of all alternatives together. An open
 * alternative or part makes the outline open too.
 */
export function outlineOf(root: JsonSchema): Outline {
  return outlineIn([root], { root, known: new Map() })
}

const names = new WeakMap<Resource, readonly string[] | undefined>()

/** Returns the fields of a resource's items; `undefined` if its schema does not tell all. */
export function fieldNamesOf(resource: Resource): readonly string[] | undefined {
  if (names.has(resource)) return names.get(resource)
  const json = jsonSchemaOf(resource.schema)
  const fields = json && outlineOf(json).fields
  const all = fields && Object.freeze([...fields.keys()])
  names.set(resource, all)
  return all
}

const hidden = new WeakMap<Resource, ReadonlySet<string>>()

/**
 * Returns the fields that a body may hold and an item does not: those of `create` and `update` that
 * `schema` does not name. Empty if `schema` names no field.
 */
export function writeOnlyFieldsOf(resource: Resource): ReadonlySet<string> {
  const known = hidden.get(resource)
  if (known) return known
  const { schema, create, update } = resource
  const shown = new Set(namedIn(schema))
  const sent = shown.size === 0 ? [] : [...namedIn(create), ...namedIn(update)]
  const names = new Set(sent.filter((name) => !shown.has(name)))
  hidden.set(resource, names)
  return names
}

function namedIn(schema: StandardSchema): readonly string[] {
  const json = jsonSchemaOf(schema)
  const members = json === undefined ? [] : membersOf(json)
  return members.flatMap(propertiesOf).map(([name]) => name)
}

interface Walk {
  readonly root: JsonSchema
  /** By schema, since a schema can hold itself. */
  readonly known: Map<JsonSchema, Outline>
}

function outlineIn(schemas: readonly JsonSchema[], walk: Walk): Outline {
  const only = schemas.length === 1 ? schemas[0] : undefined
  const known = only && walk.known.get(only)
  if (known) return known
  const outline: Outline = { ...anything }
  if (only) walk.known.set(only, outline)
  const members = schemas.flatMap((schema) => membersOf(schema, walk.root))
  outline.fields = fieldsOf(members, walk)
  for (const { isRequired } of outline.fields?.values() ?? []) if (isRequired) outline.required++
  const elements = members.map((member) => fieldOf(member, 'items')).filter(isObject)
  if (elements.length > 0 && !members.some(isAny)) outline.elements = outlineIn(elements, walk)
  return outline
}

function fieldsOf(members: readonly JsonSchema[], walk: Walk): Outline['fields'] {
  const objects = members.filter(isOfObjects)
  if (objects.length === 0 || members.some(isAny) || !objects.every(isClosed)) return undefined
  const named = new Map<string, JsonSchema[]>()
  for (const [name, schema] of objects.flatMap(propertiesOf)) {
    named.set(name, [...(named.get(name) ?? []), schema])
  }
  return new Map(
    [...named].map(([name, schemas]) => [
      name,
      {
        outline: outlineIn(schemas, walk),
        isRequired: objects.every((object) => listOf(fieldOf(object, 'required')).includes(name)),
      },
    ]),
  )
}

function propertiesOf(schema: JsonSchema): (readonly [string, JsonSchema])[] {
  return Object.entries(Object(fieldOf(schema, 'properties'))).map(([name, property]) => [
    name,
    isObject(property) ? property : {},
  ])
}

function isClosed(schema: JsonSchema): boolean {
  return (
    fieldOf(schema, 'additionalProperties') === false && !Object.hasOwn(schema, 'patternProperties')
  )
}

function isOfObjects(schema: JsonSchema): boolean {
  return typesOf(schema).includes('object') || Object.hasOwn(schema, 'properties')
}

const telling = ['type', 'properties', 'enum', 'const', '$ref']

function isAny(schema: JsonSchema): boolean {
  const choices = ['anyOf', 'oneOf', 'allOf'].filter((key) => Object.hasOwn(schema, key))
  if (choices.some((key) => listOf(fieldOf(schema, key)).includes(true))) return true
  return choices.length === 0 && !telling.some((key) => Object.hasOwn(schema, key))
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

type Names = readonly string[]

const requiredFields = new WeakMap<StandardSchema, Names | undefined>()

/**
 * Returns the fields of every object that a schema returns, fields with a default among them.
 * Returns `undefined` for a schema without a JSON Schema, and for one that takes anything.
 */
export function requiredFieldsOf(schema: StandardSchema): Names | undefined {
  if (requiredFields.has(schema)) return requiredFields.get(schema)
  const json = jsonSchemaOf(schema)
  const names = json === undefined || isAny(json) ? undefined : namesIn(json, requiredIn)
  const distinct = names && Object.freeze([...new Set(names)])
  requiredFields.set(schema, distinct)
  return distinct
}

// `undefined` stands for a schema that no object meets: an item is always an object.
function namesIn(root: JsonSchema, ownIn: (schema: JsonSchema) => Names): Names | undefined {
  return foldSchema<Names | undefined>(root, root, {
    anything: [],
    nothing: undefined,
    loop: undefined,
    join: (schema, all, choices) => {
      const types = typesOf(schema)
      const isForObjects = types.length === 0 || types.includes('object')
      const known = all.filter((names) => names !== undefined)
      if (!isForObjects || known.length < all.length) return undefined
      return [...ownIn(schema), ...known.flat(), ...choices.flatMap(sharedBy)]
    },
  })
}

function requiredIn(schema: JsonSchema): Names {
  return listOf(fieldOf(schema, 'required')).filter((name) => typeof name === 'string')
}

function sharedBy(choices: readonly (Names | undefined)[]): Names {
  const [first = [], ...others] = choices.filter((names) => names !== undefined)
  return first.filter((name) => others.every((names) => names.includes(name)))
}

const namedFields = new WeakMap<StandardSchema, Names | undefined>()

/** Returns the fields that a schema names; `undefined` if it tells none, or takes any other. */
export function namedFieldsOf(schema: StandardSchema): Names | undefined {
  if (namedFields.has(schema)) return namedFields.get(schema)
  // A field that JSON Schema cannot express still has its name.
  const lenient = { libraryOptions: { unrepresentable: 'any' } }
  const json = jsonSchemaOf(schema) ?? jsonSchemaOf(schema, lenient) ?? {}
  const isOpen = membersOf(json).some((member) => isAny(member) || takesOthers(member))
  const names = isOpen
    ? undefined
    : namesIn(json, (part) => propertiesOf(part).map(([name]) => name))
  namedFields.set(schema, names)
  return names
}

// A schema that says nothing of other fields has none in its type.
function takesOthers(schema: JsonSchema): boolean {
  const others = fieldOf(schema, 'additionalProperties') ?? false
  return others !== false || Object.hasOwn(schema, 'patternProperties')
}

interface Mounted {
  readonly path: string
  readonly resource: Resource
  readonly owners: Names
}

/**
 * Checks that every write at a path sets each field that an item requires.
 *
 * @throws {TypeError} With the fields that neither the client has to send nor the server sets.
 */
export function checkRequired({ path, resource, owners }: Mounted): void {
  const { schema, readOnly, filled, without } = resource
  const set = new Set(['id', ...owners, ...readOnly, ...filled])
  for (const body of ['create', 'update'] as const) {
    const offered = kindsWithout(without).filter((kind) => bodySchemaOf(kind) === body)
    if (offered.length === 0 || resource[body] === schema) continue
    const sent = requiredFieldsOf(resource[body])
    const open = (sent && requiredFieldsOf(schema))?.filter(
      (field) => !set.has(field) && !sent.includes(field),
    )
    if (open === undefined || open.length === 0) continue
    const it = open.length === 1 ? 'it' : 'them'
    const target = `Path "${path}" offers ${offered.join(', ')}, but its "${body}"`
    throw new TypeError(
      `${target} does not require ${listed(open, '"')} as "schema" does: require ${it} there. ` +
        `If the adapter sets ${it}, write "filled: [${listed(open, "'")}]" or "readOnly". ` +
        `Or write "without: [${listed(offered, "'")}]".`,
    )
  }
}

function listed(names: Names, quote: string): string {
  return names.map((name) => quote + name + quote).join(', ')
}

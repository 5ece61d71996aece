import { maxIdLength } from '../model/convention.ts'
import { isRecord } from '../model/declared.ts'
import { neverIds } from '../model/id.ts'
import { type JsonSchema, listOf, membersOf } from '../model/json-schema.ts'
import { fieldOf } from '../model/operation.ts'
import type { Resource } from '../model/resource.ts'
import { oneOf, typeNameOf } from './names.ts'
import { refTo, type Schemas } from './schemas.ts'
import type { Tell } from './told.ts'
import type { Node } from './walk.ts'

/** What items are made of. */
export interface Kit {
  readonly schemas: Schemas
  readonly tell: Tell
  /** By name of the resource. */
  readonly examples: Readonly<Record<string, object>>
}

/** The items of the resources, as a response holds them. */
export interface Items {
  /** The name of their schema: `Employee`. */
  readonly nameOf: (resource: Resource) => string
  /** What a response holds. */
  readonly itemOf: (resource: Resource) => Node
  /** What a field of an item holds. */
  readonly fieldOf: (resource: Resource, field: string) => Node
  /** What an id is as a segment of a path. */
  readonly idOf: (resource: Resource) => unknown
}

/** Keeps the schema of every resource's items with the shared ones. */
export function createItems(resources: Iterable<Resource>, kit: Kit): Items {
  const all = [...resources]
  const names = new Map(all.map(({ name }) => [name, kit.schemas.reserve(typeNameOf(name))]))
  const nameOf = ({ name }: Resource): string => String(names.get(name))
  for (const resource of all) {
    const name = nameOf(resource)
    kit.schemas.set(name, itemSchema(resource, name, kit))
  }
  return {
    nameOf,
    itemOf: (resource) => refTo(nameOf(resource)),
    fieldOf: (resource, field) => fieldSchema(resource, field, { ...kit, owner: nameOf(resource) }),
    idOf: (resource) => idSchema(resource, { ...kit, owner: nameOf(resource) }),
  }
}

interface Owned extends Kit {
  readonly owner: string
}

function itemSchema(resource: Resource, self: string, { schemas, tell, examples }: Kit): Node {
  const told = tell(resource.schema, 'output')
  const example = fieldOf(examples, resource.name)
  const origin = told && ({ ...told, owner: self, direction: 'output', self } as const)
  const schema = origin
    ? withReadOnly(Object(schemas.take(origin.body, origin)), resource)
    : unknownItem(resource)
  return example === undefined ? schema : { ...schema, examples: [example] }
}

function unknownItem({ name }: Resource): Node {
  return {
    type: 'object',
    description: `The schema of ${oneOf(name)} does not tell what it holds.`,
    properties: { id: anyId },
    required: ['id'],
    // Left open it is to us, but some tools take an object for closed.
    additionalProperties: true,
  }
}

const anyId: Node = { type: ['string', 'number'] }

// What tells readers which fields they need not fill in; alternatives have fields of their own.
function withReadOnly(schema: Node, resource: Resource): Node {
  const alternatives = ['allOf', 'anyOf', 'oneOf']
    .filter((key) => Object.hasOwn(schema, key))
    .map((key) => [key, listOf(schema[key]).map((part) => marked(part, resource))])
  const { properties } = schema
  const fields = isRecord(properties) ? { properties: readOnlyIn(properties, resource) } : {}
  return { ...schema, ...Object.fromEntries(alternatives), ...fields }
}

function marked(part: unknown, resource: Resource): unknown {
  return isRecord(part) ? withReadOnly(part, resource) : part
}

function readOnlyIn(properties: Node, { readOnly }: Resource): Node {
  return Object.fromEntries(
    Object.entries(properties).map(([field, inner]) => [
      field,
      readOnly.includes(field) && isRecord(inner) ? { ...inner, readOnly: true } : inner,
    ]),
  )
}

function fieldSchema(resource: Resource, field: string, { schemas, tell, owner }: Owned): Node {
  const told = tell(resource.schema, 'output')
  if (told === undefined) return field === 'id' ? anyId : {}
  const found = membersOf(told.body, told.root)
    .map((member) => fieldOf(Object(fieldOf(member, 'properties')), field))
    .filter((schema) => schema !== undefined)
    .map((schema) => schemas.take(schema, { ...told, owner, direction: 'output', self: owner }))
  const different = new Map(found.map((schema) => [JSON.stringify(schema), schema]))
  const [only] = different.values()
  if (different.size > 1) return { anyOf: [...different.values()] }
  return isRecord(only) ? only : {}
}

function idSchema(resource: Resource, { schemas, tell, owner }: Owned): unknown {
  const told = resource.id && (tell(resource.id, 'input') ?? tell(resource.id, 'output'))
  if (told === undefined)
    return withoutWords(resource.id === undefined ? { type: 'string' } : anyId)
  const origin = { ...told, owner: `${owner}Id`, direction: 'input' } as const
  const schema: JsonSchema = Object(schemas.take(told.body, origin))
  return isApart(schema) ? schema : withoutWords(schema)
}

// Neither a number nor a UUID reads like a word.
function isApart(schema: JsonSchema): boolean {
  const type = fieldOf(schema, 'type')
  return type === 'integer' || type === 'number' || fieldOf(schema, 'format') === 'uuid'
}

// A path with one of these words names another target, or none.
function withoutWords(schema: JsonSchema): Node {
  const words = { enum: [...neverIds] }
  const not = fieldOf(schema, 'not')
  return {
    ...schema,
    minLength: Math.max(1, Number(fieldOf(schema, 'minLength') ?? 1)),
    maxLength: Math.min(maxIdLength, Number(fieldOf(schema, 'maxLength') ?? maxIdLength)),
    not: not === undefined ? words : { anyOf: [not, words] },
  }
}

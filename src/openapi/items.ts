import type { Collection } from '../contract/resource/api.ts'
import { neverIds } from '../contract/resource/id.ts'
import type { Resource } from '../contract/resource/resource.ts'
import { type JsonSchema, listOf, membersOf } from '../contract/schema/json-schema.ts'
import { maxIdLength } from '../convention/limits.ts'
import { fieldOf, isRecord } from '../convention/value.ts'
import { type Node, refTo, type SchemaOf } from './json-schema.ts'
import { typeNameOf, withArticle } from './names.ts'
import { reshape } from './reshape.ts'
import type { Schemas } from './schemas.ts'

/** The shared schemas and the sources of item schemas. */
export interface SchemaKit {
  readonly schemas: Schemas
  readonly schemaOf: SchemaOf
  /** By name of the resource. */
  readonly examples: Readonly<Record<string, object>>
}

/** The schemas of the items in responses. */
export interface Items {
  /** The name of an item schema: `Employee`. */
  readonly nameOf: (resource: Resource) => string
  /** The schema of an item with the members that a client can include. */
  readonly withIncluded: (collection: Collection) => Node
  /** The schema of a new item that is not stored: it may lack the fields that the server sets. */
  readonly draftOf: (resource: Resource) => Node
  /**
   * The schema of an item with chosen fields, without or with the members that a client can
   * include; `undefined` where the schema of the whole item accepts it.
   */
  readonly selectionOf: (collection: Collection, members: 'included' | 'none') => Node | undefined
  /** The schema of an item's field. */
  readonly fieldOf: (resource: Resource, field: string) => Node
  /** The schema of an id in a path. */
  readonly idOf: (resource: Resource) => unknown
}

/** Shares the item schema of every resource. */
export function createItems(resources: Iterable<Resource>, kit: SchemaKit): Items {
  const all = [...resources]
  const names = new Map(all.map(({ name }) => [name, kit.schemas.reserve(typeNameOf(name))]))
  const nameOf = ({ name }: Resource): string => String(names.get(name))
  for (const resource of all) {
    const owner = nameOf(resource)
    kit.schemas.set(owner, itemSchema(resource, { ...kit, owner }))
  }
  const shareVariant = createVariants(kit, nameOf)
  const fieldIn = (resource: Resource, field: string): Node =>
    fieldSchema(resource, field, { ...kit, owner: nameOf(resource) })
  const fieldsIn = (resource: Resource, fields: readonly string[]): Node =>
    Object.fromEntries(fields.map((field) => [field, fieldIn(resource, field)]))
  return {
    nameOf,
    // A version may lack some of the other resources.
    withIncluded: (collection) =>
      shareVariant(collection.resource, 'WithIncluded', includedMembers(collection, nameOf)),
    selectionOf: (collection, members) => {
      const { resource } = collection
      const names = requiredOf(resource, kit).filter((field) => field !== 'id')
      if (names.length === 0) return undefined
      const fields = fieldsIn(resource, names)
      return members === 'none'
        ? shareVariant(resource, 'Fields', fields)
        : shareVariant(resource, 'FieldsWithIncluded', {
            ...fields,
            ...includedMembers(collection, nameOf),
          })
    },
    draftOf: (resource) => {
      const serverFields = ['id', ...resource.readOnly, ...resource.filled]
      return shareVariant(resource, 'Draft', fieldsIn(resource, serverFields))
    },
    fieldOf: fieldIn,
    idOf: (resource) => idSchema(resource, { ...kit, owner: nameOf(resource) }),
  }
}

type Variant = 'WithIncluded' | 'Fields' | 'FieldsWithIncluded' | 'Draft'

// Shares variants of item schemas, by the fields that they add, or make optional.
function createVariants(kit: SchemaKit, nameOf: Items['nameOf']) {
  const variants = new Map<string, Node>()
  return (resource: Resource, variant: Variant, fields: Node): Node => {
    const owner = nameOf(resource)
    // Two versions may include different views of an item as the same member.
    const key = JSON.stringify([owner, variant, fields])
    const reference = variants.get(key)
    if (reference !== undefined) return reference
    const name = kit.schemas.reserve(owner + variant)
    const examples = variant === 'Draft' ? draftExamples(resource, fields, kit) : kit.examples
    kit.schemas.set(name, itemSchema(resource, { ...kit, examples, owner }, fields))
    variants.set(key, refTo(name))
    return refTo(name)
  }
}

function draftExamples({ name }: Resource, fields: Node, { examples }: SchemaKit) {
  const example = Object.entries(Object(fieldOf(examples, name)))
  const clientFields = example.filter(([field]) => !Object.hasOwn(fields, field))
  return clientFields.length > 0 ? { [name]: Object.fromEntries(clientFields) } : {}
}

interface OwnedKit extends SchemaKit {
  readonly owner: string
}

// The fields that some variant of the item requires.
function requiredOf({ schema }: Resource, { schemaOf }: SchemaKit): readonly string[] {
  const source = schemaOf(schema, 'output')
  const members = source === undefined ? [] : membersOf(source.body, source.root)
  const names = members.flatMap((member) => listOf(fieldOf(member, 'required')).map(String))
  return [...new Set(names)]
}

// A member holds an item without members of its own: no schema leads back to itself.
function includedMembers({ references }: Collection, nameOf: Items['nameOf']): Node {
  const members = references
    .filter(({ isIncludable }) => isIncludable)
    .map(({ field, as, target }) => [
      as,
      {
        anyOf: [refTo(nameOf(target.resource)), { type: 'null' }],
        description: `The item of \`${field}\`, if you include it; null if you may not read it.`,
      },
    ])
  return Object.fromEntries(members)
}

function itemSchema(resource: Resource, kit: OwnedKit, optional?: Node): Node {
  const { schemas, schemaOf, examples, owner } = kit
  const source = schemaOf(resource.schema, 'output')
  const example = fieldOf(examples, resource.name)
  const restricted = Object.fromEntries(resource.restricted.map((field) => [field, {}]))
  const fields = optional || resource.restricted.length > 0 ? { ...restricted, ...optional } : null
  const withOptional = (schema: Node, root: JsonSchema): Node =>
    fields === null ? schema : reshape(schema, { omitted: [], optional: fields }, root)
  const origin = source && ({ ...source, owner, direction: 'output', sharedName: owner } as const)
  const schema = origin
    ? withReadOnly(
        Object(schemas.rewrite(withOptional(origin.body, origin.root), origin)),
        resource,
      )
    : withOptional(unknownItemSchema(resource), {})
  return example === undefined ? schema : { ...schema, examples: [example] }
}

function unknownItemSchema({ name }: Resource): Node {
  return {
    type: 'object',
    description: `The fields of ${withArticle(name)} are unknown.`,
    properties: { id: anyId },
    required: ['id'],
    // The default, but some tools assume `false`.
    additionalProperties: true,
  }
}

const anyId: Node = { type: ['string', 'number'] }

// Marks the fields that only the server sets, and those that only some see, also in alternatives.
function withReadOnly(schema: Node, resource: Resource): Node {
  const alternatives = ['allOf', 'anyOf', 'oneOf']
    .filter((key) => Object.hasOwn(schema, key))
    .map((key) => [key, listOf(schema[key]).map((member) => memberWithReadOnly(member, resource))])
  const { properties } = schema
  const fields = isRecord(properties)
    ? { properties: propertiesWithReadOnly(properties, resource) }
    : {}
  return { ...schema, ...Object.fromEntries(alternatives), ...fields }
}

function memberWithReadOnly(member: unknown, resource: Resource): unknown {
  return isRecord(member) ? withReadOnly(member, resource) : member
}

function propertiesWithReadOnly(
  properties: Node,
  { readOnly, restricted, states }: Resource,
): Node {
  return Object.fromEntries(
    Object.entries(properties).map(([field, inner]) => {
      if (!isRecord(inner)) return [field, inner]
      const readOnlyMark = readOnly.includes(field) ? { readOnly: true } : {}
      const restrictedMark = restricted.includes(field)
        ? { description: withWords(inner, 'Only for callers that may see it.') }
        : {}
      const marked = { ...inner, ...readOnlyMark, ...restrictedMark }
      return [field, states?.field === field ? withStates(marked, states) : marked]
    }),
  )
}

function withWords({ description }: Node, words: string): string {
  return typeof description === 'string' ? `${description} ${words}` : words
}

/** Says which states a field has, and the moves between them, in words and as data. */
function withStates(schema: Node, { initial, moves }: NonNullable<Resource['states']>): Node {
  const sentences = [...moves].map(([state, next]) =>
    next.length === 0
      ? `No state follows \`${state}\`.`
      : `\`${state}\` can become ${next.map((target) => `\`${target}\``).join(' or ')}.`,
  )
  const words = [`A new item is \`${initial}\`.`, ...sentences].join(' ')
  return {
    ...schema,
    description: withWords(schema, words),
    'x-nounful-states': { initial, moves: Object.fromEntries(moves) },
  }
}

function fieldSchema(
  resource: Resource,
  field: string,
  { schemas, schemaOf, owner }: OwnedKit,
): Node {
  const source = schemaOf(resource.schema, 'output')
  if (source === undefined) return field === 'id' ? anyId : {}
  const schemasOfField = membersOf(source.body, source.root)
    .map((member) => fieldOf(Object(fieldOf(member, 'properties')), field))
    .filter((schema) => schema !== undefined)
    .map((schema) =>
      schemas.rewrite(schema, { ...source, owner, direction: 'output', sharedName: owner }),
    )
  const distinctSchemas = new Map(schemasOfField.map((schema) => [JSON.stringify(schema), schema]))
  const [firstSchema] = distinctSchemas.values()
  if (distinctSchemas.size > 1) return { anyOf: [...distinctSchemas.values()] }
  return isRecord(firstSchema) ? firstSchema : {}
}

function idSchema(resource: Resource, { schemas, schemaOf, owner }: OwnedKit): unknown {
  const source = resource.id && (schemaOf(resource.id, 'input') ?? schemaOf(resource.id, 'output'))
  if (source === undefined)
    return withoutReservedWords(resource.id === undefined ? { type: 'string' } : anyId)
  const origin = { ...source, owner: `${owner}Id`, direction: 'input' } as const
  const schema: JsonSchema = Object(schemas.rewrite(source.body, origin))
  return excludesReservedWords(schema) ? schema : withoutReservedWords(schema)
}

// A number or a UUID never equals a reserved word.
function excludesReservedWords(schema: JsonSchema): boolean {
  const type = fieldOf(schema, 'type')
  return type === 'integer' || type === 'number' || fieldOf(schema, 'format') === 'uuid'
}

// A path with a reserved word names another target, or none.
function withoutReservedWords(schema: JsonSchema): Node {
  const words = { enum: [...neverIds] }
  const not = fieldOf(schema, 'not')
  return {
    ...schema,
    minLength: Math.max(1, Number(fieldOf(schema, 'minLength') ?? 1)),
    maxLength: Math.min(maxIdLength, Number(fieldOf(schema, 'maxLength') ?? maxIdLength)),
    not: not === undefined ? words : { anyOf: [not, words] },
  }
}

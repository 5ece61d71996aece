import { type Collection, lastNounOf } from '../model/api.ts'
import { isRecord } from '../model/declared.ts'
import { listOf, membersOf } from '../model/json-schema.ts'
import type { StandardSchema } from '../model/schema.ts'
import { fieldOf } from '../model/value.ts'
import type { Items, SchemaKit } from './items.ts'
import { singularOf, toTypeName } from './names.ts'
import { type BodyFields, reshape } from './reshape.ts'
import { refTo } from './schemas.ts'
import type { Node } from './walk.ts'

/** The schemas of request bodies, where the path and the server set some fields. */
export interface Bodies {
  /** The body of `create`: a new item. */
  readonly create: (collection: Collection) => Node
  /** The body of `update`: a whole item. */
  readonly update: (collection: Collection) => Node
  /** The body of a bulk: whole items, each with its id. */
  readonly items: (collection: Collection, most: number) => Node
}

/**
 * Shares the schemas of request bodies. Collections of one resource share a schema, unless their
 * paths set different fields.
 */
export function createBodies(items: Items, kit: SchemaKit): Bodies {
  const share = createShare(kit)
  const create = (collection: Collection): Node => {
    const { resource } = collection
    const fields = { omitted: resource.readOnly, optional: parentFields(collection, items) }
    const schema = bodySchema(resource.create, { collection, fields, items, kit })
    return share(`New${items.nameOf(resource)}`, collection, schema)
  }
  const whole = (collection: Collection): Node => {
    const fields = { omitted: [], optional: optionalInUpdate(collection, items) }
    return bodySchema(collection.resource.update, { collection, fields, items, kit })
  }
  const shareWhole = (collection: Collection, schema: Node): Node =>
    share(`${items.nameOf(collection.resource)}Update`, collection, schema)
  const update = (collection: Collection): Node => shareWhole(collection, whole(collection))
  const list = (collection: Collection, most: number): Node => {
    const { resource } = collection
    const schema = whole(collection)
    const id = items.fieldOf(resource, 'id')
    const withId = { type: 'object', properties: { id }, required: ['id'] }
    const item = { allOf: [shareWhole(collection, schema), withId] }
    return {
      type: 'array',
      maxItems: most,
      items: item,
      ...listExample(schema, fieldOf(kit.examples, resource.name)),
    }
  }
  return { create, update, items: list }
}

type Share = (name: string, collection: Collection, schema: Node) => Node

// Shares a schema under its name. If the name is taken, adds the names of the parents.
function createShare({ schemas }: SchemaKit): Share {
  const references = new Map<string, Node>()
  return (name, collection, schema) => {
    const key = `${name} ${JSON.stringify(schema)}`
    const known = references.get(key)
    if (known !== undefined) return known
    const isTaken = Object.hasOwn(schemas.shared, name)
    const free = schemas.reserve(isTaken ? name + parentNames(collection) : name)
    schemas.set(free, schema)
    references.set(key, refTo(free))
    return refTo(free)
  }
}

interface Body {
  readonly collection: Collection
  readonly fields: BodyFields
  readonly items: Items
  readonly kit: SchemaKit
}

function bodySchema(schema: StandardSchema, { collection, fields, items, kit }: Body): Node {
  const { resource } = collection
  const found = kit.schemaOf(schema, 'input')
  const owner = items.nameOf(resource)
  if (found === undefined) {
    const description = 'Its other fields are unknown.'
    return { ...reshape({ type: 'object' }, fields, {}), additionalProperties: true, description }
  }
  const shaped = reshape(found.body, fields, found.root)
  const rewritten = kit.schemas.rewrite(shaped, { ...found, owner, direction: 'input' })
  return withExample(Object(rewritten), fieldOf(kit.examples, resource.name), [
    ...Object.keys(fields.optional),
    ...fields.omitted,
  ])
}

// The example has only the fields that the client must send.
function withExample(schema: Node, example: unknown, preset: readonly string[]): Node {
  const known = membersOf(schema).flatMap((part) =>
    Object.keys(Object(fieldOf(part, 'properties'))),
  )
  if (!isRecord(example) || known.length === 0) return schema
  const sent = Object.entries(example).filter(
    ([field]) => known.includes(field) && !preset.includes(field),
  )
  return { ...schema, examples: [Object.fromEntries(sent)] }
}

// In a bulk, the example of an item needs its id.
function listExample({ examples }: Node, example: unknown): Node {
  const [item] = listOf(examples)
  const id = isRecord(example) ? fieldOf(example, 'id') : undefined
  return isRecord(item) && id !== undefined ? { examples: [[{ id, ...item }]] } : {}
}

function parentFields({ resource, owners }: Collection, items: Items): BodyFields['optional'] {
  return Object.fromEntries(
    owners.map((field) => [
      field,
      {
        ...items.fieldOf(resource, field),
        description: 'The path sets it. If you send it, it must be equal.',
      },
    ]),
  )
}

function optionalInUpdate(collection: Collection, items: Items): BodyFields['optional'] {
  const { resource } = collection
  const readOnly = resource.readOnly.map((field) => [
    field,
    {
      ...items.fieldOf(resource, field),
      description:
        field === resource.revision
          ? 'The revision to replace. If you send it, it must equal the stored one.'
          : 'The server sets it. If you send it, it must equal the stored value.',
    },
  ])
  const id = {
    ...items.fieldOf(resource, 'id'),
    description: 'The id of the item. It must equal an id in the path.',
  }
  return { id, ...parentFields(collection, items), ...Object.fromEntries(readOnly) }
}

function parentNames({ ancestors }: Collection): string {
  const names = ancestors.map((owner) => `Of${toTypeName(singularOf(lastNounOf(owner)))}`)
  return names.reverse().join('')
}

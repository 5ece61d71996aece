import type { Collection } from '../model/api.ts'
import { isRecord } from '../model/declared.ts'
import { listOf, membersOf } from '../model/json-schema.ts'
import { fieldOf } from '../model/operation.ts'
import type { StandardSchema } from '../model/schema.ts'
import type { Items, Kit } from './items.ts'
import { singularOf, toTypeName } from './names.ts'
import { reshape, type Shape } from './reshape.ts'
import { refTo } from './schemas.ts'
import type { Node } from './walk.ts'

/** What is sent. It is what the schema takes, but for what the path tells and what only the server sets. */
export interface Bodies {
  /** A new item of a collection. */
  readonly create: (collection: Collection) => Node
  /** A whole item that replaces one of a collection. */
  readonly update: (collection: Collection) => Node
  /** Whole items of a collection, each with its id. */
  readonly updateMany: (collection: Collection, most: number) => Node
}

/** Keeps the schemas of what is sent with the shared ones; a resource at several places has one, unless they tell different fields. */
export function createBodies(items: Items, kit: Kit): Bodies {
  const keep = createKeep(kit)
  const create = (collection: Collection): Node => {
    const { resource } = collection
    const shape = { omitted: resource.readOnly, optional: ownersIn(collection, items) }
    const schema = bodySchema(resource.create, { collection, shape, items, kit })
    return keep(`New${items.nameOf(resource)}`, collection, schema)
  }
  const whole = (collection: Collection): Node => {
    const shape = { omitted: [], optional: givenToUpdate(collection, items) }
    return bodySchema(collection.resource.update, { collection, shape, items, kit })
  }
  const keepWhole = (collection: Collection, schema: Node): Node =>
    keep(`${items.nameOf(collection.resource)}Update`, collection, schema)
  const update = (collection: Collection): Node => keepWhole(collection, whole(collection))
  const updateMany = (collection: Collection, most: number): Node => {
    const { resource } = collection
    const schema = whole(collection)
    const id = items.fieldOf(resource, 'id')
    const withId = { type: 'object', properties: { id }, required: ['id'] }
    const item = { allOf: [keepWhole(collection, schema), withId] }
    return {
      type: 'array',
      maxItems: most,
      items: item,
      ...listExample(schema, fieldOf(kit.examples, resource.name)),
    }
  }
  return { create, update, updateMany }
}

type Keep = (name: string, collection: Collection, schema: Node) => Node

// Under its name, or where that is another place's, under one that tells the owners.
function createKeep({ schemas }: Kit): Keep {
  const kept = new Map<string, Node>()
  return (name, collection, schema) => {
    const print = `${name} ${JSON.stringify(schema)}`
    const known = kept.get(print)
    if (known !== undefined) return known
    const isOther = Object.hasOwn(schemas.shared, name)
    const free = schemas.reserve(isOther ? name + ownersOf(collection) : name)
    schemas.set(free, schema)
    kept.set(print, refTo(free))
    return refTo(free)
  }
}

interface Body {
  readonly collection: Collection
  readonly shape: Shape
  readonly items: Items
  readonly kit: Kit
}

function bodySchema(schema: StandardSchema, { collection, shape, items, kit }: Body): Node {
  const { resource } = collection
  const told = kit.tell(schema, 'input')
  const owner = items.nameOf(resource)
  if (told === undefined) {
    const description = 'Its schema does not tell what else it holds.'
    return { ...reshape({ type: 'object' }, shape, {}), additionalProperties: true, description }
  }
  const shaped = reshape(told.body, shape, told.root)
  const taken = kit.schemas.take(shaped, { ...told, owner, direction: 'input' })
  return withExample(Object(taken), fieldOf(kit.examples, resource.name), [
    ...Object.keys(shape.optional),
    ...shape.omitted,
  ])
}

// Of an example, what a client has to say itself.
function withExample(schema: Node, example: unknown, told: readonly string[]): Node {
  const known = membersOf(schema).flatMap((part) =>
    Object.keys(Object(fieldOf(part, 'properties'))),
  )
  if (!isRecord(example) || known.length === 0) return schema
  const said = Object.entries(example).filter(
    ([field]) => known.includes(field) && !told.includes(field),
  )
  return { ...schema, examples: [Object.fromEntries(said)] }
}

// The example of one item of a bulk would lack the id that it needs there.
function listExample({ examples }: Node, example: unknown): Node {
  const [said] = listOf(examples)
  const id = isRecord(example) ? fieldOf(example, 'id') : undefined
  return isRecord(said) && id !== undefined ? { examples: [[{ id, ...said }]] } : {}
}

function ownersIn({ resource, parameters }: Collection, items: Items): Shape['optional'] {
  return Object.fromEntries(
    parameters.map((field) => [
      field,
      {
        ...items.fieldOf(resource, field),
        description: 'Given by the path. If it is sent, it must be the same.',
      },
    ]),
  )
}

function givenToUpdate(collection: Collection, items: Items): Shape['optional'] {
  const { resource } = collection
  const readOnly = resource.readOnly.map((field) => [
    field,
    {
      ...items.fieldOf(resource, field),
      description:
        field === resource.revision
          ? 'The version to replace. If it is sent, it must be the one that is stored.'
          : 'Set by the server. If it is sent, it must be as it is stored.',
    },
  ])
  const id = {
    ...items.fieldOf(resource, 'id'),
    description: 'The id of the item. Where the path gives it, it must be the same.',
  }
  return { id, ...ownersIn(collection, items), ...Object.fromEntries(readOnly) }
}

function ownersOf({ ancestors }: Collection): string {
  const owners = ancestors.map(({ path }) =>
    toTypeName(singularOf(path.slice(path.lastIndexOf('/') + 1))),
  )
  return owners
    .reverse()
    .map((owner) => `Of${owner}`)
    .join('')
}

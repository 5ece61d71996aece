import type { Collection } from '../model/api.ts'
import { isBounded } from '../model/bounded.ts'
import {
  maxSearchLength,
  maxSortFields,
  operations,
  type ParameterName,
  type ParameterType,
  parameters,
} from '../model/convention.ts'
import { isConditional } from '../model/kinds.ts'
import type { Resource } from '../model/resource.ts'
import { formatPrefer } from '../wire/prefer.ts'
import { formatSort } from '../wire/sort.ts'
import type { Shelf } from './components.ts'
import type { Items } from './items.ts'
import { oneOf } from './names.ts'
import type { Spot } from './source.ts'
import type { Node } from './walk.ts'

/** The parameters of the path of a collection: the ids of the owners. */
export function ownerParameters(
  { ancestors, parameters }: Collection,
  items: Items,
  shelf: Shelf,
): readonly Node[] {
  return ancestors.map(({ resource }, depth) => {
    const name = String(parameters[depth])
    return shelf.share(`${resource.name}.${keyOfField(name)}`, () =>
      idParameter(name, resource, items),
    )
  })
}

// OpenAPI 3.1 §4.8.7: letters, digits, `.`, `-` and `_`; a field may have others.
function keyOfField(name: string): string {
  return encodeURIComponent(name).replaceAll(/[^\w.-]/g, '_')
}

/** The parameter of the path of an item. */
export function itemParameter(resource: Resource, items: Items, shelf: Shelf): Node {
  return shelf.share(`${resource.name}.id`, () => idParameter('id', resource, items))
}

function idParameter(name: string, resource: Resource, items: Items): Node {
  return {
    name,
    in: 'path',
    required: true,
    description: `The id of ${oneOf(resource.name)}. \`first\`, \`last\` and \`count\` are never ids.`,
    schema: items.idOf(resource),
  }
}

/** Returns the query parameters of an operation. */
export function queryParameters(
  { parameters: names, collection: { resource } }: Spot,
  shelf: Shelf,
): readonly Node[] {
  // The server takes a sort by no field, but no client needs it.
  const isUseful = (name: ParameterName): boolean =>
    parameters[name].type !== 'fields' || resource.sortable.length > 0
  return names
    .filter(isUseful)
    .map((name) => shelf.share(keyOf(name, resource), () => queryParameter(name, resource)))
}

// Shared where resources have the same.
function keyOf(name: ParameterName, { name: resource, maxLimit, defaultLimit }: Resource): string {
  const { type } = parameters[name]
  if (type === 'cursor') return name
  if (type !== 'integer') return `${resource}.${name}`
  return [name, maxLimit, defaultLimit].filter((part) => part !== undefined).join('.')
}

function queryParameter(name: ParameterName, resource: Resource): Node {
  const { type } = parameters[name]
  const description = descriptions[name]?.(resource)
  return {
    name,
    in: 'query',
    ...(description === undefined ? {} : { description }),
    ...(type === 'fields' ? { style: 'form', explode: false } : {}),
    schema: schemas[type](resource),
  }
}

const descriptions: Readonly<Partial<Record<ParameterName, (resource: Resource) => string>>> = {
  q: ({ searchable }) =>
    `Words to search for. An item matches when each of them is found, ignoring case, in one of: ${searchable.join(', ')}.`,
  sort: () =>
    'Fields to sort by, the most important first; `-` before one is descending. Items that are equal in all of them come in the order of their ids.',
  limit: ({ defaultLimit }) => `The most items to answer with. Default: ${defaultLimit ?? 'all'}.`,
  after: () =>
    'Where the page before ended, as its `Link` tells. It belongs to the same path, `q` and `sort`.',
}

const schemas: Readonly<Record<ParameterType, (resource: Resource) => Node>> = {
  text: () => ({ type: 'string', maxLength: maxSearchLength }),
  fields: ({ sortable }) => ({
    type: 'array',
    items: {
      type: 'string',
      enum: sortable.flatMap((field) =>
        (['asc', 'desc'] as const).map((direction) => formatSort([{ field, direction }])),
      ),
    },
    maxItems: maxSortFields,
    uniqueItems: true,
  }),
  integer: ({ maxLimit, defaultLimit }) => ({
    type: 'integer',
    minimum: 1,
    maximum: maxLimit,
    ...(defaultLimit === undefined ? {} : { default: defaultLimit }),
  }),
  cursor: () => ({ type: 'string', minLength: 1 }),
}

/** The header fields that an operation looks at. */
export function headerParameters({ kind, collection }: Spot, shelf: Shelf): readonly Node[] {
  if (isConditional(kind, 'bound')) return [preferParameter(collection, shelf)]
  const isOfItem = operations[kind].target === 'item' && isConditional(kind, 'revision')
  if (!isOfItem || collection.resource.revision === undefined) return []
  return [
    shelf.share('If-Match', () =>
      headerParameter(
        'If-Match',
        'The `ETag` that the item must still have, or `*`. Otherwise 409.',
        '"3"',
      ),
    ),
    shelf.share('If-None-Match', () =>
      headerParameter(
        'If-None-Match',
        'An `ETag` that the item must not have. Otherwise 409.',
        '"3"',
      ),
    ),
  ]
}

function preferParameter(collection: Collection, shelf: Shelf): Node {
  const example = formatPrefer(new Map([['max-affected', '10']]))
  const description = `With \`${example}\`, nothing is deleted and the answer is 409 when that would be more than 10 items (RFC 7240).`
  if (!isBounded(collection))
    return shelf.share('Prefer', () => headerParameter('Prefer', description, example))
  return shelf.share('Prefer.bounded', () => ({
    ...headerParameter('Prefer', `${description} Without it the answer is 409 too.`, example),
    required: true,
  }))
}

function headerParameter(name: string, description: string, example: string): Node {
  return { name, in: 'header', description, schema: { type: 'string' }, example }
}

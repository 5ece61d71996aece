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
import type { SharedParts } from './components.ts'
import type { Items } from './items.ts'
import { oneOf, reservedText } from './names.ts'
import type { OperationAt } from './source.ts'
import type { Node } from './walk.ts'

/** Returns the path parameters of a collection: the ids of its parents. */
export function parentParameters(
  { ancestors, parameters }: Collection,
  items: Items,
  parts: SharedParts,
): readonly Node[] {
  return ancestors.map(({ resource }, depth) => {
    const name = String(parameters[depth])
    return parts.refer(`${resource.name}.${keyOfField(name)}`, () =>
      idParameter(name, resource, items),
    )
  })
}

// OpenAPI 3.1 §4.8.7 allows letters, digits, `.`, `-` and `_`. Field names may have more.
function keyOfField(name: string): string {
  return encodeURIComponent(name).replaceAll(/[^\w.-]/g, '_')
}

/** Returns the path parameter of an item. */
export function itemParameter(resource: Resource, items: Items, parts: SharedParts): Node {
  return parts.refer(`${resource.name}.id`, () => idParameter('id', resource, items))
}

function idParameter(name: string, resource: Resource, items: Items): Node {
  return {
    name,
    in: 'path',
    required: true,
    description: `The id of ${oneOf(resource.name)}. ${reservedText} are never ids.`,
    schema: items.idOf(resource),
  }
}

/** Returns the query parameters of an operation. */
export function queryParameters(
  { parameters: names, collection: { resource } }: OperationAt,
  parts: SharedParts,
): readonly Node[] {
  // The server accepts an empty sort, which helps no client.
  const isUseful = (name: ParameterName): boolean =>
    parameters[name].type !== 'fields' || resource.sortable.length > 0
  return names
    .filter(isUseful)
    .map((name) => parts.refer(keyOf(name, resource), () => queryParameter(name, resource)))
}

// Resources share equal parameters.
function keyOf(name: ParameterName, { name: resource, maxLimit, defaultLimit }: Resource): string {
  const { type } = parameters[name]
  if (type === 'cursor') return name
  if (type !== 'integer') return `${resource}.${name}`
  return [name, maxLimit, defaultLimit].filter((part) => part !== undefined).join('.')
}

function queryParameter(name: ParameterName, resource: Resource): Node {
  const { type } = parameters[name]
  return {
    name,
    in: 'query',
    description: descriptions[name]?.(resource),
    ...(type === 'fields' ? { style: 'form', explode: false } : {}),
    schema: schemas[type](resource),
  }
}

const descriptions: Readonly<Partial<Record<ParameterName, (resource: Resource) => string>>> = {
  q: ({ searchable }) =>
    `Search words, in any case. Each must be in one of: ${searchable.join(', ')}.`,
  sort: () => 'Fields to sort by, then by id. The first counts most; `-` means descending.',
  limit: ({ defaultLimit }) => `The most items to return. Default: ${defaultLimit ?? 'all'}.`,
  after: () =>
    'The cursor in the `Link` of the page before. Use it with the same path, `q` and `sort`.',
}

const schemas: Readonly<Record<ParameterType, (resource: Resource) => Node>> = {
  text: () => ({ type: 'string', maxLength: maxSearchLength }),
  fields: ({ sortable }) => ({
    type: 'array',
    items: { type: 'string', enum: sortable.flatMap(bothDirections) },
    maxItems: maxSortFields,
    uniqueItems: true,
  }),
  integer: ({ maxLimit, defaultLimit }) => ({
    type: 'integer',
    minimum: 1,
    maximum: maxLimit,
    default: defaultLimit,
  }),
  cursor: () => ({ type: 'string', minLength: 1 }),
}

function bothDirections(field: string): readonly string[] {
  return (['asc', 'desc'] as const).map((direction) => formatSort([{ field, direction }]))
}

/** Returns the header parameters of an operation. */
export function headerParameters(
  { kind, collection }: OperationAt,
  parts: SharedParts,
): readonly Node[] {
  if (isConditional(kind, 'bound')) return [preferParameter(collection, parts)]
  const isOfItem = operations[kind].target === 'item' && isConditional(kind, 'revision')
  if (!isOfItem || collection.resource.revision === undefined) return []
  return [
    parts.refer('If-Match', () =>
      headerParameter(
        'If-Match',
        'The `ETag` that the item must have, or `*`. Otherwise 409.',
        '"3"',
      ),
    ),
    parts.refer('If-None-Match', () =>
      headerParameter(
        'If-None-Match',
        'An `ETag` that the item must not have. Otherwise 409.',
        '"3"',
      ),
    ),
  ]
}

function preferParameter(collection: Collection, parts: SharedParts): Node {
  const example = formatPrefer(new Map([['max-affected', '10']]))
  const description = `\`${example}\` deletes at most 10 items (RFC 7240), or none with 409.`
  if (!isBounded(collection))
    return parts.refer('Prefer', () => headerParameter('Prefer', description, example))
  return parts.refer('Prefer.bounded', () => ({
    ...headerParameter('Prefer', `${description} Without it, 409.`, example),
    required: true,
  }))
}

function headerParameter(name: string, description: string, example: string): Node {
  return { name, in: 'header', description, schema: { type: 'string' }, example }
}

import type { Collection } from '../model/api.ts'
import { isBounded } from '../model/bounded.ts'
import {
  maxSearchLength,
  maxSortFields,
  operations,
  type ParameterName,
} from '../model/convention.ts'
import type { Resource } from '../model/resource.ts'
import { formatPrefer } from '../wire/prefer.ts'
import { formatSort } from '../wire/query.ts'
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

// OpenAPI 3.1 §4.8.7 allows letters, digits, `.`, `-` and `_`. A field name may have others.
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
  { parameters, collection: { resource } }: OperationAt,
  parts: SharedParts,
): readonly Node[] {
  // The server accepts an empty sort, which helps no client.
  const useful = parameters.filter((name) => name !== 'sort' || resource.sortable.length > 0)
  return useful.map((name) =>
    parts.refer(keyOf(name, resource), () => ({
      name,
      in: 'query',
      ...queryOf[name](resource),
    })),
  )
}

// Resources share equal parameters.
function keyOf(name: ParameterName, { name: resource, maxLimit, defaultLimit }: Resource): string {
  if (name === 'after') return name
  if (name !== 'limit') return `${resource}.${name}`
  return [name, maxLimit, defaultLimit].filter((part) => part !== undefined).join('.')
}

const queryOf: Readonly<Record<ParameterName, (resource: Resource) => Node>> = {
  q: ({ searchable }) => ({
    description: `Search words, in any case. Each must be in one of: ${searchable.join(', ')}.`,
    schema: { type: 'string', maxLength: maxSearchLength },
  }),
  sort: ({ sortable }) => ({
    description: 'Fields to sort by, then by id. The first counts most; `-` means descending.',
    style: 'form',
    explode: false,
    schema: {
      type: 'array',
      items: { type: 'string', enum: sortable.flatMap(bothDirections) },
      maxItems: maxSortFields,
      uniqueItems: true,
    },
  }),
  limit: ({ maxLimit, defaultLimit }) => ({
    description: `The most items to return. Default: ${defaultLimit ?? 'all'}.`,
    schema: { type: 'integer', minimum: 1, maximum: maxLimit, default: defaultLimit },
  }),
  after: () => ({
    description:
      'The cursor in the `Link` of the page before. Use it with the same path, `q` and `sort`.',
    schema: { type: 'string', minLength: 1 },
  }),
}

function bothDirections(field: string): readonly string[] {
  return (['asc', 'desc'] as const).map((direction) => formatSort([{ field, direction }]))
}

/** Returns the header parameters of an operation. */
export function headerParameters(
  { kind, collection }: OperationAt,
  parts: SharedParts,
): readonly Node[] {
  const { method, target } = operations[kind]
  if (kind === 'deleteAll') return [preferParameter(collection, parts)]
  const isConditional =
    target === 'item' && method !== 'GET' && collection.resource.revision !== undefined
  if (!isConditional) return []
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

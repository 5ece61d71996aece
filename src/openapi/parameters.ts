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

/** The parameters of the query of an operation. */
export function queryParameters(
  { parameters, collection: { resource } }: Spot,
  shelf: Shelf,
): readonly Node[] {
  // A sort by nothing is taken, but nobody needs to know.
  const useful = parameters.filter((name) => name !== 'sort' || resource.sortable.length > 0)
  return useful.map((name) => shelf.share(keyOf(name, resource), () => queryOf[name](resource)))
}

// Said once where it is the same for many.
function keyOf(name: ParameterName, { name: resource, maxLimit, defaultLimit }: Resource): string {
  if (name === 'after') return name
  if (name !== 'limit') return `${resource}.${name}`
  return [name, maxLimit, defaultLimit].filter((part) => part !== undefined).join('.')
}

const queryOf: Readonly<Record<ParameterName, (resource: Resource) => Node>> = {
  q: ({ searchable }) => ({
    name: 'q',
    in: 'query',
    description: `Words to search for. An item matches when each of them is found, ignoring case, in one of: ${searchable.join(', ')}.`,
    schema: { type: 'string', maxLength: maxSearchLength },
  }),
  sort: ({ sortable }) => {
    const fields = sortable.flatMap((field) =>
      (['asc', 'desc'] as const).map((direction) => formatSort([{ field, direction }])),
    )
    return {
      name: 'sort',
      in: 'query',
      description:
        'Fields to sort by, the most important first; `-` before one is descending. Items that are equal in all of them come in the order of their ids.',
      style: 'form',
      explode: false,
      schema: {
        type: 'array',
        items: { type: 'string', enum: fields },
        maxItems: maxSortFields,
        uniqueItems: true,
      },
    }
  },
  limit: ({ maxLimit, defaultLimit }) => ({
    name: 'limit',
    in: 'query',
    description: `The most items to answer with. Default: ${defaultLimit ?? 'all'}.`,
    schema: {
      type: 'integer',
      minimum: 1,
      maximum: maxLimit,
      ...(defaultLimit === undefined ? {} : { default: defaultLimit }),
    },
  }),
  after: () => ({
    name: 'after',
    in: 'query',
    description:
      'Where the page before ended, as its `Link` tells. It belongs to the same path, `q` and `sort`.',
    schema: { type: 'string', minLength: 1 },
  }),
}

/** The header fields that an operation looks at. */
export function headerParameters({ kind, collection }: Spot, shelf: Shelf): readonly Node[] {
  const { method, target } = operations[kind]
  if (kind === 'deleteAll') return [preferParameter(collection, shelf)]
  const isConditional =
    target === 'item' && method !== 'GET' && collection.resource.revision !== undefined
  if (!isConditional) return []
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

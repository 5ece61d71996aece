import type { Collection } from '../contract/resource/api.ts'
import type { Resource } from '../contract/resource/resource.ts'
import { isFilters } from '../contract/schema/filter.ts'
import { fieldNamesOf } from '../contract/schema/outline.ts'
import { isConditional } from '../convention/kinds.ts'
import { maxIncluding, maxSearchLength, maxSortFields } from '../convention/limits.ts'
import {
  operations,
  type ParameterName,
  type ParameterRow,
  type ParameterType,
  parameters,
  type TargetKind,
} from '../convention/operations.ts'
import { exactCount } from '../wire/conditions.ts'
import { formatSort, type SingleParameter } from '../wire/parameters.ts'
import { formatPrefer } from '../wire/prefer.ts'
import type { Components } from './components.ts'
import { filterParameters, type ParameterKit } from './filters.ts'
import type { Items } from './items.ts'
import { keyOfField, oneOf, reservedText } from './names.ts'
import { isCountable, isKeyed, type OperationAt } from './source.ts'
import type { Node } from './walk.ts'

/** Returns the path parameters of a target: the ids of its parents, and its own. */
export function pathParameters(
  { ancestors, parameters, resource: itemResource }: Collection,
  target: TargetKind,
  { components, items }: ParameterKit,
): readonly Node[] {
  const parents = ancestors.map(
    ({ resource }, depth) => [String(parameters[depth]), resource] as const,
  )
  const all = target === 'item' ? [...parents, ['id', itemResource] as const] : parents
  return all.map(([name, resource]) =>
    components.refer('parameters', `${resource.name}.${keyOfField(name)}`, () =>
      idParameter(name, resource, items),
    ),
  )
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

/** Returns the query parameters of an operation: one for each filter, which stand last. */
export function queryParameters(
  { parameters: names, collection }: OperationAt,
  kit: ParameterKit,
): readonly Node[] {
  const ordered = [...names.filter((name) => !isFilters(name)), ...names.filter(isFilters)]
  return ordered.flatMap((name) => {
    if (isFilters(name)) return filterParameters(collection.resource, kit)
    const make = (): Node => queryParameter(name, collection)
    return [kit.components.refer('parameters', keyOf(name, collection), make)]
  })
}

// Resources share equal parameters.
function keyOf(name: ParameterName, { version, resource }: Collection): string {
  const { type, most, names }: ParameterRow = parameters[name]
  const { maxLimit, defaultLimit } = resource
  const isSame = type === 'cursor' || type === 'flag'
  if (isSame || (type === 'integer' && most !== undefined)) return name
  if (type === 'integer')
    return [name, maxLimit, defaultLimit].filter((segment) => segment !== undefined).join('.')
  // A version may lack the other resource.
  const parts = names === 'includes' ? [resource.name, name, version] : [resource.name, name]
  return parts.join('.')
}

type SingleType = Exclude<ParameterType, 'filters'>

function queryParameter(name: SingleParameter, collection: Collection): Node {
  const row: ParameterRow & { readonly type: SingleType } = parameters[name]
  return { name, in: 'query', ...shapes[row.type](collection, row) }
}

const named = {
  fields: {
    words: 'The fields to return. The id is always among them. Default: all.',
    of: ({ resource }: Collection) => fieldNamesOf(resource),
  },
  includes: {
    words:
      'The members to add, each with the item that a reference names. ' +
      `A list needs a \`limit\` of at most ${maxIncluding}. Default: none.`,
    of: ({ includes }: Collection) => includes,
  },
} as const

const shapes: {
  readonly [Type in SingleType]: (collection: Collection, row: ParameterRow) => Node
} = {
  text: ({ resource: { searchable } }, { needs }) => ({
    description:
      needs === 'searchable'
        ? `Search words, in any case. Each must be in one of: ${searchable.join(', ')}.`
        : undefined,
    schema: { type: 'string', maxLength: maxSearchLength },
  }),
  fields: ({ resource: { sortable } }) => ({
    description: 'Fields to sort by, then by id. The first counts most; `-` means descending.',
    style: 'form',
    explode: false,
    schema: {
      type: 'array',
      items: { type: 'string', enum: ['id', ...sortable.filter(isNotId)].flatMap(bothDirections) },
      maxItems: maxSortFields,
      uniqueItems: true,
    },
  }),
  integer: ({ resource: { maxLimit, defaultLimit } }, { least = 1, most }) =>
    most === undefined
      ? {
          description: `The most items to return. Default: ${defaultLimit ?? 'all'}.`,
          schema: { type: 'integer', minimum: least, maximum: maxLimit, default: defaultLimit },
        }
      : {
          description: 'The number of items to skip. It needs `limit`, and no `after`.',
          schema: { type: 'integer', minimum: least, maximum: most },
        },
  names: (collection, { names = 'fields', most }) => ({
    description: named[names].words,
    style: 'form',
    explode: false,
    schema: {
      type: 'array',
      items: { type: 'string', enum: named[names].of(collection) },
      maxItems: most,
    },
  }),
  flag: () => ({
    description:
      '`true` checks the request and stores nothing. The response is 200 with what the server ' +
      'would store. Rules that only the database knows are not checked.',
    schema: { type: 'boolean', const: true },
  }),
  cursor: () => ({
    description:
      'The cursor in the `Link` of the page before. ' +
      'Use it with the same path, filters, `q` and `sort`.',
    schema: { type: 'string', minLength: 1 },
  }),
}

function isNotId(field: string): boolean {
  return field !== 'id'
}

function bothDirections(field: string): readonly string[] {
  return (['asc', 'desc'] as const).map((direction) => formatSort([{ field, direction }]))
}

const matches = {
  'If-Match': 'The `ETag` that the item must have, or `*`. Otherwise 409.',
  'If-None-Match': 'An `ETag` that the item must not have. Otherwise 409.',
}

/** Returns the header parameters of an operation. */
export function headerParameters(operation: OperationAt, components: Components): readonly Node[] {
  const { kind, collection } = operation
  if (isCountable(operation)) return [countParameter(components)]
  if (isConditional(kind, 'bound')) return [preferParameter(collection, components)]
  if (isKeyed(operation)) return [keyParameter(components)]
  const isOfItem = operations[kind].target === 'item' && isConditional(kind, 'revision')
  if (!isOfItem || collection.resource.revision === undefined) return []
  return Object.entries(matches).map(([name, description]) =>
    components.refer('parameters', name, () => headerParameter(name, description)),
  )
}

function keyParameter(components: Components): Node {
  const description =
    'Makes a repetition safe: the key becomes the id of the item. Send a new key for each new ' +
    'item, and the same one to repeat the request. An array and a body with an `id` take none.'
  return components.refer('parameters', 'Idempotency-Key', () => ({
    ...headerParameter('Idempotency-Key', description),
    schema: { type: 'string', minLength: 1, maxLength: 257 },
  }))
}

function countParameter(components: Components): Node {
  const description = `\`${exactCount}\` adds \`X-Total-Count\` to the response (RFC 7240).`
  return components.refer('parameters', 'Prefer.count', () =>
    headerParameter('Prefer', description),
  )
}

function preferParameter(collection: Collection, components: Components): Node {
  const example = formatPrefer(new Map([['max-affected', '10']]))
  const description = `\`${example}\` deletes at most 10 items (RFC 7240), or none with 409.`
  if (!collection.resource.bounded)
    return components.refer('parameters', 'Prefer', () => headerParameter('Prefer', description))
  return components.refer('parameters', 'Prefer.bounded', () => ({
    ...headerParameter('Prefer', `${description} Without it, 409.`),
    required: true,
    example,
  }))
}

// Try-out pages send the example of an optional header unasked.
function headerParameter(name: string, description: string): Node {
  return { name, in: 'header', description, schema: { type: 'string' } }
}

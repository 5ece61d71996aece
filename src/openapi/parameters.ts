import type { Collection } from '../contract/resource/api.ts'
import { isFilters } from '../contract/schema/filter.ts'
import { fieldNamesOf } from '../contract/schema/outline.ts'
import { sortableOf } from '../contract/values/related.ts'
import { maxIncluding, maxSearchLength, maxSortFields } from '../convention/limits.ts'
import {
  type ParameterName,
  type ParameterRow,
  type ParameterType,
  parameters,
  type TargetKind,
} from '../convention/operations.ts'
import { formatSort, type SingleParameter } from '../wire/parameters.ts'
import type { Components } from './components.ts'
import type { Items } from './items.ts'
import type { Node } from './json-schema.ts'
import { componentKeyOf, reservedText, withArticle } from './names.ts'
import type { OperationAt, Service } from './source.ts'

/** The parts of the document that parameters use. */
export interface ParameterKit {
  readonly components: Components
  readonly items: Items
}

/** Returns the path parameters of a target: the ids of its parents, and its own. */
export function pathParameters(
  { ancestors, parameters, resource: itemResource }: Collection,
  target: TargetKind,
  { components, items }: ParameterKit,
): readonly Node[] {
  const parents = ancestors.map(
    ({ resource }, depth) => [String(parameters[depth]), resource] as const,
  )
  const namedResources = target === 'item' ? [...parents, ['id', itemResource] as const] : parents
  return namedResources.map(([name, resource]) =>
    components.refer('parameters', `${resource.name}.${componentKeyOf(name)}`, () =>
      idParameter(name, resource, items),
    ),
  )
}

function idParameter(name: string, resource: Collection['resource'], items: Items): Node {
  return {
    name,
    in: 'path',
    required: true,
    description: `The id of ${withArticle(resource.name)}. ${reservedText} are never ids.`,
    schema: items.idOf(resource),
  }
}

/** Returns the query parameters of an operation, without its filters. */
export function queryParameters(
  { parameters: names, collection }: OperationAt,
  { components, service }: Pick<ParameterKit, 'components'> & { readonly service: Joining },
): readonly Node[] {
  const joining = { ...collection, related: service.joinedIn(collection) }
  return names.flatMap((name) => {
    if (isFilters(name)) return []
    const createParameter = (): Node => queryParameter(name, joining)
    return [components.refer('parameters', keyOf(name, joining), createParameter)]
  })
}

type Joining = Pick<Service, 'joinedIn'>

// Resources share equal parameters.
function keyOf(name: ParameterName, { version, resource, related }: Collection): string {
  const { type, most, names }: ParameterRow = parameters[name]
  const { maxLimit, defaultLimit } = resource
  const isUniform = type === 'cursor' || type === 'flag'
  if (isUniform || (type === 'integer' && most !== undefined)) return name
  if (type === 'integer')
    return [name, maxLimit, defaultLimit].filter((segment) => segment !== undefined).join('.')
  // A version may lack the other resource.
  const isOfVersion = names === 'includes' || (type === 'fields' && related.length > 0)
  return [resource.name, name, ...(isOfVersion ? [version] : [])].join('.')
}

type SingleType = Exclude<ParameterType, 'filters'>

function queryParameter(name: SingleParameter, collection: Collection): Node {
  const row: ParameterRow & { readonly type: SingleType } = parameters[name]
  return { name, in: 'query', ...shapes[row.type](collection, row) }
}

const nameLists = {
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
  countable: {
    words: 'The fields whose values make `groups`. Default: none, and no `groups`.',
    of: ({ resource }: Collection) => resource.countable,
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
  fields: ({ resource: { sortable, folded }, related }) => ({
    description:
      'Fields to sort by, then by id. The first counts most; `-` means descending.' +
      (folded.length > 0 ? ` Without case: ${folded.join(', ')}.` : ''),
    style: 'form',
    explode: false,
    schema: {
      type: 'array',
      items: {
        type: 'string',
        enum: ['id', ...sortable.filter(isNotId), ...sortableOf(related)].flatMap(bothDirections),
      },
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
    description: nameLists[names].words,
    style: 'form',
    explode: false,
    schema: {
      type: 'array',
      items: { type: 'string', enum: nameLists[names].of(collection) },
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

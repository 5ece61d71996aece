import { operations } from '../model/convention.ts'
import { bodySchemaOf } from '../model/kinds.ts'
import { jsonType } from '../wire/body.ts'
import type { Components } from './components.ts'
import type { Items } from './items.ts'
import { oneOf, pluralOf, singularOf } from './names.ts'
import { allowHeader } from './problems.ts'
import { refTo, type Schemas } from './schemas.ts'
import type { Spot } from './source.ts'
import type { Node } from './walk.ts'

interface ResponseKit {
  readonly components: Components
  readonly items: Items
}

/**
 * The response of an operation that succeeds. It stands in place: some generators read no body behind a reference.
 */
export function successResponse(spot: Spot, kit: ResponseKit): Node {
  const { gives } = operations[spot.kind]
  if (gives === 'count' || gives === 'deleted')
    return {
      description: numberWords[gives],
      ...content(refTo(gives === 'count' ? 'Count' : 'Deleted')),
    }
  const item = kit.items.itemOf(spot.collection.resource)
  return {
    ...described(spot, kit),
    ...content(gives === 'item' ? item : { type: 'array', items: item }),
  }
}

/** The same as HEAD answers it: without a body. */
export function headResponse(spot: Spot, kit: ResponseKit): Node {
  const { resource } = spot.collection
  const { gives } = operations[spot.kind]
  const { responses } = kit.components
  if (gives === 'count' || gives === 'deleted') {
    return responses.share(`head.${gives}`, () => ({ description: numberWords[gives] }))
  }
  return responses.share(`head.${resource.name}.${variantOf(spot)}`, () => described(spot, kit))
}

/** The response of OPTIONS, in place as {@link successResponse} is. */
export function optionsResponse({ headers }: Components): Node {
  return {
    description: 'What the path takes.',
    headers: { Allow: headers.share('Allow', () => allowHeader) },
    ...content(refTo('TargetDescription')),
  }
}

const numberWords = {
  count: 'How many items there are.',
  deleted: 'How many items were deleted.',
} as const

/** Keeps the schemas of what is answered besides items with the shared ones. */
export function keepAnswers(schemas: Schemas): void {
  schemas.set(schemas.reserve('Count'), numberIn('count', numberWords.count))
  schemas.set(schemas.reserve('Deleted'), numberIn('deleted', numberWords.deleted))
}

/** Keeps the schema of what OPTIONS answers with the shared ones. */
export function keepTarget(schemas: Schemas): void {
  const text = { type: 'string' }
  const texts = { type: 'array', items: text }
  const operation = {
    type: 'object',
    properties: {
      kind: { ...text, enum: Object.keys(operations) },
      method: text,
      parameters: texts,
    },
    required: ['kind', 'method', 'parameters'],
  }
  schemas.set(schemas.reserve('TargetDescription'), {
    type: 'object',
    description: 'What a path takes.',
    properties: {
      resource: text,
      version: text,
      path: text,
      target: {
        ...text,
        enum: [...new Set(Object.values(operations).map(({ target }) => target))],
      },
      operations: { type: 'array', items: operation },
      sortable: texts,
      searchable: texts,
      readOnly: texts,
      bounded: { type: 'boolean', description: '`deleteAll` needs `Prefer: max-affected`.' },
      limits: { type: 'object', additionalProperties: { type: ['integer', 'null'] } },
    },
    required: ['resource', 'version', 'path', 'target', 'operations', 'limits'],
  })
}

// A list has a `Link`, which a bulk does not have. A new item has a `Location`.
function variantOf({ kind, parameters }: Spot): 'list' | 'create' | 'items' | 'item' {
  if (bodySchemaOf(kind) === 'create') return 'create'
  if (parameters.includes('after')) return 'list'
  return operations[kind].gives === 'items' ? 'items' : 'item'
}

function described(spot: Spot, { components: { headers } }: ResponseKit): Node {
  const { kind, collection } = spot
  const { resource } = collection
  const variant = variantOf(spot)
  const fields = {
    ...(variant === 'list' ? { Link: headers.share('Link', () => linkHeader) } : {}),
    ...(variant === 'create' ? { Location: headers.share('Location', () => locationHeader) } : {}),
    ...(operations[kind].gives === 'item' && resource.revision !== undefined
      ? { ETag: headers.share('ETag', () => etagHeader) }
      : {}),
  }
  const description = {
    list: `The ${pluralOf(resource.name)}, in their order.`,
    create: `The new ${singularOf(resource.name)}.`,
    items: `The ${pluralOf(resource.name)}, in the order in which they were sent.`,
    item: `${oneOf(resource.name).replace(/^a/, 'A')}.`,
  }[variant]
  return { description, ...(Object.keys(fields).length > 0 ? { headers: fields } : {}) }
}

function content(schema: Node): Node {
  return { content: { [jsonType]: { schema } } }
}

function numberIn(field: string, description: string): Node {
  return {
    type: 'object',
    properties: { [field]: { type: 'integer', minimum: 0, description } },
    required: [field],
  }
}

const linkHeader: Node = {
  description: 'Where the list goes on, when it was cut (RFC 8288).',
  schema: { type: 'string' },
  example: '</v1/notes?limit=20&after=WyJBbm4iXQ>; rel="next"',
}

const locationHeader: Node = {
  description: 'The path of the new item.',
  required: true,
  schema: { type: 'string', format: 'uri-reference' },
}

const etagHeader: Node = {
  description: 'The version of the item, for `If-Match`.',
  schema: { type: 'string' },
  example: '"3"',
}

import { operations } from '../model/convention.ts'
import { bodySchemaOf } from '../model/kinds.ts'
import { jsonType } from '../wire/body.ts'
import type { Components } from './components.ts'
import type { Items } from './items.ts'
import { oneOf, pluralOf, sentence, singularOf } from './names.ts'
import { allowHeader } from './problems.ts'
import { refTo, type Schemas } from './schemas.ts'
import type { OperationAt } from './source.ts'
import type { Node } from './walk.ts'

interface ResponseKit {
  readonly components: Components
  readonly items: Items
}

/**
 * Returns the success response of an operation. It is no reference: some generators then miss its
 * body.
 */
export function successResponse(operation: OperationAt, kit: ResponseKit): Node {
  const { gives } = operations[operation.kind]
  if (gives === 'count' || gives === 'deleted') {
    return { description: numberWords[gives], ...content(refTo(sentence(gives))) }
  }
  const item = kit.items.itemOf(operation.collection.resource)
  return {
    ...described(operation, kit),
    ...content(gives === 'item' ? item : { type: 'array', items: item }),
  }
}

/** Returns the success response of HEAD, without a body. */
export function headResponse(operation: OperationAt, kit: ResponseKit): Node {
  const { resource } = operation.collection
  const { gives } = operations[operation.kind]
  const { responses } = kit.components
  if (gives === 'count' || gives === 'deleted') {
    return responses.refer(`head.${gives}`, () => ({ description: numberWords[gives] }))
  }
  return responses.refer(`head.${resource.name}.${variantOf(operation)}`, () =>
    described(operation, kit),
  )
}

/** Returns the response of OPTIONS. As {@link successResponse}, it is no reference. */
export function optionsResponse({ headers }: Components): Node {
  return {
    description: 'The operations and limits of the path.',
    headers: { Allow: headers.refer('Allow', () => allowHeader) },
    ...content(refTo('TargetDescription')),
  }
}

const numberWords = {
  count: 'The number of matching items.',
  deleted: 'The number of deleted items.',
} as const

/** Shares the schemas of the responses with a number. */
export function addNumberSchemas(schemas: Schemas): void {
  for (const [field, description] of Object.entries(numberWords)) {
    schemas.set(schemas.reserve(sentence(field)), {
      type: 'object',
      properties: { [field]: { type: 'integer', minimum: 0, description } },
      required: [field],
    })
  }
}

/** Shares the schema of the response of OPTIONS. */
export function addTargetSchema(schemas: Schemas): void {
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
    description: 'The operations and limits of a path.',
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
      bounded: {
        type: 'boolean',
        description: 'True when `deleteAll` needs `Prefer: max-affected`.',
      },
      limits: { type: 'object', additionalProperties: { type: ['integer', 'null'] } },
    },
    required: ['resource', 'version', 'path', 'target', 'operations', 'limits'],
  })
}

// A list has `Link`, but a bulk update has not. A created item has `Location`.
function variantOf({ kind, parameters }: OperationAt): 'list' | 'create' | 'items' | 'item' {
  if (bodySchemaOf(kind) === 'create') return 'create'
  if (parameters.includes('after')) return 'list'
  return operations[kind].gives === 'items' ? 'items' : 'item'
}

function described(operation: OperationAt, { components: { headers } }: ResponseKit): Node {
  const { kind, collection } = operation
  const { resource } = collection
  const variant = variantOf(operation)
  const fields = {
    ...(variant === 'list' ? { Link: headers.refer('Link', () => linkHeader) } : {}),
    ...(variant === 'create' ? { Location: headers.refer('Location', () => locationHeader) } : {}),
    ...(operations[kind].gives === 'item' && resource.revision !== undefined
      ? { ETag: headers.refer('ETag', () => etagHeader) }
      : {}),
  }
  const description = {
    list: `The ${pluralOf(resource.name)}, in order.`,
    create: `The new ${singularOf(resource.name)}.`,
    items: `The ${pluralOf(resource.name)}, in the order of the request.`,
    item: `${sentence(oneOf(resource.name))}.`,
  }[variant]
  return { description, ...(Object.keys(fields).length > 0 ? { headers: fields } : {}) }
}

function content(schema: Node): Node {
  return { content: { [jsonType]: { schema } } }
}

const linkHeader: Node = {
  description: 'The next page, if there is one (RFC 8288).',
  schema: { type: 'string' },
  example: '</v1/notes?limit=20&after=WyJBbm4iXQ>; rel="next"',
}

const locationHeader: Node = {
  description: 'The path of the new item.',
  required: true,
  schema: { type: 'string', format: 'uri-reference' },
}

const etagHeader: Node = {
  description: 'The revision of the item, for `If-Match`.',
  schema: { type: 'string' },
  example: '"3"',
}

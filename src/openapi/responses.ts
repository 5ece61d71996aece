import type { Collection } from '../contract/resource/api.ts'
import { bodyOf, bodySchemaOf } from '../convention/kinds.ts'
import { type OperationKind, operations } from '../convention/operations.ts'
import { jsonType } from '../wire/body.ts'
import { formatPointer } from '../wire/pointer.ts'
import { type Components, type HeaderName, withHeaders } from './components.ts'
import { endProperties } from './ending.ts'
import type { Items } from './items.ts'
import { countSchema, type Node, refTo } from './json-schema.ts'
import { capitalize, componentKeyOf, pluralOf, singularOf, withArticle } from './names.ts'
import {
  creatingKindIn,
  hasDryStatus,
  isCountable,
  isKeyed,
  type OperationAt,
  parametersNaming,
  type Service,
  takesType,
} from './source.ts'
import { operationIdOf } from './words.ts'

/** The parts of the document that responses use. */
export interface ResponseKit extends LinkKit {
  readonly items: Items
  readonly service: Pick<Service, 'kindsOf' | 'isBound'>
}

const numberDescriptions = {
  count: 'The number of matching items.',
  deleted: 'The number of deleted items.',
} as const

/** The items that the responses of an operation hold. */
export interface ItemForms {
  readonly success: Node
  /** In the response to a dry run that has a status of its own. */
  readonly dryRun: Node
}

/**
 * Returns the success responses of an operation by status: a dry run has its own if the status
 * differs. They are no references: some generators then miss their bodies.
 */
export function successResponses(
  operation: OperationAt,
  forms: ItemForms,
  kit: ResponseKit,
): Readonly<Record<string, Node>> {
  const { status } = operations[operation.kind]
  const creating = creatingKindIn(operation)
  const item = creating === undefined ? forms.success : eitherOf(forms)
  const success = {
    [status]: successResponse(operation, item, kit),
    ...(creating && createdResponse({ ...operation, kind: creating }, forms.success, kit)),
  }
  if (!hasDryStatus(operation)) return success
  const description = `${dryRunWords} It may lack fields that the server sets.`
  return { 200: { description, ...content(oneOrMany(forms.dryRun, operation)) }, ...success }
}

// A dry run of a PUT that creates has the status of one that replaces.
function eitherOf({ success, dryRun }: ItemForms): Node {
  return success === dryRun ? success : { anyOf: [success, dryRun] }
}

function createdResponse(
  creation: OperationAt,
  item: Node,
  kit: ResponseKit,
): Readonly<Record<string, Node>> {
  return { [operations[creation.kind].status]: successResponse(creation, item, kit) }
}

const dryRunWords = 'With `dry_run`, what the server would store.'

function successResponse(operation: OperationAt, item: Node, kit: ResponseKit): Node {
  const { kind, collection } = operation
  const { gives, status } = operations[kind]
  const { description, ...response } = responseHead(operation, kit.components)
  const coversDryRun = takesType(operation, 'flag') && status === 200
  if (gives === 'count' || gives === 'deleted') {
    const words = coversDryRun ? `${description} With \`dry_run\`, how many would go.` : description
    const schema = gives === 'count' ? countSchema(operation.collection) : refTo(capitalize(gives))
    return { description: words, ...response, ...content(schema) }
  }
  const sentences = [...parameterSentences(operation), ...(coversDryRun ? [dryRunWords] : [])]
  return {
    description: [description, ...sentences].join(' '),
    ...response,
    ...content(gives === 'item' ? oneOrMany(item, operation) : arrayOf(item)),
    ...(givesSingleItem(operation) ? withLinks(collection, kit) : {}),
  }
}

function givesSingleItem({ kind, sends }: OperationAt): boolean {
  return operations[kind].gives === 'item' && sends !== 'many'
}

function oneOrMany(item: Node, { sends }: OperationAt): Node {
  if (sends === 'many') return arrayOf(item)
  return sends === 'any' ? { oneOf: [item, arrayOf(item)] } : item
}

function arrayOf(items: Node): Node {
  return { type: 'array', items }
}

function parameterSentences(operation: OperationAt): readonly string[] {
  const sentencesFor = (names: 'fields' | 'includes', words: string): readonly string[] =>
    parametersNaming(names, operation).map((name) => `With \`${name}\`, ${words}.`)
  return [
    ...sentencesFor('fields', 'an item has only these fields and its id'),
    ...sentencesFor('includes', 'it has these members too'),
  ]
}

/** Returns the success response of HEAD, without a body. */
export function headResponse(operation: OperationAt, components: Components): Node {
  const variant = variantOf(operation)
  const { name } = operation.collection.resource
  const key = variant in numberDescriptions ? variant : `${name}.${variant}`
  return components.refer('responses', `head.${key}`, () => responseHead(operation, components))
}

/**
 * Returns the response of OPTIONS at a path. As {@link successResponses}, it is no reference.
 *
 * @param kinds The operations of the path.
 */
export function optionsResponse(
  kinds: readonly OperationKind[],
  { components, service }: Pick<ResponseKit, 'components' | 'service'>,
): Node {
  const takesPatch = kinds.some((kind) => bodyOf(kind)?.isPatch)
  const patchHeaders: readonly HeaderName[] = takesPatch ? ['Accept-Patch'] : []
  return {
    description: 'The operations and limits of the path.',
    ...withHeaders(['Allow', ...patchHeaders], components, service.isBound ? patchHeaders : []),
    ...content(refTo('TargetDescription')),
  }
}

type ResponseContent = 'list' | 'create' | 'items' | 'item' | keyof typeof numberDescriptions

// A list has `Link`, but a bulk update has not. A created item has `Location`.
function variantOf(operation: OperationAt): ResponseContent {
  if (bodySchemaOf(operation.kind) === 'create') return 'create'
  return takesType(operation, 'cursor') ? 'list' : operations[operation.kind].gives
}

function responseHead(operation: OperationAt, components: Components): Node {
  const { kind, collection, sends } = operation
  const { name, revision, total } = collection.resource
  const variant = variantOf(operation)
  const description = {
    ...numberDescriptions,
    list: `The ${pluralOf(name)}, in order.`,
    create: newItemDescriptions[sends](name),
    items: `The ${pluralOf(name)}, in the order of the request.`,
    item: `${capitalize(withArticle(name))}.`,
  }[variant]
  const headers: HeaderName[] = []
  if (variant === 'list') headers.push('Link')
  if (isCountable(operation)) headers.push('X-Total-Count', 'Preference-Applied')
  // An array of new items has no path, no key and no revision.
  if (sends !== 'many') {
    if (variant === 'create') headers.push('Location')
    if (isKeyed(operation)) headers.push('Idempotency-Replayed')
    if (operations[kind].gives === 'item' && revision !== undefined) headers.push('ETag')
  }
  const requiredHeaders: HeaderName[] = total === true ? ['X-Total-Count'] : []
  if (sends === 'one') requiredHeaders.push('Location')
  return { description, ...withHeaders(headers, components, requiredHeaders) }
}

const newItemDescriptions: Readonly<Record<OperationAt['sends'], (name: string) => string>> = {
  one: (name) => `The new ${singularOf(name)}.`,
  any: (name) => `The new ${singularOf(name)}, or all new ones.`,
  many: (name) => `The new ${pluralOf(name)}, in the order of the request.`,
}

function content(schema: Node): Node {
  return { content: { [jsonType]: { schema } } }
}

const text = { type: 'string' }
const texts = { type: 'array', items: text }
const targets = new Set(Object.values(operations).map(({ target }) => target))

/** Returns the schemas of the responses that are no items. */
export function responseSchemasFor({ api }: Pick<Service, 'api'>): Readonly<Record<string, Node>> {
  const { TargetDescription, ...others } = responseSchemas
  const hasStates = [...api.resources.values()].some(({ states }) => states !== undefined)
  if (!hasStates) return responseSchemas
  const properties = { ...Object(TargetDescription?.properties), states: statesSchema }
  return { ...others, TargetDescription: { ...TargetDescription, properties } }
}

const statesSchema: Node = {
  type: 'object',
  description: 'The field of states, the first one, and by state those that follow.',
  properties: {
    field: text,
    initial: text,
    moves: { type: 'object', additionalProperties: texts },
  },
  required: ['field', 'initial', 'moves'],
}

const responseSchemas: Readonly<Record<string, Node>> = {
  ...Object.fromEntries(
    Object.entries(numberDescriptions).map(([field, description]) => [
      capitalize(field),
      {
        type: 'object',
        properties: { [field]: { type: 'integer', minimum: 0, description } },
        required: [field],
      },
    ]),
  ),
  TargetDescription: {
    type: 'object',
    description: 'The operations and limits of a path.',
    properties: {
      resource: text,
      version: text,
      defaultVersion: {
        type: ['string', 'null'],
        description: 'The version of a path that names none. Null when every path names one.',
      },
      path: text,
      ...endProperties,
      target: { ...text, enum: [...targets] },
      operations: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            kind: { ...text, enum: Object.keys(operations) },
            method: text,
            parameters: texts,
          },
          required: ['kind', 'method', 'parameters'],
        },
      },
      sortable: texts,
      folded: { ...texts, description: 'The sortable fields that sort without case.' },
      searchable: texts,
      filterable: texts,
      schemas: {
        type: 'object',
        additionalProperties: { type: 'object' },
        description: 'The JSON Schemas of the fields to filter and to sort by, as far as known.',
      },
      fields: { ...texts, type: ['array', 'null'], description: 'Null when any field may exist.' },
      references: {
        type: 'array',
        items: {
          type: 'object',
          properties: { field: text, to: text, include: { type: ['string', 'null'] } },
          required: ['field', 'to', 'include'],
        },
      },
      readOnly: texts,
      keep: {
        ...texts,
        description: 'The fields that a PUT may leave out: they keep their value.',
      },
      ownedBy: {
        description: 'The fields that say whose an item is, or "parent". Null for none.',
        anyOf: [texts, { ...text, enum: ['parent'] }, { type: 'null' }],
      },
      restricted: { ...texts, description: 'The fields that only some callers see.' },
      bounded: {
        type: 'boolean',
        description: 'True when `deleteAll` needs `Prefer: max-affected`.',
      },
      idempotent: {
        type: 'boolean',
        description: 'True when `create` takes `Idempotency-Key`.',
      },
      putCreates: {
        type: 'boolean',
        description: 'True when `update` creates an item that does not exist.',
      },
      total: {
        ...text,
        enum: ['always', 'requested', 'never'],
        description: 'When a list has `X-Total-Count`: `requested` by `Prefer: count=exact`.',
      },
      limits: { type: 'object', additionalProperties: { type: ['integer', 'null'] } },
    },
    required: ['resource', 'version', 'path', 'target', 'operations', 'limits'],
  },
}

/** The parts of the document that links use. */
interface LinkKit {
  readonly components: Components
  readonly service: Pick<Service, 'kindsOf'>
}

/**
 * Returns the member `links` of a response with an item, if its references lead to items that a
 * client can read. An item below a parent has no link: the response lacks the parent's id.
 */
function withLinks({ references }: Collection, { components, service }: LinkKit): Node {
  const links = references.flatMap(({ field, to, as, target }) => {
    const isLinked = target.parameters.length === 0 && service.kindsOf(target).includes('read')
    if (!isLinked) return []
    const operationId = operationIdOf('read', target)
    const link = components.refer('links', `${operationId}.${componentKeyOf(field)}`, () => ({
      operationId,
      parameters: { id: `$response.body#${formatPointer([field])}` },
      description: `\`${field}\` is the id of ${withArticle(to)}.`,
    }))
    return [[componentKeyOf(as), link] as const]
  })
  return links.length === 0 ? {} : { links: Object.fromEntries(links) }
}

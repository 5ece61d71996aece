import type { Collection } from '../contract/resource/api.ts'
import { type OperationKind, operations } from '../convention/operations.ts'
import { type Bodies, requestBodyOf } from './bodies.ts'
import { type CodesByStatus, codesFor, codesOfOptions, type ProblemContext } from './codes.ts'
import type { Components } from './components.ts'
import { endMembers, withEnd } from './ending.ts'
import { filterParameters } from './filters.ts'
import { headerParameters } from './header-parameters.ts'
import type { Items } from './items.ts'
import { type Node, refTo } from './json-schema.ts'
import type { OpenApiOptions } from './options.ts'
import { pathParameters, queryParameters } from './parameters.ts'
import { headProblemResponses, problemResponses } from './problems.ts'
import { headResponse, type ItemForms, optionsResponse, successResponses } from './responses.ts'
import {
  hasDryStatus,
  newestFirst,
  type OperationAt,
  operationAt,
  parametersNaming,
  type Service,
} from './source.ts'
import { nounTagOf, type TagEnds } from './tags.ts'
import {
  operationDescription,
  operationIdOf,
  operationSummary,
  segmentOf,
  sharedMethods,
  templateOf,
} from './words.ts'

/** The parts of the document that paths use. */
interface PathKit {
  readonly service: Service
  readonly options: OpenApiOptions
  readonly components: Components
  readonly items: Items
  readonly bodies: Bodies
  readonly tagEnds: TagEnds
}

/** Returns the paths of a service with their operations. */
export function pathsOf(kit: PathKit): Readonly<Record<string, Node>> {
  const { kindsOf } = kit.service
  return Object.fromEntries(
    newestFirst(kit.service).flatMap((collection) => {
      const kinds = kindsOf(collection)
      const segments = [...new Set(kinds.map(segmentOf))]
      return segments.map((segment) => {
        const here = kinds.filter((kind) => segmentOf(kind) === segment)
        return [templateOf(collection) + segment, pathItem(collection, here, kit)]
      })
    }),
  )
}

function pathItem(collection: Collection, kinds: readonly OperationKind[], kit: PathKit): Node {
  const { target } = operations[kinds[0] as OperationKind]
  const parameters = someOf(pathParameters(collection, target, kit))
  const methods = kinds.map((kind) => [
    operations[kind].method.toLowerCase(),
    operationObject(operationAt(kind, collection, kit.service), kit),
  ])
  const shared = kit.options.methods === 'all' ? sharedOperations(collection, kinds, kit) : {}
  return { parameters, ...Object.fromEntries(methods), ...shared }
}

function operationObject(operation: OperationAt, kit: PathKit): Node {
  const { kind, collection } = operation
  const described = describedAs(operation, kit)
  return {
    operationId: operationIdOf(kind, collection),
    tags: [nounTagOf(collection, kit.tagEnds)],
    ...endMembers(collection),
    summary: operationSummary(kind, collection),
    description: operationDescription(operation, kit) || undefined,
    parameters: parametersOf(operation, kit),
    requestBody: requestBodyOf(described, kit),
    responses: withEnd(
      {
        ...successResponses(described, itemFormsOf(operation, kit), kit),
        ...problemResponses(codesAt(operation, kit), kit),
      },
      collection,
      kit.components,
    ),
    ...extensionsOf(operation, kit),
  }
}

function parametersOf(operation: OperationAt, kit: PathKit): unknown {
  return someOf([
    ...queryParameters(operation, kit),
    ...filterParameters(operation, kit),
    ...headerParameters(operation, kit.components),
  ])
}

// The document leaves out undefined members.
function someOf(nodes: readonly Node[]): readonly Node[] | undefined {
  return nodes.length > 0 ? nodes : undefined
}

function codesAt(operation: OperationAt, { service, options }: PathKit): CodesByStatus {
  const isSecured = (options.security ?? []).length > 0
  const about: ProblemContext = { ...operation, service, isSecured }
  return codesFor(about, options.problems ?? [])
}

// HEAD and OPTIONS, which every path has.
function sharedOperations(
  collection: Collection,
  kinds: readonly OperationKind[],
  kit: PathKit,
): Node {
  const [first] = kinds as readonly [OperationKind]
  const reads = kinds.find((kind) => operations[kind].method === 'GET')
  const template = templateOf(collection) + segmentOf(first)
  const prefix = operationIdOf(first, collection).slice(0, -first.length) + operations[first].target
  const options = {
    operationId: `${prefix}.options`,
    tags: [sharedMethods.tag],
    ...endMembers(collection),
    summary: sharedMethods.options,
    responses: withEnd(
      {
        200: optionsResponse(kinds, kit),
        ...problemResponses(codesOfOptions(template), kit),
      },
      collection,
      kit.components,
    ),
  }
  return { head: reads && headObject(operationAt(reads, collection, kit.service), kit), options }
}

function headObject(operation: OperationAt, kit: PathKit): Node {
  const { kind, collection } = operation
  return {
    operationId: `${operationIdOf(kind, collection)}.head`,
    tags: [sharedMethods.tag],
    ...endMembers(collection),
    summary: sharedMethods.head(kind, collection),
    parameters: parametersOf(operation, kit),
    responses: withEnd(
      {
        [operations[kind].status]: headResponse(operation, kit.components),
        ...headProblemResponses(codesAt(operation, kit), kit.components),
      },
      collection,
      kit.components,
    ),
  }
}

/** Returns an operation as the document describes it: one new item, unless it has unions. */
function describedAs(operation: OperationAt, { options }: PathKit): OperationAt {
  const isOne = operation.sends === 'any' && options.arrays !== 'union'
  return isOne ? { ...operation, sends: 'one' } : operation
}

/** Returns the items in the responses of an operation, as the document describes them. */
function itemFormsOf(operation: OperationAt, kit: PathKit): ItemForms {
  const schema = wholeOf(operation, kit)
  if (kit.options.arrays !== 'union') return { success: schema, dryRun: schema }
  const choice = choiceOf(operation, kit)
  return { success: choice ? { anyOf: [schema, choice] } : schema, dryRun: draftOf(operation, kit) }
}

/**
 * Returns the extensions of an operation. Each describes the body and the success responses of some
 * requests: an array of new items, `fields`, `dry_run`.
 */
function extensionsOf(operation: OperationAt, kit: PathKit): Node {
  if (kit.options.arrays === 'union') return {}
  return {
    'x-nounful-many': operation.sends === 'any' ? manyOf(operation, kit) : undefined,
    'x-nounful-fields': fieldsOf(operation, kit),
    'x-nounful-dry-run': hasDryStatus(operation) ? dryRunOf(operation, kit) : undefined,
  }
}

function manyOf(operation: OperationAt, kit: PathKit): Node {
  const array: OperationAt = { ...operation, sends: 'many' }
  const forms = { success: wholeOf(operation, kit), dryRun: draftOf(operation, kit) }
  const body: Node = Object(requestBodyOf(array, kit))
  const naming = { name: nameOf('many', operation, kit), key: JSON.stringify(body) }
  const requestBody = kit.components.refer('requestBodies', naming, () => body)
  return { requestBody, responses: responsesOf('many', { operation: array, forms }, kit) }
}

function fieldsOf(operation: OperationAt, kit: PathKit): Node | undefined {
  const choice = choiceOf(operation, kit)
  const forms = choice && { success: choice, dryRun: choice }
  return forms && { responses: responsesOf('fields', { operation, forms }, kit) }
}

function dryRunOf(operation: OperationAt, kit: PathKit): Node {
  const draft = draftOf(operation, kit)
  const single: OperationAt = { ...operation, sends: 'one' }
  const forms = { success: draft, dryRun: draft }
  const { 200: response } = responsesOf('dry_run', { operation: single, forms }, kit)
  return { responses: { 200: response } }
}

interface Variant {
  readonly operation: OperationAt
  readonly forms: ItemForms
}

function responsesOf(
  word: string,
  { operation, forms }: Variant,
  kit: PathKit,
): Readonly<Record<string, Node>> {
  const responses = successResponses(operation, forms, kit)
  const ended = withEnd(responses, operation.collection, kit.components)
  const name = nameOf(word, operation, kit)
  return Object.fromEntries(
    Object.entries(ended).map(([status, response]) => {
      const naming = { name, key: JSON.stringify(response) }
      return [status, kit.components.refer('responses', naming, () => response)]
    }),
  )
}

function nameOf(word: string, { collection }: OperationAt, { items }: PathKit): string {
  return `${items.nameOf(collection.resource)}.${word}`
}

function isIncluding(operation: OperationAt): boolean {
  return parametersNaming('includes', operation).length > 0
}

function wholeOf(operation: OperationAt, { items }: PathKit): Node {
  const { collection } = operation
  return isIncluding(operation)
    ? items.withIncluded(collection)
    : refTo(items.nameOf(collection.resource))
}

function draftOf({ collection }: OperationAt, { items }: PathKit): Node {
  return items.draftOf(collection.resource)
}

// An item with the fields that a client chooses.
function choiceOf(operation: OperationAt, { items }: PathKit): Node | undefined {
  if (parametersNaming('fields', operation).length === 0) return undefined
  return items.choiceOf(operation.collection, isIncluding(operation) ? 'included' : 'none')
}

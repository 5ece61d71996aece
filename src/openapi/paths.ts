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
  collectionsNewestFirst,
  mayGiveDraft,
  type OperationAt,
  operationAt,
  parametersNaming,
  type Service,
} from './source.ts'
import { nounTagOf, type TagSuffixes } from './tags.ts'
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
  readonly tagSuffixes: TagSuffixes
}

/** Returns the paths of a service with their operations. */
export function pathsOf(kit: PathKit): Readonly<Record<string, Node>> {
  const { kindsOf } = kit.service
  return Object.fromEntries(
    collectionsNewestFirst(kit.service).flatMap((collection) => {
      const kinds = kindsOf(collection)
      const segments = [...new Set(kinds.map(segmentOf))]
      return segments.map((segment) => {
        const kindsOfSegment = kinds.filter((kind) => segmentOf(kind) === segment)
        return [templateOf(collection) + segment, pathItem(collection, kindsOfSegment, kit)]
      })
    }),
  )
}

function pathItem(collection: Collection, kinds: readonly OperationKind[], kit: PathKit): Node {
  const { target } = operations[kinds[0] as OperationKind]
  const parameters = undefinedIfEmpty(pathParameters(collection, target, kit))
  // A document has one operation for a method of a path.
  const isBoth = kinds.includes('deleteAll')
  const documented = kinds.filter((kind) => !(isBoth && kind === 'deleteMany'))
  const methods = documented.map((kind) => [
    operations[kind].method.toLowerCase(),
    operationObject(operationAt(kind, collection, kit.service), kit),
  ])
  const shared = kit.options.methods === 'all' ? sharedOperations(collection, kinds, kit) : {}
  return { parameters, ...Object.fromEntries(methods), ...shared }
}

function operationObject(operation: OperationAt, kit: PathKit): Node {
  const { kind, collection } = operation
  const documentedOperation = asDocumented(operation, kit)
  return {
    operationId: operationIdOf(kind, collection),
    tags: [nounTagOf(collection, kit.tagSuffixes)],
    ...endMembers(collection),
    summary: operationSummary(kind, collection),
    description: operationDescription(operation, kit) || undefined,
    parameters: parametersOf(operation, kit),
    requestBody: requestBodyOf(documentedOperation, kit),
    responses: withEnd(
      {
        ...successResponses(documentedOperation, itemFormsOf(operation, kit), kit),
        ...problemResponses(codesOf(operation, kit), kit),
      },
      collection,
      kit.components,
    ),
    ...extensionsOf(operation, kit),
  }
}

function parametersOf(operation: OperationAt, kit: PathKit): unknown {
  return undefinedIfEmpty([
    ...queryParameters(operation, kit),
    ...filterParameters(operation, kit),
    ...headerParameters(operation, kit.components),
  ])
}

// The document leaves out undefined members.
function undefinedIfEmpty(nodes: readonly Node[]): readonly Node[] | undefined {
  return nodes.length > 0 ? nodes : undefined
}

function codesOf(operation: OperationAt, { service, options }: PathKit): CodesByStatus {
  const isSecured = (options.security ?? []).length > 0
  const context: ProblemContext = { ...operation, service, isSecured }
  return codesFor(context, options.problems ?? [])
}

// HEAD and OPTIONS, which every path has.
function sharedOperations(
  collection: Collection,
  kinds: readonly OperationKind[],
  kit: PathKit,
): Node {
  const [first] = kinds as readonly [OperationKind]
  const readKind = kinds.find((kind) => operations[kind].method === 'GET')
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
  return {
    head: readKind && headObject(operationAt(readKind, collection, kit.service), kit),
    options,
  }
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
        ...headProblemResponses(codesOf(operation, kit), kit.components),
      },
      collection,
      kit.components,
    ),
  }
}

/** Returns an operation as the document describes it: one new item, unless it has unions. */
function asDocumented(operation: OperationAt, { options }: PathKit): OperationAt {
  const isOne = operation.sends === 'any' && options.arrays !== 'union'
  return isOne ? { ...operation, sends: 'one' } : operation
}

/** Returns the items in the responses of an operation, as the document describes them. */
function itemFormsOf(operation: OperationAt, kit: PathKit): ItemForms {
  const schema = fullItemOf(operation, kit)
  if (kit.options.arrays !== 'union') return { success: schema, dryRun: schema }
  const selection = selectionOf(operation, kit)
  return {
    success: selection ? { anyOf: [schema, selection] } : schema,
    dryRun: draftOf(operation, kit),
  }
}

/**
 * Returns the extensions of an operation. Each describes the body and the success responses of some
 * requests: an array of new items, `fields`, `dry_run`.
 */
function extensionsOf(operation: OperationAt, kit: PathKit): Node {
  if (kit.options.arrays === 'union') return {}
  return {
    'x-nounful-many': operation.sends === 'any' ? arrayExtension(operation, kit) : undefined,
    'x-nounful-fields': fieldsExtension(operation, kit),
    'x-nounful-dry-run': mayGiveDraft(operation) ? dryRunExtension(operation, kit) : undefined,
  }
}

function arrayExtension(operation: OperationAt, kit: PathKit): Node {
  const arrayOperation: OperationAt = { ...operation, sends: 'many' }
  const forms = { success: fullItemOf(operation, kit), dryRun: draftOf(operation, kit) }
  const body: Node = Object(requestBodyOf(arrayOperation, kit))
  const naming = { name: componentNameOf('many', operation, kit), key: JSON.stringify(body) }
  const requestBody = kit.components.refer('requestBodies', naming, () => body)
  return { requestBody, responses: responsesOf('many', { operation: arrayOperation, forms }, kit) }
}

function fieldsExtension(operation: OperationAt, kit: PathKit): Node | undefined {
  const selection = selectionOf(operation, kit)
  const forms = selection && { success: selection, dryRun: selection }
  return forms && { responses: responsesOf('fields', { operation, forms }, kit) }
}

function dryRunExtension(operation: OperationAt, kit: PathKit): Node {
  const draft = draftOf(operation, kit)
  const singleOperation: OperationAt = { ...operation, sends: 'one' }
  const forms = { success: draft, dryRun: draft }
  const { 200: response } = responsesOf('dry_run', { operation: singleOperation, forms }, kit)
  return { responses: { 200: response } }
}

interface ResponseVariant {
  readonly operation: OperationAt
  readonly forms: ItemForms
}

function responsesOf(
  suffix: string,
  { operation, forms }: ResponseVariant,
  kit: PathKit,
): Readonly<Record<string, Node>> {
  const responses = successResponses(operation, forms, kit)
  const responsesWithEnd = withEnd(responses, operation.collection, kit.components)
  const name = componentNameOf(suffix, operation, kit)
  return Object.fromEntries(
    Object.entries(responsesWithEnd).map(([status, response]) => {
      const naming = { name, key: JSON.stringify(response) }
      return [status, kit.components.refer('responses', naming, () => response)]
    }),
  )
}

function componentNameOf(suffix: string, { collection }: OperationAt, { items }: PathKit): string {
  return `${items.nameOf(collection.resource)}.${suffix}`
}

function takesInclude(operation: OperationAt): boolean {
  return parametersNaming('includes', operation).length > 0
}

function fullItemOf(operation: OperationAt, { items }: PathKit): Node {
  const { collection } = operation
  return takesInclude(operation)
    ? items.withIncluded(collection)
    : refTo(items.nameOf(collection.resource))
}

function draftOf({ collection }: OperationAt, { items }: PathKit): Node {
  return items.draftOf(collection.resource)
}

// An item with the fields that a client chooses.
function selectionOf(operation: OperationAt, { items }: PathKit): Node | undefined {
  if (parametersNaming('fields', operation).length === 0) return undefined
  return items.selectionOf(operation.collection, takesInclude(operation) ? 'included' : 'none')
}

import type { Collection } from '../contract/resource/api.ts'
import { type OperationKind, operations } from '../convention/operations.ts'
import { type Bodies, requestBodyOf } from './bodies.ts'
import { type CodesByStatus, codesFor, codesOfOptions, type ProblemContext } from './codes.ts'
import type { Components } from './components.ts'
import { endMembers, withEnd } from './ending.ts'
import type { Items } from './items.ts'
import type { OpenApiOptions } from './options.ts'
import { headerParameters, pathParameters, queryParameters } from './parameters.ts'
import { headProblemResponses, problemResponses } from './problems.ts'
import { headResponse, optionsResponse, successResponses } from './responses.ts'
import { newestFirst, type OperationAt, operationAt, type Service } from './source.ts'
import { nounTagOf, type TagEnds } from './tags.ts'
import { describedAs, extensionsOf, itemFormsOf } from './variants.ts'
import type { Node } from './walk.ts'
import {
  operationDescription,
  operationIdOf,
  operationSummary,
  segmentOf,
  sharedMethods,
  templateOf,
} from './words.ts'

/** The parts of the document that paths use. */
export interface PathKit {
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
  const queries = queryParameters(operation, kit)
  return someOf([...queries, ...headerParameters(operation, kit.components)])
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

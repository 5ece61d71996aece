import type { Collection } from '../model/api.ts'
import { type OperationKind, operations } from '../model/convention.ts'
import { bodySchemaOf } from '../model/kinds.ts'
import { jsonType } from '../wire/body.ts'
import type { Bodies } from './bodies.ts'
import { type Circumstances, type CodesByStatus, codesFor, codesOfOptions } from './codes.ts'
import type { Components } from './components.ts'
import type { Items } from './items.ts'
import type { OpenApiOptions } from './options.ts'
import { headerParameters, itemParameter, ownerParameters, queryParameters } from './parameters.ts'
import { headProblemResponses, nameOfBadRequest, problemResponses } from './problems.ts'
import { headResponse, optionsResponse, successResponse } from './responses.ts'
import { type Service, type Spot, spotOf } from './source.ts'
import type { Node } from './walk.ts'
import { descriptionOf, nounOf, segmentOf, sharedMethods, summaryOf, templateOf } from './words.ts'

/** What paths are written with. */
export interface PathKit {
  readonly service: Service
  readonly options: OpenApiOptions
  readonly components: Components
  readonly items: Items
  readonly bodies: Bodies
}

/** The paths of a service with what can be done at them. */
export function pathsOf(kit: PathKit): Readonly<Record<string, Node>> {
  const { api, kindsOf } = kit.service
  return Object.fromEntries(
    api.collections.flatMap((collection) => {
      const kinds = kindsOf(collection)
      const segments = [...new Set(kinds.map(segmentOf))]
      return segments.map((segment) => [
        templateOf(collection) + segment,
        pathItem(
          collection,
          kinds.filter((kind) => segmentOf(kind) === segment),
          kit,
        ),
      ])
    }),
  )
}

function pathItem(collection: Collection, kinds: readonly OperationKind[], kit: PathKit): Node {
  const { components, items, options } = kit
  const { resource } = collection
  const isItem = kinds.some((kind) => operations[kind].target === 'item')
  const parameters = [
    ...ownerParameters(collection, items, components.parameters),
    ...(isItem ? [itemParameter(resource, items, components.parameters)] : []),
  ]
  const methods = kinds.map((kind) => [
    operations[kind].method.toLowerCase(),
    operation(spotOf(kind, collection), kit),
  ])
  const shared = options.methods === 'main' ? {} : sharedOperations(collection, kinds, kit)
  return {
    ...(parameters.length > 0 ? { parameters } : {}),
    ...Object.fromEntries(methods),
    ...shared,
  }
}

function operation(spot: Spot, kit: PathKit): Node {
  const { kind, collection } = spot
  const parameters = parametersOf(spot, kit)
  const requestBody = bodyOf(spot, kit)
  return {
    operationId: operationIdOf(kind, collection),
    tags: [nounOf(collection)],
    summary: summaryOf(kind, collection),
    description: descriptionOf(kind, collection),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: {
      [operations[kind].status]: successResponse(spot, kit),
      ...problemResponses(codesAt(spot, kit), () => nameOfBadRequest(spot), kit),
    },
  }
}

/** `v1.companies.employees.list`: as one would call it. What else there is has no part in it. */
function operationIdOf(kind: OperationKind, collection: Collection): string {
  const { version, ancestors } = collection
  return [version, ...[...ancestors, collection].map(nounOf), kind].join('.')
}

function parametersOf(spot: Spot, { components }: PathKit): readonly Node[] {
  const { parameters } = components
  return [...queryParameters(spot, parameters), ...headerParameters(spot, parameters)]
}

function bodyOf({ kind, collection }: Spot, { bodies, service }: PathKit): Node | undefined {
  const body = bodySchemaOf(kind)
  if (body === undefined) return undefined
  const schema =
    operations[kind].takes === 'items'
      ? bodies.updateMany(collection, service.limits.bulk)
      : bodies[body](collection)
  return { required: true, content: { [jsonType]: { schema } } }
}

function codesAt(spot: Spot, { service, options }: PathKit): CodesByStatus {
  const isSecured = (options.security ?? []).length > 0
  const about: Circumstances = { ...spot, service, isSecured }
  return codesFor(about, options.problems ?? [])
}

// HEAD and OPTIONS, which every path takes.
function sharedOperations(
  collection: Collection,
  kinds: readonly OperationKind[],
  kit: PathKit,
): Node {
  const reads = kinds.find((kind) => operations[kind].method === 'GET')
  const target = operations[kinds[0] as OperationKind].target
  const template = templateOf(collection) + segmentOf(kinds[0] as OperationKind)
  const place = operationIdOf('read', collection).replace(/read$/, '')
  const options = {
    operationId: `${place}${target}.options`,
    tags: [sharedMethods.tag],
    summary: sharedMethods.options,
    responses: {
      200: optionsResponse(kit.components),
      ...problemResponses(
        codesOfOptions(template),
        () => `bad_request.options${template.includes('{') ? '.ids' : ''}`,
        kit,
      ),
    },
  }
  return reads === undefined ? { options } : { head: head(spotOf(reads, collection), kit), options }
}

function head(spot: Spot, kit: PathKit): Node {
  const { kind, collection } = spot
  const parameters = parametersOf(spot, kit)
  return {
    operationId: `${operationIdOf(kind, collection)}.head`,
    tags: [sharedMethods.tag],
    summary: sharedMethods.head(kind, collection),
    ...(parameters.length > 0 ? { parameters } : {}),
    responses: {
      [operations[kind].status]: headResponse(spot, kit),
      ...headProblemResponses(codesAt(spot, kit), kit),
    },
  }
}

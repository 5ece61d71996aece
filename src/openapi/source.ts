import type { Api, Collection } from '../model/api.ts'
import {
  defaultLimits,
  type Limits,
  type OperationKind,
  operationKinds,
  type ParameterName,
} from '../model/convention.ts'
import { isRecord } from '../model/declared.ts'
import { kindsWithout } from '../model/kinds.ts'
import type { AnyRegistry } from '../model/registry.ts'
import { parametersFor } from '../wire/meaning.ts'

/** What a document is made of: a contract, or better a registry, which knows what its adapters can do. */
export type OpenApiSource = Api | AnyRegistry

/** What is known of a service. */
export interface Service {
  readonly api: Api
  readonly limits: Limits
  /** `undefined` where it is not known. */
  readonly defaultVersion: string | false | undefined
  /** What a problem's `type` begins with; `undefined` for `about:blank`. */
  readonly problemTypes: string | undefined
  /** A context or a middleware may refuse requests; where it is not known, it may. */
  readonly isGuarded: boolean
  /** It is known what the adapters can do. */
  readonly isBound: boolean
  /** What is offered of a collection, in the order of the convention. */
  readonly kindsOf: (collection: Collection) => readonly OperationKind[]
}

/** An operation at a place. */
export interface Spot {
  readonly kind: OperationKind
  readonly collection: Collection
  readonly parameters: readonly ParameterName[]
}

/**
 * Looks through what a document is made of.
 *
 * @throws {TypeError} When it is neither an api nor a registry.
 */
export function serviceOf(source: OpenApiSource): Service {
  if ('bindings' in Object(source)) return serviceOfRegistry(source as AnyRegistry)
  if (!isRecord(source) || !(source.resources instanceof Map)) {
    throw new TypeError(
      'An OpenAPI document needs an api or a registry: write toOpenApi(registry, { info: … }).',
    )
  }
  return {
    api: source as Api,
    limits: defaultLimits,
    defaultVersion: undefined,
    problemTypes: undefined,
    isGuarded: true,
    isBound: false,
    kindsOf: ({ resource }) => kindsWithout(resource.without),
  }
}

function serviceOfRegistry(registry: AnyRegistry): Service {
  const { api, limits, defaultVersion, problemTypes, context, middleware, bindings } = registry
  return {
    api,
    limits,
    defaultVersion,
    problemTypes,
    isGuarded: context !== undefined || middleware.length > 0,
    isBound: true,
    kindsOf: ({ place }) => {
      const targets = [...(bindings[place]?.methods.values() ?? [])]
      const kinds = new Set(targets.flatMap(({ kinds }) => [...kinds.values()]))
      return operationKinds.filter((kind) => kinds.has(kind))
    },
  }
}

/** An operation on a collection, with the parameters that it takes there. */
export function spotOf(kind: OperationKind, collection: Collection): Spot {
  return { kind, collection, parameters: parametersFor(kind, collection.resource) }
}

import type { Api, Collection } from '../contract/resource/api.ts'
import type { AnyRegistry } from '../contract/resource/registry.ts'
import { filtersIn } from '../contract/values/related.ts'
import type { AdapterMethod } from '../convention/adapter-methods.ts'
import { filterOperators } from '../convention/filter-operators.ts'
import {
  bodyOf,
  creatingKindOf,
  isConditional,
  kindsWithout,
  type RuleName,
  ruleNameOf,
} from '../convention/kinds.ts'
import { defaultLimits, type Limits } from '../convention/limits.ts'
import {
  type OperationKind,
  operationKinds,
  operations,
  type ParameterName,
  type ParameterRow,
  type ParameterType,
  parameters,
} from '../convention/operations.ts'
import { isRecord } from '../convention/value.ts'
import { rowsFor } from '../wire/meaning.ts'

/** The source of a document: an api, or better a registry, which knows its adapters. */
export type OpenApiSource = Api | AnyRegistry

/** The facts about a service. */
export interface Service {
  readonly api: Api
  readonly limits: Limits
  /** `undefined` when it is unknown. */
  readonly defaultVersion: string | false | undefined
  /** The URL before the code in a problem's `type`; `undefined` for `about:blank`. */
  readonly problemTypes: string | undefined
  /** True if a context, a scope or middleware may reject requests, or if this is unknown. */
  readonly isGuarded: boolean
  /** True if the adapters' methods are known. */
  readonly isBound: boolean
  /** The operations of a collection, in the order of the convention. */
  readonly kindsOf: (collection: Collection) => readonly OperationKind[]
  /** The rules that judge the items of a collection; none where they are unknown. */
  readonly rulesOf: (collection: Collection) => readonly RuleName[]
  /** The resources by whose fields a client can sort a collection, or may do so. */
  readonly joinedIn: (collection: Collection) => Collection['related']
  /** Tells whether the adapter of a collection has a method, or may have it. */
  readonly hasMethod: (collection: Collection, method: AdapterMethod) => boolean
}

/** An operation on a collection. */
export interface OperationAt {
  readonly kind: OperationKind
  readonly collection: Collection
  readonly parameters: readonly ParameterName[]
  /** The body is an array (`many`), or may be an array (`any`). */
  readonly sends: 'one' | 'many' | 'any'
}

/**
 * Reads the facts about a service from its source.
 *
 * @throws {TypeError} For anything but an api or a registry.
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
    rulesOf: () => [],
    joinedIn: ({ related }) => related,
    hasMethod: () => true,
  }
}

const ruleNames = [...new Set(operationKinds.flatMap((kind) => ruleNameOf(kind) ?? []))]

function serviceOfRegistry(registry: AnyRegistry): Service {
  const { context, scope, middleware, bindings, rules } = registry
  return {
    ...registry,
    isGuarded: context !== undefined || scope !== undefined || middleware.length > 0,
    isBound: true,
    kindsOf: ({ place }) => {
      const targets = [...(bindings[place]?.methods.values() ?? [])]
      const kinds = new Set(targets.flatMap(({ kinds }) => [...kinds.values()]))
      return operationKinds.filter((kind) => kinds.has(kind))
    },
    rulesOf: ({ resource }) =>
      ruleNames.filter((name) => rules.get(resource.base.name)?.[name] !== undefined),
    joinedIn: ({ place, related }) =>
      related.filter(({ reference }) => bindings[place]?.joined.includes(reference)),
    hasMethod: ({ place }, method) => typeof bindings[place]?.adapter[method] === 'function',
  }
}

/** Returns the collections of a service, those of the newest version first. */
export function collectionsNewestFirst({ api }: Pick<Service, 'api'>): readonly Collection[] {
  const versions = versionsOf({ api })
  return versions.flatMap((version) =>
    api.collections.filter((collection) => collection.version === version),
  )
}

/** Returns the versions of a service, the newest first. */
export function versionsOf({ api }: Pick<Service, 'api'>): readonly string[] {
  const numberOf = (version: string): number => Number(version.slice(1))
  return [...api.versions.keys()].sort((a, b) => numberOf(b) - numberOf(a))
}

/** Tells whether an operation takes a parameter of one of some types. */
export function takesType(operation: OperationAt, ...types: readonly ParameterType[]): boolean {
  return operation.parameters.some((name) => types.includes(parameters[name].type))
}

/** Returns the parameters of an operation that name fields, or members to include. */
export function parametersNaming(
  names: ParameterRow['names'],
  operation: OperationAt,
): readonly ParameterName[] {
  return operation.parameters.filter((name) => {
    const row: ParameterRow = parameters[name]
    return row.type === 'names' && row.names === names
  })
}

/** Tells whether the response to a dry run of an operation has a status of its own. */
export function hasDryStatus(operation: OperationAt): boolean {
  return takesType(operation, 'flag') && operations[operation.kind].status !== 200
}

/** Returns the kind of the operation that creates what another does not find; else `undefined`. */
export function creatingKindIn({
  kind,
  collection,
}: Pick<OperationAt, 'kind' | 'collection'>): OperationKind | undefined {
  return collection.resource.putCreates ? creatingKindOf(kind) : undefined
}

/** Tells whether a dry run of an operation may show a new item, without what the server sets. */
export function mayGiveDraft(operation: OperationAt): boolean {
  return hasDryStatus(operation) || creatingKindIn(operation) !== undefined
}

/** Tells whether an operation takes a parameter that a client may not repeat. */
export function takesSingleValue(operation: OperationAt): boolean {
  return takesType(operation, 'text', 'integer', 'cursor', 'flag') || takesSingleFilter(operation)
}

/** Tells whether an operation takes a filter that a client may not repeat. */
function takesSingleFilter(operation: OperationAt): boolean {
  const filters = [...filtersIn(operation.collection).values()]
  const isSingle = filters.some(({ operator }) => !filterOperators[operator].repeats)
  return isSingle && takesType(operation, 'filters')
}

/** Tells whether a client can ask for the number of all matching items beside the page. */
export function isCountable({ kind, collection }: OperationAt): boolean {
  return operations[kind].counts && collection.resource.total !== false
}

/** Returns an operation on a collection with its parameters. */
export function operationAt(
  kind: OperationKind,
  collection: Collection,
  { hasMethod, kindsOf }: Pick<Service, 'hasMethod' | 'kindsOf'>,
): OperationAt {
  const body = bodyOf(kind)
  const mayBeMany = body?.orMany !== undefined && hasMethod(collection, body.orMany)
  const sends = body?.isMany ? 'many' : mayBeMany ? 'any' : 'one'
  const isSelecting = kind === 'deleteAll' && kindsOf(collection).includes('deleteMany')
  const parameters = rowsFor(isSelecting ? 'deleteMany' : kind, collection)
  return { kind, collection, parameters, sends }
}

/** Tells whether a client can repeat an operation safely by `Idempotency-Key`. */
export function isKeyed({ kind, collection }: Pick<OperationAt, 'kind' | 'collection'>): boolean {
  return collection.resource.idempotent && isConditional(kind, 'key')
}

/**
 * Returns the facts about one version of a service. No collection of another version has
 * operations, and a path that names no version counts only if the version is the default.
 */
export function serviceOfVersion(service: Service, version: string): Service {
  const { api, kindsOf, defaultVersion } = service
  const collections = api.collections.filter((collection) => collection.version === version)
  const isDefault = defaultVersion === undefined || defaultVersion === version
  return {
    ...service,
    api: {
      ...api,
      collections,
      versions: new Map([...api.versions].filter(([name]) => name === version)),
      resources: new Map(collections.map(({ resource }) => [resource.name, resource])),
    },
    kindsOf: (collection) => (collection.version === version ? kindsOf(collection) : []),
    defaultVersion: isDefault ? defaultVersion : false,
  }
}

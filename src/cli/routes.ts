import { formatColumns, inert } from '../check/print.ts'
import type { Collection } from '../model/api.ts'
import { type OperationKind, operationKinds, operations } from '../model/convention.ts'
import { kindsWithout } from '../model/kinds.ts'
import { segmentOfTarget } from '../model/target.ts'
import { parametersFor } from '../wire/meaning.ts'
import { apiOf, isRegistry, type Source } from './load.ts'

/** An operation of an api, and the request that asks for it. */
export interface Offer {
  readonly version: string
  /** With version, parameters as in the contract: `/v1/companies/:company_id/employees/:id`. */
  readonly path: string
  readonly method: string
  readonly kind: OperationKind
  readonly resource: string
  readonly parameters: readonly string[]
  readonly takes: string
  readonly gives: string
  readonly status: number
}

/** Every operation that a registry supports, or that the resources of an api offer, collection by collection. */
export function offersOf(source: Source): readonly Offer[] {
  return apiOf(source).collections.flatMap((collection) =>
    kindsOf(source, collection).map((kind) => offerOf(collection, kind)),
  )
}

/** Writes offers as a table. */
export function formatOffers(offers: readonly Offer[]): string {
  const lines = offers.map(({ version, path, method, kind, parameters, status }) => [
    version,
    path,
    method,
    kind,
    parameters.join(' '),
    `${status}`,
  ])
  const head = ['VERSION', 'PATH', 'METHOD', 'KIND', 'PARAMETERS', 'STATUS']
  return formatColumns([head, ...lines.map((line) => line.map(inert))])
}

/** Advises a bound for each resource whose `deleteAll` at the top also deletes the items below parents. */
export function adviceOn(source: Source): readonly string[] {
  const { resources, collections } = apiOf(source)
  return [...resources.values()].flatMap((resource) => {
    const mounts = collections.filter((collection) => collection.resource === resource)
    const tops = mounts.filter(({ ancestors }) => ancestors.length === 0)
    const open = tops.filter((top) => kindsOf(source, top).includes('deleteAll'))
    if (resource.bounded || open.length === 0 || tops.length === mounts.length) return []
    const paths = open.map(({ version, path }) => `/${version}${path}`).join(', ')
    const { name } = resource
    return [
      `DELETE ${paths} deletes the ${name} of every parent: write "bounded: true" in "${name}", so that a client says how many may go.`,
    ]
  })
}

function kindsOf(source: Source, { place, resource }: Collection): readonly OperationKind[] {
  if (!isRegistry(source)) return kindsWithout(resource.without)
  const methods = source.bindings[place]?.methods
  return operationKinds.filter((kind) => {
    const { method, target } = operations[kind]
    return methods?.get(target)?.kinds.get(method) === kind
  })
}

function offerOf({ version, path, resource }: Collection, kind: OperationKind): Offer {
  const { method, target, takes, gives, status } = operations[kind]
  return {
    version,
    path: `/${version}${path}${segmentOfTarget(target)}`,
    method,
    kind,
    resource: resource.name,
    parameters: parametersFor(kind, resource),
    takes,
    gives,
    status,
  }
}

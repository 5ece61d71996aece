import { escapeControls, formatColumns } from '../check/print.ts'
import type { Collection } from '../model/api.ts'
import {
  type BodyName,
  type OperationKind,
  operationKinds,
  operations,
} from '../model/convention.ts'
import { bodyOf, kindsWithout } from '../model/kinds.ts'
import type { Misfit } from '../model/misfit.ts'
import type { Resource } from '../model/resource.ts'
import { segmentOfTarget } from '../model/target.ts'
import { parametersFor } from '../wire/meaning.ts'
import { shortParameters } from './explain-filters.ts'
import { apiOf, isRegistry, type Source } from './load.ts'

/** An operation of an API, and its request. Its members are public: `--json` prints them. */
export interface Route {
  readonly version: string
  /** With version, parameters as in the contract: `/v1/companies/:company_id/employees/:id`. */
  readonly path: string
  readonly method: string
  readonly kind: OperationKind
  readonly resource: string
  /** The fields that say whose an item is; `null` for an API without owners. */
  readonly ownedBy: Resource['ownedBy'] | null
  readonly parameters: readonly string[]
  /** The body; `item` where the adapter creates no arrays. */
  readonly takes: 'nothing' | BodyName
  /** The media types that declare it. */
  readonly types: readonly string[]
  readonly gives: string
  readonly status: number
}

/** Lists every operation that the adapters of a registry, or the resources of an API, support. */
export function routesOf(source: Source): readonly Route[] {
  return apiOf(source).collections.flatMap((collection) =>
    kindsOf(source, collection).map((kind) => toRoute(source, collection, kind)),
  )
}

/** Writes routes as a table. */
export function formatRoutes(routes: readonly Route[]): string {
  const isOwned = routes.some(({ ownedBy }) => ownedBy !== null)
  const head = ['VERSION', 'PATH', 'METHOD', 'KIND', 'PARAMETERS', 'STATUS']
  const rows = routes.map((route) => {
    const { version, path, method, kind, parameters, status } = route
    const row = [version, path, method, kind, shortParameters(parameters), `${status}`]
    return [...row, ...(isOwned ? [whoseOf(route)] : [])].map(escapeControls)
  })
  return formatColumns([[...head, ...(isOwned ? ['WHOSE'] : [])], ...rows])
}

function whoseOf({ ownedBy }: Route): string {
  if (typeof ownedBy !== 'object' || ownedBy === null) return ownedBy ?? ''
  return ownedBy.length === 0 ? 'everybody' : ownedBy.join(',')
}

/** Advises `bounded` for resources whose `deleteAll` at the top also deletes nested items. */
export function adviceFor(source: Source): readonly Misfit[] {
  const { resources, collections } = apiOf(source)
  return [...resources.values()].flatMap((resource) => {
    const mounts = collections.filter((collection) => collection.resource === resource)
    const tops = mounts.filter(({ ancestors }) => ancestors.length === 0)
    const open = tops.filter((top) => kindsOf(source, top).includes('deleteAll'))
    if (resource.bounded || open.length === 0 || tops.length === mounts.length) return []
    const paths = open.map(({ version, path }) => `/${version}${path}`).join(', ')
    const { name } = resource
    const message =
      `DELETE ${paths} deletes the ${name} of every parent. ` +
      `With "bounded: true" in "${name}", clients must set a limit.`
    return [{ resource: name, message }]
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

function toRoute(source: Source, collection: Collection, kind: OperationKind): Route {
  const { version, path, resource, place } = collection
  const { method, target, takes, gives, status } = operations[kind]
  const { orMany, types = [] } = bodyOf(kind) ?? {}
  const adapter = isRegistry(source) ? source.bindings[place]?.adapter : undefined
  const isOne = orMany !== undefined && adapter !== undefined && adapter[orMany] === undefined
  return {
    version,
    path: `/${version}${path}${segmentOfTarget(target)}`,
    method,
    kind,
    resource: resource.name,
    ownedBy: resource.ownedBy ?? null,
    parameters: parametersFor(kind, collection),
    takes: isOne ? 'item' : takes,
    types,
    gives,
    status,
  }
}

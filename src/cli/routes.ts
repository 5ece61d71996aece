import { type Collection, lastNounOf, segmentOfTarget } from '../contract/resource/api.ts'
import type { Resource } from '../contract/resource/resource.ts'
import { filtersIn } from '../contract/values/related.ts'
import { escapeControls } from '../convention/escape.ts'
import { bodyOf, type RuleName } from '../convention/kinds.ts'
import type { Mismatch } from '../convention/mismatch.ts'
import {
  type BodyName,
  type OperationKind,
  operations,
  type ParameterName,
  parameterNames,
} from '../convention/operations.ts'
import { serviceOf } from '../openapi/source.ts'
import { formatColumns } from '../trial/check/print.ts'
import { parametersFor } from '../wire/meaning.ts'
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
  /** The day from which it is deprecated, as declared; `null` for none. */
  readonly deprecated: string | null
  /** The day from which it may be gone, as declared; `null` for none. */
  readonly sunset: string | null
  /** The version that takes the place of its own; `null` for none. */
  readonly successor: string | null
  /** A page about the end; `null` for none. */
  readonly docs: string | null
  /** The resource that a view shows; `null` for no view. */
  readonly shows: string | null
  /** The field of the states, and by state the states that follow; `null` for none. */
  readonly states: {
    readonly field: string
    readonly moves: Readonly<Record<string, readonly string[]>>
  } | null
  /** A PUT to the path of an absent item creates it. */
  readonly putCreates: boolean
  /** The rules of the registry that judge the items of the resource; none of an API alone. */
  readonly rules: readonly RuleName[]
  /** The sortable fields that sort without case. */
  readonly folded: Resource['folded']
  /** The references by whose fields filters may go: `company`. */
  readonly related: readonly string[]
  /** The operations that a view offers although its source resource does not. */
  readonly offers: readonly OperationKind[]
}

/** Lists every operation that the adapters of a registry, or the resources of an API, support. */
export function routesOf(source: Source): readonly Route[] {
  const { api, kindsOf, rulesOf } = serviceOf(source)
  return api.collections.flatMap((collection) => {
    const rules = rulesOf(collection)
    return kindsOf(collection).map((kind) => ({ ...toRoute(source, collection, kind), rules }))
  })
}

/** Returns the paths of the home documents; none for an API alone, whose registry decides. */
export function homePathsOf(source: Source): readonly string[] {
  if (!isRegistry(source) || !source.home) return []
  return ['/', ...[...source.api.versions.keys()].map((version) => `/${version}`)]
}

/** Writes routes as a table, after the paths of home documents. */
export function formatRoutes(routes: readonly Route[], homePaths: readonly string[] = []): string {
  const isOwned = routes.some(({ ownedBy }) => ownedBy !== null)
  const isEnding = routes.some(({ deprecated }) => deprecated !== null)
  const head = ['VERSION', 'PATH', 'METHOD', 'KIND', 'PARAMETERS', 'STATUS']
  const rows = routes.map((route) => {
    const { version, path, method, kind, parameters, status } = route
    const row = [version, path, method, kind, shortParameters(parameters), `${status}`]
    const more = [...(isOwned ? [whoseOf(route)] : []), ...(isEnding ? [endOf(route)] : [])]
    return [...row, ...more].map(escapeControls)
  })
  const more = [...(isOwned ? ['WHOSE'] : []), ...(isEnding ? ['ENDS'] : [])]
  const homeRows = homePaths.map((path) => [path.slice(1), path, 'GET', 'home', '', '200'])
  return formatColumns([[...head, ...more], ...homeRows, ...rows])
}

function endOf({ deprecated, sunset }: Route): string {
  return sunset ?? (deprecated === null ? '' : 'deprecated')
}

/** Returns a warning for each version and path whose sunset has passed at a time. */
export function overdueIn(source: Source, now: Date): readonly string[] {
  return [...apiOf(source).lifecycle].flatMap(([place, { sunset, sunsetAt }]) => {
    if (sunsetAt === undefined || sunsetAt * 1000 > now.getTime()) return []
    const remedy = place.includes('/') ? 'remove' : 'retire'
    return [`${place} was to end on ${sunset}: ${remedy} it or move its sunset`]
  })
}

/** Returns whose the items of a route are, in words; empty for an API without owners. */
export function whoseOf({ ownedBy }: Route): string {
  if (typeof ownedBy !== 'object' || ownedBy === null) return ownedBy ?? ''
  return ownedBy.length === 0 ? 'everybody' : ownedBy.join(',')
}

/** Advises `bounded` for resources whose `deleteAll` at the top also deletes nested items. */
export function adviceFor(source: Source): readonly Mismatch[] {
  const { api, kindsOf } = serviceOf(source)
  const { resources, collections } = api
  return [...resources.values()].flatMap((resource) => {
    const mounts = collections.filter((collection) => collection.resource === resource)
    const tops = mounts.filter(({ ancestors }) => ancestors.length === 0)
    const open = tops.filter((top) => kindsOf(top).includes('deleteAll'))
    if (resource.bounded || open.length === 0 || tops.length === mounts.length) return []
    const paths = open.map(({ version, path }) => `/${version}${path}`).join(', ')
    const { name } = resource
    // Several paths may have several nouns.
    const nouns = new Set(open.map(lastNounOf))
    const message =
      `DELETE ${paths} deletes the ${[...nouns].join(' and the ')} of every parent. ` +
      `With "bounded: true" in "${name}", clients must set a limit.`
    return [{ resource: name, message }]
  })
}

function toRoute(
  source: Source,
  collection: Collection,
  kind: OperationKind,
): Omit<Route, 'rules'> {
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
    ...endMembersOf(collection),
    shows: resource.view?.origin.of.name ?? null,
    states: resource.states
      ? { field: resource.states.field, moves: Object.fromEntries(resource.states.moves) }
      : null,
    putCreates: resource.putCreates,
    folded: resource.folded,
    related: relatedNames(collection),
    offers: resource.view?.origin.offers ?? [],
  }
}

function relatedNames(collection: Collection): readonly string[] {
  const filters = [...filtersIn(collection).keys()]
  return collection.related.flatMap(({ reference: { as } }) =>
    filters.some((name) => name.startsWith(`${as}.`)) ? [as] : [],
  )
}

/** Returns the announced end of a collection as `--json` prints it: `null` for each unknown. */
export function endMembersOf({
  deprecation,
}: Pick<Collection, 'deprecation'>): Pick<Route, 'deprecated' | 'sunset' | 'successor' | 'docs'> {
  const { deprecated = null, sunset = null, successor = null, docs = null } = deprecation ?? {}
  return { deprecated, sunset, successor, docs }
}

/**
 * Shortens the parameters of an operation for a table: a resource can have many filters.
 * `['q', 'name', 'name:ne', 'limit']` → `q filters(name) limit`.
 */
export function shortParameters(written: readonly string[]): string {
  const isOwn = (name: string): boolean => parameterNames.includes(name as ParameterName)
  const fields = [...new Set(written.filter((name) => !isOwn(name)).map(fieldOfFilter))]
  const more = fields.length > maxFields ? [`and ${fields.length - maxFields} more`] : []
  const filters = `filters(${[...fields.slice(0, maxFields), ...more].join(' ')})`
  const first = written.findIndex((name) => !isOwn(name))
  return written
    .flatMap((name, index) => (index === first ? filters : isOwn(name) ? name : []))
    .join(' ')
}

const maxFields = 5

function fieldOfFilter(name: string): string {
  return name.split(':')[0] ?? name
}

import type { ResourceTable, TableLayout } from '../contract/resource/adapter.ts'
import type { Api, Collection } from '../contract/resource/api.ts'
import { servedResourcesOf } from '../contract/resource/binding.ts'
import type { Resource } from '../contract/resource/resource.ts'
import { meant } from '../convention/declaration.ts'
import { UsageError } from '../trial/check/usage-error.ts'
import { apiOf, importOptional, isRegistry, type Source } from './load.ts'

/**
 * Returns the statements that make the tables of a registry, or of an API: of each stored resource
 * one of its name.
 *
 * @throws {UsageError} For an unknown dialect, without Kysely, and for a registry without tables.
 */
export async function declareTables(source: Source, dialect: string): Promise<readonly string[]> {
  const ddl = await importOptional(() => import('../kysely/doctor/ddl.ts'))
  if (ddl === undefined)
    throw new UsageError(
      'nounful ddl needs the package "kysely", which is not installed: npm install kysely',
    )
  const { ddlDialects, ddlOf } = ddl
  const dialectName = ddlDialects.find((name) => name === dialect)
  if (dialectName === undefined)
    throw new UsageError(`--dialect cannot be "${dialect}": ${meant(dialect, ddlDialects)}.`)
  const tables = tablesOf(source)
  const isEmpty = tables.every(({ layout }) => layout === undefined)
  if (isEmpty) throw new UsageError('No adapter of the registry keeps its items in a table of SQL.')
  return [
    ...tables.flatMap(({ resource, layout }) =>
      layout === undefined ? [`-- The adapter of "${resource.name}" has no table.`] : [],
    ),
    ...ddlOf(tables.filter(hasLayout), dialectName),
  ]
}

type MaybeTable = Omit<ResourceTable, 'layout'> & { readonly layout: TableLayout | undefined }

function hasLayout(table: MaybeTable): table is ResourceTable {
  return table.layout !== undefined
}

function tablesOf(source: Source): readonly MaybeTable[] {
  const api = apiOf(source)
  const served = isRegistry(source) ? servedResourcesOf(api, source.bindings) : []
  return [...api.stored.values()].map((resource) => {
    const mounts = mountsOf(resource, api)
    const binding = served.find((candidate) => candidate.resource.base === resource)
    const layout = isRegistry(source) ? binding?.adapter.layout?.() : layoutOf(resource)
    return { resource, layout, mounts, links: linksOf(resource, api, mounts) }
  })
}

function layoutOf({ name, folded }: Resource): TableLayout {
  const folds = folded.map((field) => [field, `${field}_folded`] as const)
  return { table: name.replaceAll('-', '_'), columns: {}, folded: Object.fromEntries(folds) }
}

// The collections of a resource and of its views, in the words of the resource.
function mountsOf(resource: Resource, { collections }: Api): readonly Collection[] {
  return collections
    .filter((mount) => mount.resource.base === resource)
    .map((mount) => {
      const { view } = mount.resource
      const baseNames = (names: readonly string[]) =>
        names.map((name) => view?.plainOf(name) ?? name)
      const { parameters, owners } = mount
      return { ...mount, resource, parameters: baseNames(parameters), owners: baseNames(owners) }
    })
}

// A reference of the resource, or a parent in a path.
function linksOf(
  { references }: Resource,
  { resources }: Api,
  mounts: readonly Collection[],
): ReadonlyMap<string, string> {
  const parents = mounts.flatMap(({ parameters, owners, ancestors }) =>
    ancestors.flatMap(({ resource }, at): readonly (readonly [string, string])[] => {
      const name = parameters[at] ?? ''
      return owners.includes(name) ? [[name, resource.base.name]] : []
    }),
  )
  const named = references.map(
    ({ field, to }) => [field, resources.get(to)?.base.name ?? to] as const,
  )
  return new Map([...parents, ...named])
}

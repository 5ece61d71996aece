import type { AnyOptions } from '../contract/declare/define-resource.ts'
import { kindsOfOption } from '../contract/declare/faults.ts'
import {
  faultOfKeptField,
  faultsOfStates,
  type StatefulResource,
} from '../contract/declare/field-roles.ts'
import { memberNameOf } from '../contract/declare/field-tables.ts'
import { type OptionName, resourceOptions } from '../contract/declare/resource-declaration.ts'
import type { Link } from '../contract/resource/link.ts'
import { ownerFieldsOf, type Resource } from '../contract/resource/resource.ts'
import { faultOfGrouping, filterPathOf, readFilterable } from '../contract/schema/filter.ts'
import { isFilterable } from '../contract/values/link-filter.ts'
import { declaredList } from '../convention/declaration.ts'
import { withPatches } from '../convention/kinds.ts'
import { linkOf, type Mapping } from './mapping.ts'

/** A view as its author declared it, with its links to the source resource. */
export interface DeclaredOptions extends Pick<Mapping, 'of' | 'links'> {
  /** The options that the view names. */
  readonly declared: AnyOptions
}

/**
 * Returns the options of a view: those that it names, and those that it inherits, with the names of
 * its own fields. An inherited option leaves out the fields that it cannot name in the view.
 * `without` and `restricted` are added to those of the source resource.
 *
 * @see docs/requests.md, C7.1
 */
export function optionsOfView(view: DeclaredOptions): AnyOptions {
  const { of, declared } = view
  const { offers = [], ...viewOptions } = declared
  // An option that is undefined is as if left out.
  const entries = Object.entries(viewOptions).filter(([, value]) => value !== undefined)
  const named: AnyOptions = { schema: declared.schema, ...Object.fromEntries(entries) }
  const inherited: Record<string, unknown> = {}
  for (const [name, { inherit }] of Object.entries(resourceOptions))
    if (inherit === 'value') inherited[name] = Reflect.get(of, name)
  for (const [name, translate] of Object.entries(translations)) inherited[name] = translate(view)
  const offered = withPatches(declaredList(offers))
  const inheritedWithout = of.without.filter((kind) => !offered.includes(kind))
  const without = [...new Set([...inheritedWithout, ...declaredList(named.without)])]
  for (const [name, kinds] of Object.entries(kindsOfOption))
    if (kinds.some((kind) => without.includes(kind))) delete inherited[name]
  const restricted = [...translations.restricted(view), ...declaredList(named.restricted)]
  const options = { ...inherited, ...named, without, restricted: [...new Set(restricted)] }
  const defaultLimit = defaultLimitOf(options, named)
  return defaultLimit === undefined ? options : { ...options, defaultLimit }
}

type Limits = Pick<AnyOptions, 'maxLimit' | 'defaultLimit'>

// Of two limits that contradict each other, one is inherited.
function defaultLimitOf({ maxLimit, defaultLimit }: Limits, named: Limits): number | undefined {
  const areBothNamed = named.maxLimit !== undefined && named.defaultLimit !== undefined
  if (areBothNamed || defaultLimit === undefined || maxLimit === undefined) return defaultLimit
  return Math.min(defaultLimit, maxLimit)
}

type FieldOption = {
  [Name in OptionName]: (typeof resourceOptions)[Name]['inherit'] extends 'fields' ? Name : never
}[OptionName]

/** By option that names fields: the option of the source resource, with the names of the view. */
const translations = {
  sortable: ({ of, links }) => of.sortable.flatMap((source) => plainFieldsOf(links, source)),
  folded: ({ of, links, declared: { sortable } }) =>
    of.folded
      .flatMap((source) => plainFieldsOf(links, source))
      .filter((field) => sortable === undefined || declaredList(sortable).includes(field)),
  searchable: searchedFieldsOf,
  filterable: filtersOf,
  countable: groupedFieldsOf,
  references: ({ of, links }) => {
    const entries = of.references.flatMap(({ field, to, as }) =>
      plainFieldsOf(links, field).map((name) => {
        // A member that has the name of its field follows the name in the view.
        const isNamed = as !== memberNameOf(field)
        return [name, isNamed ? { to, as } : to] as const
      }),
    )
    return Object.fromEntries(entries)
  },
  readOnly: ({ of, links }) =>
    fieldsFrom(links, (sources) => sources.some((source) => isReadOnlyIn(of, source))),
  filled: ({ of, links }) => fieldsFrom(links, isWithin(of.filled)),
  revision: ({ of, links }) =>
    of.revision === undefined ? undefined : plainFieldsOf(links, of.revision)[0],
  ownedBy: ({ of, links }) =>
    typeof of.ownedBy === 'object'
      ? ownerFieldsOf(of).flatMap((source) => fieldsOf(links, source))
      : of.ownedBy,
  restricted: ({ of, links }) => of.restricted.flatMap((source) => fieldsOf(links, source)),
  keep: keptFieldsOf,
  states: (view): object | undefined => statesOfView(view, rolesOf(view)),
} satisfies { readonly [Name in FieldOption]: (view: DeclaredOptions) => unknown }

/** Tells whether only the server sets a field of a source resource. Its id stays as it is. */
export function isReadOnlyIn({ readOnly }: Resource, source: string): boolean {
  return source !== 'id' && readOnly.includes(source)
}

function isWithin(names: readonly string[]) {
  return (sources: readonly string[]): boolean =>
    sources.length > 0 && sources.every((source) => names.includes(source))
}

function fieldsFrom(
  links: readonly Link[],
  isMatch: (sources: readonly string[]) => boolean,
): readonly string[] {
  return links.filter(({ of }) => isMatch(of)).flatMap(({ fields }) => fields)
}

function fieldsOf(links: readonly Link[], source: string): readonly string[] {
  return fieldsFrom(links, (sources) => sources.includes(source))
}

function plainFieldsOf(links: readonly Link[], source: string): readonly string[] {
  return fieldsOf(
    links.filter(({ isPlain }) => isPlain),
    source,
  )
}

// A field of another form has the type of its schema in the view.
function filtersOf({ of, links, declared: { schema } }: DeclaredOptions) {
  const filterable = links.filter(isFilterable)
  const entries = of.filterable.flatMap(({ name: source, type, isList }) =>
    filterable
      .filter((link) => link.of.includes(source) && (link.isPlain || !isList))
      .flatMap(({ fields, isPlain }) =>
        fields.map((field) => [field, isPlain && type !== 'id' ? type : undefined] as const),
      ),
  )
  // A member has the name that its stored object has.
  const members = of.filterable.flatMap(({ name, type }) => {
    const isShown = filterPathOf(name).member !== undefined && isShownAsIs(name, links)
    const isTold = (shape: AnyOptions['schema']) =>
      typeof readFilterable([name], shape) !== 'string'
    // The object of the view may have fewer members.
    const isHidden = isTold(of.schema) && !isTold(schema)
    return isShown && !isHidden && type !== 'id' ? [[name, type] as const] : []
  })
  const readable = [...entries, ...members].filter(([field, type]) => {
    const filters = readFilterable(type === undefined ? [field] : { [field]: type }, schema)
    return typeof filters !== 'string'
  })
  return Object.fromEntries(readable)
}

function isShownAsIs(name: string, links: readonly Link[]): boolean {
  const { field } = filterPathOf(name)
  return plainFieldsOf(links, field).includes(field)
}

// The core counts fields of any form over the items of the view.
function groupedFieldsOf({ of, links, declared: { schema } }: DeclaredOptions): readonly string[] {
  return fieldsFrom(links, isWithin(of.countable)).filter(
    (field) => faultOfGrouping(field, schema) === undefined,
  )
}

// The schemas of a view, and the fields that have a role there.
function rolesOf(view: DeclaredOptions): Roles {
  const { schema, create = schema, update = create, readOnly, revision } = view.declared
  return {
    schema,
    create,
    update,
    readOnly: readOnly === undefined ? translations.readOnly(view) : declaredList(readOnly),
    revision: revision ?? translations.revision(view),
    ownedBy: translations.ownedBy(view),
  }
}

function keptFieldsOf(view: DeclaredOptions): readonly string[] {
  const { of, links } = view
  const roles = rolesOf(view)
  return fieldsFrom(links, isWithin(of.keep)).filter(
    (field) => faultOfKeptField(field, roles) === undefined,
  )
}

type States = NonNullable<Resource['states']>

/** A view, as the states of its field see it. */
type Roles = Omit<StatefulResource, 'states' | 'without'>

/**
 * Returns the option `states` of a view: that of its source resource, in the words of the view.
 * Returns none where the view shows no field with these states, or clients cannot write it.
 */
function statesOfView({ of, links }: Linked, roles: Roles): object | undefined {
  const { states } = of
  const link = links.find(({ of: sources, write }) => write && sources.includes(`${states?.field}`))
  if (states === undefined || link === undefined) return undefined
  const names = namesOf(states, link)
  const initial = names?.get(states.initial)
  if (names === undefined || initial === undefined) return undefined
  const moves = [...states.moves].flatMap(([state, targets]) => {
    const name = names.get(state)
    return name === undefined
      ? []
      : [[name, targets.flatMap((target) => names.get(target) ?? [])] as const]
  })
  const viewStates: States = { field: String(link.fields[0]), initial, moves: new Map(moves) }
  const faults = faultsOfStates({ ...roles, states: viewStates, without: [] })
  return faults.length === 0
    ? { [viewStates.field]: Object.fromEntries(viewStates.moves) }
    : undefined
}

// By state, the text that a view shows for it; `undefined` where two states are one, or no text.
function namesOf(
  { moves }: States,
  { isPlain, table }: Mapping['links'][number],
): ReadonlyMap<string, string> | undefined {
  const states = [...moves.keys()]
  if (isPlain) return new Map(states.map((state) => [state, state]))
  const names = new Map<string, string>()
  for (const [name, stored] of table ?? []) {
    const [state, ...others] = states.filter((candidate) => stored.includes(candidate))
    if (state === undefined) continue
    if (typeof name !== 'string' || others.length > 0) return undefined
    names.set(state, name)
  }
  return names
}

type QueryOptions = Pick<Resource, 'sortable' | 'folded' | 'searchable' | 'countable'> & {
  readonly filterable: readonly string[]
}

type Linked = Pick<Mapping, 'of' | 'links'>

/**
 * Returns the faults of the fields that a client may sort by, filter by or search in, each with its
 * remedy.
 *
 * @see docs/requests.md, C7.2
 */
export function faultsOfQueries(view: QueryOptions, mapping: Linked): readonly string[] {
  return [
    ...view.sortable.flatMap((field) => faultOfSort(field, mapping) ?? []),
    ...view.folded.flatMap((field) => faultOfFold(field, mapping) ?? []),
    ...view.filterable.flatMap((field) => faultOfFilter(field, mapping) ?? []),
    ...faultsOfSearch(view.searchable, mapping),
    ...view.countable.flatMap((field) => faultOfCount(field, mapping) ?? []),
  ]
}

function faultOfCount(field: string, mapping: Linked): string | undefined {
  const { of } = mapping
  const missing = linkOf(field, mapping)?.of.find((source) => !of.countable.includes(source))
  return missing === undefined
    ? undefined
    : `counts by "${field}": add "${missing}" to "countable" of "${of.name}"`
}

function faultOfSort(field: string, mapping: Linked): string | undefined {
  const link = linkOf(field, mapping)
  if (link === undefined) return undefined
  const { of } = mapping
  const source = String(link.of[0])
  if (!link.isPlain) {
    const reason = `${originOf(link)}, by which no store orders`
    return `sorts by "${field}", ${reason}: ${storeRemedy(field, 'sort')}`
  }
  return source === 'id' || of.sortable.includes(source)
    ? undefined
    : `sorts by "${field}": add "${source}" to "sortable" of "${of.name}"`
}

// A store folds for each order alike, and can always sort a folded field by code point.
function faultOfFold(field: string, mapping: Linked): string | undefined {
  const { of } = mapping
  const link = linkOf(field, mapping)
  const source = String(link?.of[0])
  return !link?.isPlain || of.folded.includes(source)
    ? undefined
    : `folds "${field}": add "${source}" to "folded" of "${of.name}"`
}

function faultOfFilter(name: string, mapping: Linked): string | undefined {
  if (filterPathOf(name).member !== undefined) return faultOfMember(name, mapping)
  const link = linkOf(name, mapping)
  if (link === undefined) return undefined
  const { of } = mapping
  const source = String(link.of[0])
  const field = of.filterable.find((candidate) => candidate.name === source)
  // A table and a stand-in have values, and no lists.
  if (!isFilterable(link) || (field?.isList && !link.isPlain))
    return `filters by "${name}", ${originOf(link)}: ${storeRemedy(name, 'filter')}`
  return field !== undefined
    ? undefined
    : `filters by "${name}": add "${source}" to "filterable" of "${of.name}"`
}

function faultOfMember(name: string, { of, links }: Linked): string | undefined {
  const { field } = filterPathOf(name)
  if (!isShownAsIs(name, links))
    return `filters by "${name}": show "${field}" as it is stored, or leave it out`
  return of.filterable.some((candidate) => candidate.name === name)
    ? undefined
    : `filters by "${name}": add "${name}" to "filterable" of "${of.name}"`
}

function storeRemedy(field: string, use: 'sort' | 'filter'): string {
  return `store "${field}" as a field of its own, or leave it out of "${use}able"`
}

function originOf(link: Pick<Link, 'form' | 'of'>): string {
  return link.form === 'part'
    ? `a part of ${sourceNames(link)}`
    : `which is made of ${sourceNames(link)}`
}

function sourceNames({ of }: Pick<Link, 'of'>): string {
  return of.length === 0 ? 'a constant' : of.join(' and ')
}

// The fields of the view that hold the words of searchable source fields.
function searchedFieldsOf({ of, links }: Linked): readonly string[] {
  let searched = links.filter(({ isSearched }) => isSearched)
  // A field that drops out can be the other part of one that stays.
  for (;;) {
    const mapping = { of, links: searched }
    const fields = searched.flatMap((link) => link.fields)
    const remaining = searched.filter(
      (link) => faultOfSearched(link, fields, mapping) === undefined,
    )
    if (remaining.length === searched.length) return fields
    searched = remaining
  }
}

function faultsOfSearch(searchable: readonly string[], { of, links }: Linked): readonly string[] {
  const searched = links.filter(({ fields }) => fields.some((field) => searchable.includes(field)))
  const mapping = { of, links: searched }
  return searched.flatMap((link) => faultOfSearched(link, searchable, mapping) ?? [])
}

function faultOfSearched(
  link: Link,
  searchable: readonly string[],
  { of, links: searched }: Linked,
): string | undefined {
  const field = String(link.fields.find((name) => searchable.includes(name)))
  const unsearched = link.fields.find((name) => !searchable.includes(name))
  if (unsearched !== undefined)
    return (
      `searches in "${field}", ${originOf(link)}: search in "${unsearched}" too, ` +
      'or leave it out'
    )
  if (link.form === 'part' && !link.isSearched)
    return `searches in "${field}", ${originOf(link)}: show the other part too, or leave it out`
  if (!link.isSearched)
    return `searches in "${field}", which holds other words than ${sourceNames(link)}: leave it out`
  // To search in one part of a source field is to search in the whole text.
  const sources = searched.flatMap(({ of: names }) => names)
  const parts = link.of.flatMap((source) => of.view?.partsWith(source) ?? [])
  const missingPart = parts.find((name) => !sources.includes(name))
  if (missingPart !== undefined)
    return (
      `searches in "${field}", which is a part of a text in "${of.name}": search in its ` +
      `"${missingPart}" too, or leave it out`
    )
  const missing = link.of.find((source) => !of.searchable.includes(source))
  return missing === undefined
    ? undefined
    : `searches in "${field}": add "${missing}" to "searchable" of "${of.name}"`
}

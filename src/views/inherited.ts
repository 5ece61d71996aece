import type { AnyOptions } from '../contract/declare/define-resource.ts'
import { neededKind } from '../contract/declare/faults.ts'
import { faultOfKept } from '../contract/declare/field-roles.ts'
import { memberNameOf } from '../contract/declare/references.ts'
import { type OptionName, resourceOptions } from '../contract/declare/resource-declaration.ts'
import type { Link } from '../contract/resource/link.ts'
import { ownerFieldsOf, type Resource } from '../contract/resource/resource.ts'
import { readFilterable } from '../contract/schema/filter.ts'
import { isFilterable } from '../contract/values/link-filter.ts'
import { declaredList } from '../convention/declaration.ts'
import type { FilterType } from '../convention/filter-operators.ts'
import { withPatches } from '../convention/kinds.ts'
import type { OperationKind } from '../convention/operations.ts'
import { searchedFieldsOf } from './queries.ts'
import type { Step } from './view.ts'

/** A view as its author declared it, over the resource beneath. */
export interface Declaring extends Pick<Step, 'of' | 'links'> {
  /** The options that the view names. */
  readonly declared: AnyOptions
}

/**
 * Returns the options of a view: those that it names, and those that it inherits, with the names of
 * its own fields. A field that the view cannot show so drops out. `without` and `restricted` are
 * added to what the resource beneath has.
 *
 * @see docs/requests.md, C7.1
 */
export function optionsOfView(declaring: Declaring): AnyOptions {
  const { of, declared } = declaring
  const { offers: _, ...viewOptions } = declared
  // An option that is undefined is as if left out.
  const entries = Object.entries(viewOptions).filter(([, value]) => value !== undefined)
  const named: AnyOptions = { schema: declared.schema, ...Object.fromEntries(entries) }
  const inherited: Record<string, unknown> = {}
  for (const [name, { inherit }] of Object.entries(resourceOptions))
    if (inherit === 'value') inherited[name] = Reflect.get(of, name)
  for (const [name, translate] of Object.entries(translations))
    inherited[name] = translate(declaring)
  const without = withoutOf(declaring)
  for (const [name, kind] of Object.entries(neededKind))
    if (without.includes(kind)) delete inherited[name]
  const restricted = [...translations.restricted(declaring), ...declaredList(named.restricted)]
  const options = { ...inherited, ...named, without, restricted: [...new Set(restricted)] }
  const defaultLimit = defaultLimitOf(options, named)
  return defaultLimit === undefined ? options : { ...options, defaultLimit }
}

function withoutOf({ of, declared: { without, offers } }: Declaring): readonly OperationKind[] {
  const opened = withPatches(declaredList(offers))
  const closed = of.without.filter((kind) => !opened.includes(kind))
  return [...new Set([...closed, ...declaredList(without)])]
}

type Limits = Pick<AnyOptions, 'maxLimit' | 'defaultLimit'>

// Of two limits that contradict each other, one is inherited.
function defaultLimitOf({ maxLimit, defaultLimit }: Limits, named: Limits): number | undefined {
  const isOwn = named.maxLimit !== undefined && named.defaultLimit !== undefined
  if (isOwn || defaultLimit === undefined || maxLimit === undefined) return defaultLimit
  return Math.min(defaultLimit, maxLimit)
}

type FieldOption = {
  [Name in OptionName]: (typeof resourceOptions)[Name]['inherit'] extends 'fields' ? Name : never
}[OptionName]

const translations = {
  sortable: ({ of, links }) => {
    const plain = links.filter(({ isPlain }) => isPlain)
    return of.sortable.flatMap((source) => fieldsOf(plain, source))
  },
  searchable: searchedFieldsOf,
  filterable: filtersOf,
  references: ({ of, links }) => {
    const plain = links.filter(({ isPlain }) => isPlain)
    const entries = of.references.flatMap(({ field, to, as }) =>
      fieldsOf(plain, field).map((name) => {
        // A member that has the name of its field follows the name in the view.
        const isNamed = as !== memberNameOf(field)
        return [name, isNamed ? { to, as } : to] as const
      }),
    )
    return Object.fromEntries(entries)
  },
  readOnly: ({ of, links }) =>
    links
      .filter(({ of: sources }) => sources.some((source) => isSetByServer(source, of)))
      .flatMap(({ fields }) => fields),
  filled: ({ of, links }) =>
    links.filter(({ of: sources }) => isWithin(sources, of.filled)).flatMap(({ fields }) => fields),
  revision: ({ of, links }) =>
    of.revision === undefined
      ? undefined
      : fieldsOf(
          links.filter(({ isPlain }) => isPlain),
          of.revision,
        )[0],
  ownedBy: ({ of, links }) =>
    typeof of.ownedBy === 'object'
      ? ownerFieldsOf(of).flatMap((source) => fieldsOf(links, source))
      : of.ownedBy,
  restricted: ({ of, links }) => of.restricted.flatMap((source) => fieldsOf(links, source)),
  keep: keptFieldsOf,
} satisfies { readonly [Name in FieldOption]: (declaring: Declaring) => unknown }

function isSetByServer(source: string, { readOnly }: Resource): boolean {
  return source !== 'id' && readOnly.includes(source)
}

function isWithin(sources: readonly string[], names: readonly string[]): boolean {
  return sources.length > 0 && sources.every((source) => names.includes(source))
}

function fieldsOf(links: readonly Link[], source: string): readonly string[] {
  return links.filter(({ of }) => of.includes(source)).flatMap(({ fields }) => fields)
}

// A field of another form has the type that the schema of the view tells.
function filtersOf({ of, links, declared: { schema } }: Declaring) {
  const filterable = links.filter(isFilterable)
  const entries = of.filterable.flatMap(({ name: source, type }) =>
    filterable
      .filter((link) => link.of.includes(source))
      .flatMap(({ fields, isPlain }) =>
        fields.map((field) => [field, isPlain && type !== 'id' ? type : undefined] as const),
      ),
  )
  const isReadable = ([field, type]: readonly [string, FilterType | undefined]): boolean =>
    typeof readFilterable(type === undefined ? [field] : { [field]: type }, schema) !== 'string'
  return Object.fromEntries(entries.filter(isReadable))
}

function keptFieldsOf(declaring: Declaring): readonly string[] {
  const { of, links, declared } = declaring
  const { schema, create = schema, update = create } = declared
  const isNamed = declared.readOnly !== undefined
  const readOnly = isNamed ? declaredList(declared.readOnly) : translations.readOnly(declaring)
  const revision = declared.revision ?? translations.revision(declaring)
  const view = { schema, update, readOnly, revision, ownedBy: translations.ownedBy(declaring) }
  return links
    .filter(({ of: sources }) => isWithin(sources, of.keep))
    .flatMap(({ fields }) => fields)
    .filter((field) => faultOfKept(field, view) === undefined)
}

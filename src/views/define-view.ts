import { type AnyOptions, defineResource } from '../contract/declare/define-resource.ts'
import type { ReferencesIn, ResourceDeclaration } from '../contract/declare/resource-declaration.ts'
import type {
  FieldOf,
  Item,
  ReferencesOption,
  Resource,
  Shape,
  ViewOrigin,
} from '../contract/resource/resource.ts'
import { namedFieldsOf } from '../contract/schema/required.ts'
import type { FieldOfKind, FilterableIn } from '../contract/schema/schema.ts'
import { attempt, throwFaults } from '../convention/declaration.ts'
import { isRecord } from '../convention/value.ts'
import { faultsOfView } from './faults.ts'
import { isSetByServer, linksOf, type Mapping } from './mapping.ts'
import { optionsOfView } from './options.ts'
import type { ViewDeclaration, ViewShape } from './types.ts'
import { viewOf } from './view.ts'

/**
 * Declares a view: another version of a resource, over the same storage. It shows every item of the
 * resource in fields of its own, and needs no adapter.
 *
 * @param name As {@link defineResource}: `employees_v1`.
 * @param of The source resource, or another view of it.
 * @param declaration As {@link defineResource}. `fields` says how each field comes from those of
 *   the source resource; a field without a link has the name of one. `hidden` says what new items
 *   get in the fields that the view does not show, or only reads: a value, or a function of the new
 *   item. A write through the view keeps those fields.
 * @throws {TypeError} For a field that comes from nowhere, and a hidden field without a value that
 *   new items can have; the message says what to write.
 * @see docs/requests.md, C7
 */
export function defineView<
  const Name extends string,
  S extends Shape,
  Fields extends Item,
  const Links = never,
  CreateInput = Fields,
  Create extends object = Fields,
  UpdateInput = CreateInput,
  Update extends object = Create,
  const Sortable extends FieldOfKind<Fields, string | number | boolean> = never,
  const Searchable extends FieldOfKind<Fields, string> = never,
  const Filterable extends FilterableIn<Fields> = never,
  const References extends ReferencesOption = Readonly<Record<never, never>>,
  const Owners extends FieldOfKind<Fields, string | number> = never,
  const Restricted extends FieldOf<Fields> = never,
  const ReadOnly extends FieldOf<Fields> = never,
  const Countable extends FieldOfKind<Fields, string | number | boolean> = never,
>(
  name: Name,
  of: Resource<S>,
  // biome-ignore format: one list
  declaration: ResourceDeclaration<Fields, CreateInput, Create, UpdateInput, Update, Sortable,
    Searchable, Filterable, References, Owners, Restricted, Countable> &
    ReferencesIn<Fields, References> & ViewDeclaration<S, Fields, Links, Create, Sortable,
    Searchable, Filterable, ReadOnly>,
): Resource<
  ViewShape<
    S,
    Links,
    { name: Name; item: Fields; ownedBy: NoInfer<Owners>; base: BaseOf<S> },
    { createInput: CreateInput; create: Create; updateInput: UpdateInput },
    { sortable: Sortable; searchable: Searchable; filterable: Filterable; countable: Countable },
    { references: References; restricted: NoInfer<Restricted> }
  >
> {
  const read = readView({ name, of, declaration })
  return viewResource(read, () => defineResource(name, read.options as typeof declaration))
}

/** A view, as declared. */
interface DeclaredView {
  readonly name: string
  readonly of: unknown
  readonly declaration: AnyOptions
}

/** A view, as the library reads it. */
interface ReadView {
  readonly mapping: Mapping
  readonly options: AnyOptions
  readonly origin: ViewOrigin
  readonly faults: (string | TypeError)[]
}

function readView(view: DeclaredView): ReadView {
  const declaration: MappingOptions & AnyOptions = { ...view.declaration }
  const { fields = {}, hidden = {}, ...declared } = declaration
  const { of, names } = readSource(view, { fields, hidden })
  const { links, faults } = linksOf(of, { names, fields, schema: declared.schema })
  const options = optionsOfView({ of, links, declared })
  const inherited = optionsOfView({ of, links, declared: { schema: declared.schema } })
  const mapping = mappingOf({ of, links, hidden: Object.entries(hidden) }, options)
  const all = [...faults, ...faultsOfView({ options, declared, inherited }, mapping)]
  return {
    mapping,
    options,
    origin: { of, fields, hidden, offers: declared.offers ?? [] },
    faults: all.map((fault) => `View "${view.name}" ${fault}.`),
  }
}

/** The options that only a view has. */
interface MappingOptions {
  readonly fields?: Readonly<Record<string, unknown>>
  readonly hidden?: Readonly<Record<string, unknown>>
}

/**
 * Returns the source resource of a view, and the names of the view's fields.
 *
 * @throws {TypeError} Where nothing else of the view can be read.
 */
function readSource(
  { name, of, declaration }: DeclaredView,
  { fields, hidden }: MappingOptions,
): { readonly of: Resource; readonly names: readonly string[] } {
  const start = `View "${name}"`
  if (!isResource(of))
    throw new TypeError(
      `${start} is of no resource: write defineView("${name}", employees, { … }).`,
    )
  if (!isRecord(fields) || !isRecord(hidden))
    throw new TypeError(
      `${start} takes objects as "fields" and "hidden": write { fields: { name: 'full_name' } }.`,
    )
  const names = namedFieldsOf(declaration.schema)
  if (names === undefined)
    throw new TypeError(
      `${start} has a "schema" that names no fields: use a validator that tells its JSON Schema.`,
    )
  return { of, names }
}

function isResource(of: unknown): of is Resource {
  return isRecord(of) && isRecord(of.base) && typeof of.name === 'string'
}

// A link of read-only fields writes nothing.
function mappingOf({ of, links, hidden }: Omit<Mapping, 'isWhole'>, options: AnyOptions): Mapping {
  const isReadOnly = (field: string): boolean => isSetByServer(field, options)
  const sources = new Set(links.flatMap((link) => link.of))
  const hidesNothing = namedFieldsOf(of.schema)?.every((field) => sources.has(field)) ?? false
  return {
    of,
    links: links.map((link) =>
      link.fields.every(isReadOnly) ? { ...link, write: undefined } : link,
    ),
    hidden,
    isWhole: links.every(({ isPlain }) => isPlain) && hidesNothing,
  }
}

// The compiler renames the inherited options as `optionsOfView` does.
function viewResource<ResourceShape extends Shape>(
  { mapping, origin, faults }: ReadView,
  define: () => Resource,
): Resource<ResourceShape> {
  const definition = attempt(faults, define)
  throwFaults(faults)
  // Without a fault there is a resource.
  const { shape: _, ...resource } = definition as Resource<ResourceShape>
  const view = viewOf(mapping, origin)
  return Object.freeze({ ...resource, view, base: view.base, hub: view.base })
}

/** The shape that an adapter stores. */
type BaseOf<S extends Shape> = S extends { readonly base: infer Base extends Shape } ? Base : S

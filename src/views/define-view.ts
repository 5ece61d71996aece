import { type AnyOptions, defineResource } from '../contract/declare/define-resource.ts'
import type { ReferencesIn, ResourceDeclaration } from '../contract/declare/resource-declaration.ts'
import { type Link, nullLink } from '../contract/resource/link.ts'
import type {
  FieldOf,
  Item,
  ReferencesOption,
  Resource,
  Shape,
  ViewOrigin,
} from '../contract/resource/resource.ts'
import { jsonSchemaOf, membersOf, propertiesOf, typesOf } from '../contract/schema/json-schema.ts'
import { namedFieldsOf } from '../contract/schema/required.ts'
import type { FieldOfKind, StandardSchema } from '../contract/schema/schema.ts'
import { attempt, declaredList, meant, throwFaults } from '../convention/declaration.ts'
import { fieldOf, isRecord } from '../convention/value.ts'
import { viewAdapter } from './adapter.ts'
import { faultsOfView } from './faults.ts'
import { optionsOfView } from './inherited.ts'
import { type ReadLinks, readLinks } from './read-links.ts'
import type { ViewDeclaration, ViewShape } from './types.ts'
import { fieldsWithNull, noObjectFor } from './values.ts'
import { conversionOf, type Step } from './view.ts'

/**
 * Declares a view: another version of a resource, over the same storage. It shows every item of the
 * resource in fields of its own, and needs no adapter.
 *
 * @param name As {@link defineResource}: `employees_v1`.
 * @param of The resource that it shows, or another view of it.
 * @param declaration As {@link defineResource}. `fields` says how each field comes from those
 *   beneath; a field without a link has the name of one. `hidden` says what new items get in the
 *   fields that the view does not show, or only reads: a value, or a function of the new item. A
 *   write through the view keeps those fields.
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
  const Filterable extends FieldOfKind<Fields, string | number | boolean> = never,
  const References extends ReferencesOption = Readonly<Record<never, never>>,
  const Owners extends FieldOfKind<Fields, string | number> = never,
  const Restricted extends FieldOf<Fields> = never,
  const ReadOnly extends FieldOf<Fields> = never,
>(
  name: Name,
  of: Resource<S>,
  // biome-ignore format: one list
  declaration: ResourceDeclaration<Fields, CreateInput, Create, UpdateInput, Update, Sortable,
    Searchable, Filterable, References, Owners, Restricted> & ReferencesIn<Fields, References> &
    ViewDeclaration<S, Fields, Links, Create, Sortable, Searchable, Filterable, ReadOnly>,
): Resource<
  ViewShape<
    S,
    Links,
    { name: Name; item: Fields; ownedBy: NoInfer<Owners>; base: BaseOf<S> },
    { createInput: CreateInput; create: Create; updateInput: UpdateInput },
    { sortable: Sortable; searchable: Searchable; filterable: Filterable },
    { references: References; restricted: NoInfer<Restricted> }
  >
> {
  const read = readView({ name, of, declaration })
  return viewResource(read, () => defineResource(name, read.options as typeof declaration))
}

/** A view, as declared. */
interface Declared {
  readonly name: string
  readonly of: unknown
  readonly declaration: AnyOptions
}

/** A view, as the library reads it. */
interface ReadView {
  readonly step: Step
  readonly options: AnyOptions
  readonly origin: ViewOrigin
  readonly faults: (string | TypeError)[]
}

function readView({ name, of, declaration }: Declared): ReadView {
  const { fields = {}, hidden = {}, ...declared }: Linking & AnyOptions = { ...declaration }
  const { baseResource, named } = readSource({ name, of, declaration, fields, hidden })
  const faults = Object.keys(fields)
    .filter((field) => !named.includes(field))
    .map((field) => `links "${field}", which is no field: ${meant(field, named)}`)
  const read = linksOf(baseResource, { named, fields, view: declaration })
  const declaring = { of: baseResource, links: read.links, declared }
  const options = optionsOfView(declaring)
  const inherited = optionsOfView({ ...declaring, declared: { schema: declared.schema } })
  const step = stepOf({
    of: baseResource,
    links: read.links,
    hidden: Object.entries(hidden),
    options,
  })
  const all = [...faults, ...read.faults, ...faultsOfView({ options, declared, inherited }, step)]
  return {
    step,
    options,
    origin: { of: baseResource, fields, hidden, offers: declared.offers ?? [] },
    faults: all.map((fault) => `View "${name}" ${fault}.`),
  }
}

/** The options of a view alone. */
interface Linking {
  readonly fields?: Readonly<Record<string, unknown>>
  readonly hidden?: Readonly<Record<string, unknown>>
}

/**
 * Returns the resource beneath a view, and the names of the view's fields.
 *
 * @throws {TypeError} Where nothing else of the view can be read.
 */
function readSource({ name, of, declaration, fields, hidden }: Declared & Required<Linking>) {
  const place = `View "${name}"`
  if (!isResource(of))
    throw new TypeError(
      `${place} is of no resource: write defineView("${name}", employees, { … }).`,
    )
  if (!isRecord(fields) || !isRecord(hidden))
    throw new TypeError(
      `${place} takes objects as "fields" and "hidden": write { fields: { name: 'full_name' } }.`,
    )
  const named = namedFieldsOf(declaration.schema)
  if (named === undefined)
    throw new TypeError(
      `${place} has a "schema" that names no fields: use a validator that tells its JSON Schema.`,
    )
  return { baseResource: of, named }
}

interface LinkSource {
  /** The fields of the view. */
  readonly named: readonly string[]
  readonly fields: Readonly<Record<string, unknown>>
  readonly view: AnyOptions
}

function linksOf(of: Resource, { named, fields, view }: LinkSource): ReadLinks {
  // The id leads, as in the items of every store.
  const ordered = ['id', ...named.filter((field) => field !== 'id')]
  const all = ordered.map((field) => [field, fieldOf(fields, field) ?? field] as const)
  const { links, faults } = readLinks(all, {
    typesOf: (field) => typesIn(of.schema, field),
    noneOf: (object, member) => noObjectFor(of, [object, member]),
  })
  return { links: links.map((link) => nullLink(link, fieldsWithNull(link, { of, view }))), faults }
}

function stepOf({
  of,
  links,
  hidden,
  options,
}: Omit<Step, 'isWhole'> & { options: AnyOptions }): Step {
  const { readOnly, revision } = options
  const isFixed = (field: string): boolean =>
    declaredList(readOnly).includes(field) || field === revision
  return {
    of,
    links: links.map((link) => (link.fields.every(isFixed) ? { ...link, write: undefined } : link)),
    hidden,
    isWhole: links.every(({ isPlain }) => isPlain) && hidesNothing(of, links),
  }
}

// The compiler translates the names of the inherited options as `optionsOfView` does.
function viewResource<Projected extends Shape>(
  { step, origin, faults }: ReadView,
  make: () => Resource,
): Resource<Projected> {
  const definition = attempt(faults, make)
  throwFaults(faults)
  // Without a fault there is a resource.
  const { shape: _, ...resource } = definition as Resource<Projected>
  const view = { ...conversionOf(step), origin, adapterOver: viewAdapter }
  return Object.freeze({ ...resource, view, base: view.base, hub: view.base })
}

function isResource(of: unknown): of is Resource {
  return isRecord(of) && isRecord(of.base) && typeof of.name === 'string'
}

function hidesNothing(of: Resource, links: readonly Link[]): boolean {
  const sources = new Set(links.flatMap((link) => link.of))
  return namedFieldsOf(of.schema)?.every((field) => sources.has(field)) ?? false
}

// A table's keys are text: the types tell what they stand for.
function typesIn(schema: StandardSchema, field: string): readonly string[] {
  const types = membersOf(jsonSchemaOf(schema) ?? {})
    .flatMap(propertiesOf)
    .filter(([name]) => name === field)
    .flatMap(([, property]) => membersOf(property).flatMap(typesOf))
  return types.map((type) => (type === 'integer' ? 'number' : String(type)))
}

/** The shape that an adapter stores. */
type BaseOf<S extends Shape> = S extends { readonly base: infer H extends Shape } ? H : S

import { isRecord, meant } from '../../model/declared.ts'
import { defineResource } from '../../model/define-resource.ts'
import { jsonSchemaOf, membersOf, typesOf } from '../../model/json-schema.ts'
import type { Link } from '../../model/link.ts'
import { propertiesOf } from '../../model/outline.ts'
import { readLinks } from '../../model/read-links.ts'
import type { ReferencesOption } from '../../model/reference.ts'
import { namedFieldsOf } from '../../model/required.ts'
import type { FieldOf, Item, Resource, Shape, ViewOrigin } from '../../model/resource.ts'
import type { ReferencesIn, ResourceDeclaration } from '../../model/resource-declaration.ts'
import type { FieldOfKind, StandardSchema } from '../../model/schema.ts'
import { fieldOf } from '../../model/value.ts'
import { conversionOf, type Step } from '../../model/view.ts'
import type { ViewDeclaration } from '../../model/view-declaration.ts'
import { faultOfView } from '../../model/view-faults.ts'
import { viewAdapter } from './adapter.ts'

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
): Resource<{
  name: Name
  item: Fields
  createInput: CreateInput
  create: Create
  updateInput: UpdateInput
  sortable: Sortable
  searchable: Searchable
  filterable: Filterable
  references: References
  ownedBy: NoInfer<Owners>
  restricted: NoInfer<Restricted>
  hub: HubOf<S>
}> {
  const { own, ...view } = read(name, of, declaration)
  return finished(defineResource(name, own as unknown as typeof declaration), view)
}

function read(name: string, of: unknown, declaration: { readonly schema: StandardSchema }) {
  const { fields, hidden, ...declared }: Readonly<Record<string, unknown>> = { ...declaration }
  const step = stepOf({ name, of, schema: declaration.schema, fields, hidden, declared })
  const origin = { of: step.of, fields: { ...Object(fields) }, hidden: { ...Object(hidden) } }
  // The compiler cannot follow a declaration through a rest.
  return { step, origin, own: { ...inheritedFrom(step), ...declared } }
}

function finished<Made extends Resource>(
  { shape: _, ...resource }: Made,
  { step, origin }: { readonly step: Step; readonly origin: ViewOrigin },
) {
  const view = { ...conversionOf(step), origin, adapterOver: viewAdapter }
  const made = { ...resource, view, hub: view.hub }
  const fault = faultOfView(made, step)
  if (fault !== undefined) throw new TypeError(`View "${resource.name}" ${fault}.`)
  return Object.freeze(made)
}

/** A view, as declared. */
interface Declared {
  readonly name: string
  readonly of: unknown
  readonly schema: StandardSchema
  readonly fields: unknown
  readonly hidden: unknown
  readonly declared: Readonly<Record<string, unknown>>
}

function stepOf({ name, of, schema, fields = {}, hidden = {}, declared }: Declared): Step {
  const place = `View "${name}"`
  if (!isResource(of))
    throw new TypeError(
      `${place} is of no resource: write defineView("${name}", employees, { … }).`,
    )
  if (!isRecord(fields) || !isRecord(hidden))
    throw new TypeError(
      `${place} takes objects as "fields" and "hidden": write { fields: { name: 'full_name' } }.`,
    )
  const named = namedFieldsOf(schema)
  if (named === undefined)
    throw new TypeError(
      `${place} has a "schema" that names no fields: use a validator that tells its JSON Schema.`,
    )
  const unknown = Object.keys(fields).find((field) => !named.includes(field))
  if (unknown !== undefined)
    throw new TypeError(`${place} links "${unknown}", which is no field: ${meant(unknown, named)}.`)
  // The id leads, as in the items of every store.
  const ordered = ['id', ...named.filter((field) => field !== 'id')]
  const all = ordered.map((field) => [field, fieldOf(fields, field) ?? field] as const)
  const links = readLinks(all, (field) => typesIn(of.schema, field))
  if (typeof links === 'string') throw new TypeError(`${place} ${links}.`)
  const readOnly = [declared.readOnly, declared.revision].flat()
  return {
    of,
    links: links.map((link) =>
      link.fields.every((field) => readOnly.includes(field)) ? { ...link, write: undefined } : link,
    ),
    hidden: Object.entries(hidden),
    isWhole: links.every(({ isPlain }) => isPlain) && hidesNothing(of, links),
  }
}

function isResource(of: unknown): of is Resource {
  return isRecord(of) && isRecord(of.hub) && typeof of.name === 'string'
}

function hidesNothing(of: Resource, links: readonly Link[]): boolean {
  const shown = new Set(links.flatMap((link) => link.of))
  return namedFieldsOf(of.schema)?.every((field) => shown.has(field)) ?? false
}

// A table's keys are text: the types tell what they stand for.
function typesIn(schema: StandardSchema, field: string): readonly string[] {
  const types = membersOf(jsonSchemaOf(schema) ?? {})
    .flatMap(propertiesOf)
    .filter(([name]) => name === field)
    .flatMap(([, property]) => membersOf(property).flatMap(typesOf))
  return types.map((type) => (type === 'integer' ? 'number' : String(type)))
}

// A view of an owned resource is owned by the same fields, and restricts what is restricted there.
function inheritedFrom({ of, links }: Step): object {
  const shownAs = (field: string) =>
    links.filter((link) => link.of.includes(field)).flatMap(({ fields }) => fields)
  const { ownedBy } = of
  return {
    restricted: of.restricted.flatMap(shownAs),
    ...(ownedBy !== undefined && {
      ownedBy: ownedBy === 'parent' ? ownedBy : ownedBy.flatMap(shownAs),
    }),
  }
}

/** The shape that an adapter stores. */
type HubOf<S extends Shape> = S extends { readonly hub: infer H extends Shape } ? H : S

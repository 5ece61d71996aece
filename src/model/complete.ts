import { idFor } from './id.ts'
import { jsonSchemaOf } from './json-schema.ts'
import { fieldOf, isInScope, type Operation } from './operation.ts'
import { anything, type Outline, outlineOf } from './outline.ts'
import { requiredFieldsOf } from './required.ts'
import type { Resource } from './resource.ts'

interface Wanted {
  /** Fields of the item. */
  readonly names: readonly string[]
  /** Fields with fields of their own. */
  readonly deep: readonly (readonly [name: string, outline: Outline])[]
}

const known = new WeakMap<Resource, Wanted>()

/**
 * Returns the required fields that an item lacks, at every depth: `['company_id',
 * 'lines.0.price']`. The server can send no item that lacks one, nor a list with it.
 */
export function lackingIn(item: object, resource: Resource): readonly string[] {
  const { names, deep } = wantedOf(resource)
  const lacking = names.filter((name) => fieldOf(item, name) === undefined)
  for (const [name, outline] of deep) {
    lacking.push(...lackingInside(fieldOf(item, name), outline, name))
  }
  return lacking
}

function wantedOf(resource: Resource): Wanted {
  let wanted = known.get(resource)
  if (wanted === undefined) {
    const names = requiredFieldsOf(resource.schema) ?? []
    const schema = jsonSchemaOf(resource.schema)
    const { fields } = schema === undefined ? anything : outlineOf(schema)
    const deep = [...(fields ?? [])].map(([name, { outline }]) => [name, outline] as const)
    wanted = { names, deep: deep.filter(([, { fields, elements }]) => fields ?? elements) }
    known.set(resource, wanted)
  }
  return wanted
}

function lackingInside(value: unknown, outline: Outline, path: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  const { fields, elements } = outline
  if (Array.isArray(value)) {
    if (elements === undefined) return []
    return value.flatMap((part, at) => lackingInside(part, elements, `${path}.${at}`))
  }
  return [...(fields ?? [])].flatMap(([name, field]) => {
    const part = fieldOf(value, name)
    const place = `${path}.${name}`
    return part === undefined && field.isRequired
      ? [place]
      : lackingInside(part, field.outline, place)
  })
}

/** The part of an operation that bounds a write. */
type Writing = Pick<Operation, 'resource' | 'scope'>

/**
 * Checks an item before an adapter stores it.
 *
 * @throws {TypeError} As {@link checkInScope}, and for an item without a field that the schema
 *   requires.
 */
export function checkComplete(item: object, operation: Writing): void {
  const { resource } = operation
  const lacking = lackingIn(item, resource)
  if (lacking.length > 0) throw incomplete(resource.name, lacking)
  checkInScope(item, operation)
}

/**
 * Checks that an item is in the scope of its operation, before an adapter stores it.
 *
 * @throws {TypeError} When it does not.
 */
export function checkInScope(item: object, { resource, scope }: Writing): void {
  if (isInScope(item, scope)) return
  throw new TypeError(
    `The new item of "${resource.name}" is outside the scope ${JSON.stringify(scope)}: ` +
      'keep the fields of the scope in "onCreate", "onUpdate" and the database.',
  )
}

/** Makes the error of a new item that lacks required fields. */
export function incomplete(name: string, lacking: readonly string[]): TypeError {
  return new TypeError(
    `The new item of "${name}" has no ${lacking.join(', ')}, which "schema" requires: ` +
      'require it in "create" and "update", or set it in the adapter.',
  )
}

/**
 * Checks that a path can name the id that a database made.
 *
 * @throws {TypeError} For an id that the resource's "id" schema refuses.
 */
export function checkNewId({ id }: { readonly id: unknown }, resource: Resource): void {
  if (idFor(resource, String(id)) === id) return
  throw new TypeError(
    `The new item of "${resource.name}" has an id of type ${typeof id} that no path can name: ` +
      'declare a schema of ids as "id", as in z.coerce.number().',
  )
}

import { problem } from '../../convention/problem.ts'
import { fieldOf, isInScope, isSame } from '../../convention/value.ts'
import { idFor } from '../resource/id.ts'
import { noScope, type Operation } from '../resource/operation.ts'
import type { Item, Resource } from '../resource/resource.ts'
import { jsonSchemaOf } from '../schema/json-schema.ts'
import { anything, type Outline, outlineOf, writeOnlyFieldsOf } from '../schema/outline.ts'
import { requiredFieldsOf } from '../schema/required.ts'

/** Everything about the items to store that the schemas of a resource say. */
interface WriteRules {
  /** The required fields of the item. */
  readonly names: readonly string[]
  /** Fields with fields of their own. */
  readonly nested: readonly (readonly [name: string, outline: Outline])[]
  /** The fields that a body may hold and an item does not. */
  readonly writeOnly: ReadonlySet<string>
}

const rulesByResource = new WeakMap<Resource, WriteRules>()

/** Returns the rules for the items to store. */
export function writeRulesFor(resource: Resource): WriteRules {
  const cached = rulesByResource.get(resource)
  if (cached) return cached
  const schema = jsonSchemaOf(resource.schema)
  const { fields } = schema === undefined ? anything : outlineOf(schema)
  const outlines = [...(fields ?? [])].map(([name, { outline }]) => [name, outline] as const)
  const rules = {
    names: requiredFieldsOf(resource.schema) ?? [],
    nested: outlines.filter(([, { fields, elements }]) => fields ?? elements),
    writeOnly: writeOnlyFieldsOf(resource),
  }
  rulesByResource.set(resource, rules)
  return rules
}

/**
 * Returns the required fields that an item lacks, at every depth: `['company_id',
 * 'lines.0.price']`. A field that is as it was stored is no fault of the write.
 *
 * @param stored The item that it replaces. Default: it is new.
 */
export function missingFieldsIn(
  item: object,
  resource: Resource,
  stored?: object,
): readonly string[] {
  const { names, nested } = writeRulesFor(resource)
  const isAsStored = (name: string): boolean =>
    stored !== undefined && isSame(fieldOf(item, name), fieldOf(stored, name))
  const missingFields: string[] = []
  for (const name of names) {
    if (fieldOf(item, name) === undefined && !isAsStored(name)) missingFields.push(name)
  }
  for (const [name, outline] of nested) {
    const innerFields = missingFieldsInside(fieldOf(item, name), outline, name)
    if (innerFields.length > 0 && !isAsStored(name)) missingFields.push(...innerFields)
  }
  return missingFields
}

function missingFieldsInside(value: unknown, outline: Outline, path: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  const { fields, elements } = outline
  if (Array.isArray(value)) {
    if (elements === undefined) return []
    return value.flatMap((part, index) => missingFieldsInside(part, elements, `${path}.${index}`))
  }
  return [...(fields ?? [])].flatMap(([name, field]) => {
    const part = fieldOf(value, name)
    const inner = `${path}.${name}`
    return part === undefined && field.isRequired
      ? [inner]
      : missingFieldsInside(part, field.outline, inner)
  })
}

/** The part of an operation that bounds a write. */
type ScopedOperation = Pick<Operation, 'resource' | 'scope'>

/**
 * Checks an item before an adapter stores it.
 *
 * @param stored The item that it replaces. Default: it is new.
 * @throws {TypeError} As {@link checkInScope}, and for an item without a field that the schema
 *   requires.
 */
export function checkComplete(item: object, operation: ScopedOperation, stored?: object): void {
  const { resource, scope } = operation
  const missingFields = missingFieldsIn(item, resource, stored)
  if (missingFields.length > 0) throw incompleteItemError(resource.name, missingFields)
  if (scope !== noScope) checkInScope(item, operation)
}

/**
 * Checks that an item is in the scope of its operation, before an adapter stores it.
 *
 * @throws {TypeError} When it is outside.
 */
export function checkInScope(item: object, { resource, scope }: ScopedOperation): void {
  if (isInScope(item, scope)) return
  throw new TypeError(
    `The new item of "${resource.name}" is outside the scope ${JSON.stringify(scope)}: ` +
      'keep the fields of the scope in "onCreate", "onUpdate" and the database.',
  )
}

/** Makes the error of a new item that lacks required fields. */
export function incompleteItemError(name: string, missingFields: readonly string[]): TypeError {
  return new TypeError(
    `The new item of "${name}" has no ${missingFields.join(', ')}, which "schema" requires: ` +
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

/**
 * Returns the next revision of a stored item, as a field to write; no field unless revisions are
 * numbers.
 */
export function revisionAfter(stored: Item | undefined, { revision: field }: Resource): object {
  if (field === undefined) return {}
  const revision = stored === undefined ? 0 : fieldOf(stored, field)
  return typeof revision === 'number' ? { [field]: revision + 1 } : {}
}

/** Returns an item without the fields that a body may hold and an item does not. */
export function withoutWriteOnly<ItemType extends object>(
  item: ItemType,
  resource: Resource,
): ItemType {
  const { writeOnly } = writeRulesFor(resource)
  if (writeOnly.size === 0) return item
  const copy = { ...item }
  for (const name of writeOnly) Reflect.deleteProperty(copy, name)
  return copy
}

/**
 * Checks that a stored item still has the expected revision; `undefined` expects any.
 *
 * @throws {ProblemError} `precondition_failed`.
 */
export function checkRevision(stored: Item, expected: unknown, { revision }: Resource): void {
  if (revision === undefined || expected === undefined) return
  if (fieldOf(stored, revision) === expected) return
  throw problem(
    'precondition_failed',
    'The item has changed since you read it: read it again, and repeat the request.',
  )
}

/** A field of one of several items. */
interface FieldOfItem {
  readonly place: number
  readonly field: string
}

/**
 * Orders issues as every adapter reports them, each field once: by item, then by the field's name.
 */
export function inOrder<Issue extends FieldOfItem>(issues: readonly Issue[]): readonly Issue[] {
  const distinct = new Map(issues.map((issue) => [`${issue.place} ${issue.field}`, issue]))
  return [...distinct.values()].sort((a, b) => a.place - b.place || (a.field < b.field ? -1 : 1))
}

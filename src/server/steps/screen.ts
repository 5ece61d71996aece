import { type JsonSchema, jsonSchemaOf } from '../../model/json-schema.ts'
import type { Outcome } from '../../model/operation.ts'
import { anything, outlineOf } from '../../model/outline.ts'
import type { Resource } from '../../model/resource.ts'
import { isStream, itemsIn, type Part, Parts } from '../../model/stream.ts'
import { isPlainScalar, type Level, screenObject, unwritable } from '../checks/value.ts'
import type { Task } from '../task.ts'

// The core reads schemas when the first item leaves: a start with many resources stays quick.
const tops = new WeakMap<Resource, Top>()

/**
 * Looks through the items that are about to leave. It leaves out fields that the schema does not
 * name, and refuses values that JSON cannot carry, or would silently carry as another value.
 *
 * @throws {TypeError} For a required field without a value, and for a value that JSON cannot carry:
 *   `NaN`, `bigint`, a function, a `Map`, a `Promise`, bytes, a cycle.
 */
export function screen(task: Task): Task {
  const { outcome } = task
  const screened = screenOutcome(outcome, task.plan.resource)
  return screened === outcome ? task : { ...task, outcome: screened }
}

/** Screens an outcome; returns the outcome itself where nothing has to go. */
export function screenOutcome(outcome: Outcome, resource: Resource): Outcome {
  if (outcome.gives !== 'item' && outcome.gives !== 'items') return outcome
  const top = tops.get(resource) ?? topOf(resource)
  if (outcome.gives === 'item') {
    const item = screenItem(outcome.item, top)
    return item === outcome.item ? outcome : { gives: 'item', item }
  }
  const { items } = outcome
  return {
    gives: 'items',
    items: isStream(items) ? new Parts(screenEach(items, top)) : screenItems(items, top),
    // A middleware's own outcome may have none.
    next: Object.hasOwn(outcome, 'next') ? outcome.next : undefined,
  }
}

async function* screenEach(
  items: AsyncIterable<object>,
  top: Top,
): AsyncGenerator<Part<object>, void> {
  const parts: AsyncIterable<Part<object>> = items instanceof Parts ? items.parts() : items
  for await (const part of parts) {
    yield Array.isArray(part) ? screenItems(itemsIn(part), top) : screenItem(part, top)
  }
}

function screenItems(items: readonly object[], top: Top): readonly object[] {
  let kept: object[] | undefined
  for (let index = 0; index < items.length; index++) {
    const item = items[index]
    const screened = screenItem(item, top)
    if (kept === undefined && screened !== item) kept = items.slice(0, index)
    kept?.push(screened)
  }
  return kept ?? items
}

function screenItem(item: unknown, top: Top): object {
  if (typeof item === 'object' && item !== null) {
    if (isUsual(item, top.usual)) return item
    const screened = screenObject(item, top)
    if (typeof screened === 'object' && screened !== null) return learn(screened, item, top)
  }
  throw unwritable('a value that is no object', '')
}

function learn(screened: object, item: object, top: Top): object {
  const isPlain = Object.getPrototypeOf(item) === Object.prototype
  if (screened !== item || top.changes === 0 || !isPlain) return screened
  top.usual = Object.keys(item)
  top.changes--
  return screened
}

// The level of a whole item.
interface Top extends Level {
  /** The fields of the item before, in its order. */
  usual: readonly string[]
  /** How often `usual` may change: items without an order of their own must not cost more. */
  changes: number
}

function topOf(resource: Resource): Top {
  const schema: JsonSchema | undefined = jsonSchemaOf(resource.schema)
  const outline = schema === undefined ? anything : outlineOf(schema)
  const top = { outline, field: '', depth: 0, usual: [], changes: 16 }
  tops.set(resource, top)
  return top
}

// Nearly all items: plain objects of scalars with the fields of the item before, in its order. To
// compare names takes half the time of looking each up.
function isUsual(item: { readonly toJSON?: unknown }, usual: readonly string[]): boolean {
  if (usual.length === 0 || Object.getPrototypeOf(item) !== Object.prototype) return false
  if (item.toJSON !== undefined) return false
  let index = 0
  for (const field in item) {
    if (field !== usual[index++]) return false
    const part = (item as Readonly<Record<string, unknown>>)[field]
    if (typeof part !== 'string' && !isPlainScalar(part)) return false
  }
  return index === usual.length
}

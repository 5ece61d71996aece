import { visibleCollection } from '../../contract/declare/reveal.ts'
import type { Query } from '../../contract/resource/operation.ts'
import type { Resource } from '../../contract/resource/resource.ts'
import { type JsonSchema, jsonSchemaOf } from '../../contract/schema/json-schema.ts'
import { anything, type Outline, outlineOf } from '../../contract/schema/outline.ts'
import { unreadableFieldsIn } from '../../contract/values/show.ts'
import { type Chunk, ChunkedList, itemsIn } from '../../convention/stream.ts'
import { fieldOf } from '../../convention/value.ts'
import {
  FieldFaults,
  isPlainScalar,
  type Level,
  screenObject,
  unwritable,
} from '../checks/value.ts'
import { reportStored } from '../lifetime/refuse.ts'
import type { Task, TaskChanges } from '../task.ts'

// The core reads schemas when the first item leaves: a start with many resources stays quick.
const tops = new WeakMap<Resource, Top>()

/**
 * Looks through the items that are about to leave. It leaves out fields that the schema does not
 * name, and those that the caller does not see. It refuses values that JSON cannot carry, or would
 * silently carry as another value.
 *
 * A stored item can lack a value that the schema requires: `null` stands for it, and the core tells
 * `onError`. No value of a deleted item makes the response fail.
 *
 * @throws {TypeError} For a value that JSON cannot carry: `NaN`, `bigint`, a function, a `Map`, a
 *   `Promise`, bytes, a cycle. For a required field that the adapter lost.
 */
export function screen(task: Task): TaskChanges {
  const { outcome, plan, operation, lifetime, replayed } = task
  if (outcome.gives !== 'item' && outcome.gives !== 'items') return undefined
  const top = tops.get(plan.resource) ?? topOf(plan.resource)
  const { fields } = operation.query
  const { source } = plan
  const newSource = source === 'replaced' ? (operation.items ?? [operation.item]) : source
  // An item of an order by related fields has their values beside it.
  const isWhole = fields === undefined && task.included.length === 0 && !plan.isRelating
  if (isWhole && outcome.gives === 'item' && !operation.isDryRun)
    if (isUsual(outcome.item, top.orders)) return undefined
  const screening = {
    top: operation.isDryRun ? topOfDraft(top) : top,
    shape: isWhole ? undefined : shapeFor(fields, task),
    lifetime,
    sources: replayed === undefined ? newSource : 'stored',
  }
  if (outcome.gives === 'item') {
    const item = screenOne(outcome.item, 0, screening)
    return item === outcome.item ? undefined : { outcome: { gives: 'item', item } }
  }
  const { gives, items } = outcome
  const screened = Array.isArray(items)
    ? screenItems(items, screening)
    : new ChunkedList(screenEach(items as AsyncIterable<object>, screening))
  // A middleware's own outcome may have none.
  const next = Object.hasOwn(outcome, 'next') ? outcome.next : undefined
  const total = Object.hasOwn(outcome, 'total') ? outcome.total : undefined
  return { outcome: { gives, items: screened, next, total } }
}

/** How the items of a response are screened. */
interface Screening {
  readonly top: Top
  readonly shape: Shape | undefined
  readonly lifetime: Task['lifetime']
  /** See {@link FieldFaults.source}; by place. */
  readonly sources: 'stored' | 'deleted' | 'new' | readonly (object | undefined)[]
}

const none: readonly never[] = Object.freeze([])

type Shape = (item: object) => object

// The id stays. The entries of an object hold no inherited field, and keep `__proto__` a field.
function shapeFor(fields: Query['fields'], { included, revealed, lifetime }: Task): Shape {
  const isKept = ([name]: readonly [string, unknown]) =>
    fields === undefined || name === 'id' || fields.includes(name)
  const members = included.map(({ reference: { field, as, target }, items }) => {
    const { resource } = visibleCollection(target, revealed)
    const top = tops.get(resource) ?? topOf(resource)
    const screening = { top, shape: undefined, lifetime, sources: 'stored' } as const
    const screened = new Map(
      [...items].map(([id, item]) => [
        id,
        item === undefined ? null : screenOne(item, 0, screening),
      ]),
    )
    return (item: object) => [as, screened.get(fieldOf(item, field)) ?? null] as const
  })
  return (item) => {
    const added = members.map((memberOf) => memberOf(item))
    return Object.fromEntries([...Object.entries(item).filter(isKept), ...added])
  }
}

async function* screenEach(
  items: AsyncIterable<object>,
  screening: Screening,
): AsyncGenerator<Chunk<object>, void> {
  const parts: AsyncIterable<Chunk<object>> = items instanceof ChunkedList ? items.chunks() : items
  for await (const chunk of parts) {
    yield screenItems(itemsIn(chunk), screening)
  }
}

function screenItems(items: readonly object[], screening: Screening): readonly object[] {
  let copy: object[] | undefined
  for (let index = 0; index < items.length; index++) {
    const item = items[index]
    const screened = screenOne(item, index, screening)
    if (copy === undefined && screened !== item) copy = items.slice(0, index)
    copy?.push(screened)
  }
  return copy ?? items
}

function screenOne(item: unknown, index: number, screening: Screening): object {
  const { top, shape } = screening
  const fullItem = isUsual(item, top.orders) ? item : screenItem(item, index, screening)
  return shape === undefined ? fullItem : shape(fullItem)
}

function screenItem(item: unknown, index: number, { top, lifetime, sources }: Screening): object {
  if (typeof item === 'object' && item !== null) {
    const { faults, name } = top
    faults.begin(typeof sources === 'string' ? sources : sources[index])
    const screened = screenObject(item, top)
    for (const fault of faults.all) reportStored(lifetime, fault, { name, item })
    // Only a view has a "giver".
    const lost = top.giver === undefined ? none : unreadableFieldsIn(item)
    for (const fault of lost) reportStored(lifetime, fault, { name, item })
    const isPlain = Object.getPrototypeOf(item) === Object.prototype
    if (screened === item && isPlain && top.orders.length < maxOrders) {
      top.orders.push(Object.keys(item))
    }
    if (typeof screened === 'object' && screened !== null) return screened
  }
  throw unwritable('a value that is no object', '')
}

// The level of a whole item.
interface Top extends Level {
  /** The name of the resource. */
  readonly name: string
  /** The fields of items before, in their orders: that of a new item is often another. */
  readonly orders: (readonly string[])[]
}

// Items without an order of their own must not cost more.
const maxOrders = 4

// An item that nothing has stored lacks what the storage sets.
function topOfDraft(top: Top): Top {
  return { ...top, outline: { ...top.outline, required: 0 }, orders: [] }
}

function topOf(resource: Resource): Top {
  const schema: JsonSchema | undefined = jsonSchemaOf(resource.schema)
  const outline = withoutRestricted(schema === undefined ? anything : outlineOf(schema), resource)
  const { name, view, base } = resource
  const giver = view && { giver: `View "${name}" shows of "${base.name}"` }
  const faults = new FieldFaults()
  const top = { name, outline, field: '', depth: 0, faults, orders: [], ...giver }
  tops.set(resource, top)
  return top
}

// The hidden fields are not declared for this caller.
function withoutRestricted(outline: Outline, { restricted }: Resource): Outline {
  const { fields, required } = outline
  if (restricted.length === 0) return outline
  if (fields === undefined) return { ...outline, hidden: new Set(restricted) }
  const visibleFields = new Map([...fields].filter(([name]) => !restricted.includes(name)))
  const lost = restricted.filter((name) => fields.get(name)?.isRequired).length
  return { ...outline, fields: visibleFields, required: required - lost }
}

// Nearly all items: plain objects of scalars with the fields of an item before, in its order. To
// compare names takes half the time of looking each up.
function isUsual(item: unknown, orders: Top['orders']): item is object {
  if (typeof item !== 'object' || item === null) return false
  if (Object.getPrototypeOf(item) !== Object.prototype) return false
  if ((item as { readonly toJSON?: unknown }).toJSON !== undefined) return false
  nextOrder: for (const order of orders) {
    let index = 0
    for (const field in item) {
      if (field !== order[index++]) continue nextOrder
      const value = (item as Readonly<Record<string, unknown>>)[field]
      if (typeof value !== 'string' && !isPlainScalar(value)) return false
    }
    if (index === order.length) return true
  }
  return false
}

import { v7 as uuidv7 } from 'uuid'
import { idFor } from '../contract/resource/id.ts'
import { type Operation, ownerValues } from '../contract/resource/operation.ts'
import type { Item, Resource } from '../contract/resource/resource.ts'
import { writeOnlyFieldsOf } from '../contract/schema/outline.ts'
import { requiredFieldsOf } from '../contract/schema/required.ts'
import { unstorableDate } from '../contract/values/dates.ts'
import {
  checkComplete,
  checkInScope,
  checkNewId,
  checkRevision,
  incompleteItemError,
  missingFieldsIn,
} from '../contract/values/write.ts'
import { type Awaitable, whenReady } from '../convention/awaitable.ts'
import { type Issue, problem } from '../convention/problem.ts'
import { faultOfValue, fieldOf, isSame, unrepresentable } from '../convention/value.ts'
import {
  type BoundField,
  fits,
  inStoredForm,
  isBeyondMicroseconds,
  isFindable,
  valueIn,
} from './fields.ts'
import {
  BrokenReference,
  fieldFor,
  type ItemReplacement,
  isBulk,
  type StorageTask,
  type Store,
  type Table,
  throwNotReturned,
  type WrittenItem,
  writtenFolds,
} from './table.ts'

/** An item to store in place of a locked one. */
export interface RowRewrite {
  readonly item: object
  readonly stored: Item
  /** The index of the item in the request. */
  readonly place: number
  /** The revision that the stored item must have. Default: any. */
  readonly ifRevision?: Operation['ifRevision']
  /** Writes only the fields that differ from the stored item. Default: all. */
  readonly isPartial?: boolean
}

/**
 * Checks that the locked items have the revisions that the operation expects.
 *
 * @throws {ProblemError} `precondition_failed`.
 */
export function checkRevisions({ operation }: StorageTask, rows: readonly RowRewrite[]): void {
  for (const { stored, ifRevision } of rows) checkRevision(stored, ifRevision, operation.resource)
}

/** Adds the fields that the server sets to an item that replaces another. */
export function toReplacement(
  { store: { onUpdate }, table, operation, states }: StorageTask,
  { stored, place, ifRevision, isPartial, ...rewrite }: RowRewrite,
): Awaitable<ItemReplacement> {
  return whenReady(onUpdate === undefined ? {} : onUpdate(rewrite.item, stored), (set) => {
    const item = onUpdate ? withoutUsed({ ...rewrite.item, ...set }, table) : rewrite.item
    const values = { ...operation, id: stored.id, item, ifRevision, state: states.get(stored.id) }
    const changed = isPartial ? changedFields(item, stored) : undefined
    return { values, setFields: Object.keys(set), item, stored, place, changed }
  })
}

function changedFields(item: object, stored: Item): readonly string[] {
  const names = new Set([...Object.keys(stored), ...Object.keys(item)])
  return [...names].filter((name) => !isSame(fieldOf(item, name), fieldOf(stored, name)))
}

// The user's function has used the fields that only a body holds and no column stores.
function withoutUsed<Made extends object>(target: Made, { resource, field }: Table): Made {
  for (const name of writeOnlyFieldsOf(resource)) {
    if (!field.has(name)) Reflect.deleteProperty(target, name)
  }
  return target
}

/**
 * Adds to a new item the revision, the fields of `onCreate`, and the id unless the database
 * generates it.
 *
 * @throws {TypeError} For an id that no path can name, and when no one generates ids.
 */
export function newItem(task: StorageTask, item: object): Awaitable<object> {
  return whenReady(task.store.onCreate?.(item) ?? {}, (set) => completed(task, item, set))
}

function completed({ store, table }: StorageTask, item: object, set: object): object {
  const { resource } = table
  const id = fieldOf(item, 'id') ?? nextId(store, table)
  const idFields = id === undefined ? {} : { id }
  const { revision } = resource
  const isCounted = revision !== undefined && fieldFor(table, revision).type === 'number'
  const counted = isCounted ? { [revision]: 1 } : {}
  // An id of the client, or of its key, stays.
  const chosen = fieldOf(item, 'id') === undefined ? {} : idFields
  const all = { ...item, ...idFields, ...counted, ...set, ...chosen }
  const newItemFields = store.onCreate === undefined ? all : withoutUsed(all, table)
  const isChosen = store.nextId === undefined || Object.hasOwn(item, 'id')
  const last = fieldOf(newItemFields, 'id')
  if (last !== undefined && !(isChosen && last === id)) checkNewId({ id: last }, resource)
  return newItemFields
}

function nextId({ nextId }: Store, table: Table): unknown {
  if (nextId !== undefined) return nextId()
  if (fieldFor(table, 'id').stored.origin !== 'client') return undefined
  const id = idFor(table.resource, uuidv7())
  if (id !== undefined) return id
  throw new TypeError(
    `The ids of "${table.resource.name}" are no UUIDs, and the database does not generate them: ` +
      'give the column a default, or the kyselyAdapter a "nextId".',
  )
}

/**
 * Tells whether the owners of a scope may exist, by the types of their columns: one of each list.
 */
export function mayExist({ table, operation }: StorageTask): boolean {
  const { scope } = operation
  return Object.keys(scope).every((name) =>
    ownerValues(scope, name).some((value) =>
      isFindable(fieldFor(table, name), value, table.engine),
    ),
  )
}

/**
 * Checks that the database would store every field of the items unchanged. Keeps the items in the
 * task for later issues of constraints.
 *
 * @returns Whether a reference has a value that its column cannot hold. The caller then throws
 *   `BrokenReference` if the items exist.
 * @throws {ProblemError} `validation_failed` with every other issue of every item.
 */
export function checkFields(task: StorageTask, items: readonly WrittenItem[]): boolean {
  const { table, operation } = task
  task.written = items
  let isDangling = false
  const issues = items.flatMap(({ item, place: index, changed = Object.keys(item) }) =>
    changed.flatMap((name): Issue[] => {
      const failure = issueOf(table, name, fieldOf(item, name))
      if (failure === undefined) return []
      if ((failure !== unfit && failure !== respelled) || !isReference(table, name)) {
        const { place = '', ...issue } = failure
        return [{ pointer: `${isBulk(operation) ? `/${index}` : ''}/${name}${place}`, ...issue }]
      }
      isDangling = true
      return []
    }),
  )
  if (issues.length > 0) throw problem('validation_failed', undefined, { issues })
  return isDangling
}

const tooFine = {
  code: unstorableDate.code,
  message: 'needs at most 6 digits after the second',
} as const

const unfit = { code: 'unfit', message: 'cannot be stored' } as const

const respelled = { code: unstorableDate.code, message: unrepresentable } as const

interface ValueIssue {
  readonly code: string
  readonly message: string
  /** The element of a list: `/2`. Default: the whole value. */
  readonly place?: string
}

function issueOf(table: Table, name: string, value: unknown): ValueIssue | undefined {
  if (value === undefined) return undefined
  if (!table.field.has(name)) {
    return { code: 'unknown_field', message: 'is no field of this resource' }
  }
  const message = faultOfValue(value)
  if (message !== undefined) return { code: 'unstorable', message }
  const field = fieldFor(table, name)
  const stored = inStoredForm(field, value)
  if (stored === undefined) return unstorableDate
  const isMoment = field.stored.kind === 'timestamp' && typeof value === 'string'
  if (isMoment && isBeyondMicroseconds(value)) return tooFine
  if (!fits(field, stored, table.engine)) return issueOfUnfit(field, value, table)
  const folds = writtenFolds(table, [field])
  return folds.every((fold) => fits(fold, valueIn(fold, { [name]: value }), table.engine))
    ? undefined
    : unfit
}

function issueOfUnfit(
  { element, stored }: BoundField,
  value: unknown,
  { engine }: Table,
): ValueIssue {
  if (stored.kind === 'digits' && typeof value === 'string') return respelled
  if (element === undefined || !Array.isArray(value)) return unfit
  const allowed = element.stored.kind === 'enum' ? element.stored.allowed : undefined
  const index = value.findIndex((listItem) => !fits(element, listItem, engine))
  if (index < 0) {
    return { ...unfit, message: `takes each of ${allowed?.join(', ')} once, in this order` }
  }
  const message = allowed === undefined ? unfit.message : `is none of ${allowed.join(', ')}`
  return { ...unfit, message, place: `/${index}` }
}

function isReference({ described, field }: Table, name: string): boolean {
  const column = field.get(name)?.column ?? ''
  return described.references.some(({ columns }) => columns.includes(column))
}

/**
 * Checks before a write that the item has every required field that the database does not add.
 *
 * @param changed The fields that the write changes: the others may lack values. Default: all.
 * @throws {TypeError} For a missing required field, and for an item outside the operation's scope.
 */
export function checkBeforeWrite(
  { operation, table }: StorageTask,
  item: object,
  changed?: readonly string[],
): void {
  const { resource } = table
  checkInScope(item, operation)
  const isChanged = (path: string): boolean =>
    changed?.some((name) => path === name || path.startsWith(`${name}.`)) !== false
  const lacking = missingFieldsIn(item, resource).filter((path) => {
    const field = table.field.get(path)
    return isChanged(path) && (field === undefined || !isGiven(field, operation))
  })
  if (lacking.length > 0) throw incompleteItemError(resource.name, lacking)
}

// A `not null` column gets a value, or the database rejects the item. The client can correct that.
function isGiven({ name, stored, isNullable }: BoundField, { kind, resource }: Operation): boolean {
  if (isNullable || !stored.isNullable || stored.origin === 'computed') return true
  if (kind !== 'create') return name === resource.revision
  return stored.origin === 'generated' || name === 'id'
}

/**
 * Checks that the database can store all items.
 *
 * @throws {ProblemError} As `checkFields`.
 * @throws {TypeError} As `checkBeforeWrite`.
 */
export function checkAll(task: StorageTask, items: readonly WrittenItem[]): void {
  if (checkFields(task, items)) throw new BrokenReference()
  for (const { item, changed } of items) checkBeforeWrite(task, item, changed)
}

/**
 * Checks that a response can hold the stored item. Throws before the transaction ends, so that the
 * database stores nothing.
 *
 * @param written The item as written: it may lack what the stored one lacked before. Default: the
 *   item is new.
 * @throws {ProblemError} `validation_failed` where a PUT creates it with an id that the database
 *   spells otherwise.
 */
export function checkStored(task: StorageTask, stored: Item | undefined, written?: object): Item {
  const { operation } = task
  const item = stored ?? throwNotReturned(task)
  checkComplete(item, operation, written)
  if (operation.kind !== 'create') return item
  checkNewId(item, operation.resource)
  // The id of the PUT that creates it: its path would not find another spelling.
  const { id = item.id } = operation
  if (id !== item.id)
    throw problem('validation_failed', undefined, { issues: [{ pointer: '/id', ...respelled }] })
  return item
}

/**
 * Tells whether a write needs a transaction that reads the item again before it commits. The stored
 * item may lack a field, be invisible, lie outside the scope, or have an id that no path can name.
 */
export function needsReadBack({ store, table, operation }: StorageTask): boolean {
  const { create, update } = doubtsOf(table)
  if (store.visible !== undefined) return true
  const isDoubtful = operation.kind === 'create' ? create : update
  const isSteady = (name: string) => fieldFor(table, name).stored.isSteady
  return isDoubtful || !Object.keys(operation.scope).every(isSteady)
}

interface Doubts {
  readonly create: boolean
  readonly update: boolean
}

const doubts = new WeakMap<Table, Doubts>()

function doubtsOf(table: Table): Doubts {
  const cached = doubts.get(table)
  if (cached) return cached
  const required = (requiredFieldsOf(table.resource.schema) ?? []).flatMap((name) =>
    name === 'id' ? [] : (table.field.get(name) ?? []),
  )
  const id = fieldFor(table, 'id')
  const mayLack = ({ stored, isNullable }: BoundField) => stored.isNullable && !isNullable
  const hasComputed = required.some((field) => field.stored.origin === 'computed' && mayLack(field))
  const update = table.described.hasTriggers || table.isTrusted || hasComputed
  const mayBeNothing = required.some((field) => mayLack(field) && hasOddDefault(field))
  const create = update || mayBeNothing || !id.stored.isSteady || makesOddIds(id, table.resource)
  const doubt = { create, update }
  doubts.set(table, doubt)
  return doubt
}

// A literal, or a function that always returns a value.
const plain: readonly RegExp[] = [
  /^\(*(?:'|[-+]?[\d.]|true\b|false\b|current_)/i,
  /^\(*(?:now|clock_timestamp|statement_timestamp|nextval|gen_random_uuid)\(/i,
  /^\(*(?:uuid|randomblob|hex|unixepoch)\(/i,
]

function hasOddDefault({ stored: { standard } }: BoundField): boolean {
  return standard !== undefined && !plain.some((syntax) => syntax.test(standard))
}

// A database counts or generates UUIDs. Other ids are unknown before the write.
function makesOddIds({ type, stored }: BoundField, resource: Resource): boolean {
  if (stored.origin === 'client') return false
  if (stored.kind === 'digits') return idFor(resource, '1') !== '1'
  const id = type === 'number' ? 1 : uuidv7()
  return idFor(resource, String(id)) !== id
}

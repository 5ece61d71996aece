import { type AdapterMethod, adapterMethods } from '../../convention/adapter-methods.ts'
import { type Awaitable, whenReady } from '../../convention/awaitable.ts'
import { type Issue, problem } from '../../convention/problem.ts'
import { fieldOf, isRecord, setField } from '../../convention/value.ts'
import type { Adapter, UncheckedAdapter } from '../resource/adapter.ts'
import {
  type AdapterShape,
  type Operation,
  ownerValues,
  type Scope,
} from '../resource/operation.ts'
import {
  asSiblings,
  bypassOf,
  faultOfWrapping,
  isKeeping,
  isSibling,
  isSkipping,
  keepsReadOnly,
  skipsItems,
  storageMethodOf,
  tellsStorage,
} from '../resource/siblings.ts'
import { checkScope, meet } from '../values/caller.ts'

// TypeScript compares a method's parameters both ways, so that a function of any shape fits.
type ScopeFor<S extends AdapterShape> = {
  scopeOf(operation: Operation<S>, context: S['context']): Awaitable<Scope>
}['scopeOf']

/**
 * Confines an adapter to a scope: `narrow(adapter, { tenant_id: 'a' })`. Each of its methods then
 * works in the operation's scope and in this one. A new item gets the scope's fields. An item with
 * another value is `validation_failed`, and the adapter stores nothing.
 *
 * The adapter must obey `operation.scope`, as `memoryAdapter` and `kyselyAdapter` do. Prefer
 * `ownedBy` and `.scope`, which confine every resource of a registry.
 *
 * @param scope The owner fields with their values, or a function that returns them for an
 *   operation: `(operation, { user }) => ({ tenant_id: user.tenant_id })`. An empty list holds no
 *   item, `{}` holds every item.
 * @throws {TypeError} For a value that is missing, `''` or `NaN`, and for an adapter that wraps
 *   some methods of another one. The client gets 500 if the function returns such a value.
 */
export function narrow<S extends AdapterShape>(
  adapter: Adapter<S>,
  scope: Scope | ((operation: Operation<S>, context: S['context']) => Awaitable<Scope>),
): Adapter<S> {
  const value: unknown = adapter
  if (!isRecord(value)) throw new TypeError('narrow() takes an adapter: narrow(adapter, scope).')
  const fault = faultOfWrapping(adapter)
  if (fault !== undefined) throw new TypeError(`The adapter of narrow() ${fault}.`)
  const isConstant = typeof scope !== 'function'
  if (isConstant) checkScope(scope)
  const scopeOf: ScopeFor<S> = isConstant
    ? () => scope
    : (operation, context) => whenReady(scope(operation, context), checkScope)
  const narrowedAdapter: UncheckedAdapter = {
    ...Object.fromEntries(methodsOf(adapter, scopeOf)),
    ...helpersOf(adapter),
  }
  // A method that waits for its scope does not write in the turn of the core's read.
  if (narrowedAdapter.update && isConstant && isKeeping(adapter.update))
    keepsReadOnly(narrowedAdapter.update)
  if (narrowedAdapter.list && isSkipping(adapter.list)) skipsItems(narrowedAdapter.list)
  // Each method gives what the adapter's own gives.
  return asSiblings(narrowedAdapter) as Adapter<S>
}

type SimpleMethod = Exclude<AdapterMethod, 'modify' | 'modifyMany' | 'remove' | 'removeMany'>

type ScopedCall = (scopedOperation: Operation, itemScope: Scope) => unknown

function scopedCaller(scopeOf: ScopeFor<AdapterShape>) {
  return (operation: Operation, context: unknown, call: ScopedCall) =>
    whenReady(scopeOf(operation, context), (scope) => {
      const intersection = meet(operation.scope, scope)
      // The core has compared the items with its own scope.
      const itemScope = Object.fromEntries(
        Object.keys(scope).map((field) => [field, intersection[field]]),
      )
      return call({ ...operation, scope: intersection }, itemScope)
    })
}

function methodsOf(innerAdapter: UncheckedAdapter, scopeOf: ScopeFor<AdapterShape>) {
  const callInScope = scopedCaller(scopeOf)
  const simpleMethod = (method: SimpleMethod) => (operation: Operation, context: unknown) =>
    callInScope(operation, context, (scopedOperation, itemScope) =>
      innerAdapter[method]?.(withItems(scopedOperation, itemScope), context),
    )
  const modify: UncheckedAdapter['modify'] = (operation, context, change) =>
    callInScope(operation, context, (scopedOperation, itemScope) =>
      innerAdapter.modify?.(scopedOperation, context, (stored) =>
        whenReady(change(stored), (item) => confineItem(item, itemScope)),
      ),
    )
  const modifyMany: UncheckedAdapter['modifyMany'] = (operation, context, change) =>
    callInScope(operation, context, (scopedOperation, itemScope) =>
      innerAdapter.modifyMany?.(scopedOperation, context, (stored) =>
        whenReady(change(stored), (items) => confineItems(items, itemScope)),
      ),
    )
  const removing =
    (method: 'remove' | 'removeMany'): UncheckedAdapter['remove'] =>
    (operation, context, judge) =>
      callInScope(operation, context, (scopedOperation) =>
        innerAdapter[method]?.(scopedOperation, context, judge),
      )
  const [remove, removeMany] = [removing('remove'), removing('removeMany')]
  const others = { modify, modifyMany, remove, removeMany }
  const methods = adapterMethods
    .filter((method) => typeof innerAdapter[method] === 'function')
    .filter((method) => method !== 'countBy' || bypassOf(innerAdapter, 'countBy') !== undefined)
    .map((method) => [
      method,
      Object.hasOwn(others, method)
        ? others[method as keyof typeof others]
        : simpleMethod(method as SimpleMethod),
    ])
  return [...methods, ...Object.entries(joiningMethods(innerAdapter, scopeOf))]
}

function joiningMethods(
  adapter: UncheckedAdapter,
  scopeOf: ScopeFor<AdapterShape>,
): UncheckedAdapter {
  const select = bypassOf(adapter, 'selection')
  const joins = bypassOf(adapter, 'joinsSelection')
  const storage = storageMethodOf(adapter)
  return {
    ...(select && {
      selection: (operation, context) =>
        whenReady(scopeOf(operation, context), (scope) =>
          select.call(adapter, { ...operation, scope: meet(operation.scope, scope) }, context),
        ),
    }),
    ...(joins && { joinsSelection: (...asked) => joins.apply(adapter, asked) }),
    ...(storage && { storage: tellsStorage(() => storage()) }),
  }
}

function withItems(operation: Operation, itemScope: Scope): Operation {
  const { item, items } = operation
  return {
    ...operation,
    item: item && confineItem(item, itemScope),
    items: items && confineItems(items, itemScope),
  }
}

const helperMethods = [
  'join',
  'ready',
  'advise',
  'examine',
  'layout',
  'holdsValue',
  'storedForm',
] as const

type Helper = (typeof helperMethods)[number]

// A memory adapter is known by its `join`, which needs no `this`.
function helpersOf(adapter: Adapter): Pick<Adapter, Helper> {
  const entries = helperMethods.flatMap((name) => {
    const method: unknown = adapter[name]
    if (typeof method !== 'function') return []
    return [[name, isSibling(method) ? method : method.bind(adapter)]]
  })
  return Object.fromEntries(entries)
}

/**
 * Returns an item with the fields of a scope: the item itself where it has them. A field that the
 * item lacks gets the value of the scope, if there is one alone.
 *
 * @throws {ProblemError} `validation_failed` for an item that is not in the scope.
 */
export function confineItem<ItemType extends object>(item: ItemType, scope: Scope): ItemType {
  const { confined, issues } = fillIn(item, scope, '')
  if (issues.length > 0) throw problem('validation_failed', undefined, { issues })
  return confined
}

/**
 * Returns the items of a bulk with the fields of a scope, as {@link confineItem} does one.
 *
 * @throws {ProblemError} `validation_failed` with the issues of all items.
 */
export function confineItems<ItemType extends object>(
  items: readonly ItemType[],
  scope: Scope,
): readonly ItemType[] {
  const results = items.map((item, index) => fillIn(item, scope, `/${index}`))
  const issues = results.flatMap((result) => result.issues)
  if (issues.length > 0) throw problem('validation_failed', undefined, { issues })
  return results.map(({ confined }) => confined)
}

function fillIn<ItemType extends object>(
  item: ItemType,
  scope: Scope,
  pointer: string,
): { readonly confined: ItemType; readonly issues: readonly Issue[] } {
  const missingFields: Record<string, unknown> = {}
  const issues: Issue[] = []
  for (const field of Object.keys(scope)) {
    const [value, values] = [fieldOf(item, field), ownerValues(scope, field)]
    if (values.some((allowedValue) => allowedValue === value)) continue
    if (value === undefined && values.length === 1) setField(missingFields, field, values[0])
    else issues.push(issueOf(`${pointer}/${field}`, value, values))
  }
  const isComplete = Object.keys(missingFields).length === 0
  return { confined: isComplete ? item : { ...item, ...missingFields }, issues }
}

// The message names no value, since a caller may not know who else there is.
function issueOf(pointer: string, value: unknown, values: readonly unknown[]): Issue {
  return value === undefined && values.length > 0
    ? { pointer, code: 'required', message: 'is missing' }
    : { pointer, code: 'scope_mismatch', message: 'is outside of what you can access' }
}

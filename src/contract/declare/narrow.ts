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
  faultOfWrapping,
  isKeeping,
  isSibling,
  isSkipping,
  keepsReadOnly,
  skipsItems,
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
  const isFixed = typeof scope !== 'function'
  if (isFixed) checkScope(scope)
  const scopeOf: ScopeFor<S> = isFixed
    ? () => scope
    : (operation, context) => whenReady(scope(operation, context), checkScope)
  const narrowed: UncheckedAdapter = {
    ...Object.fromEntries(methodsOf(adapter, scopeOf)),
    ...helpersOf(adapter),
  }
  // A method that waits for its scope does not write in the turn of the core's read.
  if (narrowed.update && isFixed && isKeeping(adapter.update)) keepsReadOnly(narrowed.update)
  if (narrowed.list && isSkipping(adapter.list)) skipsItems(narrowed.list)
  // Each method gives what the adapter's own gives.
  return asSiblings(narrowed) as Adapter<S>
}

type Plain = Exclude<AdapterMethod, 'modify' | 'modifyMany'>

type Run = (inside: Operation, itemScope: Scope) => unknown

function methodsOf(inner: UncheckedAdapter, scopeOf: ScopeFor<AdapterShape>) {
  const within = (operation: Operation, context: unknown, run: Run) =>
    whenReady(scopeOf(operation, context), (scope) => {
      const intersection = meet(operation.scope, scope)
      // The core has compared the items with its own scope.
      const itemScope = Object.fromEntries(
        Object.keys(scope).map((field) => [field, intersection[field]]),
      )
      return run({ ...operation, scope: intersection }, itemScope)
    })
  const plain = (method: Plain) => (operation: Operation, context: unknown) =>
    within(operation, context, (inside, itemScope) =>
      inner[method]?.(withItems(inside, itemScope), context),
    )
  const modify: UncheckedAdapter['modify'] = (operation, context, change) =>
    within(operation, context, (inside, itemScope) =>
      inner.modify?.(inside, context, (stored) =>
        whenReady(change(stored), (item) => confineItem(item, itemScope)),
      ),
    )
  const modifyMany: UncheckedAdapter['modifyMany'] = (operation, context, change) =>
    within(operation, context, (inside, itemScope) =>
      inner.modifyMany?.(inside, context, (stored) =>
        whenReady(change(stored), (items) => confineItems(items, itemScope)),
      ),
    )
  return adapterMethods
    .filter((method) => typeof inner[method] === 'function')
    .map((method) => {
      if (method === 'modify') return [method, modify]
      return [method, method === 'modifyMany' ? modifyMany : plain(method)]
    })
}

function withItems(operation: Operation, itemScope: Scope): Operation {
  const { item, items } = operation
  return {
    ...operation,
    item: item && confineItem(item, itemScope),
    items: items && confineItems(items, itemScope),
  }
}

const helperMethods = ['join', 'ready', 'advise', 'examine', 'holdsValue', 'storedForm'] as const

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
export function confineItem<Given extends object>(item: Given, scope: Scope): Given {
  const { confined, issues } = fill(item, scope, '')
  if (issues.length > 0) throw problem('validation_failed', undefined, { issues })
  return confined
}

/**
 * Returns the items of a bulk with the fields of a scope, as {@link confineItem} does one.
 *
 * @throws {ProblemError} `validation_failed` with the issues of all items.
 */
export function confineItems<Given extends object>(
  items: readonly Given[],
  scope: Scope,
): readonly Given[] {
  const filled = items.map((item, index) => fill(item, scope, `/${index}`))
  const issues = filled.flatMap((one) => one.issues)
  if (issues.length > 0) throw problem('validation_failed', undefined, { issues })
  return filled.map(({ confined }) => confined)
}

function fill<Given extends object>(
  item: Given,
  scope: Scope,
  at: string,
): { readonly confined: Given; readonly issues: readonly Issue[] } {
  const missing: Record<string, unknown> = {}
  const issues: Issue[] = []
  for (const field of Object.keys(scope)) {
    const [value, values] = [fieldOf(item, field), ownerValues(scope, field)]
    if (values.some((known) => known === value)) continue
    if (value === undefined && values.length === 1) setField(missing, field, values[0])
    else issues.push(issueOf(`${at}/${field}`, value, values))
  }
  const isWhole = Object.keys(missing).length === 0
  return { confined: isWhole ? item : { ...item, ...missing }, issues }
}

// The message names no value, since a caller may not know who else there is.
function issueOf(pointer: string, value: unknown, values: readonly unknown[]): Issue {
  return value === undefined && values.length > 0
    ? { pointer, code: 'required', message: 'is missing' }
    : { pointer, code: 'scope_mismatch', message: 'is outside of what you can access' }
}

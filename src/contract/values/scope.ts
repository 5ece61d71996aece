import { isRecord } from '../../convention/declared.ts'
import { setField } from '../../convention/value.ts'
import { type OwnerValue, ownerValues, type Scope } from '../resource/operation.ts'

/**
 * Returns the scope that holds the items of both: `{ a: ['x', 'y'] }` and `{ a: 'x', b: 1 }` →
 * `{ a: 'x', b: 1 }`. A field whose values do not agree becomes `[]`, which holds no item.
 */
export function meet(scope: Scope, restriction: Scope): Scope {
  const intersection: Record<string, OwnerValue | undefined> = { ...scope }
  for (const [field, value] of Object.entries(restriction)) {
    setField(
      intersection,
      field,
      Object.hasOwn(scope, field) ? common(field, scope, restriction) : value,
    )
  }
  return intersection
}

// `undefined` holds no item, as `isInScope` compares.
function common(field: string, scope: Scope, restriction: Scope): OwnerValue | undefined {
  if (scope[field] === restriction[field]) return scope[field]
  const allowed = ownerValues(restriction, field)
  const shared = ownerValues(scope, field).filter((value) => allowed.includes(value))
  return Array.isArray(scope[field]) && Array.isArray(restriction[field])
    ? shared
    : (shared[0] ?? [])
}

/**
 * Returns a scope that a program gives. A missing value must never stand for all items, nor for
 * those without the field.
 *
 * @throws {TypeError} For another value than a scope, and for a field without a value.
 */
export function checkScope(scope: Scope): Scope {
  if (!isRecord(scope)) {
    throw new TypeError(
      "narrow() takes a scope: write narrow(adapter, { tenant_id: 'a' }), " +
        'or a function that returns one.',
    )
  }
  for (const [field, value] of Object.entries(scope)) {
    if ([value].flat().every(isOwner)) continue
    throw new TypeError(
      `The scope of narrow() has no value for "${field}": ` +
        'give a text, a number, or a list of them. An empty list holds no item.',
    )
  }
  return scope
}

/** Tells whether a value can name an owner: a text that is not empty, or a finite number. */
export function isOwner(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '') || Number.isFinite(value)
}

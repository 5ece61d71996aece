import { fieldOf, isRecord, setField } from '../../convention/value.ts'
import type { Api } from '../resource/api.ts'
import { noScope, type OwnerValue, ownerValues, type Scope } from '../resource/operation.ts'
import { ownerFieldsOf, type Resource, type Shape } from '../resource/resource.ts'

/** The scope of a caller who reaches the items of every owner. */
export const everything: unique symbol = /* @__PURE__ */ Symbol.for('nounful.everything')

/** The owner fields of a caller, as the core has checked them. */
export type Caller = typeof everything | Scope

/** The result of `.scope()`: the caller's value of each owner field of the api, or several. */
export type CallerScope<A extends Api> =
  | typeof everything
  | { readonly [Field in OwnerFieldsOf<A>]: ValueOf<A, Field> | readonly ValueOf<A, Field>[] }

/** The fields that the option `ownedBy` of some resource names; `never` for none. */
export type OwnerFieldsOf<A extends Api> = ShapeIn<A>['ownedBy']

// The value of an owner field in the items of each resource that it owns.
type ValueOf<A extends Api, Field extends string> =
  ShapeIn<A> extends infer S
    ? S extends { readonly ownedBy: infer Owners; readonly item: infer Fields }
      ? Field extends Owners & keyof Fields
        ? Extract<Fields[Field], string | number>
        : never
      : never
    : never

/** The shapes of an api's stored resources, as a union. */
export type ShapeIn<A extends Api> = ShapeOf<A['declaration'][keyof A['declaration']]>

type ShapeOf<Paths> = Paths extends unknown
  ? StoredShapeOf<NonNullable<Extract<Paths[keyof Paths], Resource>['shape']>>
  : never

// Owners and restricted fields have the words of the storage in every version.
type StoredShapeOf<S> = S extends { readonly base: infer H extends Shape } ? H : S

/**
 * Checks the result of `.scope()`, and keeps the owner fields.
 *
 * A missing value is an error, since an item without a field must never equal a caller without one.
 *
 * @throws {TypeError} For another value than `everything` and an object with each field.
 */
export function readCaller(
  result: unknown,
  { ownerFields: fields, ownerTypes }: Pick<Api, 'ownerFields' | 'ownerTypes'>,
): Caller {
  const ofType = (field: string, value: unknown): string | number => {
    const type = ownerTypes.get(field)
    if (isOwner(value) && (type === undefined || typeof value === type)) return value
    return refuse(field, value, isOwner(value) ? type : undefined)
  }
  if (result === everything) return everything
  if (!isRecord(result)) {
    throw new TypeError(
      `.scope() gave ${String(result)}: return { ${fields.join(', ')} }, or "everything".`,
    )
  }
  const [first] = fields as readonly [string]
  const only = fieldOf(result, first)
  // Nearly every api has one field, and a caller one owner.
  if (fields.length === 1 && !Array.isArray(only)) return { [first]: ofType(first, only) }
  const caller: Record<string, OwnerValue> = {}
  for (const field of fields) {
    const value = Object.hasOwn(result, field) ? result[field] : undefined
    caller[field] = Array.isArray(value)
      ? ownersIn(value, (owner) => ofType(field, owner))
      : ofType(field, value)
  }
  return caller
}

function ownersIn(
  values: readonly unknown[],
  read: (value: unknown) => string | number,
): OwnerValue {
  // `map` steps over holes.
  const owners = Array.from(new Set(values), read)
  const [only] = owners
  return owners.length === 1 && only !== undefined ? only : Object.freeze(owners)
}

const nouns = { string: 'a text', number: 'a number' } as const

function refuse(field: string, value: unknown, type?: keyof typeof nouns): never {
  const written = typeof value === 'string' ? JSON.stringify(value) : String(value)
  if (type !== undefined) {
    throw new TypeError(
      `.scope() gave ${written} as "${field}", which is ${nouns[type]} in the schema: return ` +
        `${nouns[type]}, or a list of them.`,
    )
  }
  throw new TypeError(
    `.scope() gave ${written} as "${field}", which is no owner: return a text, a number or a ` +
      'list of them. For all items, import and return "everything".',
  )
}

/** Returns the part of a caller's scope that confines the items of a resource. */
export function scopeOfCaller(caller: Caller, resource: Resource): Scope {
  const fields = ownerFieldsOf(resource)
  if (fields.length === 0 || caller === everything) return noScope
  const { view } = resource
  // A caller has each owner field of the api, so these are all of them.
  if (view === undefined && Object.keys(caller).length === fields.length) return caller
  const scope: Record<string, OwnerValue | undefined> = {}
  for (const field of fields) {
    // A scope without the field would hold every item.
    scope[field] = caller[view?.plainOf(field) ?? field] ?? refuse(field, undefined)
  }
  return scope
}

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

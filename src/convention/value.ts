/** Tells whether a value is an object, but no list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns an own field of an item; `undefined` for none. */
export function fieldOf(item: object, field: string): unknown {
  return Object.hasOwn(item, field) ? (item as Readonly<Record<string, unknown>>)[field] : undefined
}

/** Returns the own fields of an item that are among some. */
export function pickFields(item: object, fields: readonly string[]): object {
  const names = fields.filter((field) => Object.hasOwn(item, field))
  return Object.fromEntries(names.map((field) => [field, fieldOf(item, field)]))
}

/** Sets an own field of a new object, also one that every object inherits: `__proto__`. */
export function setField(item: Record<string, unknown>, field: string, value: unknown): void {
  if (field === '__proto__') {
    Object.defineProperty(item, field, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    })
  } else item[field] = value
}

/** Sets an own field of a new object, or removes it where there is no value. */
export function putField(item: Record<string, unknown>, field: string, value: unknown): void {
  if (value === undefined) delete item[field]
  else setField(item, field, value)
}

/** Returns a stored value as a client gets it: a `Date` is its text. */
export function asSent(value: unknown): unknown {
  return value instanceof Date ? value.toJSON() : value
}

/** Tells whether two JSON values are equal, in any order of fields. A `Date` is its text. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (a instanceof Date || b instanceof Date) return asSent(a) === asSent(b)
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    return false
  }
  const keys = Object.keys(a)
  return (
    Array.isArray(a) === Array.isArray(b) &&
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isSame(fieldOf(a, key), fieldOf(b, key)))
  )
}

type Fielded = Readonly<Record<string, unknown>>

/**
 * Tells whether an item is in a scope: it has each field of the scope, with the same value, or with
 * one of a list.
 */
export function isInScope(item: object, scope: Readonly<Record<string, unknown>>): boolean {
  for (const field of Object.keys(scope)) {
    const wanted = scope[field]
    // No other inherited member is an id or an owner, and Node may forbid to read this one.
    const value = field === '__proto__' ? fieldOf(item, field) : (item as Fielded)[field]
    if (value !== wanted && !(Array.isArray(wanted) && wanted.includes(value))) return false
    if (value === undefined) return false
  }
  return true
}

/** Tells whether two objects have the same values in some fields. */
export function agree(a: object, b: object, fields: readonly string[]): boolean {
  return fields.every((field) => isSame(fieldOf(a, field), fieldOf(b, field)))
}

/**
 * Says why some database could not store a value: NUL, a lone surrogate, a number beyond a double.
 * Returns `undefined` for a good value.
 */
export function faultOfValue(value: unknown): string | undefined {
  if (typeof value === 'number' && !Number.isFinite(value))
    return 'must be a number within the range of a double'
  if (typeof value !== 'string') return undefined
  if (value.includes('\0')) return 'must not hold NUL'
  return value.isWellFormed() ? undefined : 'must not hold a lone surrogate'
}

/** The message for a value that a storage would return otherwise, or cannot hold. */
export const unrepresentable = 'cannot be stored so that it reads back the same'

/** Parses JSON; `undefined` for invalid text. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

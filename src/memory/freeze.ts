/**
 * Returns a frozen deep copy of a JSON value, so that no caller can change a stored value.
 *
 * @throws {TypeError} For a value that JSON cannot carry, since every later list would fail.
 */
export function freeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return checked(value)
  const copy: Record<string, unknown> = Array.isArray(value) ? Object([...value]) : { ...value }
  for (const key of Object.keys(copy)) {
    const part = copy[key]
    if (typeof part === 'object' && part !== null) copy[key] = freeze(part)
    else if (part !== undefined || Array.isArray(copy)) checked(part)
  }
  return Object.freeze(copy) as Value
}

function checked<Value>(value: Value): Value {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (Number.isFinite(value)) return value
  throw new TypeError(`A memoryAdapter cannot store ${String(value)}: JSON has no such value.`)
}

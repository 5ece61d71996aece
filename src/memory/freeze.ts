/**
 * Returns a frozen deep copy of a JSON value, so that no caller can change a stored value.
 *
 * @param path The fields that lead to the value. Default: none, for an item.
 * @throws {TypeError} For a value that JSON cannot carry, since every later list would fail.
 */
export function freeze<Value extends object>(value: Value, path: readonly string[] = []): Value {
  const isArray = Array.isArray(value)
  const copy: Record<string, unknown> = isArray ? Object([...value]) : { ...value }
  for (const key of Object.keys(copy)) {
    const part = copy[key]
    const isPlain = typeof part === 'string' || typeof part === 'boolean' || part === null
    if (isPlain || Number.isFinite(part) || (part === undefined && !isArray)) continue
    const at = [...path, key]
    if (!isJsonObject(part)) throw cannotStore(part, at)
    copy[key] = freeze(part, at)
  }
  return Object.freeze(copy) as Value
}

// A date, a map or a set would become `{}`.
function isJsonObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  return Array.isArray(value) || Object.prototype.toString.call(value) === '[object Object]'
}

function cannotStore(value: unknown, path: readonly string[]): TypeError {
  const isDate = value instanceof Date
  const advice = isDate ? 'write date.toISOString()' : 'use text, numbers, lists and plain objects'
  const shown = typeof value === 'object' ? Object.prototype.toString.call(value) : String(value)
  return new TypeError(
    `A memoryAdapter cannot store ${shown} in "${path.join('.')}": ` +
      `JSON has no such value, ${advice}.`,
  )
}

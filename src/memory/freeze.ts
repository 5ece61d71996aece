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
    const member = copy[key]
    const isPlain = typeof member === 'string' || typeof member === 'boolean' || member === null
    if (isPlain || Number.isFinite(member) || (member === undefined && !isArray)) continue
    const at = [...path, key]
    if (!isJsonObject(member)) throw cannotStore(member, at)
    copy[key] = freeze(member, at)
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
  const text = typeof value === 'object' ? Object.prototype.toString.call(value) : String(value)
  return new TypeError(
    `A memoryAdapter cannot store ${text} in "${path.join('.')}": ` +
      `JSON has no such value, ${advice}.`,
  )
}

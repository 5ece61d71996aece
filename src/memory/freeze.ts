/**
 * A frozen copy of a JSON value with all its parts, so that neither who gave it nor who is given it can change what is stored.
 */
export function freeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  const copy = Array.isArray(value) ? [...value] : { ...value }
  for (const [key, part] of Object.entries(copy)) {
    if (typeof part === 'object' && part !== null) Reflect.set(copy, key, freeze(part))
  }
  return Object.freeze(copy) as Value
}

/**
 * Folds the case of a text, in all of Unicode: `'Straße'` and `'STRASSE'`, `'ς'` and `'Σ'` become
 * equal.
 */
export function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase()
}

/**
 * Returns a text that sorts by code point as a folded field sorts a text: by the fold, then by the
 * text itself. The fold ends with two NULs, and `\0\u0001` stands for a NUL in it.
 */
export function foldedKey(text: string): string {
  return `${foldCase(text).replaceAll('\0', '\0\u0001')}\0\0${text}`
}

interface KeptKey {
  readonly text: string
  readonly key: string
}

// An order compares an item many times. An item of an adapter by hand may change.
const keysByField = new Map<string, WeakMap<object, KeptKey>>()

/** Returns the {@link foldedKey} of a field of an item, and keeps it beside the item. */
export function foldedKeyIn(item: object, field: string, text: string): string {
  let keys = keysByField.get(field)
  if (keys === undefined) {
    keys = new WeakMap()
    keysByField.set(field, keys)
  }
  const kept = keys.get(item)
  if (kept?.text === text) return kept.key
  const key = foldedKey(text)
  keys.set(item, { text, key })
  return key
}

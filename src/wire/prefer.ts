/** Preferences by lower-case name; `''` for one without a value. */
export type Preferences = ReadonlyMap<string, string>

/**
 * Reads a `Prefer` header (RFC 7240 §2): `max-affected=10, wait` → `max-affected` is `10`, `wait`
 * is `''`. Ignores the parameters of a preference. The first of equal preferences counts.
 */
export function parsePrefer(header: string): Preferences {
  const preferences = new Map<string, string>()
  for (const [preference] of header.matchAll(/(?:[^,"]|"[^"]*"?)+/g)) {
    const [, name = '', quoted, token = ''] =
      /^\s*([^\s=;]+)(?:\s*=\s*(?:"([^"]*)"|([^\s;"]*)))?/.exec(preference) ?? []
    const key = name.toLowerCase()
    if (key !== '' && !preferences.has(key)) preferences.set(key, quoted ?? token)
  }
  return preferences
}

/** Writes a `Prefer` header. The inverse of {@link parsePrefer}, for tokens and quotable text. */
export function formatPrefer(preferences: Preferences): string {
  return [...preferences]
    .map(([name, value]) => (value === '' ? name : `${name}=${quoted(value)}`))
    .join(', ')
}

function quoted(value: string): string {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(value) ? value : `"${value}"`
}

/** Reads a JSON Pointer (RFC 6901): `/3/name` → `['3', 'name']`, `''` → `[]`. */
export function parsePointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Writes a JSON Pointer: `[3, 'name']` → `/3/name`. The inverse of {@link parsePointer}. */
export function formatPointer(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

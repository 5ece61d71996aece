/** Counts the levels of a JSON value, however deep: a scalar has none. */
export function depthOf(value: unknown): number {
  let level = 0
  let parts: readonly unknown[] = [value]
  for (;;) {
    parts = parts.flatMap((part) =>
      typeof part === 'object' && part !== null ? Object.values(part) : [],
    )
    if (parts.length === 0) return level
    level++
  }
}

/** Groups the rows of a result by key, in their order. */
export function groupedBy<Row, Key>(
  rows: readonly Row[],
  keyOf: (row: Row) => Key,
): ReadonlyMap<Key, readonly Row[]> {
  const groups = new Map<Key, Row[]>()
  for (const row of rows) {
    const group = groups.get(keyOf(row)) ?? []
    group.push(row)
    groups.set(keyOf(row), group)
  }
  return groups
}

/** Inverts lists of words: `{ text: 'char varchar' }` → `{ char: 'text', varchar: 'text' }`. */
export function byWord<Key extends string>(
  lists: Readonly<Partial<Record<Key, string>>>,
): Readonly<Record<string, Key>> {
  const entries = Object.entries(lists) as [Key, string][]
  return Object.fromEntries(
    entries.flatMap(([key, words]) => words.split(' ').map((word) => [word, key])),
  )
}

/**
 * Returns the columns of unique keys by name. Leaves out keys over an expression, which is a part
 * without a column.
 */
export function keysIn(
  parts: readonly { readonly key: string; readonly column: string | null }[],
): ReadonlyMap<string, readonly string[]> {
  const keys = [...groupedBy(parts, ({ key }) => key)].map(
    ([key, parts]) => [key, parts.map(({ column }) => column)] as const,
  )
  return new Map(keys.flatMap(([key, columns]) => (columns.every(isName) ? [[key, columns]] : [])))
}

function isName(column: string | null): column is string {
  return column !== null
}

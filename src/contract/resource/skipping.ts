const skipping = new WeakSet<object>()

/**
 * Marks an adapter's `list` that leaves out the first `query.offset` items itself. Without the mark
 * the core leaves them out. A wrapper of the method is not marked: it may hide items.
 * Returns the method itself.
 */
export function skipsItems<List extends object>(list: List): List {
  skipping.add(list)
  return list
}

/** Tells whether {@link skipsItems} marked a method. */
export function isSkipping(list: object | undefined): boolean {
  return list !== undefined && skipping.has(list)
}

const keeping = new WeakSet<object>()

/**
 * Marks an adapter's `update` that loses no change between the core's read and the write. Such a
 * method leaves the stored read-only fields, or writes in the same turn as the read.
 * Returns the method itself.
 */
export function keepsReadOnly<Update extends object>(update: Update): Update {
  keeping.add(update)
  return update
}

/** Tells whether {@link keepsReadOnly} marked a method. */
export function isKeeping(update: object | undefined): boolean {
  return update !== undefined && keeping.has(update)
}

const keeping = new WeakSet<object>()

/**
 * Says of an adapter's `update` that no change which happens between the core's read and the write is lost: it leaves the
 * read-only fields as they are stored, or writes in the turn in which the core has read. Gives the method itself.
 */
export function keepsReadOnly<Update extends object>(update: Update): Update {
  keeping.add(update)
  return update
}

/** Tells whether {@link keepsReadOnly} was said of a method; a method of a user's own is none. */
export function isKeeping(update: object | undefined): boolean {
  return update !== undefined && keeping.has(update)
}

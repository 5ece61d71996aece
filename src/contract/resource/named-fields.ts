const fieldsOf = new WeakMap<object, readonly string[]>()

/** Notes which fields of a changed item its client named. The others are as they were stored. */
export function noteNamed<ChangedItem extends object>(
  item: ChangedItem,
  fields: readonly string[] | undefined,
): ChangedItem {
  if (fields !== undefined) fieldsOf.set(item, fields)
  return item
}

/** Returns the fields that {@link noteNamed} noted; `undefined` for an item of another write. */
export function namedIn(item: object): readonly string[] | undefined {
  return fieldsOf.get(item)
}

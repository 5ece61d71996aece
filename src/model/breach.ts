/** A field of one of several items. */
interface Placed {
  readonly place: number
  readonly field: string
}

/**
 * Orders faults as every adapter reports them, each field once: by item, then by the field's name.
 */
export function inOrder<Fault extends Placed>(faults: readonly Fault[]): readonly Fault[] {
  const known = new Map(faults.map((fault) => [`${fault.place} ${fault.field}`, fault]))
  return [...known.values()].sort(
    (one, other) => one.place - other.place || (one.field < other.field ? -1 : 1),
  )
}

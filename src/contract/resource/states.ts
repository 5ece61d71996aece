/** The states of the items of a resource, and the moves between them. */
export interface States {
  /** The field that holds the state. */
  readonly field: string
  /** The state of a new item. */
  readonly initial: string
  /** By state: the states that an item can move to. */
  readonly moves: ReadonlyMap<string, readonly string[]>
}

/**
 * Returns the states that an item can move to. An item whose state the contract does not know can
 * move to each one.
 */
export function reachableFrom(state: unknown, { moves }: States): readonly string[] {
  return (typeof state === 'string' ? moves.get(state) : undefined) ?? [...moves.keys()]
}

/**
 * Tells `onError` that a stored item breaks the schema of its resource. The response went out all
 * the same, with `null` in the place of a value that the item lacks. Not told to any client.
 */
export class StoredValueError extends Error {
  override readonly name = 'StoredValueError'
  readonly resource: string
  readonly id: string | number | undefined
  /** A field of the item. The fault may lie deeper in its value. */
  readonly field: string

  constructor(
    { resource, id, field }: Pick<StoredValueError, 'resource' | 'id' | 'field'>,
    cause: unknown,
  ) {
    super(`Item ${JSON.stringify(id)} of "${resource}" is stored with a fault in "${field}"`, {
      cause,
    })
    this.resource = resource
    this.id = id
    this.field = field
  }
}

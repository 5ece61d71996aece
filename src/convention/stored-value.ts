/** The field of a stored item that breaks the schema of its resource. */
interface StoredField {
  readonly resource: string
  readonly id: unknown
  readonly field: string
}

/**
 * Tells `onError` that a stored item breaks the schema of its resource. The response goes out all
 * the same: `null` stands for a value that the item lacks, or that JSON cannot carry.
 */
export class StoredValueError extends Error implements StoredField {
  override readonly name = 'StoredValueError'
  readonly resource: string
  readonly id: unknown
  /** A field of the item. The fault may lie deeper in its value; the `cause` says which it is. */
  readonly field: string

  constructor({ resource, id, field }: StoredField, cause: unknown) {
    super(`Item ${JSON.stringify(id)} of "${resource}" is stored with a fault in "${field}"`, {
      cause,
    })
    this.resource = resource
    this.id = id
    this.field = field
  }
}

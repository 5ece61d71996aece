/** A failure for an item's values. */
export type ConstraintKind = 'unique' | 'reference' | 'required' | 'value'

/** A failure of the database for another reason than an item's values. */
export type OperationalKind =
  /** The database rolled the operation back. The next attempt may succeed. */
  | 'retry'
  /** Another transaction holds a lock, and the database does not wait for it. */
  | 'locked'
  /** The database is unreachable or rejects writes. */
  | 'unavailable'
  /** The operation took too long. */
  | 'timeout'
  /** The database user lacks the privilege. */
  | 'denied'
  /** The view does not support the statement. */
  | 'unsupported'
  /** The table differs from its look-up. */
  | 'changed'

/** A failure in the terms of all databases. */
export interface DatabaseFailure {
  readonly kind: ConstraintKind | OperationalKind
  /** The columns with an issue, if the engine names them. */
  readonly columns?: readonly string[]
  /** True: another item references this one. False: the reverse. Default: unknown. */
  readonly isReferred?: boolean | undefined
  /** The name of the constraint, if the engine names it instead. */
  readonly key?: string | undefined
}

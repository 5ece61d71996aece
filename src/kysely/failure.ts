const operationalFailures = [
  /** The database rolled the operation back, so that it may succeed when it is done again. */
  'retry',
  /** Another holds a lock, for which the database does not wait. */
  'locked',
  /** The database is not there, or takes no writes. */
  'unavailable',
  /** The operation took too long. */
  'timeout',
  /** The database's user lacks the privilege. */
  'denied',
  /** A view takes no such statement. */
  'unsupported',
  /** The table is not as the adapter looked it up. */
  'changed',
] as const

/** Why a database did not do what it was asked, through no fault of an item. */
export type OperationalFailure = (typeof operationalFailures)[number]

/** What went wrong in a database, whatever it calls it; `undefined` where that is unknown. */
export type DatabaseFailure =
  | {
      readonly kind: 'unique' | 'reference' | 'required' | 'value'
      /** The columns at fault, where the engine tells. */
      readonly columns: readonly string[]
      /** Of a reference: others refer to this item, not it to nothing. `undefined` where the engine does not tell. */
      readonly isReferred?: boolean | undefined
      /** The constraint, where it tells that instead. */
      readonly key?: string | undefined
    }
  | { readonly kind: OperationalFailure }

/** Tells whether something was hindered, and not refused. */
export function isOperational(kind: DatabaseFailure['kind']): kind is OperationalFailure {
  return operationalFailures.some((failure) => failure === kind)
}

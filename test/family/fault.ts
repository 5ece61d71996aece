/** A broken law. */
export interface Fault {
  readonly law: string
  readonly detail: string
}

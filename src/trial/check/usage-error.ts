/** An error that the user can correct. The command prints its message without a stack. */
export class UsageError extends Error {}

/** A check that has used up its requests or its time, or that was interrupted. */
export class Exhausted extends UsageError {}

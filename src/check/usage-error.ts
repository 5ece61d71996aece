/** An error that the user can correct. The command prints its message without a stack. */
export class UsageError extends Error {}

/** What is told in a sentence, without a stack: whoever called can put it right. */
export class UsageError extends Error {}

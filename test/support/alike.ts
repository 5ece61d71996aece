import { isDeepStrictEqual } from 'node:util'

/** The response to a request as plain JSON, without its date. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/**
 * Tells whether a response equals the memory's to the last word, even of several broken
 * constraints.
 */
export function isAlike(expected: Answer, answer: Answer): boolean {
  return isDeepStrictEqual(expected, answer)
}

import { isDeepStrictEqual } from 'node:util'

/** What came of a request, as plain JSON; its date says nothing. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** Tells whether an answer is that of the memory, to the last word: also where a request breaks several constraints at once. */
export function isAlike(expected: Answer, answer: Answer): boolean {
  return isDeepStrictEqual(expected, answer)
}

import { isDeepStrictEqual } from 'node:util'
import type { HttpRequest } from 'nounful'
import type { ProblemBody } from './registry.ts'

/** What came of a request, as plain JSON; its date says nothing. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/**
 * Tells whether an answer is that of the memory. Where an item breaks several constraints of its table at once, or several
 * items of a bulk do, a database names the first that it comes upon, which is refused as well: that alone may differ. So may
 * what is said of a reference that its column cannot hold.
 */
export function isAlike(request: HttpRequest, expected: Answer, answer: Answer): boolean {
  if (isDeepStrictEqual(expected, answer)) return true
  const [one, other] = [faultOf(expected), faultOf(answer)]
  if (one === undefined || other === undefined) return false
  return one !== other || (request.method === 'PUT' && Array.isArray(JSON.parse(`${request.body}`)))
}

/** Which constraint of a table is broken, if that is all that an answer says. */
function faultOf({ status, body }: Answer): 'reference' | 'unique' | 'id' | 'value' | undefined {
  if (status !== 409 && status !== 422) return undefined
  const { issues = [], message } = body as ProblemBody
  if (message === 'There is an item with this id already') return 'id'
  const codes = new Set(issues.map(({ code }) => code))
  if (codes.size !== 1) return undefined
  if (codes.has('not_unique')) return 'unique'
  if (codes.has('unfit')) return 'value'
  return codes.has('unknown_reference') ? 'reference' : undefined
}

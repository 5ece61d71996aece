import type { HttpResponse } from '../model/http.ts'

/** An answer as it came in: of any status, since something in between may have answered. Header names in lower case. */
export type ReceivedResponse = Omit<HttpResponse, 'status'> & {
  readonly status: number
  /** The text that `body` was read from, where it was read from one. */
  readonly text?: string
}

const brand = Symbol.for('nounful.unexpected')

/**
 * An answer that no server of this convention gives: a gateway's page, a captive portal's, JSON of another shape. Thrown with all
 * that came, so that nothing of it is lost.
 */
export class UnexpectedResponse extends Error {
  override readonly name = 'UnexpectedResponse'
  declare readonly status: number
  /** By lower-case name. */
  declare readonly headers: Readonly<Record<string, string>>
  /** The body as it came, whole. */
  declare readonly body: string

  constructor(
    { status, headers, body, text = JSON.stringify(body) ?? '' }: ReceivedResponse,
    fault = 'No answer of the api',
  ) {
    super(`${fault}: ${status} ${text.slice(0, 80)}`)
    this.status = status
    this.headers = headers
    this.body = text
  }

  // A brand, not instanceof: two copies of the package are each other's.
  get [brand](): true {
    return true
  }
}

/** Tells an {@link UnexpectedResponse} from any other error, also one made by another copy of this package. */
export function isUnexpected(error: unknown): error is UnexpectedResponse {
  return Object(error)[brand] === true
}

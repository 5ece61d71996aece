import type { HttpResponse } from '../contract/resource/http.ts'

/** A response as it arrived: of any status, since a gateway can respond too. */
export type ReceivedResponse = Omit<HttpResponse, 'status'> & {
  readonly status: number
  /** The text of `body`, if it was text. */
  readonly text?: string
}

const brand = Symbol.for('nounful.unexpected')

/**
 * A response that no server of this convention sends: the page of a gateway or a captive portal,
 * JSON of another shape. It carries the whole response.
 */
export class UnexpectedResponse extends Error {
  override readonly name = 'UnexpectedResponse'
  declare readonly status: number
  /** By lower-case name. */
  declare readonly headers: Readonly<Record<string, string>>
  /** The whole body, as text. */
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

  // A brand instead of `instanceof`, so that two copies of the package know each other's.
  get [brand](): true {
    return true
  }
}

/** Tells whether an error is an `UnexpectedResponse`, also of another copy of this package. */
export function isUnexpected(error: unknown): error is UnexpectedResponse {
  return Object(error)[brand] === true
}

import type { Status } from '../model/convention.ts'

/** The reason phrase of each status, as in Node. RFC 9110 calls 422 "Unprocessable Content". */
export const reasonPhrases: Readonly<Record<Status, string>> = {
  200: 'OK',
  201: 'Created',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

import type { HttpResponse } from '../contract/resource/http.ts'

/** Adds a request header to `Vary` (RFC 9110 §12.5.5). */
export function withVary<Response extends Pick<HttpResponse, 'headers'>>(
  response: Response,
  name: string,
): Response {
  const { vary = '' } = response.headers
  const names = vary
    .toLowerCase()
    .split(',')
    .map((element) => element.trim())
  if (names.includes('*') || names.includes(name.toLowerCase())) return response
  const value = vary === '' ? name : `${vary}, ${name}`
  return { ...response, headers: { ...response.headers, vary: value } }
}

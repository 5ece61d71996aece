import { formatCurl } from '../wire/curl.ts'
import type { ShownRequest } from './message.ts'

/**
 * Writes a request as a curl command of several lines.
 *
 * @param url Absolute.
 */
export function curlCommand({ method, headers, body }: ShownRequest, url: string): string {
  // For curl `[` and `{` would be patterns.
  const options = /[[\]{}]/.test(url) ? ['--globoff'] : []
  if (method !== 'GET') options.push('-X', method)
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return formatCurl({ url, options, fields, body }, ' \\\n  ')
}

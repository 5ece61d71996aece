import { formatCurl, quoteForShell } from '../../wire/curl.ts'
import type { Connection } from './connection.ts'
import type { CheckRequest } from './message.ts'
import { redacted } from './redact.ts'

/**
 * Writes a request as a curl command that sends exactly this request again. Names the headers of
 * every request without their values, because people pass reports on.
 */
export function curlOf(
  { method, path, headers, body }: CheckRequest,
  { origin, headerNames, redact }: Pick<Connection, 'origin' | 'headerNames' | 'redact'>,
): string {
  const options = ['-i', '--path-as-is', '--globoff']
  if (method === 'HEAD') options.push('-I')
  else if (method !== 'GET' || body !== undefined) options.push('-X', method)
  // `OPTIONS *` asks about the server, so it has no path.
  const isServer = path === '*'
  if (isServer) options.push('--request-target', quoteForShell('*'))
  const fields = headerNames
    .filter((name) => headers[name] === undefined)
    .map((name) => `${name}: ${redacted}`)
  for (const [name, value] of Object.entries(headers)) fields.push(`${name}: ${redact(value)}`)
  // By default curl would declare a form.
  if (body !== undefined && headers['content-type'] === undefined) fields.push('content-type:')
  const url = isServer ? origin : origin + redact(path)
  const shown = body === undefined ? undefined : shortened(redact(body))
  return formatCurl({ url, options, fields, body: shown }, ' ')
}

const maxBody = 2000

function shortened(body: string): string {
  return body.length > maxBody ? `${body.slice(0, maxBody)}…` : body
}

import { concealed } from './conceal.ts'
import type { Line } from './exchange.ts'
import type { Sent } from './sent.ts'

/**
 * Writes a request as a command line that sends it again, exactly. The headers of every request are named, and their values left
 * out: reports are shown to others.
 */
export function formatCurl(
  { method, path, headers, body }: Sent,
  { origin, given, conceal }: Pick<Line, 'origin' | 'given' | 'conceal'>,
): string {
  const parts = ['curl', '-i', '--path-as-is', '--globoff']
  if (method === 'HEAD') parts.push('-I')
  else if (method !== 'GET' || body !== undefined) parts.push('-X', method)
  // What is asked of the server, not of this address.
  if (path === '*') parts.push('--request-target', quoted('*'), quoted(origin))
  else parts.push(quoted(origin + conceal(path)))
  for (const name of given)
    if (headers[name] === undefined) parts.push('-H', quoted(`${name}: ${concealed}`))
  for (const [name, value] of Object.entries(headers))
    parts.push('-H', quoted(`${name}: ${conceal(value)}`))
  // Of itself curl would declare a form.
  if (body !== undefined && headers['content-type'] === undefined)
    parts.push('-H', quoted('content-type:'))
  if (body !== undefined) parts.push('--data-binary', quoted(shortened(conceal(body))))
  return parts.join(' ')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

const maxBody = 2000

function shortened(body: string): string {
  return body.length > maxBody ? `${body.slice(0, maxBody)}…` : body
}

import type { Sent } from './exchange.ts'

/** Writes a request as a command line that sends it again, exactly. */
export function formatCurl({ method, path, headers, body }: Sent, origin: string): string {
  const parts = ['curl', '-i', '--path-as-is', '--globoff']
  if (method === 'HEAD') parts.push('-I')
  else if (method !== 'GET' || body !== undefined) parts.push('-X', method)
  // What is asked of the server, not of this address.
  if (path === '*') parts.push('--request-target', quoted('*'), quoted(origin))
  else parts.push(quoted(origin + path))
  for (const [name, value] of Object.entries(headers))
    parts.push('-H', quoted(`${name}: ${shown(name, value)}`))
  // Of itself curl would declare a form.
  if (body !== undefined && headers['content-type'] === undefined)
    parts.push('-H', quoted('content-type:'))
  if (body !== undefined)
    parts.push('--data-binary', quoted(body.length > 2000 ? `${body.slice(0, 2000)}…` : body))
  return parts.join(' ')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

// A report is shown to others; what opens doors is not for them.
function shown(name: string, value: string): string {
  return /auth|cookie|credential|key|pass|secret|session|sign|token/i.test(name) ? '…' : value
}

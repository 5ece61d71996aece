import type { Sent } from './exchange.ts'

/**
 * Writes a request as a command of curl that any POSIX shell takes as it stands, whatever is in it.
 *
 * @param url Absolute.
 */
export function formatCurl({ method, headers, body }: Sent, url: string): string {
  // `[` and `{` would be patterns to curl.
  const globs = /[[\]{}]/.test(url) ? ' --globoff' : ''
  const parts = [`curl${globs}${method === 'GET' ? '' : ` -X ${method}`} ${quoted(url)}`]
  for (const [name, value] of Object.entries(headers))
    parts.push(`-H ${quoted(`${name}: ${value}`)}`)
  // Not `-d`, which takes a text that starts with `@` for the name of a file.
  if (body !== undefined) parts.push(`--data-raw ${quoted(body)}`)
  return parts.join(' \\\n  ')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

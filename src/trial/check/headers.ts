import { UsageError } from './usage-error.ts'

/**
 * Reads header fields in the syntax of curl: `authorization: Bearer x`. Returns lower-case names,
 * and joins the values of a repeated name by `, `.
 *
 * @throws {UsageError} For a text that is not a header field.
 */
export function parseHeaders(fields: readonly string[]): Readonly<Record<string, string>> {
  const headers = new Map<string, string>()
  for (const field of fields) {
    const [, name = '', value = ''] = /^([\w!#$%&'*+.^`|~-]+):[ \t]*([^\r\n\0]*)$/.exec(field) ?? []
    // The text may be a secret, so the message leaves it out.
    if (name === '')
      throw new UsageError("The text of --header is no header: write --header 'name: value'.")
    const key = name.toLowerCase()
    const before = headers.get(key)
    headers.set(key, before === undefined ? value.trim() : `${before}, ${value.trim()}`)
  }
  return Object.fromEntries(headers)
}

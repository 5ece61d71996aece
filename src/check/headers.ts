import { UsageError } from './usage-error.ts'

/**
 * Reads header fields as they are written for curl: `authorization: Bearer x`. Names come out in lower case; of a name that is
 * given several times the values are joined.
 *
 * @throws {UsageError} For a text that is no field.
 */
export function headersOf(fields: readonly string[]): Readonly<Record<string, string>> {
  const headers = new Map<string, string>()
  for (const field of fields) {
    const [, name = '', value = ''] = /^([\w!#$%&'*+.^`|~-]+):[ \t]*([^\r\n\0]*)$/.exec(field) ?? []
    // The text may be a secret all the same, so the message leaves it out.
    if (name === '')
      throw new UsageError("The text of --header is no header: write --header 'name: value'.")
    const key = name.toLowerCase()
    const before = headers.get(key)
    headers.set(key, before === undefined ? value.trim() : `${before}, ${value.trim()}`)
  }
  return Object.fromEntries(headers)
}

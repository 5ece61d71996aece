/** The parts of a curl command. */
export interface CurlCommand {
  readonly url: string
  /** Options before the URL, as the shell takes them: `-X PUT`. */
  readonly options: readonly string[]
  /** Header fields: `accept: application/json`. */
  readonly fields: readonly string[]
  readonly body?: string | undefined
}

/** Writes a command of curl for every POSIX shell, with a separator before headers and body. */
export function formatCurl({ url, options, fields, body }: CurlCommand, separator: string): string {
  const parts = [['curl', ...options, quoteForShell(url)].join(' ')]
  for (const field of fields) parts.push(`-H ${quoteForShell(field)}`)
  // `-d` would take a text that starts with `@` for the name of a file.
  if (body !== undefined) parts.push(`--data-raw ${quoteForShell(body)}`)
  return parts.join(separator)
}

/** Quotes a text for a POSIX shell: `it's` → `'it'\''s'`. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

import { fieldOf, isRecord } from '../../../convention/value.ts'

/** Writes items as lines of CSV (RFC 4180), a column for each field. */
export function csvOf(items: readonly unknown[], columns: readonly string[]): string {
  const lines = items.map((item) =>
    csvLine(columns.map((name) => (isRecord(item) ? fieldOf(item, name) : undefined))),
  )
  return lines.join('')
}

/** Writes a line of CSV. */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(csvCell).join(',')}\r\n`
}

// A spreadsheet takes a text that begins with such a sign for a formula.
function csvCell(value: unknown): string {
  if (value === undefined || value === null) return ''
  const isText = typeof value === 'string'
  const text = isText || typeof value !== 'object' ? `${value}` : JSON.stringify(value)
  const safe = isText && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

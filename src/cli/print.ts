import process from 'node:process'
import { styleText } from 'node:util'

/** How a text is set off where there are colours. */
export type Style = Parameters<typeof styleText>[0]

/** Sets off a text: only on a terminal, and unless `NO_COLOR` is set. */
export function paint(style: Style, text: string): string {
  const isPlain = !process.stdout.isTTY || Boolean(process.env.NO_COLOR)
  return isPlain ? text : styleText(style, text)
}

/** Writes what came from elsewhere so that a terminal shows it, and does not obey it: control characters as escapes. */
export function inert(text: string): string {
  return text.replace(
    /\p{Cc}/gu,
    (sign) => `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  )
}

/** Writes lines in columns that stand under one another. */
export function formatColumns(lines: readonly (readonly string[])[]): string {
  const widths: number[] = []
  for (const line of lines) {
    for (const [column, cell] of line.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, cell.length)
    }
  }
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Writes a value as JSON for machines. */
export function formatData(value: unknown): string {
  return JSON.stringify(value, undefined, 2)
}

import process from 'node:process'
import { styleText } from 'node:util'

/** How a text is set off where there are colours. */
export type Style = Parameters<typeof styleText>[0]

/** Sets off a text: only on a terminal, and unless `NO_COLOR` is set. */
export function paint(style: Style, text: string): string {
  const isPlain = !process.stdout.isTTY || Boolean(process.env.NO_COLOR)
  return isPlain ? text : styleText(style, text)
}

// A terminal obeys control characters; the others reorder, hide or break what is shown around them.
const unsafe = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}]/gu

function escaped(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/**
 * Writes a text of a server or of a module so that a terminal shows it and does not obey it: control characters (C0, DEL, C1),
 * bidi controls, line separators and lone surrogates come out as `\u001b`.
 */
export function inert(text: string): string {
  return text.replace(unsafe, escaped)
}

/** As {@link inert}, line by line: for texts that have several lines on purpose. */
export function inertLines(text: string): string {
  return text.split('\n').map(inert).join('\n')
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

/** Writes a value as JSON for machines: the same value to a parser, and as inert to a terminal as {@link inert} makes a text. */
export function formatData(value: unknown): string {
  return inertLines(JSON.stringify(value, undefined, 2))
}

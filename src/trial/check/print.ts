import process from 'node:process'
import { styleText } from 'node:util'
import { escapeLines } from '../../convention/escape.ts'

/** A style of the terminal: `red`, `bold`. */
export type Style = Parameters<typeof styleText>[0]

/** Styles a text, only on a terminal and unless `NO_COLOR` is set. */
export function paint(style: Style, text: string): string {
  const isStyled = process.stdout.isTTY && !process.env.NO_COLOR
  return isStyled ? styleText(style, text) : text
}

/** Writes rows as aligned columns. */
export function formatColumns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = []
  for (const row of rows)
    for (const [column, cell] of row.entries())
      widths[column] = Math.max(widths[column] ?? 0, cell.length)
  const formatRow = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
  return rows.map((row) => formatRow(row).trimEnd()).join('\n')
}

/**
 * Writes JSON for programs. Escapes like {@link escapeControls}, so parsers read the same value.
 */
export function formatData(value: unknown): string {
  return escapeLines(JSON.stringify(value, undefined, 2))
}

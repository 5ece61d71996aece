import { read } from './snippets.ts'

/**
 * Reads a row of the first table of a section of bench/speed/RESULTS.md: the medians by column.
 *
 * @throws {Error} When the page has no such section or row.
 */
export function figuresOf(section: string, name: string): Readonly<Record<string, string>> {
  const page = read('bench/speed/RESULTS.md').split(`\n### ${section}\n`)[1] ?? ''
  const [table = ''] = /^\|[\s\S]*?(?=\n\n)/m.exec(page) ?? []
  const [heading = [], ...rows] = table.split('\n').map(cellsOf)
  const row = rows.find(([first]) => first === name)
  if (row === undefined) throw new Error(`bench/speed/RESULTS.md has no "${name}" in "${section}"`)
  return Object.fromEntries(heading.map((column, index) => [column, medianOf(row[index] ?? '')]))
}

function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
}

// `1.27 (1.24–1.29)` → `1.27`
function medianOf(cell: string): string {
  return cell.replace(/ \(.*/, '')
}

const maxColumns = 100

/** Breaks the lines of a Markdown page after at most 100 columns. Rows of tables stay a line. */
export function fold(page: string): string {
  return page
    .split('\n')
    .flatMap((line) => (line.startsWith('|') ? [line] : linesOf(line)))
    .join('\n')
}

function linesOf(paragraph: string): string[] {
  const indent = paragraph.startsWith('- ') ? '  ' : ''
  const [first = '', ...words] = paragraph.split(' ')
  const lines = [first]
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`
    if (longer.length > maxColumns) lines.push(`${indent}${word}`)
    else lines[lines.length - 1] = longer
  }
  return lines
}

/** Formats a table: the first column to the left, the others to the right. */
export function tableOf(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const rule = head.map((_, place) => (place === 0 ? '---' : '--:'))
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Code of TypeScript in the layout of its generated files: two spaces, at most 100 columns. */

const width = 100

/** Returns a text as a literal: `it's` → `"it's"`. */
export function literal(text: string): string {
  const json = JSON.stringify(text)
  const singles = text.split("'").length
  const doubles = text.split('"').length
  if (singles > doubles) return json
  return `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

/** Returns the name of a member: `name`, and `'first-name'` where the language needs quotes. */
export function memberName(name: string): string {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u.test(name) ? name : literal(name)
}

/** How a list stands in its line. */
export interface ListPlace {
  /** What stands before the list on its line, with the indentation. */
  readonly before: string
  /** What follows the list on its line. Default: nothing. */
  readonly after?: string
}

/** Returns a line with an array of texts, or the lines of a long one. */
export function listLines(names: readonly string[], { before, after = '' }: ListPlace): string[] {
  const values = names.map(literal)
  const line = `${before}[${values.join(', ')}]${after}`
  if (line.length <= width) return [line]
  const indent = indentOf(before)
  return [`${before}[`, ...values.map((value) => `${indent}  ${value},`), `${indent}]${after}`]
}

/** Returns a line with an object of members, or the lines of a long one. */
export function objectLines(
  members: readonly string[],
  { before, after = '' }: ListPlace,
): string[] {
  const line = `${before}{ ${members.join(', ')} }${after}`
  if (line.length <= width) return [line]
  const indent = indentOf(before)
  return [`${before}{`, ...members.map((member) => `${indent}  ${member},`), `${indent}}${after}`]
}

/** Returns a sentence as the lines of a comment. */
export function commentLines(sentence: string, indent = ''): string[] {
  const lines: string[] = []
  let line = `${indent}//`
  for (const word of sentence.split(/\s+/).filter((each) => each !== '')) {
    if (line.length + word.length >= width && line !== `${indent}//`) {
      lines.push(line)
      line = `${indent}//`
    }
    line += ` ${word}`
  }
  return [...lines, line]
}

function indentOf(line: string): string {
  return /^ */.exec(line)?.[0] ?? ''
}

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path/posix'
import ts from 'typescript'

const maxColumns = 100

/** Lists the TypeScript, JavaScript and Markdown files below a folder, or the file itself. */
export function sourcesIn(root: string, path: string): string[] {
  if (/\.(?:[mc]?[jt]s|tsx|md)$/.test(path)) return [path]
  return readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) => {
    const name = join(path, entry.name)
    if (entry.name.startsWith('.') || entry.name === 'node_modules') return []
    if (entry.isDirectory()) return sourcesIn(root, name)
    return /\.(?:[mc]?[jt]s|tsx|md)$/.test(name) ? [name] : []
  })
}

/**
 * Finds the lines of a file with more than 100 columns. It leaves out the rows of tables, lines
 * that hold a URL or a literal without a place to break, and pages that a tool writes.
 */
export function longLinesIn(root: string, path: string): number[] {
  const text = readFileSync(join(root, path), 'utf8')
  if (text.startsWith('<!-- Generated')) return []
  const lines = text.split('\n')
  const long = lines.flatMap((line, index) =>
    [...line].length > maxColumns && !line.includes('://') ? [index] : [],
  )
  if (long.length === 0) return []
  const isFree = path.endsWith('.md')
    ? (index: number) => /^\s*\|/.test(lines[index] ?? '')
    : exemptIn(ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true))
  return long.filter((index) => !isFree(index)).map((index) => index + 1)
}

function exemptIn(file: ts.SourceFile): (index: number) => boolean {
  const rows = new Set<number>()
  const visit = (node: ts.Node): void => {
    for (const row of rowsOf(node)) if (isAlone(row)) rows.add(lineOf(file, row.getStart()))
    ts.forEachChild(node, visit)
  }
  visit(file)
  return (index) => rows.has(index) || isUnbreakable(tokenAt(file, index))
}

/** Returns the entries of a list that may be rows: arrays, objects and calls. */
function rowsOf(node: ts.Node): readonly ts.Node[] {
  const isRow = (value: ts.Node) =>
    ts.isArrayLiteralExpression(value) ||
    ts.isObjectLiteralExpression(value) ||
    ts.isCallExpression(value)
  if (ts.isArrayLiteralExpression(node) && node.elements.length > 1) {
    return node.elements.filter(isRow)
  }
  if (!ts.isObjectLiteralExpression(node) || node.properties.length < 2) return []
  return node.properties.filter(
    (property) => ts.isPropertyAssignment(property) && isRow(property.initializer),
  )
}

/** Tells whether a line holds the node, a comma and a comment at most. */
function isAlone(node: ts.Node): boolean {
  const file = node.getSourceFile()
  const line = lineOf(file, node.getStart())
  if (line !== lineOf(file, node.end)) return false
  const starts = file.getLineStarts()
  const before = file.text.slice(starts[line], node.getStart())
  const after = file.text.slice(node.end, starts[line + 1])
  return before.trim() === '' && /^,?\s*(?:\/\/.*)?$/.test(after)
}

/** Returns the token that crosses the last column of a line. */
function tokenAt(file: ts.SourceFile, index: number): ts.Node {
  const position = (file.getLineStarts()[index] ?? 0) + maxColumns
  let found: ts.Node = file
  const visit = (node: ts.Node): void => {
    if (node.getStart() > position || node.end <= position) return
    found = node
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

function isUnbreakable(node: ts.Node): boolean {
  if (ts.isRegularExpressionLiteral(node)) return true
  if (!ts.isStringLiteralLike(node)) return false
  return /\S{60}/.test(node.text) || isJson(node.text)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function lineOf(file: ts.SourceFile, position: number): number {
  return file.getLineAndCharacterOfPosition(position).line
}

import { escapeControls } from './escape.ts'
import type { Mismatch } from './mismatch.ts'

/**
 * Writes findings about a storage as lines below a title; no line for no finding. Findings of one
 * message are one suggestion. A statement stands alone in its line, to copy it.
 */
export function formatFindings(title: string, findings: readonly Mismatch[]): readonly string[] {
  if (findings.length === 0) return []
  const statements = new Map<string, string[]>()
  for (const { resource, message, fix } of findings) {
    const line = `  ${resource}: ${escapeControls(message)}`
    const lines = statements.get(line) ?? []
    statements.set(line, fix === undefined ? lines : [...lines, `    ${escapeControls(fix)}`])
  }
  return [title, ...[...statements].flatMap(([line, lines]) => [line, ...lines])]
}

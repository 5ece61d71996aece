import { escapeControls } from './escape.ts'
import type { Misfit } from './misfit.ts'

/**
 * Writes findings about a storage as lines below a title; no line for no finding. A statement
 * stands alone in its line, to copy it.
 */
export function formatFindings(title: string, findings: readonly Misfit[]): readonly string[] {
  if (findings.length === 0) return []
  const texts = findings.map(({ resource, message, mend }) => [
    `  ${resource}: ${escapeControls(message)}`,
    ...(mend === undefined ? [] : [`    ${escapeControls(mend)}`]),
  ])
  return [title, ...texts.flat()]
}

import { isPatternOfFormat, isTextFormat } from './formats.ts'
import type { TextKeyword } from './value-set.ts'

/** Reads the keywords of a JSON Schema about texts. */
export function readTexts(schema: Readonly<Record<string, unknown>>): readonly TextKeyword[] {
  const { minLength, maxLength, pattern, format } = schema
  const keywords: TextKeyword[] = []
  if (isCounter(minLength)) keywords.push({ kind: 'minLength', count: minLength })
  if (isCounter(maxLength)) keywords.push({ kind: 'maxLength', count: maxLength })
  const source = typeof pattern === 'string' ? pattern : undefined
  const name = typeof format === 'string' && isTextFormat(format) ? format : undefined
  const isHint = name !== undefined && source !== undefined && isPatternOfFormat(source, name)
  if (name !== undefined) {
    const hint = isHint && source !== undefined ? { hint: source } : {}
    keywords.push({ kind: 'format', name, ...hint })
  }
  if (source !== undefined && !isHint) keywords.push({ kind: 'pattern', source })
  return keywords
}

/** Tells whether a value can be the number of a keyword that counts. */
export function isCounter(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0
}

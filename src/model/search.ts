import { fieldOf } from './operation.ts'

/** The words of a search, split at white space: `' Ann  lee '` → `['Ann', 'lee']`. */
export function wordsOf(q: string): string[] {
  return q.split(/\s+/u).filter((word) => word !== '')
}

/**
 * A text with its case folded away, so that two texts which differ only in case become the same, in all of Unicode:
 * `'Straße'` and `'STRASSE'`, `'ς'` and `'Σ'`.
 */
export function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase()
}

/** Tells which items match: every word is found, ignoring case, in some of the fields. */
export function matching(
  words: readonly string[],
  fields: readonly string[],
): (item: object) => boolean {
  const folded = withoutParts(words.map(foldCase))
  return (item) => {
    if (folded.length === 0) return true
    const texts = fields.map((field) => textOf(fieldOf(item, field)))
    return folded.every((word) => texts.some((text) => text.includes(word)))
  }
}

// Where a word is found, what it holds is found too; and what is asked for twice costs twice.
function withoutParts(words: readonly string[]): readonly string[] {
  const all = [...new Set(words)]
  return all.filter((word) => !all.some((other) => other !== word && other.includes(word)))
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? foldCase(value) : ''
}

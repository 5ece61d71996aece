/** The value of `If-Match` and `If-None-Match`: `*` for any item, or the tags of some revisions. */
export type ETags = '*' | readonly string[]

const conditions = /^\s*(?:\*|(?:W\/)?"[^"]*"(?:\s*,\s*(?:W\/)?"[^"]*")*)\s*$/

/**
 * Reads entity tags: `"3", W/"4"` → `['3', '4']`, `*` → `'*'`. The inverse of {@link formatETags}.
 * Returns `undefined` for any other text: the server must not guess which item a client means.
 *
 * @param comparison `strong` (`If-Match`) leaves weak tags out, `weak` (`If-None-Match`) does not.
 * @see RFC 9110 §8.8.3 and §13.1
 */
export function parseETags(header: string, comparison: 'strong' | 'weak'): ETags | undefined {
  if (!conditions.test(header)) return undefined
  if (header.trim() === '*') return '*'
  const tags: string[] = []
  for (const [, weak, tag = ''] of header.matchAll(/(W\/)?"([^"]*)"/g)) {
    if (weak === undefined || comparison === 'weak') tags.push(tag)
  }
  return tags
}

/** Writes entity tags: `['3', '4']` → `"3", "4"`. The inverse of {@link parseETags}. */
export function formatETags(tags: ETags): string {
  return tags === '*' ? tags : tags.map((tag) => `"${tag}"`).join(', ')
}

/** Returns the tag of a revision without its quotes; `undefined` unless it is text or a number. */
export function tagOf(revision: unknown): string | undefined {
  if (typeof revision === 'number') return `${revision}`
  return typeof revision === 'string' ? encodeURIComponent(revision.toWellFormed()) : undefined
}

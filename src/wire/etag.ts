/** What `If-Match` and `If-None-Match` hold: `*` for any item at all, or the tags of some versions. */
export type ETags = '*' | readonly string[]

/**
 * Reads entity tags: `"3", W/"4"` → `['3', '4']`, `*` → `'*'`. The inverse of {@link formatETags}.
 * What is no entity tag is left out, so that it matches nothing.
 *
 * @param comparison `strong` leaves weak tags out (`If-Match`), `weak` takes them as others (`If-None-Match`).
 * @see RFC 9110 §8.8.3 and §13.1
 */
export function parseETags(header: string, comparison: 'strong' | 'weak'): ETags {
  if (header.trim() === '*') return '*'
  const tags: string[] = []
  for (const [, weak, tag = ''] of header.matchAll(/(W\/)?"([^"]*)"/g)) {
    if (weak === undefined || comparison === 'weak') tags.push(tag)
  }
  return tags
}

/** Tells whether a header is what RFC 9110 §13.1 lets it be: `*`, or a list of entity tags. */
export function isETags(header: string): boolean {
  return /^\s*(?:\*|(?:W\/)?"[^"]*"(?:\s*,\s*(?:W\/)?"[^"]*")*)\s*$/.test(header)
}

/** Writes entity tags: `['3', '4']` → `"3", "4"`. The inverse of {@link parseETags}. */
export function formatETags(tags: ETags): string {
  return tags === '*' ? tags : tags.map((tag) => `"${tag}"`).join(', ')
}

/** The tag of a version, as it stands between the quotes: printable ASCII without quotes. `undefined` for what is neither text nor a number. */
export function tagOf(version: unknown): string | undefined {
  if (typeof version === 'number') return `${version}`
  return typeof version === 'string' ? encodeURIComponent(version.toWellFormed()) : undefined
}

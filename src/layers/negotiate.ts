import type { CodingName } from './coding.ts'

const rangeSyntax = /^([^\s;]+)(?:[\t ]*;[\t ]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/

/**
 * Returns the coding of the highest quality in `Accept-Encoding`, of equal ones the first of
 * `names`. Returns `undefined` for no compression: without the header, with a malformed one, and
 * where the client prefers `identity`. `*` stands for gzip alone, which every client can read.
 *
 * @see RFC 9110 §12.5.3
 */
export function negotiate(
  header: string | undefined,
  names: Iterable<CodingName>,
): CodingName | undefined {
  const qualities = parseCodings(header ?? '')
  let best = qualities.get('identity') ?? 0
  let chosen: CodingName | undefined
  for (const name of names) {
    const wildcard = name === 'gzip' ? qualities.get('*') : undefined
    const quality = qualities.get(name) ?? wildcard ?? 0
    if (quality === 0 || quality < best || (chosen && quality === best)) continue
    best = quality
    chosen = name
  }
  return chosen
}

// Empty for a malformed header. The lowest quality of a repeated name counts.
function parseCodings(header: string): ReadonlyMap<string, number> {
  const qualities = new Map<string, number>()
  for (const element of header.toLowerCase().split(',')) {
    const range = element.trim()
    if (range === '') continue
    const [, name, quality = '1'] = rangeSyntax.exec(range) ?? []
    if (name === undefined) return new Map()
    const coding = name === 'x-gzip' ? 'gzip' : name
    qualities.set(coding, Math.min(Number(quality), qualities.get(coding) ?? 1))
  }
  return qualities
}

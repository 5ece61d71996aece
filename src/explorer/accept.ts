import { jsonType, problemType } from '../wire/body.ts'

const htmlType = 'text/html'
// One range of the list, commas in quotes included.
const rangeSyntax = /(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g
const qualitySyntax = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/

/**
 * Tells whether a client prefers a page to JSON: `Accept` names `text/html`, with a quality above
 * that of JSON. A wildcard alone, or no `Accept`, means JSON.
 *
 * @see RFC 9110 §12.5.1
 */
export function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined || !/text\/html/i.test(accept)) return false
  const qualities = parseAccept(accept)
  const ofHtml = qualities.get(htmlType) ?? 0
  // A client that accepts problems accepts JSON.
  const ofJson = Math.max(qualityOf(jsonType, qualities), qualities.get(problemType) ?? 0)
  return ofHtml > ofJson
}

// The most specific range decides.
function qualityOf(type: string, qualities: ReadonlyMap<string, number>): number {
  const [main] = type.split('/')
  return qualities.get(type) ?? qualities.get(`${main}/*`) ?? qualities.get('*/*') ?? 0
}

/** Returns the best quality of each range by its lower-case type. Leaves out invalid ranges. */
function parseAccept(accept: string): ReadonlyMap<string, number> {
  const qualities = new Map<string, number>()
  for (const [range] of accept.matchAll(rangeSyntax)) {
    const [type = '', ...parameters] = range
      .split(';')
      .map((element) => element.trim().toLowerCase())
    const quality = readQuality(parameters)
    if (quality === undefined || (type === htmlType && !isOwnHtml(parameters))) continue
    qualities.set(type, Math.max(quality, qualities.get(type) ?? 0))
  }
  return qualities
}

function readQuality(parameters: readonly string[]): number | undefined {
  const qParameter = parameters.find((parameter) => parameter.startsWith('q='))
  if (qParameter === undefined) return 1
  const text = qParameter.slice(2)
  return qualitySyntax.test(text) ? Number(text) : undefined
}

// The explorer writes no other kind of HTML, like `level=1`.
function isOwnHtml(parameters: readonly string[]): boolean {
  return parameters.every((parameter) => /^(?:q=.*|charset="?utf-8"?|)$/.test(parameter))
}

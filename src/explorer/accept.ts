import { jsonType, problemType } from '../wire/body.ts'

const htmlType = 'text/html'
// One range of the list, commas in quotes included.
const rangeSyntax = /(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g
const qualitySyntax = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/

/**
 * Tells whether whoever sent an `Accept` wants a page rather than JSON: `text/html` is in it by name, with a quality above that
 * of JSON. Only `*` for all types, and no `Accept` at all, mean JSON.
 *
 * @see RFC 9110 §12.5.1
 */
export function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined || !/text\/html/i.test(accept)) return false
  const qualities = parseAccept(accept)
  const ofHtml = qualities.get(htmlType) ?? 0
  // Who names the type of problems wants JSON as well.
  const ofJson = Math.max(qualityOf(jsonType, qualities), qualities.get(problemType) ?? 0)
  return ofHtml > ofJson
}

// The range that names a type most closely says how much it is wanted.
function qualityOf(type: string, qualities: ReadonlyMap<string, number>): number {
  const [main] = type.split('/')
  return qualities.get(type) ?? qualities.get(`${main}/*`) ?? qualities.get('*/*') ?? 0
}

/** The best quality of each range, by its type in lower case. What is no range is left out. */
function parseAccept(accept: string): ReadonlyMap<string, number> {
  const qualities = new Map<string, number>()
  for (const [range] of accept.matchAll(rangeSyntax)) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const quality = readQuality(parameters)
    if (quality === undefined || (type === htmlType && !isPlain(parameters))) continue
    qualities.set(type, Math.max(quality, qualities.get(type) ?? 0))
  }
  return qualities
}

function readQuality(parameters: readonly string[]): number | undefined {
  const given = parameters.find((parameter) => parameter.startsWith('q='))
  if (given === undefined) return 1
  const text = given.slice(2)
  return qualitySyntax.test(text) ? Number(text) : undefined
}

// Another kind of HTML (`level=1`) is not what there is.
function isPlain(parameters: readonly string[]): boolean {
  return parameters.every((parameter) => /^(?:q=.*|charset="?utf-8"?|)$/.test(parameter))
}

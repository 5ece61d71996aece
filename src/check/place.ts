/** The parts of a path around its version: `/api` + `v1` + `/employees`. */
export interface Place {
  readonly prefix: string
  readonly version: string | undefined
  readonly rest: string
}

/** Takes a path apart at its version. */
export function placeOf(path: string): Place {
  const [, prefix = '', version, rest = path] = /^(.*?)\/(v[1-9]\d*)(\/.*)$/.exec(path) ?? []
  return version === undefined ? { prefix: '', version, rest: path } : { prefix, version, rest }
}

/** A path without its query and trailing slashes. */
export function barePath(path: string): string {
  return (path.split('?')[0] ?? '').replace(/\/+$/, '')
}

/**
 * Tells whether a path names the same target to every server: no segment is empty or only dots, also for a server that decodes
 * it twice, decodes it before it splits, or cuts it at `;`. A server may take any other path for the collection, or its parent.
 *
 * @param path Percent-encoded, with a leading slash, without query.
 */
export function isPlain(path: string): boolean {
  return path.startsWith('/') && path.slice(1).split('/').every(isName)
}

function isName(segment: string): boolean {
  const [name = ''] = decoded(segment).split(/[?#;]/)
  return name.split(/[/\\]/).every((part) => !/^[\s.]*$/.test(part))
}

// Only ASCII characters are dots and slashes.
function decoded(text: string): string {
  const next = text.replace(/%([0-7][\da-f])/gi, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
  return next === text ? text : decoded(next)
}

/** The text of a segment; `undefined` for a broken escape. */
export function decodedOnce(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

/**
 * The path of a URL reference as a server wrote it, where no URL parser reads another out of it: without dot segments, however
 * they are written. `undefined` for any other.
 *
 * @param reference `/v1/employees/7`, `http://127.0.0.1:3000/v1/employees?after=x`, `?after=x`
 * @param path The path of the request, for a reference that is relative.
 */
export function targetOf(reference: string, path: string): URL | undefined {
  const base = nowhere + path
  const [written = ''] = reference.split(/[?#]/)
  const isSteady = /^[!-~]*$/.test(reference) && !written.includes('\\') && !dots.test(written)
  return isSteady && URL.canParse(reference, base) ? new URL(reference, base) : undefined
}

/** The origin of references that name none. */
export const nowhere = 'http://relative.invalid'

const dots = /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i

import { reservedWords } from '../../convention/operations.ts'

/** A name that no server uses for a parameter, a field or an id. */
export const absentName = 'nounful_no_such_thing'

/** The parts of a path around its version: `/api` + `v1` + `/employees`. */
export interface PathParts {
  readonly prefix: string
  readonly version: string | undefined
  readonly route: string
}

/** Splits a path at its version. */
export function splitAtVersion(path: string): PathParts {
  const [, prefix = '', version, route = path] = /^(.*?)\/(v[1-9]\d*)(\/.*)$/.exec(path) ?? []
  return { prefix, version, route }
}

/** Removes the query and trailing slashes from a path. */
export function barePath(path: string): string {
  return (path.split('?')[0] ?? '').replace(/\/+$/, '')
}

/** Returns a query parameter of a path, decoded; `undefined` when the path has none. */
export function parameterOf(path: string, name: string): string | undefined {
  return new URLSearchParams(path.split('?')[1] ?? '').get(name) ?? undefined
}

/** Tells a path whose last segment is `first`, `last` or `count`. */
export function endsWithReservedWord(path: string): boolean {
  return reservedWords.some((word) => path.endsWith(`/${word}`))
}

/** Tells a path at or below another. */
export function isAtOrBelow(path: string, parent: string): boolean {
  return path === parent || path.startsWith(`${parent}/`)
}

/**
 * Tells whether every server reads the same target from a path: no segment is empty or only dots.
 * The function also covers servers that decode it twice, decode it before they split it, or cut it
 * at `;`. A server may take any other path for the collection, or for its parent.
 *
 * @param path Percent-encoded, with a leading slash, without query.
 */
export function isUnambiguous(path: string): boolean {
  return path.startsWith('/') && path.slice(1).split('/').every(isName)
}

function isName(segment: string): boolean {
  const [name = ''] = decodeFully(segment).split(/[?#;]/)
  return name.split(/[/\\]/).every((piece) => !/^[\s.]*$/.test(piece))
}

// ASCII is enough for dots and slashes.
function decodeFully(text: string): string {
  const next = text.replace(/%([0-7][\da-f])/gi, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
  return next === text ? text : decodeFully(next)
}

/** Decodes a segment once; `undefined` for a broken escape. */
export function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

/**
 * Resolves a URL reference that every URL parser reads alike, which excludes dot segments in any
 * spelling. Returns `undefined` for any other.
 *
 * @param reference `/v1/employees/7`, `http://127.0.0.1:3000/v1/employees?after=x`, `?after=x`
 * @param path The path of the request, for a relative reference.
 */
export function resolveReference(reference: string, path: string): URL | undefined {
  const base = relativeOrigin + path
  const [written = ''] = reference.split(/[?#]/)
  const isPlain = /^[!-~]*$/.test(reference) && !written.includes('\\') && !dots.test(written)
  return isPlain && URL.canParse(reference, base) ? new URL(reference, base) : undefined
}

/** The origin of a resolved reference that names no origin. */
export const relativeOrigin = 'http://relative.invalid'

const dots = /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i

/** Returns an id of the same type as another, without an item. */
export function absentId(id: unknown): string | number {
  if (typeof id === 'number') return maxNumber - Math.floor(Math.random() * 1_000_000)
  // The new UUID keeps the version of the other.
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(`${id}`)
    ? `${id}`.slice(0, -12) + crypto.randomUUID().slice(-12)
    : absentName
}

const maxNumber = 2_147_483_647

import { hostOf, withoutOrigin } from '../wire/path.ts'

/**
 * Makes sure that a base can be the prefix of paths: `/api` can, `api` and `/api/` cannot.
 *
 * @throws {TypeError} For a base that is no path.
 */
export function checkBase(base: unknown): asserts base is string {
  if (typeof base === 'string' && /^(?:\/[^/?#]+)*$/.test(base)) return
  throw new TypeError(
    `The base "${String(base)}" is no path: write it like "/api", without a slash at its end.`,
  )
}

/**
 * Returns the target of a request without its origin and the prefix of the door:
 * `http://x/api/v1?q=a` → `/v1?q=a`. A path without the prefix stays: the host has cut it off.
 */
export function localTarget(url: string, base: string): string {
  const path = withoutOrigin(url)
  if (base === '') return path
  const suffix = path.slice(base.length)
  const isUnderBase = path.startsWith(base) && (suffix === '' || /^[/?]/.test(suffix))
  if (!isUnderBase) return path
  return suffix.startsWith('/') ? suffix : `/${suffix}`
}

/** Returns the host and port of a target in absolute form; `undefined` for any other target. */
export function hostOfTarget(url: string): string | undefined {
  return hostOf(url)
}

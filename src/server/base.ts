import { hostOf, withoutOrigin } from '../wire/origin.ts'

/**
 * Refuses what cannot be the prefix of paths: `/api` can, `api` and `/api/` cannot.
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
 * Gives the target of a request as layers and the core see it, its origin and the prefix of the door taken off:
 * `http://x/api/v1?q=a` → `/v1?q=a`. A host may have taken the prefix off already: then the path stays.
 */
export function localTarget(url: string, base: string): string {
  const path = withoutOrigin(url)
  if (base === '') return path
  const rest = path.slice(base.length)
  const isUnderBase = path.startsWith(base) && (rest === '' || /^[/?]/.test(rest))
  if (!isUnderBase) return path
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** Gives the host of a target in absolute form, with its port; `undefined` of any other. */
export function hostOfTarget(url: string): string | undefined {
  return hostOf(url)
}

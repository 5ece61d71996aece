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

/** Cuts a prefix off a path with its query: `/api/v1?q=a` → `/v1?q=a`. A host may have done so already, as it does for others: then it stays. */
export function withoutBase(path: string, base: string): string {
  if (base === '') return path
  const rest = path.slice(base.length)
  const isUnderBase = path.startsWith(base) && (rest === '' || /^[/?]/.test(rest))
  if (!isUnderBase) return path
  return rest.startsWith('/') ? rest : `/${rest}`
}

import { isRecord } from './declared.ts'

/** Tells whether a text is a name of a version: `v1`, without a leading zero. */
export function isVersion(text: string): boolean {
  return /^v[1-9]\d*$/.test(text)
}

/**
 * Returns the paths of a version. It has a name such as `v1`, and an object of paths.
 *
 * @throws {TypeError} For any other name or value.
 */
export function readPaths(version: string, paths: unknown): Readonly<Record<string, unknown>> {
  if (!isVersion(version)) {
    throw new TypeError(`"${version}" is no version: write "v1", "v2" and so on.`)
  }
  if (isRecord(paths)) return paths
  throw new TypeError(
    `"${version}" needs paths: write defineApi({ ${version}: { "/employees": employees } }).`,
  )
}

/** Returns the versions that come after one: `v2` and `v10` come after `v1`. */
export function newerThan(version: string, versions: readonly string[]): readonly string[] {
  const number = Number(version.slice(1))
  return versions.filter((candidate) => Number(candidate.slice(1)) > number)
}

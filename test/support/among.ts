import { matchesGlob } from 'node:path'

/** Writes a file or folder as a pattern of the test files that it stands for. */
export function patternOf(path: string): string {
  return path.endsWith('.ts') ? path : `${path}/**/*.test.ts`
}

/** Tells whether files, folders or patterns name a test file. */
export function isAmong(file: string, paths: readonly string[]): boolean {
  return paths.some((path) => matchesGlob(file, patternOf(path)))
}

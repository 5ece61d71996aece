import { matchesGlob } from 'node:path'

/**
 * The files, folders and patterns that only `npm run test:all` runs, each with the reason. What
 * `npm test` runs holds each rule of the convention and each store: `rules.test.ts` checks it.
 */
export const large: Readonly<Record<string, string>> = {
  'test/adversity': 'attacks, fuzz, load, and processes that die',
  'test/cli/doctor-ids.test.ts': 'databases with ids that no path holds',
  'test/cli/doctor-statements.test.ts': 'each statement of the doctor on every engine',
  'test/cli/gate.test.ts': 'a process for each command',
  'test/cli/load-errors.test.ts': 'a process for each module that does not load',
  'test/diff/growth.test.ts': 'contracts of growing size, by time',
  'test/diff/properties.test.ts': 'generated contracts',
  'test/diff/schema-changes-laws.test.ts': 'generated schemas',
  'test/docs/docs.test.ts': 'a compiler for each snippet',
  'test/family': 'all pairs of features, each through every tool',
  'test/kysely/conformance/*-others.test.ts': 'variants of the engines',
  'test/kysely/cursors.test.ts': 'every order on every engine',
  'test/kysely/digits.test.ts': 'generated numbers on every engine',
  'test/kysely/exchanged.test.ts': 'every order of changes on every store',
  'test/kysely/faults.test.ts': 'databases that refuse, wait and fail',
  'test/kysely/filters.test.ts': 'every filter on every engine',
  'test/kysely/locks.test.ts': 'SQLite files that other processes lock',
  'test/kysely/loose-rows.test.ts': 'rows that other programs wrote, on every engine',
  'test/kysely/many-owners.test.ts': 'callers with many owners on every store',
  'test/kysely/modify.test.ts': 'each change of a patch on every store',
  'test/kysely/moment-texts.test.ts': 'every form of a moment on every engine',
  'test/kysely/neighbours.test.ts': 'neighbours that write at once',
  'test/kysely/older-rows.test.ts': 'rows of older versions, on every engine',
  'test/kysely/same.test.ts': 'generated requests on every store',
  'test/kysely/slices.test.ts': 'reads of many items, by time',
  'test/kysely/trigrams.test.ts': 'indexes of PostgreSQL over many items',
  'test/kysely/values.test.ts': 'every value on every engine',
  'test/kysely/waits.test.ts': 'transactions that wait for each other',
  'test/layers/compress-node.test.ts': 'bodies in each coding over HTTP',
  'test/memory/bulk-orders.test.ts': 'bulks among 100,000 items, by time',
  'test/node-streams.test.ts': 'streams that fail over HTTP',
  'test/node/stop-on.test.ts': 'a process for each signal',
  'test/node/stop.test.ts': 'servers that stop at a deadline',
  'test/node/terminal.test.ts': 'a process for each log',
  'test/runtimes.test.ts': 'the bytes of each host',
  'test/trial/check/contracts.test.ts': 'a whole check of each generated contract',
  'test/trial/check/ids.test.ts': 'a whole check for each id',
  'test/trial/check/limits.test.ts': 'lists of 150,000 items',
  'test/trial/check/output.test.ts': 'a whole check for each report',
  'test/trial/check/shapes.test.ts': 'a whole check of each shape',
  'test/trial/check/simple-servers.test.ts': 'a whole check of each server',
  'test/trial/check/violations': 'a whole check for each planted fault',
  'test/trial/isolation/contracts.test.ts': 'a whole proof of each generated contract',
  'test/trial/isolation/leaks.test.ts': 'a whole proof for each planted leak',
  'test/trial/isolation/url.test.ts': 'a whole proof over HTTP',
  'test/types.test.ts': 'a compiler for each program',
  'test/views/generated.test.ts': 'generated views',
}

/** Writes a file or folder as a pattern of the test files that it stands for. */
export function patternOf(path: string): string {
  return path.endsWith('.ts') ? path : `${path}/**/*.test.ts`
}

/** Tells whether `npm test` leaves a test file out. */
export function isLarge(file: string): boolean {
  return Object.keys(large).some((path) => matchesGlob(file, patternOf(path)))
}

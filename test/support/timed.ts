import { isAmong } from './among.ts'

/**
 * The tests that measure time, or hold deadlines, as files and folders. They run after the others,
 * with a core left free, so that their bounds can be tight.
 */
export const timed: readonly string[] = [
  'test/adversity/faults',
  'test/adversity/load',
  'test/adversity/processes/crash.test.ts',
  'test/adversity/processes/hang.test.ts',
  'test/adversity/processes/rejections.test.ts',
  'test/adversity/processes/standstill.test.ts',
  'test/trial/check/check.test.ts',
  'test/trial/check/example.test.ts',
  'test/trial/check/limits.test.ts',
  'test/client/client.test.ts',
  'test/client/retry.test.ts',
  'test/client/writing.test.ts',
  'test/diff/growth.test.ts',
  'test/examples/telemetry.test.ts',
  'test/explorer/accept.test.ts',
  'test/fetch-streams.test.ts',
  'test/kysely/deletion.test.ts',
  'test/kysely/drivers.test.ts',
  'test/kysely/faults.test.ts',
  'test/kysely/hooks.test.ts',
  'test/kysely/joined.test.ts',
  'test/kysely/locks.test.ts',
  'test/kysely/neighbours.test.ts',
  'test/kysely/remote.test.ts',
  'test/kysely/slices.test.ts',
  'test/kysely/waits.test.ts',
  'test/layers',
  'test/memory/bulk-orders.test.ts',
  'test/memory/store.test.ts',
  'test/node',
  'test/node-streams.test.ts',
  'test/node.test.ts',
  'test/runtimes.test.ts',
  'test/server/asking.test.ts',
  'test/server/exchange.test.ts',
  'test/server/observe.test.ts',
  'test/server/respond.test.ts',
  'test/server/stream.test.ts',
]

/** Tells whether a test file runs after the others. */
export function isTimed(file: string): boolean {
  return isAmong(file, timed)
}

import process from 'node:process'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { patternOf } from './test/support/large.ts'
import { LongFirst } from './test/support/long-first.ts'
import { timed } from './test/support/timed.ts'

const everything = { lines: 100, branches: 100, functions: 100, statements: 100 }

// Counting makes these several times slower, and their bounds are those of the code alone. They
// cover nothing that no other test does. The gate runs them without coverage.
const uncovered = process.argv.includes('--coverage') ? ['test/memory/bulk-orders.test.ts'] : []

/** The tests of a run but those of some patterns, in two groups, one after the other. */
export function groupsOf(exclude: readonly string[]): TestProjectInlineConfiguration[] {
  const shared = { setupFiles: ['test/support/properties.ts'], testTimeout: 10_000 }
  // `import … from 'nounful'` in a test means src/, not a build that may be stale.
  const ssr = { resolve: { conditions: ['nounful:source', 'node'] } }
  const alone = timed.map(patternOf)
  return [
    {
      ssr,
      test: {
        ...shared,
        name: 'beside',
        include: ['test/**/*.test.ts'],
        exclude: [...exclude, ...alone],
        // By default vitest leaves a core idle, which is one of two.
        maxWorkers: '100%',
      },
    },
    {
      ssr,
      test: {
        ...shared,
        name: 'timed',
        include: alone,
        exclude: [...exclude],
        sequence: { groupOrder: 1 },
      },
    },
  ]
}

export default defineConfig({
  test: {
    projects: groupsOf(uncovered),
    sequence: { sequencer: LongFirst },
    // Not of a project: both groups share the servers.
    globalSetup: ['test/support/servers.ts'],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      reporter: [['text', { skipFull: true }]],
      thresholds: {
        'src/convention/**/*.ts': everything,
        'src/contract/**/*.ts': everything,
        'src/wire/**/*.ts': everything,
        'src/server/**/*.ts': everything,
        'src/views/**/*.ts': everything,
      },
    },
  },
})

import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { LongFirst } from './test/support/long-first.ts'
import { timed } from './test/support/timed.ts'

const everything = { lines: 100, branches: 100, functions: 100, statements: 100 }

/** The tests of a run, in two groups, one after the other. */
export function groupsOf(
  include: readonly string[],
  exclude: readonly string[],
  alone: readonly string[],
): TestProjectInlineConfiguration[] {
  const shared = { setupFiles: ['test/support/properties.ts'], testTimeout: 10_000 }
  // `import … from 'nounful'` in a test means src/, not a build that may be stale.
  const ssr = { resolve: { conditions: ['nounful:source', 'node'] } }
  const patterns = (paths: readonly string[]) =>
    paths.map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.test.ts`))
  return [
    {
      ssr,
      test: {
        ...shared,
        name: 'beside',
        include: [...include],
        exclude: [...exclude, ...patterns(timed)],
        // By default vitest leaves a core idle, which is one of two.
        maxWorkers: '100%',
      },
    },
    {
      ssr,
      test: {
        ...shared,
        name: 'timed',
        include: patterns(alone),
        exclude: [...exclude],
        sequence: { groupOrder: 1 },
      },
    },
  ]
}

export default defineConfig({
  test: {
    projects: groupsOf(['test/**/*.test.ts'], [], timed),
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

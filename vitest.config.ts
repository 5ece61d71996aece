import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { LongFirst } from './test/support/long-first.ts'
import { isTimed } from './test/support/timed.ts'

const everything = { lines: 100, branches: 100, functions: 100, statements: 100 }

const compiled = fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url))

const files = readdirSync(new URL('test', import.meta.url), { recursive: true, encoding: 'utf8' })
  .map((name) => `test/${name.replaceAll('\\', '/')}`)
  // Tests write snippets and projects of users there, whose tests are not ours.
  .filter((name) => name.endsWith('.test.ts') && !name.includes('/.snippets/'))

/** The test files that a predicate includes, in two groups, one after the other. */
export function groupsOf(isIncluded: (file: string) => boolean): TestProjectInlineConfiguration[] {
  const shared = {
    setupFiles: ['test/support/properties.ts'],
    testTimeout: 10_000,
    // For the processes that tests start: else each strips the types of 600 modules anew.
    env: { NODE_COMPILE_CACHE: compiled },
    // To load the same modules again for each file took a third of the time.
    isolate: false,
  }
  // `import … from 'nounful'` in a test means src/, not a build that may be stale.
  const ssr = { resolve: { conditions: ['nounful:source', 'node'] } }
  const included = files.filter(isIncluded)
  return [
    {
      ssr,
      test: {
        ...shared,
        name: 'beside',
        include: included.filter((file) => !isTimed(file)),
        // By default vitest leaves a core idle, which is one of two.
        maxWorkers: '100%',
      },
    },
    {
      ssr,
      test: {
        ...shared,
        name: 'timed',
        include: included.filter(isTimed),
        sequence: { groupOrder: 1 },
      },
    },
  ]
}

/** All tests, so that `vitest run FILE` finds each. `npm test` and `test:large` run them. */
export default defineConfig({
  test: {
    projects: groupsOf(() => true),
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

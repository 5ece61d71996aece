import { defineConfig } from 'vitest/config'

const everything = { lines: 100, branches: 100, functions: 100, statements: 100 }

export default defineConfig({
  // `import … from 'nounful'` in a test means src/, not a build that may be stale.
  ssr: { resolve: { conditions: ['nounful:source', 'node'] } },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/servers.ts'],
    setupFiles: ['test/support/properties.ts'],
    testTimeout: 10_000,
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      reporter: [['text', { skipFull: true }]],
      thresholds: {
        'src/model/**/*.ts': everything,
        'src/wire/**/*.ts': everything,
        'src/server/**/*.ts': everything,
      },
    },
  },
})

import { defineConfig } from 'vitest/config'
import everything from './vitest.config.ts'

/**
 * The tests of `npm run verify`, in about a minute: those without a database, a browser, a process
 * of their own, a server to attack, or a compiler of documentation. `npm test` runs all of them.
 */
export default defineConfig({
  ...everything,
  test: {
    ...everything.test,
    include: [
      'test/*.test.ts',
      'test/{client,explorer,isolation,memory,model,openapi,server,wire}/**/*.test.ts',
    ],
    exclude: [
      // These start processes.
      'test/client/example.test.ts',
      'test/explorer/curl.test.ts',
      'test/server/observe.test.ts',
      // These start many servers.
      'test/node*.test.ts',
      'test/runtimes.test.ts',
      'test/fetch-streams.test.ts',
    ],
    // No test of these asks for a database server.
    globalSetup: [],
  },
})

import { timed } from './test/support/timed.ts'
import everything, { groupsOf } from './vitest.config.ts'

const rooms = [
  'client',
  'contract',
  'convention',
  'explorer',
  'memory',
  'openapi',
  'server',
  'trial/isolation',
  'wire',
]
const include = ['test/*.test.ts', `test/{${rooms}}/**/*.test.ts`]
const exclude = [
  // These start processes.
  'test/client/example.test.ts',
  'test/explorer/curl.test.ts',
  'test/server/observe.test.ts',
  // These start many servers.
  'test/node*.test.ts',
  'test/runtimes.test.ts',
  'test/fetch-streams.test.ts',
]
const alone = timed.filter((path) => rooms.some((room) => path.startsWith(`test/${room}/`)))

/**
 * The tests of `npm run verify`, in about a minute: those without a database, a browser, a process
 * of their own, a server to attack, or a compiler of documentation. `npm test` runs all of them.
 */
export default {
  ...everything,
  test: {
    ...everything.test,
    projects: groupsOf(include, exclude, alone),
    // No test of these asks for a database server.
    globalSetup: [],
  },
}

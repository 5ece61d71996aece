// Tells whether a test notices each small change to the core. The gate does not run it: read the
// survivors one by one. From the project's root, under Node 24 (node_modules/.bin has one):
//
//   node tools/npm.mjs tools
//   tools/node_modules/.bin/stryker run tools/mutation/stryker.config.mjs
//   ROOM=memory tools/node_modules/.bin/stryker run tools/mutation/stryker.config.mjs
//
// One room, file or range of lines: -m 'src/wire/**/*.ts', -m src/wire/path.ts:10-20. The
// findings stay in coverage/mutation/, so that a second run tries changed code only (--force: all
// of it anew). SAMPLE=5 tries each fifth file of the room, in the order of their paths.

import { globSync } from 'node:fs'
import { rooms } from './rooms.mjs'

const name = process.env.ROOM ?? 'core'
const room = rooms[name]
if (room === undefined) throw new Error(`No room "${name}". Allowed: ${Object.keys(rooms)}`)
const reports = `coverage/mutation/${name}`

const sample = Number(process.env.SAMPLE ?? 1)
const files = room.mutate.flatMap((folder) => globSync(`src/${folder}/**/*.ts`).sort())

export default {
  mutate: files.filter((_, place) => place % sample === 0),
  plugins: ['./tools/mutation/runner.mjs'],
  testRunner: 'in-process',
  testRunnerNodeArgs: ['--conditions=nounful:source'],
  testFiles: room.testFiles,
  coverageAnalysis: 'perTest',
  // Tables: each change would take a process of its own, and test/convention.test.ts repeats them.
  ignoreStatic: true,
  concurrency: 2,
  ignorePatterns: [
    '**',
    '!src/**',
    '!test/**',
    '!examples/**',
    '!tools/mutation/*.mjs',
    '!package.json',
  ],
  incremental: true,
  incrementalFile: `${reports}/incremental.json`,
  tempDirName: `${reports}/sandbox`,
  reporters: ['progress-append-only', 'clear-text', 'html', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  htmlReporter: { fileName: `${reports}/report.html` },
  jsonReporter: { fileName: `${reports}/report.json` },
  thresholds: { high: 95, low: room.floor, break: room.floor },
  timeoutMS: 10_000,
  dryRunTimeoutMinutes: 20,
}

// Takes away each use of the scope, one at a time, in a copy of the sources, and shows that the
// proof of isolation notices: its tests must fail. Ends with 1 for a survivor.
//   node tools/isolation/mutants.mjs            all, in about three minutes
//   node tools/isolation/mutants.mjs replay     those whose file or text has the word
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { mutants } from './table.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const [, , word = ''] = process.argv
const chosen = mutants.filter((row) => JSON.stringify(row).includes(word))
const folder = mkdtempSync(join(tmpdir(), 'mutants-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const isCopied = (path) => !path.includes('.snippets')
for (const name of ['src', 'test', 'examples', 'package.json', 'tsconfig.json'])
  cpSync(join(root, name), join(folder, name), { recursive: true, filter: isCopied })
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
writeFileSync(
  join(folder, 'vitest.config.ts'),
  `export default {
  cacheDir: ${JSON.stringify(join(folder, '.cache'))},
  ssr: { resolve: { conditions: ['nounful:source', 'node'] } },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60000,
    provide: { missing: { postgres: 'not started', mariadb: 'not started' } },
  },
}
`,
)

// "proof" and "sqlite" run `isolationOf`. "table" asks for paths and lists that these services
// lack, in memory and on SQLite. "conformance" calls the adapters themselves: the core reads
// an item before it writes, so behind it the adapter's own scope matters in a race alone.
const files = {
  proof: 'test/trial/isolation/isolation.test.ts',
  sqlite: 'test/examples/tenant-isolation.test.ts',
  table: 'test/kysely/ownership.test.ts',
  conformance: 'test/conformance.test.ts',
}

/** Runs a test file; returns the names of the tests that fail. */
function failuresOf(test) {
  const report = join(folder, 'report.json')
  rmSync(report, { force: true })
  const args = ['run', files[test], '--reporter=json', `--outputFile=${report}`]
  const { stdout, stderr } = spawnSync(join(root, 'node_modules/.bin/vitest'), args, {
    cwd: folder,
    encoding: 'utf8',
  })
  if (!existsSync(report)) throw new Error(`${stdout}\n${stderr}`)
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
  return testResults.flatMap(({ assertionResults, message }) => {
    // A mutant that does not start proves nothing.
    if (assertionResults.length === 0) throw new Error(message)
    const failed = assertionResults.filter(({ status }) => status === 'failed')
    return failed.map(({ title }) => title)
  })
}

const clean = [...new Set(mutants.map(({ test = 'proof' }) => test))].flatMap(failuresOf)
if (clean.length > 0) throw new Error(`Without a mutant these fail: ${clean.join(', ')}`)

let survivors = 0
for (const { file, from, to, test = 'proof', equivalent } of chosen) {
  const path = join(folder, 'src', file)
  const text = readFileSync(path, 'utf8')
  if (text.split(from).length !== 2) throw new Error(`${file} must have this once: ${from}`)
  writeFileSync(
    path,
    text.replace(from, () => to),
  )
  const failed = failuresOf(test)
  writeFileSync(path, text)
  const isExpected = equivalent === undefined ? failed.length > 0 : failed.length === 0
  if (!isExpected) survivors++
  const result = failed.length > 0 ? `found by: ${failed[0]}` : `lives (${equivalent ?? 'why?'})`
  console.log(`${isExpected ? 'ok  ' : 'BAD '} ${file}: ${from.trim().split('\n')[0]} → ${result}`)
}
console.log(`${chosen.length} mutants, ${survivors} not as expected`)
process.exitCode = survivors > 0 ? 1 : 0

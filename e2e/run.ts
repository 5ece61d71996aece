// Compares the packed library on every runtime: npm run e2e [-- --write] [-- <words of a row>…].
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { nameOf } from './runtimes/binaries.ts'
import { makeConsumer } from './runtimes/consumer.ts'
import { head, lineOf, unusedExceptions, writePage } from './runtimes/report.ts'
import { type Subject, subjects } from './runtimes/subjects.ts'
import { askReferences, examine, type Result } from './runtimes/suite.ts'

const { values, positionals } = parseArgs({
  options: { write: { type: 'boolean', default: false } },
  allowPositionals: true,
})

const folder = mkdtempSync(join(tmpdir(), 'nounful-e2e-'))
try {
  await makeConsumer(folder)
  const expected = await askReferences(folder)
  const faults = [...unusedExceptions()]
  const results: Result[] = []
  console.log(head)
  for (const subject of subjects.filter(isWanted)) {
    const result = await examine(subject, folder, expected)
    results.push(result)
    console.log(lineOf(result))
    for (const fault of result.faults) console.log(`    ${fault}`)
    faults.push(
      ...result.faults.map((fault) => `${nameOf(subject.runtime)}, ${subject.door}: ${fault}`),
    )
  }
  // Once more at the end, which readers see first.
  console.log(faults.length === 0 ? 'The same everywhere.' : `${faults.length} faults.`)
  for (const fault of faults) console.log(fault)
  if (faults.length > 0) process.exitCode = 1
  else if (values.write) writePage(results)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function isWanted({ runtime, door, storage }: Subject): boolean {
  return positionals.every((word) => `${runtime} ${door} ${storage}`.includes(word))
}

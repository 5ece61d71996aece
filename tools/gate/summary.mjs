// Says which tests failed and why, from the JSON report of a run, and how many there were.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

const [file] = process.argv.slice(2)
const report = JSON.parse(readFileSync(file, 'utf8'))

for (const { name, message, assertionResults } of report.testResults) {
  const failed = assertionResults.filter(({ status }) => status === 'failed')
  const path = relative('', name)
  if (message) show(path, message)
  for (const { fullName, failureMessages } of failed) {
    for (const reason of failureMessages) show(`${path} > ${fullName}`, reason)
  }
}

const skipped = report.numPendingTests + report.numTodoTests
const counts = [`${report.numPassedTests} passed`, `${report.numFailedTests} failed`]
if (skipped > 0) counts.push(`${skipped} skipped`)
// Last, and in this form, so that machines can read it.
console.log(counts.join(', '))

// Without the stack, and short enough that an excerpt of the output still has it.
function show(title, reason) {
  const [text] = stripVTControlCharacters(reason).split(/\n\s+at /)
  const lines = text
    .split('\n')
    .map((line) => (line.length > 400 ? `${line.slice(0, 400)}…` : line))
  const left = lines.length - 24
  const shown = left > 0 ? [...lines.slice(0, 4), `… ${left} lines …`, ...lines.slice(-20)] : lines
  console.log([`✗ ${title}`, ...shown].join('\n  '))
}

// Says which tests failed and why, from the JSON reports of runs, and how many tests there were.
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

// A run that ended early wrote no report.
const reports = process.argv
  .slice(2)
  .filter((file) => existsSync(file))
  .map((file) => JSON.parse(readFileSync(file, 'utf8')))

for (const { name, message, assertionResults } of reports.flatMap((report) => report.testResults)) {
  const failed = assertionResults.filter(({ status }) => status === 'failed')
  const path = relative('', name)
  if (message) show(path, message)
  for (const { fullName, failureMessages } of failed) {
    for (const reason of failureMessages) show(`${path} > ${fullName}`, reason)
  }
}

const sum = (count) => reports.reduce((total, report) => total + report[count], 0)
const skipped = sum('numPendingTests') + sum('numTodoTests')
const counts = [`${sum('numPassedTests')} passed`, `${sum('numFailedTests')} failed`]
if (skipped > 0) counts.push(`${skipped} skipped`)
// Last, and in this form, so that machines can read it.
if (reports.length > 0) console.log(counts.join(', '))

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

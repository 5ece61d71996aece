#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { CommanderError } from 'commander'
import { Complaint } from './cli/complaint.ts'
import { programFor } from './cli/program.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
let code = 0
const program = programFor({
  tell: (text) => void process.stdout.write(`${text}\n`),
  warn: (text) => void process.stderr.write(`${text}\n`),
  fail: (given) => {
    code = given
  },
  version,
})

// Whoever reads only the beginning (`| head`) has had what they wanted.
process.stdout.on('error', () => process.exit(code))

try {
  await program.parseAsync()
} catch (error) {
  code = codeOf(error)
}
// A module that was loaded may have started a server: nothing more is waited for than that everything is written.
process.stdout.write('', () => process.exit(code))

function codeOf(error: unknown): number {
  // Told already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof Complaint || error instanceof TypeError)
    process.stderr.write(`${error.message}\n`)
  else process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
  return 2
}

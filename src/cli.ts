#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { CommanderError } from 'commander'
import { inertLines } from './check/print.ts'
import { UsageError } from './check/usage-error.ts'
import { programFor } from './cli/program.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
let code = 0
let isDone = false
// What a module prints is not the command's output, which others may read.
const tell = process.stdout.write.bind(process.stdout)
process.stdout.write = process.stderr.write.bind(process.stderr)
const program = programFor({
  tell: (text) => void tell(`${text}\n`),
  warn: (text) => void process.stderr.write(`${text}\n`),
  fail: (given) => {
    code = given
  },
  version,
})

// Whoever reads only the beginning (`| head`) has had what they wanted.
process.stdout.on('error', () => {
  isDone = true
  process.exit(code)
})
process.stderr.on('error', () => undefined)

// A module may end the process, or wait for what never comes.
process.on('exit', () => {
  if (isDone) return
  process.stderr.write('The module ends the process, or waits for ever, while it is loaded.\n')
  process.exitCode = 2
})
// What it fails at on its own time is told, and does not keep the command from its answer.
process.on('uncaughtException', (error) => void codeOf(error))

program.parseAsync().then(
  () => end(code),
  (error) => end(codeOf(error)),
)

// A module that was loaded may have started a server: nothing more is waited for than that everything is written.
function end(given: number): void {
  isDone = true
  code = given
  tell('', () => process.exit(code))
}

function codeOf(error: unknown): number {
  // Told already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  const isTold = error instanceof UsageError || error instanceof TypeError
  const text = isTold ? error.message : `${error instanceof Error ? error.stack : error}`
  process.stderr.write(`${inertLines(text)}\n`)
  return 2
}

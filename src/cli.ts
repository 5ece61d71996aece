#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { CommanderError } from 'commander'
import { runProgram } from './cli/program.ts'
import { escapeLines } from './convention/escape.ts'
import { UsageError } from './trial/check/usage-error.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
let code = 0
let isDone = false
// The output may go to another program, so text that a loaded module prints goes to stderr.
const writeOutput = process.stdout.write.bind(process.stdout)
process.stdout.write = process.stderr.write.bind(process.stderr)
const io = {
  print: (text: string) => void writeOutput(`${text}\n`),
  warn: (text: string) => void process.stderr.write(`${text}\n`),
  // The line stays shorter than a usual terminal, since one that wraps cannot be removed.
  progress: process.stderr.isTTY
    ? (text: string) => void process.stderr.write(`\r\u001b[2K${text.slice(0, 79)}`)
    : undefined,
  setExitCode: (exitCode: number) => {
    code = exitCode
  },
  version,
}

// A reader like `| head` closes the pipe early.
process.stdout.on('error', () => {
  isDone = true
  process.exit(code)
})
process.stderr.on('error', () => undefined)

// A module may end the process, or wait forever.
process.on('exit', () => {
  if (isDone) return
  process.stderr.write('The module ends the process, or waits forever, while it is loaded.\n')
  process.exitCode = 2
})
// A module may fail later. The command prints the error and goes on.
process.on('uncaughtException', (error) => void reportError(error))

runProgram(process.argv.slice(2), io).then(
  () => end(code),
  (error) => end(reportError(error)),
)

// Exits once the output is written: a module may have started a server.
function end(exitCode: number): void {
  isDone = true
  code = exitCode
  writeOutput('', () => process.exit(code))
}

// Returns the exit code.
function reportError(error: unknown): number {
  // Commander has printed its error.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  const isMessage = error instanceof UsageError || error instanceof TypeError
  const text = isMessage ? error.message : `${error instanceof Error ? error.stack : error}`
  process.stderr.write(`${escapeLines(text)}\n`)
  return 2
}

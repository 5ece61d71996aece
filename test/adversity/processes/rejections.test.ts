import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const program = fileURLToPath(new URL('../../support/rejecting.ts', import.meta.url))
const run = promisify(execFile)

async function linesOf(...values: string[]): Promise<string[]> {
  const flags = ['--disable-warning=ExperimentalWarning', '--conditions=nounful:source']
  const { stdout } = await run(process.execPath, [...flags, program, ...values])
  return stdout.trim().split('\n')
}

test('checks that reject leave the process alive', { timeout: 30_000 }, async () => {
  const lines = await linesOf()
  expect(lines.pop()).toBe('alive')
  expect(lines).toHaveLength(148)
  // An item with two checks runs both. A bulk ends at its first item.
  const strange = lines.filter((line) => !/^500 (?:1|2 zod item:) /.test(line))
  expect(strange).toEqual([])
})

test('checks that reject late leave the process alive', { timeout: 60_000 }, async () => {
  const lines = await linesOf('late')
  expect(lines.pop()).toBe('alive')
  expect(lines.filter((line) => !line.startsWith('503 '))).toEqual([])
})

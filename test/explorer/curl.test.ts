import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { curlCommand } from '../../src/explorer/message.ts'

/** Reads a command as a shell does: returns the arguments of curl. */
function argumentsOf(command: string): readonly string[] {
  const script = `curl() { for each; do printf '%s\\0' "$each"; done; }\n${command}`
  const { stdout, stderr } = spawnSync('sh', ['-c', script], { encoding: 'utf8' })
  expect(stderr).toBe('')
  return stdout.split('\0').slice(0, -1)
}

describe('curlCommand', () => {
  test('is short for what is plain', () => {
    const sent = { method: 'GET', url: '/v1/notes', headers: {} }
    expect(curlCommand(sent, 'http://h/v1/notes')).toBe("curl 'http://h/v1/notes'")
  })

  test('keeps curl from patterns', () => {
    const url = 'http://h/v1/notes/[1-9]'
    const sent = { method: 'GET', url: '/v1/notes/[1-9]', headers: {} }
    expect(argumentsOf(curlCommand(sent, url))).toEqual(['--globoff', url])
  })

  test('passes every value through a shell unchanged', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom("'", "'; rm -rf /; '", '$(id)', '`id`', '\\', '@/etc/passwd', '!!', '\n'),
    )
    const printable = text.map((value) => value.replaceAll('\0', '').toWellFormed())
    fc.assert(
      fc.property(printable, printable, (body, etag) => {
        const headers = { 'if-match': etag }
        const sent = { method: 'PUT', url: '/v1/notes/1', headers, body }
        expect(argumentsOf(curlCommand(sent, 'http://h/v1/notes/1'))).toEqual([
          '-X',
          'PUT',
          'http://h/v1/notes/1',
          '-H',
          `if-match: ${etag}`,
          '--data-raw',
          body,
        ])
      }),
      { numRuns: 60 },
    )
  })
})

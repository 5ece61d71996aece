import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { UsageError } from '../../src/check/usage-error.ts'
import { diffSides, formatReportAs, isRefused } from '../../src/cli/diff.ts'

const folder = mkdtempSync(join(tmpdir(), 'documents-'))
const flags = { grace: '180', format: 'text', on: '2026-06-01' }

function fileOf(name: string, content: unknown): string {
  const file = join(folder, `${name}.json`)
  writeFileSync(file, JSON.stringify(content))
  return file
}

function withLimit(maximum: number): unknown {
  const parameters = [{ name: 'limit', in: 'query', schema: { type: 'integer', maximum } }]
  return { openapi: '3.1.0', paths: { '/pets': { get: { parameters, responses: {} } } } }
}

const sides = {
  old: fileOf('old', withLimit(500)),
  new: fileOf('new', withLimit(100)),
  nounful: '1',
}

test('two documents are compared, and a break fails the command', async () => {
  const report = await diffSides(sides, flags)
  expect(report.tally).toMatchObject({ breaking: 1, depends: 0, fine: 0 })
  expect(isRefused(report, {})).toBe(true)
  const text = formatReportAs(report, 'text')
  expect(text).toContain('GET /pets query limit\n')
  expect(text).toContain('GET /pets?limit=101')
  expect(text).toContain('keep what the old document says')
})

test('a document is not compared with itself as changed', async () => {
  const report = await diffSides({ ...sides, new: sides.old }, flags)
  expect(report.findings).toEqual([])
  expect(isRefused(report, {})).toBe(false)
})

test.each([
  ['a broken document', { openapi: '3.1.0', paths: 5 }, 'at paths: write an object'],
  ['a document of Swagger', { swagger: '2.0' }, 'convert it to OpenAPI 3 first'],
])('the command refuses %s', async (name, content, text) => {
  const broken = { ...sides, new: fileOf(name.replaceAll(' ', '-'), content) }
  await expect(diffSides(broken, flags)).rejects.toThrow(UsageError)
  await expect(diffSides(broken, flags)).rejects.toThrow(text)
})

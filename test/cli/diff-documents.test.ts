import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { diffSides, isRefused } from '../../src/cli/gate/diff.ts'
import { formatReportAs } from '../../src/cli/gate/report.ts'
import { UsageError } from '../../src/trial/check/usage-error.ts'

const folder = mkdtempSync(join(tmpdir(), 'documents-'))
afterAll(() => rmSync(folder, { recursive: true }))

const flags = { grace: '180', format: 'text', on: '2026-06-01', accept: [], reason: [] }

function fileOf(name: string, content: unknown): string {
  return textFile(`${name}.json`, JSON.stringify(content))
}

function textFile(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
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

describe('a document of YAML', () => {
  const yaml = `# Pets
openapi: 3.1.0
paths:
  /pets:
    get:
      parameters:
        - &limit { name: limit, in: query, schema: { type: integer, maximum: 500 } }
        - { <<: *limit, name: 'on', schema: { const: 2026-11-24 } }
      responses:
        200: { description: Fine }
`
  const json = {
    openapi: '3.1.0',
    paths: {
      '/pets': {
        get: {
          parameters: [
            { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 500 } },
            { name: 'on', in: 'query', schema: { const: '2026-11-24' } },
          ],
          responses: { 200: { description: 'Fine' } },
        },
      },
    },
  }

  test.each(['a.yaml', 'a.YML'])('is what the same of JSON is: %s', async (name) => {
    const both = { ...sides, old: textFile(name, yaml), new: fileOf('same', json) }
    expect((await diffSides(both, flags)).findings).toEqual([])
  })

  test('may begin with a byte order mark, as JSON may', async () => {
    const old = textFile('marked.yaml', `\uFEFF${yaml}`)
    const both = { ...sides, old, new: textFile('marked.json', `\uFEFF${JSON.stringify(json)}`) }
    expect((await diffSides(both, flags)).findings).toEqual([])
  })

  const loop = '&a [*a]'
  const bomb = Array.from(
    { length: 9 },
    (_, at) => `a${at}: &a${at} [${`*a${at - 1}, `.repeat(9)}]`,
  )
  test.each([
    ['two keys', 'openapi: 3.1.0\nopenapi: 3.0.0\n', /is no YAML: Map keys must be unique/],
    ['no end', 'openapi: "3.1.0', /is no YAML: Missing closing/],
    ['two documents', 'openapi: 3.1.0\n---\nopenapi: 3.1.0\n', /is no YAML: Source contains mult/],
    ['a loop', `openapi: 3.1.0\npaths: ${loop}\n`, /is no YAML: Converting circular structure/],
    ['a bomb', `a-1: &a-1 [lol]\n${bomb.join('\n')}`, /is no YAML: Excessive alias count/],
    ['a snapshot', 'format: 1\n', /is no OpenAPI document: it has no "openapi"/],
    ['nothing', '', /is no OpenAPI document/],
  ])('is refused with %s', async (name, text, message) => {
    const old = textFile(`${name}.yaml`, text)
    await expect(diffSides({ ...sides, old }, flags)).rejects.toThrow(UsageError)
    await expect(diffSides({ ...sides, old }, flags)).rejects.toThrow(message)
  })
})

describe('a log of accepted changes', () => {
  const accepted = join(folder, 'accepted.json')
  const logged = { ...flags, accepted }
  const reason = ['no client asks for more']

  test('accepts one break, and no other', async () => {
    const open = await diffSides(sides, logged)
    const [{ fingerprint } = { fingerprint: '' }] = open.findings
    const now = await diffSides(sides, { ...logged, accept: [fingerprint], reason })
    expect(now.tally).toEqual({ breaking: 0, depends: 0, fine: 0, accepted: 1 })
    const later = await diffSides(sides, logged)
    expect(later.findings[0]?.accepted).toMatchObject({ reason: reason[0], on: '2026-06-01' })
    const lower = { ...sides, new: fileOf('lower', withLimit(99)) }
    expect((await diffSides(lower, logged)).tally).toMatchObject({ breaking: 1, accepted: 0 })
    const log = JSON.parse(readFileSync(accepted, 'utf8'))
    expect(log.accepted).toHaveLength(1)
    expect(log.accepted[0]).toMatchObject({ change: fingerprint, rule: 'request-maximum-lowered' })
  })

  test.each([
    [{ accept: ['a'], reason }, /--accept needs a file for the log: add --accepted/],
    [{ accepted, accept: ['a'], reason: [] }, /Each --accept needs a --reason/],
    [{ accepted, accept: ['a'], reason: [' '] }, /--reason is empty/],
    [{ accepted, accept: ['a'], reason }, /No change has the fingerprint "a"/],
    [{ accepted: sides.old }, /is no log of accepted changes: \/accepted is not a list/],
    [{ accepted: fileOf('snapshot', { format: 1 }) }, /the file is a snapshot of nounful/],
    [{ accepted: textFile('broken.json', '{') }, /It is no JSON/],
  ])('is not %j', async (wrong, message) => {
    const given = { ...flags, ...wrong }
    await expect(diffSides(sides, given)).rejects.toThrow(UsageError)
    await expect(diffSides(sides, given)).rejects.toThrow(message)
  })
})

test.each([
  ['a broken document', { openapi: '3.1.0', paths: 5 }, 'at paths: write an object'],
  ['a document of Swagger', { swagger: '2.0' }, 'convert it to OpenAPI 3 first'],
])('the command refuses %s', async (name, content, text) => {
  const broken = { ...sides, new: fileOf(name.replaceAll(' ', '-'), content) }
  await expect(diffSides(broken, flags)).rejects.toThrow(UsageError)
  await expect(diffSides(broken, flags)).rejects.toThrow(text)
})

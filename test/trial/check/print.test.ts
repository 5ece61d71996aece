import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { defineApi, defineResource } from 'nounful'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { explain } from '../../../src/cli/explain/explain.ts'
import { formatExplanation } from '../../../src/cli/explain/format.ts'
import { formatRoutes, routesOf } from '../../../src/cli/routes.ts'
import { checkFor } from '../../../src/convention/checks.ts'
import { escapeControls, escapeLines } from '../../../src/convention/escape.ts'
import { formatData } from '../../../src/trial/check/print.ts'

// Written out, so that no property of Unicode decides twice.
const unsafe =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finds escape codes
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

const signs: readonly string[] = [
  ...['\u0000', '\u0007', '\u001b', '\n', '\u007f', '\u0080', '\u009b', '\u009f', '\u061c'],
  ...['\u200e', '\u200f', '\u2028', '\u2029', '\u202a', '\u202e', '\u2066', '\u2069'],
  ...['\ud800', '\udfff'],
]
const texts = fc.string({
  unit: fc.oneof(fc.constantFrom(...signs), fc.string({ unit: 'binary' })),
})

describe('a text that is printed', () => {
  test.for(signs.map((sign) => [`U+${sign.charCodeAt(0).toString(16)}`, sign] as const))(
    'shows %s as an escape',
    ([, sign]) => {
      const hex = sign.charCodeAt(0).toString(16).padStart(4, '0')
      expect(escapeControls(`a${sign}b`)).toBe(`a\\u${hex}b`)
    },
  )

  test('holds nothing that a terminal obeys', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(escapeControls(text)).not.toMatch(unsafe)
        expect(escapeLines(text).replaceAll('\n', '')).not.toMatch(unsafe)
      }),
    )
  })

  test('is as it was where it is harmless', () => {
    expect(escapeControls('Émile 😀 שלום')).toBe('Émile 😀 שלום')
  })

  test('is the same value in JSON', () => {
    fc.assert(
      fc.property(fc.dictionary(texts, texts), (value) => {
        const text = formatData(value)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
        expect(text.replaceAll('\n', '')).not.toMatch(unsafe)
      }),
    )
  })
})

describe('what a module says', () => {
  const odd = 'na\u202eme\u009b'
  const notes = defineResource('notes', { schema: z.object({ id: z.string() }) })

  test('is escaped in "routes"', () => {
    const offers = routesOf(defineApi({ v1: { '/notes': notes } }))
    const made = offers.map((offer) => ({ ...offer, parameters: [odd] }))
    expect(formatRoutes(made)).toContain('na\\u202eme\\u009b')
    expect(formatRoutes(made).replaceAll('\n', '')).not.toMatch(unsafe)
  })

  test('is escaped in "explain"', async () => {
    const request = { method: 'POST', url: `/v1/${odd}` }
    const issue = { pointer: `/${odd}`, code: 'invalid', message: odd }
    const text = formatExplanation(request, {
      ...(await explain(request, defineApi({ v1: { '/notes': notes } }))),
      checks: [{ ...checkFor('not_found'), state: 'depends', asks: odd }],
      response: {
        status: 422,
        headers: { 'content-type': 'application/problem+json' },
        body: { code: 'validation_failed', detail: odd, issues: [issue] },
      },
      errors: [new Error(odd)],
    })
    expect(text.match(/na\\u202eme\\u009b/g)).toHaveLength(6)
    expect(text.replaceAll('\n', '')).not.toMatch(unsafe)
  })

  test('is escaped in an error', () => {
    const folder = mkdtempSync(join(tmpdir(), 'print-'))
    const module = join(folder, 'a.mjs')
    writeFileSync(module, 'throw new Error("na\\u202eme\\u009b")')
    const cli = fileURLToPath(new URL('../../../src/cli.ts', import.meta.url))
    const { stderr, status } = spawnSync(process.execPath, [cli, 'routes', module], {
      encoding: 'utf8',
    })
    rmSync(folder, { recursive: true })
    expect(status).toBe(2)
    expect(stderr).toContain('na\\u202eme\\u009b')
    expect(stderr.replaceAll('\n', '')).not.toMatch(unsafe)
  })
})

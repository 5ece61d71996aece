import { describe, expect, test } from 'vitest'
import { formatGate } from '../../src/cli/gate/report.ts'
import type { ContractChange, WitnessExchange } from '../../src/diff/change.ts'
import {
  countFindings,
  findingsOf,
  fingerprintOf,
  type GateReport,
  newAcceptances,
} from '../../src/diff/fingerprint.ts'
import { formatGithub } from '../../src/diff/report/github.ts'
import { formatMarkdown } from '../../src/diff/report/markdown.ts'
import { codeSpan, formatExchange, shortJson } from '../../src/diff/report/short.ts'
import type { Acceptance } from '../../src/diff/snapshot.ts'

const change: ContractChange = {
  rule: 'request-max-length-lowered',
  at: 'v1 /notes update /text',
  from: 80,
  to: 60,
  verdict: 'breaking',
  message: '"text" may have 60 characters, it was 80',
  witness: { method: 'PUT', target: '/v1/notes/7', body: { text: 'a'.repeat(61) } },
}

const accepted: Acceptance = {
  change: fingerprintOf(change),
  rule: change.rule,
  at: change.at,
  from: 80,
  to: 60,
  reason: 'asked',
  on: '2026-10-02',
}

function reportOf(changes: readonly ContractChange[], log: readonly Acceptance[] = []): GateReport {
  const findings = findingsOf(changes, log)
  return { old: 'contract.json', new: 'a.ts', tally: countFindings(findings), findings }
}

describe('a fingerprint', () => {
  test('has twelve hexadecimal digits', () => {
    expect(fingerprintOf(change)).toMatch(/^[0-9a-f]{12}$/)
  })

  const others: readonly Partial<ContractChange>[] = [
    { rule: 'request-min-length-raised' },
    { at: 'v2 /notes update /text' },
    { from: 81 },
    { to: '60' },
  ]

  test.each(others)('is another one for %j', (other) => {
    expect(fingerprintOf({ ...change, ...other })).not.toBe(fingerprintOf(change))
  })

  test('is the same for other words', () => {
    const { witness: _, ...rest } = change
    expect(fingerprintOf({ ...rest, message: 'a' })).toBe(fingerprintOf(change))
  })

  test('does not depend on the order of members', () => {
    const one = { ...change, from: { a: 1, b: [{ c: 1, d: 2 }] } }
    const other = { ...change, from: { b: [{ d: 2, c: 1 }], a: 1 } }
    expect(fingerprintOf(one)).toBe(fingerprintOf(other))
  })
})

describe('acceptances', () => {
  test('of the old side serve no new change', () => {
    expect(newAcceptances([accepted], [accepted])).toEqual([])
    expect(newAcceptances([accepted, accepted], [accepted])).toEqual([accepted])
    expect(newAcceptances([accepted], [])).toEqual([accepted])
  })

  test('take a change out of the tally', () => {
    expect(reportOf([change]).tally).toEqual({ breaking: 1, depends: 0, fine: 0, accepted: 0 })
    expect(reportOf([change], [accepted]).tally).toEqual({
      breaking: 0,
      depends: 0,
      fine: 0,
      accepted: 1,
    })
  })
})

describe('a short value', () => {
  const rows: readonly (readonly [Parameters<typeof shortJson>[0], string])[] = [
    [null, 'null'],
    [1.5, '1.5'],
    ['a"b', '"a\\"b"'],
    ['a'.repeat(40), `"${'a'.repeat(40)}"`],
    ['a'.repeat(41), '"aaaa… (41)"'],
    ['😀'.repeat(41), '"😀😀😀😀… (41)"'],
    [[1, 2], '[1,2]'],
    [[1, 2, 3, 4, 5, 6, 7, 8, 9], '[1,2,… (9)]'],
    [{ a: { b: ['c'] } }, '{"a":{"b":["c"]}}'],
  ]

  test.each(rows)('of %j', (value, text) => {
    expect(shortJson(value)).toBe(text)
  })

  test('ends after four hundred characters', () => {
    const members = Array.from({ length: 60 }, (_, at) => [`member${at}`, at])
    expect(shortJson(Object.fromEntries(members)).length).toBeLessThan(420)
  })
})

test('an exchange is one line', () => {
  const rows: readonly (readonly [WitnessExchange, string])[] = [
    [{ method: 'GET', target: '/v1/notes?sort=a' }, 'GET /v1/notes?sort=a'],
    [
      { method: 'POST', target: '/v1/notes', header: 'Idempotency-Key: "a"', body: {} },
      'POST /v1/notes  Idempotency-Key: "a"  {}',
    ],
    [{ method: 'GET', target: '/v1/notes/7', answer: null }, 'GET /v1/notes/7  → null'],
    [{ method: 'PUT', target: '/v1/notes', note: 'long' }, 'PUT /v1/notes  (long)'],
  ]
  expect(rows.map(([exchange]) => formatExchange(exchange))).toEqual(rows.map(([, text]) => text))
})

describe('the text', () => {
  test('groups changes by place, and shows the way out', () => {
    const other: ContractChange = {
      ...change,
      rule: 'request-field-added',
      verdict: 'fine',
      message: 'm',
    }
    const { witness: _, ...fine } = other
    expect(formatGate(reportOf([change, fine])).split('\n')).toEqual([
      'v1 /notes update /text',
      '  BREAKING request-max-length-lowered  "text" may have 60 characters, it was 80',
      '           with it:  request-field-added (fine): m',
      '           was fine, is refused now:  PUT /v1/notes/7  {"text":"aaaa… (61)"}',
      '           way out:  leave this version as it is, make the change in a new version, and ' +
        'serve this one as a view: nounful/docs/versions.md',
      `           accept it by:  ${fingerprintOf(change)}`,
      '1 breaking, 0 depend, 1 fine; compared with contract.json',
    ])
  })

  test('says who accepted what, and why', () => {
    const text = formatGate(reportOf([change], [accepted]))
    expect(text).toContain('  accepted request-max-length-lowered')
    expect(text).toContain('           on 2026-10-02: asked')
    expect(text).not.toContain('way out')
  })

  test('lets no contract control the terminal', () => {
    const at = 'v1 /notes\u001b[2J update /\u202e\u2028text\n'
    const text = formatGate(reportOf([{ ...change, at, message: at, because: at }]))
    for (const character of ['\u001b', '\u202e', '\u2028']) expect(text).not.toContain(character)
    expect(text.split('\n')).toHaveLength(7)
  })
})

describe('the annotations of GitHub', () => {
  test('are errors, warnings and notices', () => {
    const depends: ContractChange = { ...change, verdict: 'depends', because: 'unknown' }
    const fine: ContractChange = { ...change, verdict: 'fine' }
    const lines = formatGithub(reportOf([change, depends, fine]), 'a.ts').split('\n')
    expect(lines.map((line) => line.slice(0, 20))).toEqual([
      '::error file=a.ts,ti',
      '::warning file=a.ts,',
      '::notice title=The c',
    ])
    expect(lines[1]).toContain('%0Abecause unknown%0A')
    expect(formatGithub(reportOf([change], [accepted]))).toMatch(/^::notice title=accepted /)
  })

  test('escape what the runner reads', () => {
    const foreign: ContractChange = {
      ...change,
      rule: 'a:b,c',
      at: 'v1',
      message: '100%\r\n::error::x',
    }
    const [line] = formatGithub(reportOf([foreign])).split('\n')
    expect(line).toMatch(/^::error title=breaking a%3Ab%2Cc::v1: 100%25%0D%0A::error::x%0A/)
  })
})

describe('Markdown', () => {
  test('has a table, and hides what is fine', () => {
    const fine: ContractChange = { ...change, verdict: 'fine' }
    const text = formatMarkdown(reportOf([change, fine]))
    expect(text).toContain('| **BREAKING** | `request-max-length-lowered` |')
    expect(text).toContain('<details><summary>1 fine</summary>')
    expect(formatMarkdown(reportOf([]))).not.toContain('|')
  })

  const spans: readonly (readonly [string, string])[] = [
    ['a', '`a`'],
    ['', '` `'],
    ['a|b', '`a\\|b`'],
    ['a`b', '``a`b``'],
    ['`a``', '``` `a`` ```'],
    ['@ann <b>\n\n# x', '`@ann <b> # x`'],
  ]

  test.each(spans)('writes %j as code', (text, span) => {
    expect(codeSpan(text)).toBe(span)
  })
})

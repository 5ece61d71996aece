import { defineApi, defineRegistry, defineResource } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { acceptancesOf } from '../../src/cli/gate/accepted.ts'
import { formatGate } from '../../src/cli/gate/report.ts'
import { withoutProbe } from '../../src/diff/change.ts'
import { compareSnapshots } from '../../src/diff/compare/snapshots.ts'
import { countFindings, type Finding, findingsOf } from '../../src/diff/fingerprint.ts'
import { enteredFindings, groupFindings, parsePlace } from '../../src/diff/report/entries.ts'
import type { Acceptance } from '../../src/diff/snapshot.ts'
import { snapshotOf } from '../../src/diff/take.ts'

const text = z.string()
const fields = { id: text, firm_id: text, name: text.max(80), state: z.enum(['a', 'b']) }
const lists = { sortable: ['name'], searchable: ['name'], filterable: ['name', 'state'] }

function contractWith(shape: z.ZodRawShape, options: object, paths = ['/notes', nested]) {
  const schema = z.object({ id: text, ...shape })
  const notes = defineResource('notes', {
    schema,
    create: schema.omit({ id: true }),
    references: { firm_id: 'firms' },
    ...options,
  } as never)
  const firms = defineResource('firms', { schema: z.object({ id: text }) })
  const mounts = Object.fromEntries(paths.map((path) => [path, notes]))
  const registry = defineRegistry(defineApi({ v1: { '/firms': firms, ...mounts } })).adapters({
    firms: memoryAdapter(),
    notes: memoryAdapter(),
  } as never)
  return snapshotOf(registry, { nounful: '1.0.0' })
}

const nested = '/firms/:firm_id/notes'
const old = contractWith(fields, lists)

function changesTo(after: ReturnType<typeof contractWith>) {
  return compareSnapshots(old, after, { on: '2026-11-01', grace: 180 }).map(withoutProbe)
}

const { name: _, ...nameless } = fields
const { state: __, ...stateless } = fields
const titled = { sortable: ['title'], searchable: ['title'], filterable: ['title', 'state'] }
const both = `v1 ${nested}, v1 /notes`

type Row = readonly [
  edit: string,
  after: ReturnType<typeof contractWith>,
  entries: readonly (readonly [at: string, lead: string, count: number])[],
]
const rows: readonly Row[] = [
  ['no edit', contractWith(fields, lists), []],
  [
    'a renamed field',
    contractWith({ ...nameless, title: text.max(80) }, titled),
    [[`${both} /name`, 'request-field-renamed', 9]],
  ],
  [
    'a removed field',
    contractWith(stateless, { ...lists, filterable: ['name'] }),
    [[`${both} /state`, 'request-field-removed', 4]],
  ],
  [
    'a new field',
    contractWith({ ...fields, more: text.optional() }, { ...lists, sortable: ['name', 'more'] }),
    [[`${both} /more`, 'update-field-added', 4]],
  ],
  [
    'a bound',
    contractWith({ ...fields, name: text.max(60) }, lists),
    [[`${both} /name`, 'request-max-length-lowered', 3]],
  ],
  [
    'fewer values',
    contractWith({ ...fields, state: z.enum(['a']) }, lists),
    [[`${both} /state`, 'request-enum-removed', 4]],
  ],
  [
    'one sort field less',
    contractWith(fields, { ...lists, sortable: [] }),
    [[both, 'sortable-removed', 2]],
  ],
  [
    'two edits of a field',
    contractWith({ ...fields, name: text.max(60) }, { ...lists, sortable: [] }),
    [
      [both, 'sortable-removed', 2],
      [`${both} /name`, 'request-max-length-lowered', 3],
    ],
  ],
  [
    'two fields',
    contractWith({ ...fields, name: text.max(60), state: z.enum(['a']) }, lists),
    [
      [`${both} /state`, 'request-enum-removed', 4],
      [`${both} /name`, 'request-max-length-lowered', 3],
    ],
  ],
  ['an option', contractWith(fields, { ...lists, maxLimit: 10 }), [[both, 'max-limit-lowered', 1]]],
  ['a path less', contractWith(fields, lists, ['/notes']), [[`v1 ${nested}`, 'path-removed', 1]]],
]

describe('an entry', () => {
  test.each(rows)('holds what one edit causes: %s', (_, after, expected) => {
    const entries = groupFindings(findingsOf(changesTo(after), []))
    const shown = entries.map(({ at, lead, followers: others }) => [
      at,
      lead.rule,
      others.length + 1,
    ])
    expect(shown).toEqual(expected)
  })

  test.each(rows)('holds each finding once: %s', (_, after) => {
    const findings = findingsOf(changesTo(after), [])
    const entered = groupFindings(findings).flatMap(({ lead, followers: others }) => [
      lead,
      ...others,
    ])
    expect(entered).toHaveLength(findings.length)
    expect(new Set(entered)).toEqual(new Set(findings))
  })

  test.each(rows)('is accepted by its fingerprint, each change alike: %s', (_, after) => {
    const changes = changesTo(after)
    const breaks = groupFindings(findingsOf(changes, [])).filter(
      ({ lead }) => lead.verdict !== 'fine',
    )
    const accept = breaks.map(({ fingerprint }) => fingerprint)
    const reason = accept.map(() => 'asked')
    const log = acceptancesOf(changes, { accept, reason, on: '2026-11-01' })
    const { breaking, depends, accepted } = countFindings(findingsOf(changes, log))
    expect([breaking, depends, accepted]).toEqual([0, 0, log.length])
    expect(log).toHaveLength(changes.filter(({ verdict }) => verdict !== 'fine').length)
  })

  test('shows one witness, one way out and one fingerprint', () => {
    const findings = findingsOf(changesTo(rows[1]?.[1] ?? old), [])
    const report = { old: 'a', new: 'b', findings, tally: countFindings(findings) }
    const lines = formatGate(report).split('\n')
    const count = (words: string) => lines.filter((line) => line.includes(words)).length
    expect(lines[0]).toBe(`${both} /name`)
    expect(['BREAKING', 'was fine', 'way out:', 'accept it by:'].map(count)).toEqual([1, 1, 1, 1])
    expect(count('touches 10 operations: list, create, updateMany')).toBe(1)
    expect(count('with it:')).toBe(7)
  })

  test('leaves accepted changes to an entry of their own', () => {
    const changes = changesTo(rows[4]?.[1] ?? old)
    const [first] = findingsOf(changes, [])
    const accept = [first?.fingerprint ?? '']
    const log = acceptancesOf(changes, { accept, reason: ['asked'] })
    const leads = groupFindings(findingsOf(changes, log)).map(({ lead }) => lead.accepted?.reason)
    expect(leads).toEqual(['asked', undefined])
    const [, rest] = groupFindings(findingsOf(changes, log))
    const more = acceptancesOf(changes, { accept: [rest?.fingerprint ?? ''], reason: ['b'] }, log)
    expect(countFindings(findingsOf(changes, [...log, ...more])).breaking).toBe(0)
  })

  test('of one change has the fingerprint of the change', () => {
    const [entry] = groupFindings(findingsOf(changesTo(rows[9]?.[1] ?? old), []))
    expect(entry?.fingerprint).toBe(entry?.lead.fingerprint)
  })

  test('gives its fingerprint to each finding', () => {
    const findings = findingsOf(changesTo(rows[8]?.[1] ?? old), [])
    const entries = groupFindings(findings)
    const entered = enteredFindings(findings)
    expect(entered.map(({ entry: _, ...finding }) => finding)).toEqual(findings)
    for (const { fingerprint, lead, followers: others } of entries) {
      const own = (finding: Finding) => [lead, ...others].some((one) => one.at === finding.at)
      expect(entered.filter(own).map(({ entry }) => entry)).toEqual(
        [lead, ...others].map(() => fingerprint),
      )
    }
  })

  test('needs an acceptance that names one', () => {
    const accept = { accept: ['000000000000'], reason: ['asked'] }
    const log: readonly Acceptance[] = []
    expect(() => acceptancesOf(changesTo(rows[4]?.[1] ?? old), accept, log)).toThrow(
      'No change has the fingerprint "000000000000"',
    )
  })
})

type Read = string | undefined
const places: readonly (readonly [at: string, mounts: string, body: Read, pointer: Read])[] = [
  ['limits', 'limits', undefined, undefined],
  ['v1 /notes', 'v1 /notes', undefined, undefined],
  ['v1 /notes item', 'v1 /notes', 'item', undefined],
  ['v1 /notes update /a b/create /c', 'v1 /notes', 'update', '/a b/create /c'],
  ['v1 /a, v1 /b create /x', 'v1 /a, v1 /b', 'create', '/x'],
  ['resource notes', 'resource notes', undefined, undefined],
]
test.each(places)('the place %j is read', (at, mounts, body, pointer) => {
  expect(parsePlace(at)).toEqual({ mounts, body, pointer })
})

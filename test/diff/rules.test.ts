import { existsSync, readFileSync } from 'node:fs'
import { defineApi, defineRegistry, defineResource, defineView, handle } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { findingsOf } from '../../src/diff/fingerprint.ts'
import { ways } from '../../src/diff/rule.ts'
import { ruleGroups, ruleOf } from '../../src/diff/rules.ts'
import type { Snapshot } from '../../src/diff/snapshot.ts'
import { snapshotOf } from '../../src/diff/take.ts'
import { changesOf } from './contracts.ts'

const rows = ruleGroups.flatMap((group) => group.rows)

describe('the rules', () => {
  test('have ids that no other has', () => {
    expect(rows.map(({ id }) => id).filter((id, at, ids) => ids.indexOf(id) !== at)).toEqual([])
  })

  test('mirror each other', () => {
    const broken = rows.filter(({ id, mirror }) => {
      if (typeof mirror !== 'string') return mirror.none === ''
      return ruleOf(mirror)?.mirror !== id
    })
    expect(broken.map(({ id }) => id)).toEqual([])
  })

  test('give their reason as a sentence', () => {
    const isSentence = (text: string) => /^[A-Z].*\.$/.test(text)
    const reasons = rows.flatMap(({ because, mirror }) =>
      typeof mirror === 'string' ? [because] : [because, mirror.none],
    )
    expect(reasons.filter((text) => !isSentence(text))).toEqual([])
  })

  test('never mirror a break by a break of another name', () => {
    const both = rows.filter(({ id, verdict, mirror }) => {
      if (typeof mirror !== 'string' || mirror === id) return false
      return verdict === 'breaking' && ruleOf(mirror)?.verdict === 'breaking'
    })
    expect(both).toEqual([])
  })

  test('are unknown by other names', () => {
    expect(ruleOf('constructor')).toBeUndefined()
  })
})

test('the ways out lead to headings of the documentation', () => {
  const broken = Object.values(ways).filter(({ page }) => {
    const [file = '', anchor] = page.split('#')
    const path = new URL(`../../${file}`, import.meta.url)
    if (!existsSync(path)) return true
    const headings = readFileSync(path, 'utf8').match(/^#+ .*$/gm) ?? []
    const anchors = headings.map((heading) =>
      heading
        .replace(/^#+ /, '')
        .toLowerCase()
        .replace(/[^\w\s-]/g, '')
        .replace(/\s/g, '-'),
    )
    return anchor !== undefined && !anchors.includes(anchor)
  })
  expect(broken.map(({ page }) => page)).toEqual([])
})

test('the way out of a new item rule is no view, which the rule judges too', async () => {
  const Note = z.object({ id: z.string(), text: z.string() })
  const notes_v2 = defineResource('notes_v2', { schema: Note, create: Note.omit({ id: true }) })
  const NoteV1 = z.object({ id: z.string(), name: z.string() })
  const notes = defineView('notes', notes_v2, {
    schema: NoteV1,
    create: NoteV1.omit({ id: true }),
    fields: { name: 'text' },
  })
  const api = defineApi({ v2: { '/notes': notes_v2 }, v1: { '/notes': notes } })
  const builder = defineRegistry(api, { defaultVersion: 'v1' })
  const openRegistry = builder.adapters({ notes_v2: memoryAdapter() })
  const ruled = builder.rules({ notes_v2: { delete: () => false } }).adapters({
    notes_v2: memoryAdapter({ items: [{ id: '1', text: 'a' }] }),
  })
  const [old, after] = [openRegistry, ruled].map((each) => snapshotOf(each, { nounful: '1.0.0' }))
  const changes = changesOf(old as Snapshot, after as Snapshot)
  const findings = findingsOf(changes, [])
  expect(findings.map(({ rule, at, way }) => [rule, at, way])).toEqual([
    ['item-rule-added', 'v1 /notes', ways.rule.text],
    ['item-rule-added', 'v2 /notes', ways.rule.text],
  ])
  for (const version of ['v1', 'v2']) {
    const request = { method: 'DELETE', url: `/${version}/notes/1` }
    expect(await handle(request, ruled)).toMatchObject({ status: 403 })
  }
})

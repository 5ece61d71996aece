import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ways } from '../../src/diff/rule.ts'
import { ruleGroups, ruleOf } from '../../src/diff/rules.ts'

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

import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

interface Row {
  readonly rule: string
  readonly file: string
  readonly name: string
}

const page = readFileSync(new URL('README.md', import.meta.url), 'utf8')
const rules = [...page.matchAll(/^\| (C\d+\.\d+) \|.*$/gm)].map(([line, rule = '']) => ({
  rule,
  line,
}))
const rows: readonly Row[] = rules.flatMap(({ rule, line }) =>
  [...line.matchAll(/\]\(([^)]+)\): `([^`]+)`/g)].map(([, file = '', name = '']) => ({
    rule,
    file,
    name,
  })),
)

describe('test/README.md', () => {
  test('numbers the rules without a gap', () => {
    const next = new Map<string, number>()
    for (const { rule } of rules) {
      const [chapter = '', number] = rule.split('.')
      const expected = next.get(chapter) ?? 1
      expect(`${chapter}.${number}`).toBe(`${chapter}.${expected}`)
      next.set(chapter, expected + 1)
    }
    expect(next.size).toBeGreaterThan(0)
  })

  test('names a test for every rule', () => {
    const held = new Set(rows.map(({ rule }) => rule))
    expect(rules.filter(({ rule }) => !held.has(rule))).toEqual([])
  })

  for (const { rule, file, name } of rows) {
    test(`finds the test of ${rule} in ${file}`, () => {
      const url = new URL(file, import.meta.url)
      expect(existsSync(url)).toBe(true)
      expect(namesOf(readFileSync(url, 'utf8'))).toContain(name)
    })
  }
})

/** Lists the names of tests and of their groups, as far as the next quote. */
function namesOf(text: string): string[] {
  const syntax =
    /\b(?:describe|test)(?:\.\w+\((?:[^()]|\([^()]*\))*\))?\(\s*(['`"])(.*?)(?:'|`|"|$)/gm
  return [...text.matchAll(syntax)].map(([, , name = '']) => name)
}

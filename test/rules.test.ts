import { existsSync, globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { patternOf } from './support/among.ts'
import { isLarge, large } from './support/large.ts'

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
  test('has a row for each rule of docs/requests.md', () => {
    const requests = readFileSync(new URL('../docs/requests.md', import.meta.url), 'utf8')
    const stated = [...requests.matchAll(/^- \*\*(C\d+\.\d+)\*\* /gm)].map(([, rule]) => rule)
    expect(stated.length).toBeGreaterThan(0)
    expect(rules.map(({ rule }) => rule)).toEqual(stated)
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

describe('npm test', () => {
  const isRun = (file: string) => file.endsWith('.test.ts') && !isLarge(`test/${file}`)

  test('holds every rule of the convention', () => {
    const held = new Set(rows.filter(({ file }) => isRun(file)).map(({ rule }) => rule))
    expect(rules.map(({ rule }) => rule).filter((rule) => !held.has(rule))).toEqual([])
  })

  for (const file of [
    'conformance.test.ts',
    'kysely/conformance/sqlite.test.ts',
    'kysely/conformance/postgres.test.ts',
    'kysely/conformance/mariadb.test.ts',
  ])
    test(`holds a store by ${file}`, () => {
      expect(existsSync(new URL(file, import.meta.url)) && isRun(file)).toBe(true)
    })

  for (const path of Object.keys(large))
    test(`leaves out ${path}, which exists`, () => {
      expect(globSync(patternOf(path))).not.toEqual([])
    })
})

/** Lists the names of tests and of their groups, as far as the next quote. */
function namesOf(text: string): string[] {
  const syntax =
    /\b(?:describe|test)(?:\.\w+\((?:[^()]|\([^()]*\))*\))?\(\s*(['`"])(.*?)(?:'|`|"|$)/gm
  return [...text.matchAll(syntax)].map(([, , name = '']) => name)
}

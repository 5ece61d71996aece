import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { rules } from '../../src/check/rules.ts'
import { read, writeSnippets } from './snippets.ts'
import { shownTables, tables } from './tables.ts'

const root = new URL('../../', import.meta.url)
const documents = [
  'README.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
  'test/README.md',
  ...readdirSync(new URL('docs/', root)).map((name) => `docs/${name}`),
].filter((name) => name.endsWith('.md'))

describe('documents', () => {
  test('every snippet compiles, strictly', () => {
    const paths = documents
      .flatMap((document) => writeSnippets(document, 'check'))
      .map(({ path }) => path)
    const config = ts.readConfigFile(fileURLToPath(new URL('tsconfig.json', root)), ts.sys.readFile)
    const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, fileURLToPath(root))
    const faults = ts.getPreEmitDiagnostics(ts.createProgram(paths, options))
    const host = {
      getCanonicalFileName: String,
      getCurrentDirectory: ts.sys.getCurrentDirectory,
      getNewLine: () => '\n',
    }
    expect(ts.formatDiagnostics(faults, host)).toBe('')
  }, 60_000)

  for (const document of documents) {
    for (const [name, table] of shownTables(read(document))) {
      test(`${document} shows the ${name} there are`, () => {
        expect(table).toBe(tables[name])
      })
    }

    const links = [...read(document).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(
      ([, link = '']) => link,
    )
    test(`${document} links to what is there`, () => {
      const missing = links.filter((link) => !existsSync(new URL(link, new URL(document, root))))
      expect(missing).toEqual([])
    })
  }

  test('README.md counts the rules of "check"', () => {
    expect(read('README.md')).toContain(`\n  ${rules.length} rules `)
  })
})

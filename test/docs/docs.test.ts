import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { faultsOf } from '../support/compile.ts'
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

/** Tells whether a file exists, and the heading in it that a link names. */
function isThere(url: URL): boolean {
  if (!existsSync(url)) return false
  return url.hash === '' || headingsOf(readFileSync(url, 'utf8')).includes(url.hash)
}

/** The headings of a page as link targets: `## Lists of any length` → `#lists-of-any-length`. */
function headingsOf(page: string): string[] {
  return [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => {
    const words = heading.toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    return `#${words.replaceAll(' ', '-')}`
  })
}

const rules = [...read('docs/requests.md').matchAll(/^- \*\*(C\d+\.\d+)\*\* /gm)].map(
  ([, rule]) => rule,
)

describe('documents', () => {
  test('every snippet compiles, strictly', async () => {
    const snippets = documents.flatMap((document) => writeSnippets(document, 'check'))
    expect(
      await faultsOf(
        snippets.map(({ path }) => path),
        'check',
      ),
    ).toBe('')
  }, 180_000)

  test('hosts.md shows lines of the files that e2e/hosts runs', () => {
    const shown = [...read('docs/hosts.md').matchAll(/```typescript\n([\s\S]*?)```/g)]
    expect(shown.length).toBeGreaterThan(0)
    const ran = read('e2e/hosts/fastify/app.ts')
    for (const [, lines = ''] of shown) expect(ran).toContain(lines)
  })

  for (const document of documents) {
    for (const [name, table] of shownTables(read(document))) {
      test(`${document} shows the ${name} there are`, () => {
        expect(table).toBe(tables[name])
      })
    }

    test(`${document} cites rules of docs/requests.md`, () => {
      const cited = read(document).match(/\bC\d+\.\d+\b/g) ?? []
      expect(cited.filter((rule) => !rules.includes(rule))).toEqual([])
    })

    const links = [...read(document).matchAll(/\]\((?!https?:)([^)]+)/g)]
    test(`${document} links to what is there`, () => {
      const missing = links.filter(
        ([, link = '']) => !isThere(new URL(link, new URL(document, root))),
      )
      expect(missing.map(([, link]) => link)).toEqual([])
    })
  }
})

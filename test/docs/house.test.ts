import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const pages = ['docs/architecture.md', 'CONTRIBUTING.md']
const code = ['src', 'test', 'bench', 'tools'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.m?[jt]s$/.test(name) && !/node_modules|\.snippets/.test(name))
    .map((name) => readFileSync(join(root, folder, name), 'utf8')),
)
code.push(
  ...['package.json', 'tsup.config.js'].map((name) => readFileSync(join(root, name), 'utf8')),
)
const words = new Set(code.flatMap((text) => text.match(/\w+/g) ?? []))

/** The texts in backticks of a page, each once. Blocks of code are none. */
function quotedIn(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8').replace(/^```[\s\S]*?^```/gm, '')
  return [...new Set([...text.matchAll(/`([^`]+)`/g)].map(([, quoted = '']) => quoted))]
}

/** Tells whether a path is there, from the root or from src/. `NAME` is the reader's to choose. */
function exists(path: string): boolean {
  return path.includes('NAME') || ['', 'src'].some((folder) => existsSync(join(root, folder, path)))
}

describe.each(pages)('%s', (page) => {
  test('names files and folders that exist', () => {
    const paths = quotedIn(page).filter((text) => /^[\w./-]+(?:\/[\w-]+\.ts|\/)$/.test(text))
    expect(paths.length).toBeGreaterThan(3)
    expect(paths.filter((path) => !exists(path))).toEqual([])
  })

  test('names functions and tables that exist', () => {
    const names = quotedIn(page).filter((text) => /^[A-Za-z_]\w+(?:\(\))?$/.test(text))
    expect(names.length).toBeGreaterThan(10)
    expect(names.filter((name) => !words.has(name.replace('()', '')))).toEqual([])
  })
})

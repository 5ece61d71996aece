import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('../../', import.meta.url)
const folder = new URL('test/.snippets/', root)

/** A piece of TypeScript from a document, written to a file so that it can be checked and run. */
export interface Snippet {
  readonly name: string
  readonly path: string
}

/** The text of a document of this project. */
export function read(document: string): string {
  return readFileSync(new URL(document, root), 'utf8')
}

/**
 * Writes the snippets of a document side by side, each under the name in its first line, so that
 * they import one another.
 *
 * @param reader The name of the test file: files that run at the same time use folders of their
 *   own.
 */
export function writeSnippets(document: string, reader: string): Snippet[] {
  const place = new URL(`${reader}/${document.replaceAll('/', '-')}/`, folder)
  rmSync(place, { recursive: true, force: true })
  mkdirSync(place, { recursive: true })
  return [...read(document).matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => {
    const name = /^\/\/ ([\w-]+\.ts)\n/.exec(code)?.[1]
    if (name === undefined)
      throw new Error(`A snippet of ${document} has no "// name.ts":\n${code}`)
    const file = new URL(name, place)
    writeFileSync(file, code)
    return { name, path: fileURLToPath(file) }
  })
}

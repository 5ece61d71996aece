import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'

/** The name of the script that a page loads. */
export const mainScript = 'explorer/browser/main.ts'

const style = 'explorer/style.css'
const icon = 'explorer/icon.svg'
const source = new URL('../', import.meta.url)

/**
 * Reads the style sheet, the icon and the scripts by name. Here it reads the sources, and strips
 * their types. A build replaces this module by one with the texts, which needs no file system.
 */
export function readAssets(): ReadonlyMap<string, string> {
  const texts = new Map([style, icon].map((name) => [nameOf(name), read(name)]))
  addScript(mainScript, texts)
  return texts
}

// Adds a script with its imports.
function addScript(name: string, texts: Map<string, string>): void {
  if (texts.has(name)) return
  const script = stripTypeScriptTypes(read(name))
  texts.set(name, script)
  for (const [, specifier = ''] of script.matchAll(/(?: from |\bimport\()'(\.[^']+)'/g)) {
    const imported = new URL(specifier, new URL(name, source))
    addScript(imported.href.slice(source.href.length), texts)
  }
}

function read(name: string): string {
  return readFileSync(new URL(name, source), 'utf8')
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

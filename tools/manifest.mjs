// Keeps out of the packed package.json what only a clone has. npm runs it before and after:
// node tools/manifest.mjs pack     removes the condition that leads to src/
// node tools/manifest.mjs restore  writes the file as it was
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const manifest = fileURLToPath(new URL('../package.json', import.meta.url))
const copy = fileURLToPath(new URL('../node_modules/.package.json', import.meta.url))

if (process.argv[2] === 'restore') {
  if (existsSync(copy)) renameSync(copy, manifest)
} else {
  const text = readFileSync(manifest, 'utf8')
  const packed = text.replaceAll(/^ *"nounful:source": .*\n/gm, '')
  // An interrupted npm may have left the packed form.
  if (packed !== text) writeFileSync(copy, text)
  writeFileSync(manifest, packed)
}

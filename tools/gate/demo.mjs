// Runs the demo of README.md in an empty folder, and compares what it prints:
// node tools/gate/demo.mjs <path of a node>
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pack } from '../npm.mjs'
import { folderFor, freePort, isAsShown, run, versionOf } from './newcomer.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
const script = join(root, 'examples/demo/demo.sh')
const [binary] = process.argv.slice(2)
const temp = mkdtempSync(join(tmpdir(), 'demo-'))
try {
  const tarball = pack(temp)
  const { folder, env } = folderFor(temp, resolve(binary), 'demo')
  writeFileSync(join(folder, 'package.json'), '{}')
  run(`npm install --silent file:${tarball}`, [], { cwd: folder, env })
  const port = String(await freePort())
  const begin = performance.now()
  const printed = run(`sh ${script}`, [], {
    cwd: folder,
    env: { ...env, PORT: port, TARBALL: tarball },
  })
  const section = readFileSync(join(root, 'README.md'), 'utf8').split('\n## A minute\n')[1] ?? ''
  const [, shown = ''] = /```\n([\s\S]*?)```/.exec(section) ?? []
  if (!isAsShown(printed.trim(), shown.trim().replaceAll('3000', port)))
    throw new Error(`The demo prints\n${printed}\nnot\n${shown}`)
  const seconds = Math.round((performance.now() - begin) / 1000)
  console.log(`Node ${versionOf(binary)}: the demo prints what README.md shows, in ${seconds} s`)
} finally {
  rmSync(temp, { recursive: true, force: true })
}

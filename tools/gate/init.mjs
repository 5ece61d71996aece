// Begins a project as a newcomer does, with the packed library, and with a Node that is too old:
// node tools/gate/init.mjs <path of Node 20> <path of Node 24>
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { npm, pack } from '../npm.mjs'
import { folderFor, freePort, run, stopped } from './newcomer.mjs'

const [oldNode, newNode] = process.argv.slice(2).map((path) => realpathSync(resolve(path)))
const temp = mkdtempSync(join(tmpdir(), 'init-'))
const posts = [
  { id: 1, title: 'Hello' },
  { id: 2, title: 'Nouns' },
]
const start = Date.now()

try {
  const library = pack(temp)
  const creator = packed(fileURLToPath(new URL('../create-nounful', import.meta.url)))
  const place = folderFor(temp, newNode, 'empty')
  const options = { cwd: place.folder, env: place.env }
  writeFileSync(join(place.folder, 'db.json'), JSON.stringify({ posts }))
  run('npx', ['--yes', '--package', library, 'nounful', 'init', '--from', 'db.json'], options)
  told('npx nounful init --from db.json')
  const project = { ...options, cwd: join(place.folder, 'my-api') }
  run('npm', ['install', '--no-audit', '--no-fund', library], project)
  told('npm install')
  run('npm', ['test'], project)
  told('npm test')
  await answers(project)
  told('npm start, GET /v1/posts, SIGTERM')
  run('npm', ['install', '--no-audit', '--no-fund', '--no-save', library, creator], options)
  run('npx', ['create-nounful', 'other', '--auth', 'jwt', '--tenants'], options)
  told('npm create nounful other -- --auth jwt --tenants')
  const service = { ...options, cwd: join(place.folder, 'other') }
  run('npm', ['install', '--no-audit', '--no-fund', library], service)
  // The repository's own tests run the longer ones.
  run('node', ['--test', '--test-name-pattern=convention', 'api.test.ts'], service)
  told('npm install, and its check')
  refuses(place.folder)
} finally {
  rmSync(temp, { recursive: true, force: true })
}

function told(step) {
  console.log(`${((Date.now() - start) / 1000).toFixed(1).padStart(5)} s  ${step}`)
}

function packed(folder) {
  const words = ['pack', '--json', '--silent', '--pack-destination', temp]
  const [{ filename }] = JSON.parse(npm(folder, words))
  return join(temp, filename)
}

async function answers({ cwd, env }) {
  const port = await freePort()
  const options = { cwd, env: { ...env, PORT: String(port) }, detached: true, stdio: 'ignore' }
  const server = spawn('node', ['--disable-warning=ExperimentalWarning', 'server.ts'], options)
  try {
    for (let tries = 0; ; tries++) {
      const response = await fetch(`http://127.0.0.1:${port}/v1/posts`).catch(() => undefined)
      if (response !== undefined) {
        assert.deepEqual(await response.json(), posts)
        break
      }
      if (tries === 100) throw new Error('The server did not answer within 10 seconds')
      await sleep(100)
    }
    const exit = once(server, 'exit')
    server.kill('SIGTERM')
    assert.deepEqual(await exit, [0, null])
  } finally {
    if (server.exitCode === null) await stopped(server)
  }
}

function refuses(folder) {
  const program = join(folder, 'node_modules/nounful/dist/cli.js')
  const { status, stderr } = spawnSync(oldNode, [program, 'init', 'old'], {
    cwd: folder,
    encoding: 'utf8',
  })
  const [line, ...others] = stderr.trim().split('\n')
  assert.match(line, /^A new project runs TypeScript as it is, which takes Node 22\.18 or later: /)
  assert.deepEqual([status, others, existsSync(join(folder, 'old'))], [2, [], false])
  told(line)
}

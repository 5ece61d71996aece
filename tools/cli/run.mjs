// Tries the command line as its users will: from an installed package, in a folder of theirs, on
// modules and servers of every kind, and with wrong arguments.
// node tools/cli/run.mjs [--package <installed package>] [path of a node]...
// Without --package it packs and installs the build.
import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { npm, pack } from '../npm.mjs'
import { bareCasesFor, casesFor, writingCasesFor } from './cases.mjs'
import { modules } from './modules.mjs'
import { startServers } from './servers.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
const { values, positionals } = parseArgs({
  options: { package: { type: 'string' } },
  allowPositionals: true,
})
const binaries =
  positionals.length > 0 ? positionals.map((path) => resolve(path)) : [process.execPath]
const atOnce = 3

const temp = mkdtempSync(join(tmpdir(), 'cli-'))
const home = values.package === undefined ? temp : dirname(dirname(resolve(values.package)))
// A folder of its own, from where the package can be found.
const folder = mkdtempSync(join(home, 'try-'))
const failures = []
try {
  if (values.package === undefined) install()
  for (const [name, text] of Object.entries(modules)) writeFileSync(join(folder, name), text)
  mkdirSync(join(folder, 'folder'))
  const installed = join(home, 'node_modules/nounful')
  if (values.package === undefined) {
    for (const binary of binaries) await tryBare(binary, installed)
    add(...['jiti', 'yaml'].map(versioned))
  }
  for (const binary of binaries) await tryWith(binary, installed)
} finally {
  rmSync(folder, { recursive: true, force: true })
  rmSync(temp, { recursive: true, force: true })
}
if (failures.length > 0) {
  console.log(`\n${failures.join('\n\n')}\n\n${failures.length} failed`)
  process.exit(1)
}
process.exit(0)

function install() {
  writeFileSync(join(temp, 'package.json'), '{"name":"consumer","private":true}')
  add(pack(temp))
}

function add(...packages) {
  npm(temp, ['install', '--no-audit', '--no-fund', '--silent', ...packages])
}

function versioned(name) {
  return `${name}@${manifestOf(root).devDependencies[name]}`
}

function manifestOf(path) {
  return JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
}

/** As one who installed nothing but the package. */
async function tryBare(binary, installed) {
  const version = execFileSync(binary, ['--version'], { encoding: 'utf8' }).trim()
  const program = join(installed, manifestOf(installed).bin.nounful)
  const typed = ['-p', "process.features.typescript ?? ''"]
  const stripsTypes = execFileSync(binary, typed, { encoding: 'utf8' }).trim() !== ''
  const cases = bareCasesFor({ stripsTypes })
  for (const one of cases) judge(version, one, await run(binary, [program, ...one.args]))
  console.log(`Node ${version}: ${cases.length} command lines without jiti and yaml`)
  rmSync(join(folder, 'bare.json'), { force: true })
}

async function tryWith(binary, installed) {
  const start = performance.now()
  const servers = await startServers(installed)
  const version = execFileSync(binary, ['--version'], { encoding: 'utf8' }).trim()
  const program = join(installed, manifestOf(installed).bin.nounful)
  const cases = casesFor(servers)
  const queue = cases.entries()
  const work = async () => {
    for (const [, one] of queue) judge(version, one, await run(binary, [program, ...one.args]))
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  for (const one of writingCasesFor(servers))
    judge(version, one, await run(binary, [program, ...one.args]))
  await servers.settle()
  if (servers.changed() !== undefined) failures.push(`${version}: ${servers.changed()}`)
  await servers.close()
  console.log(
    `Node ${version}: ${cases.length} command lines in ${Math.round(performance.now() - start)} ms`,
  )
}

function run(binary, args) {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, FORCE_COLOR: undefined }
  return new Promise((done) => {
    const options = { cwd: folder, env, timeout: 30_000, maxBuffer: 1e8 }
    execFile(binary, args, options, (error, stdout, stderr) => {
      done({ code: error ? (error.code ?? error.signal) : 0, stdout, stderr })
    })
  })
}

function judge(version, { args, code, says, warns, writes, lacks }, given) {
  const faults = []
  if (given.code !== code) faults.push(`exit code ${given.code} instead of ${code}`)
  for (const pattern of [says ?? []].flat())
    if (!pattern.test(given.stdout)) faults.push(`stdout without ${pattern}`)
  for (const pattern of [warns ?? []].flat())
    if (!pattern.test(given.stderr)) faults.push(`stderr without ${pattern}`)
  // A wrong use gets a paragraph, not a stack.
  if (/^ {4}at /m.test(given.stderr)) faults.push('a stack on stderr')
  if (code === 2 && given.stderr.trim().split('\n').length > 4)
    faults.push('more than a paragraph on stderr')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finds escape codes
  if (/\x1b/.test(given.stdout + given.stderr)) faults.push('colours where there is no terminal')
  if (args.includes('--json') && given.code !== 2 && !isJson(given.stdout))
    faults.push('no JSON on stdout')
  if (writes !== undefined && !readdirSync(folder).includes(writes))
    faults.push(`${writes} was not written`)
  if (lacks !== undefined && readdirSync(folder).includes(lacks))
    faults.push(`${lacks} was written`)
  if (faults.length === 0) return
  const shown = [given.stdout, given.stderr].map((text) => text.slice(0, 1500)).join('\n---\n')
  failures.push(`Node ${version}: nounful ${args.join(' ')}\n  ${faults.join('\n  ')}\n${shown}`)
}

function isJson(text) {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

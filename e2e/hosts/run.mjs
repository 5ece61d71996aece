// Starts the examples' registry inside each host, and compares its responses with our own server.
// node e2e/hosts/run.mjs [--tarball <packed library>] [--node <path of a node>] [host]...
// Without --tarball it packs the build. Every host is built and started under the named Node, or
// else under the running one.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { differences, faultOfException, mounted } from './compare.mjs'
import { exchange, leave, readWhole } from './exchange.mjs'
import { hosts } from './hosts.mjs'
import { install, versionOf } from './install.mjs'
import { beside, foreign, long, rows } from './rows.mjs'
import { whileStarted } from './started.mjs'

const { values, positionals } = parseArgs({
  options: { tarball: { type: 'string' }, node: { type: 'string' } },
  allowPositionals: true,
})
const node = values.node === undefined ? process.execPath : resolve(values.node)
const nodeVersion = execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim()
const temp = mkdtempSync(join(tmpdir(), 'hosts-'))
const failures = []
const told = readFileSync(new URL('../../docs/hosts.md', import.meta.url), 'utf8')

try {
  timed('installed', () => install(temp, values.tarball && resolve(values.tarball)))
  const reference = await referenceOf()
  checkTold(`${rows.length} requests`)
  for (const [name, host] of Object.entries(hosts)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue
    if (parseInt(nodeVersion, 10) < host.needs) {
      console.log(`${name}: left out, as it needs Node ${host.needs}`)
      continue
    }
    const build = timed(`${name} built`, () => buildIn(name, host))
    if (build === 'failed') continue
    checkTold(versionOf(temp, host.package))
    const seen = new Set()
    for (const prefix of Object.keys(host.mounts)) {
      await tryHost({ name, prefix, seen, ...host }, reference)
    }
    for (const header of [...(host.adds ?? []), ...(host.lacks ?? [])]) {
      if (!seen.has(header)) failures.push(`${name}: "${header}" is not its own any more`)
    }
  }
} finally {
  rmSync(temp, { recursive: true, force: true })
}
if (failures.length > 0) console.log(`\n${failures.join('\n')}\n\n${failures.length} failed`)
process.exitCode = failures.length > 0 ? 1 : 0

function checkTold(text) {
  if (!told.includes(text)) failures.push(`docs/hosts.md does not say "${text}"`)
}

function referenceOf() {
  buildIn('node', hosts.express)
  return whileStarted(
    { folder: join(temp, 'node'), args: ['dist/app.js'], node },
    async ({ port }) => {
      const answers = new Map()
      for (const row of [...rows, ...foreign]) answers.set(row.name, await exchange(port, row))
      return { answers, whole: await readWhole(port, long) }
    },
  )
}

function buildIn(name, { builds }) {
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' }
  try {
    for (const [script, ...args] of builds) {
      const path = join(temp, 'node_modules', script)
      execFileSync(node, [path, ...args], { cwd: join(temp, name), env, stdio: 'pipe' })
    }
    return 'built'
  } catch ({ stdout, stderr }) {
    failures.push(`${name} does not build:\n${stdout}${stderr}`)
    return 'failed'
  }
}

async function tryHost(host, reference) {
  const { name, prefix, start } = host
  const since = performance.now()
  const before = failures.length
  try {
    await whileStarted({ folder: join(temp, name), args: start, node }, async (server) => {
      await compareRows(host, reference, server)
      await compareForeign(host, reference, server)
      await compareLong(host, reference, server)
      await server.said('The sensor is broken')
    })
  } catch (error) {
    failures.push(`${name} ${prefix}: ${error.message}`)
  }
  const same = rows.length - Object.keys(host.mounts[prefix]).length
  const seconds = ((performance.now() - since) / 1000).toFixed(1)
  const verdict = failures.length === before ? 'passed' : 'FAILED'
  const subject = `${name} ${versionOf(temp, host.package)} at ${prefix}, Node ${nodeVersion}`
  const count = `${same} of ${rows.length} responses the same`
  console.log(`${subject}: ${verdict}, ${count}, ${seconds} s`)
}

async function compareRows(host, { answers }, { port }) {
  const { name, prefix, mounts } = host
  for (const row of rows) {
    const given = await exchange(port, { ...row, target: prefix + row.target })
    const told = differences(given, mounted(answers.get(row.name), prefix), host)
    const exception = mounts[prefix][row.name]
    const fault = exception ? faultOfException(exception, given, told) : told.join('; ')
    if (fault) failures.push(`${name} ${prefix}, ${row.name}: ${fault}`)
  }
}

// A host whose mount lets foreign requests pass answers them itself; else our server does. Some
// mounts take the prefix alone, which has the home document.
async function compareForeign(host, { answers }, { port }) {
  const { name, prefix, unknown, beside: besides = unknown, redirects = [] } = host
  for (const row of foreign) {
    const given = await exchange(port, { ...row, target: prefix + row.target })
    const expected = mounted(answers.get(row.name), prefix)
    const isHome = row.target === '/' && given.body.includes(`"path":"${prefix}/v1"`)
    const isAsSaid = redirects.includes(row.name)
      ? given.status === 308
      : unknown === undefined
        ? isHome || differences(given, expected, host).length === 0
        : (isHome && given.status === 200) || (given.status === 404 && unknown.test(given.body))
    if (!isAsSaid) failures.push(`${name} ${prefix}, ${row.name}: ${given.status} ${given.body}`)
  }
  const given = await exchange(port, beside)
  if (given.status !== 404 || !besides.test(given.body)) {
    failures.push(`${name}, beside the api: ${given.status} ${given.body}`)
  }
}

async function compareLong({ name, prefix }, { whole }, { port, said }) {
  const row = { ...long, target: prefix + long.target }
  const read = await readWhole(port, row)
  if (read.digest !== whole.digest || read.pieces < 10) {
    failures.push(`${name} ${prefix}, a long list: ${JSON.stringify(read)}`)
  }
  await leave(port, row)
  await said('A list was given up')
}

function timed(what, work) {
  const since = performance.now()
  const result = work()
  console.log(`${what}, ${((performance.now() - since) / 1000).toFixed(1)} s`)
  return result
}

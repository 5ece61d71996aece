// Uses the packed library as its users will: from another folder, by its public doors alone.
// node tools/gate/tarball.mjs <path of a node>...: each of them imports and requires every door.
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pack } from '../npm.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
const compilers = ['node_modules/typescript', 'tools/node_modules/typescript7']
const binaries = process.argv.slice(2).map((path) => resolve(path))

const library = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const doors = Object.entries(library.exports)
  .filter(([, target]) => target.default)
  .map(([path]) => library.name + path.slice(1))

const peers = Object.keys(library.peerDependencies)

// Links and pictures of Markdown, but for those of other sites and of the page itself.
const linkSyntax = /\]\((?!https?:|#)([^)#\s]+)[^)]*\)|(?:src|srcset)="(?!https?:)([^"]+)"/g

/** Bytes on the disk: the package and its dependencies. docs/runtimes.md promises it. */
const maxInstalled = 4_520_000
/** To import `nounful` and `nounful/memory`, on any machine; docs/speed.md has the figure. */
const maxImport = 60

const temp = mkdtempSync(join(tmpdir(), 'tarball-'))
try {
  write('package.json', JSON.stringify({ name: 'consumer', private: true }))
  install(pack(temp))
  weigh(join(temp, 'node_modules'))
  const folder = join(temp, 'node_modules', library.name)
  followLinks(folder)
  followConditions(folder)
  for (const binary of binaries) timeImport(binary)
  install(versioned('@types/node'))
  // Without the optional packages first: only the doors named after one may need it.
  const always = doors.filter((door) => !peers.some((peer) => door.endsWith(`/${peer}`)))
  for (const binary of binaries) load(binary, always)
  install(...peers.map(versioned))
  for (const binary of binaries) load(binary, doors)
  for (const compiler of compilers) typeCheck(compiler)
} finally {
  rmSync(temp, { recursive: true, force: true })
}

function install(...packages) {
  run('npm', ['install', '--no-audit', '--no-fund', ...packages])
}

/** Lists what an installation is made of. */
function weigh(modules) {
  const parts = readdirSync(modules).filter((name) => !name.startsWith('.'))
  const rows = parts.flatMap((name) => {
    const inner = name === library.name ? readdirSync(join(modules, name)) : ['']
    return inner.map((entry) => join(name, entry))
  })
  const sizes = rows.map((path) => [path, ...sizeOf(join(modules, path))])
  for (const [path, count, bytes] of sizes.sort(([, , a], [, , b]) => b - a))
    console.log(`${String(bytes).padStart(9)} bytes, ${String(count).padStart(3)} files: ${path}`)
  const sum = sizes.reduce((total, [, , bytes]) => total + bytes, 0)
  console.log(`${String(sum).padStart(9)} bytes on the disk, at most ${maxInstalled}`)
  if (sum > maxInstalled) throw new Error(`The installation has ${sum} bytes`)
}

/** Counts the files of a path, and their bytes on the disk, folders included. */
function sizeOf(path) {
  const stats = statSync(path)
  if (!stats.isDirectory()) return [1, stats.blocks * 512]
  const inner = readdirSync(path).map((name) => sizeOf(join(path, name)))
  return inner.reduce(
    ([count, bytes], [more, size]) => [count + more, bytes + size],
    [0, stats.blocks * 512],
  )
}

// The CPU, and the least of some runs: other steps use the machine meanwhile.
function timeImport(binary) {
  write(
    'time.mjs',
    `
    const start = process.cpuUsage()
    await import('nounful')
    await import('nounful/memory')
    const { user, system } = process.cpuUsage(start)
    console.log((user + system) / 1000)
  `,
  )
  const best = Math.min(...Array.from({ length: 11 }, () => Number(run(binary, ['time.mjs']))))
  const figure = `${best.toFixed(1)} ms of CPU, at most ${maxImport}`
  console.log(`Node ${run(binary, ['--version']).trim()} imports nounful and memory: ${figure}`)
  if (best > maxImport) throw new Error(`The import takes ${figure}`)
}

// A page of the package links to nothing that the package does not hold.
function followLinks(folder) {
  const pages = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.md'))
  const links = pages.flatMap((page) =>
    [...readFileSync(join(folder, page), 'utf8').matchAll(linkSyntax)].map(([, target, source]) => [
      page,
      target ?? source,
    ]),
  )
  const dead = links.filter(([page, link]) => !existsSync(join(folder, dirname(page), link)))
  if (dead.length > 0)
    throw new Error(`Dead links: ${dead.map((pair) => pair.join(': ')).join(', ')}`)
  console.log(`${links.length} links of ${pages.length} pages lead to files of the package`)
}

// Every condition of an export leads to a file of the package.
function followConditions(folder) {
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const targets = Object.values(exports).flatMap((target) =>
    typeof target === 'string' ? [target] : Object.values(target),
  )
  const dead = targets.filter((target) => !existsSync(join(folder, target)))
  if (dead.length > 0) throw new Error(`Dead exports: ${dead.join(', ')}`)
  console.log(`${targets.length} conditions of exports lead to files of the package`)
}

function versioned(name) {
  return `${name}@${library.devDependencies[name]}`
}

function load(binary, doors) {
  // Both must give one and the same door: a second copy would have a ProblemError of its own.
  write(
    'load.mjs',
    `
    import { createRequire } from 'node:module'
    const require = createRequire(import.meta.url)
    for (const door of ${JSON.stringify(doors)}) {
      const imported = await import(door)
      const required = require(door)
      const names = Object.keys(imported)
      if (names.length === 0) throw new Error(door + ' exports nothing')
      for (const name of names) {
        if (imported[name] !== required[name]) throw new Error(door + ': two copies of ' + name)
      }
    }
    console.log('Node ' + process.versions.node + ' imports and requires ${doors.join(', ')}')
  `,
  )
  console.log(run(binary, ['load.mjs']).trim())
}

function typeCheck(compiler) {
  const { version } = JSON.parse(readFileSync(join(root, compiler, 'package.json'), 'utf8'))
  const lines = doors.map((door, i) => `import * as door${i} from '${door}'`)
  write(
    'consumer.mts',
    `${lines.join('\n')}\nexport const doors = [${doors.map((_, i) => `door${i}`)}]\n`,
  )
  const resolutions = { nodenext: 'nodenext', bundler: 'esnext' }
  for (const [moduleResolution, module] of Object.entries(resolutions)) {
    const compilerOptions = {
      moduleResolution,
      module,
      target: 'es2022',
      lib: ['es2022'],
      types: ['node'],
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      noEmit: true,
    }
    write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['consumer.mts'] }))
    run(process.execPath, [join(root, compiler, 'bin/tsc'), '-p', '.'])
    console.log(`TypeScript ${version} checks a consumer, moduleResolution ${moduleResolution}`)
  }
}

function write(name, text) {
  writeFileSync(join(temp, name), text)
}

function run(command, args, cwd = temp) {
  try {
    return execFileSync(command, args, {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  } catch (error) {
    // tsc tells its errors on standard output.
    console.error(error.stdout)
    throw error
  }
}

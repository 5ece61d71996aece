// Uses the packed library as its users will: from another folder, by its public doors alone.
// node tools/gate/tarball.mjs <path of a node>...: each of them imports and requires every door.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

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

const temp = mkdtempSync(join(tmpdir(), 'tarball-'))
try {
  installTarball()
  followLinks(join(temp, 'node_modules', library.name))
  followMaps(join(temp, 'node_modules', library.name, 'dist'))
  // Without the optional packages first: only the doors named after one may need it.
  const always = doors.filter((door) => !peers.some((peer) => door.endsWith(`/${peer}`)))
  for (const binary of binaries) load(binary, always)
  run('npm', ['install', '--no-audit', '--no-fund', ...peers.map(versioned)])
  for (const binary of binaries) load(binary, doors)
  for (const compiler of compilers) typeCheck(compiler)
} finally {
  rmSync(temp, { recursive: true, force: true })
}

function installTarball() {
  const [packed] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', temp], root))
  write('package.json', JSON.stringify({ name: 'consumer', private: true }))
  run('npm', [
    'install',
    '--no-audit',
    '--no-fund',
    join(temp, packed.filename),
    versioned('@types/node'),
  ])
  console.log(`${packed.filename}: ${packed.size} bytes packed, ${packed.entryCount} files`)
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

// A source map names files of the package, and does not repeat their text.
function followMaps(folder) {
  const maps = readdirSync(folder).filter((name) => name.endsWith('.map'))
  const faults = maps.flatMap((map) => {
    const { sources, sourcesContent } = JSON.parse(readFileSync(join(folder, map), 'utf8'))
    const own = sources.filter((source) => !source.includes('node_modules/'))
    const dead = own.filter((source) => !existsSync(join(folder, source)))
    return sourcesContent ? [...dead, `${map} repeats its sources`] : dead
  })
  if (faults.length > 0) throw new Error(`Source maps: ${faults.join(', ')}`)
  console.log(`${maps.length} source maps lead to files of the package`)
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

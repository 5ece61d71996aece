import { readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Makes one script of all that the explorer's page loads upon use. Compressed one by one, the
 * small files took a quarter more.
 */
async function laterScriptOf(folder) {
  const names = await readdir(folder, { recursive: true })
  const paths = names.filter((name) => name.endsWith('.ts')).map((name) => join(folder, name))
  const imports = await Promise.all(
    paths.map(async (path) => {
      const specifiers = (await readFile(path, 'utf8')).matchAll(/\bimport\('(\.[^']+)'\)/g)
      return [...specifiers].map(([, specifier]) => join(dirname(path), specifier))
    }),
  )
  const later = [...new Set(imports.flat())].sort()
  const contents = later.map((path) => `export * from ${JSON.stringify(path)}`).join('\n')
  return {
    name: 'later-script',
    setup(build) {
      build.onResolve({ filter: /^\./ }, ({ kind }) =>
        kind === 'dynamic-import' ? { path: 'later', namespace: 'later' } : undefined,
      )
      build.onLoad({ filter: /^/, namespace: 'later' }, () => ({ contents, resolveDir: folder }))
    },
  }
}

/**
 * Makes one script of all that the explorer's page loads at first. esbuild puts the part that the
 * later script shares into a file of its own: one more request, and the two took 5 % more.
 */
async function firstScriptOf(esbuild, scripts) {
  const isFirst = (name) => !name.startsWith('later-')
  const names = [...scripts.keys()].filter((name) => name !== 'main.js' && isFirst(name))
  const lines = names.map((name) => `export * from './${name}'`)
  const parts = {
    name: 'parts',
    setup(build) {
      build.onResolve({ filter: /^\.\// }, ({ path }) =>
        isFirst(path.slice(2)) ? { path, namespace: 'part' } : { path, external: true },
      )
      build.onLoad({ filter: /^/, namespace: 'part' }, ({ path }) => ({
        contents: scripts.get(path.slice(2)),
      }))
    },
  }
  const { outputFiles } = await esbuild.build({
    stdin: { contents: ["import './main.js'", ...lines].join('\n'), resolveDir: '.' },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    plugins: [parts],
  })
  const [later = '', text = ''] = [...scripts].find(([name]) => !isFirst(name)) ?? []
  const pattern = new RegExp(`"\\./(?:${names.join('|')})"`, 'g')
  return [
    ['main.js', outputFiles[0].text],
    [later, text.replace(pattern, '"./main.js"')],
  ]
}

/**
 * Puts the explorer's style sheet, icon and script into the package as text, in place of the module that reads them from files:
 * not every runtime has a file system.
 */
const inlineAssets = {
  name: 'inline-assets',
  setup(build) {
    build.onLoad({ filter: /[\\/]src[\\/]explorer[\\/]assets\.ts$/ }, async ({ path }) => {
      const folder = path.slice(0, -'/assets.ts'.length)
      const { outputFiles } = await build.esbuild.build({
        entryPoints: [`${folder}/browser/main.ts`, `${folder}/style.css`],
        outdir: folder,
        // All lie in one folder, as the page asks for them.
        outbase: `${folder}/browser`,
        bundle: true,
        splitting: true,
        minify: true,
        format: 'esm',
        target: 'es2022',
        write: false,
        plugins: [await laterScriptOf(`${folder}/browser`)],
      })
      const files = outputFiles.map((file) => [nameOf(file.path), file.text])
      const scripts = new Map(files.filter(([name]) => name.endsWith('.js')))
      const texts = [
        ...(await firstScriptOf(build.esbuild, scripts)),
        ...files.filter(([name]) => !scripts.has(name)),
        ['icon.svg', await readFile(`${folder}/icon.svg`, 'utf8')],
      ]
      const contents = `export const mainScript = 'main.js'
export function readAssets() { return new Map(${JSON.stringify(texts)}) }`
      return { contents, loader: 'js' }
    })
  },
}

/** Lets commander, which is CommonJS, ask for Node's modules from within a bundle that is not. */
const bundledCommander = {
  name: 'bundled-commander',
  setup(build) {
    build.onLoad({ filter: /[\\/]commander[\\/].*\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      const contents = text.replace(
        /require\('(node:\w+)'\)/g,
        "globalThis.process.getBuiltinModule('$1')",
      )
      return { contents, loader: 'js' }
    })
  },
}

/**
 * Writes the tables of refa as differences of numbers, in base 36:
 * `[{"min":65,"max":90},{"min":97,"max":97}]` becomes `1t-p 7`. That halves the largest file of the
 * package.
 */
const shortTables = {
  name: 'short-tables',
  setup(build) {
    build.onLoad({ filter: /[\\/]refa[\\/]index\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      const tables = /JSON\.parse\('(\[(?:\{"min":\d+,"max":\d+\},?)+\])'\)/g
      const contents = text.replace(tables, (_, json) => {
        let end = 0
        const ranges = JSON.parse(json).map(({ min, max }) => {
          const numbers = max === min ? [min - end] : [min - end, max - min]
          end = max
          return numbers.map((number) => number.toString(36)).join('-')
        })
        return `readRanges('${ranges.join(' ')}')`
      })
      return { contents: `${contents}\n${readRanges}`, loader: 'js' }
    })
  },
}

/** Is a part of the package: the inverse of what `shortTables` writes. */
function readRanges(text) {
  let end = 0
  return text.split(' ').map((range) => {
    const [distance, length = 0] = range.split('-').map((digits) => Number.parseInt(digits, 36))
    const min = end + distance
    end = min + length
    return { min, max: end }
  })
}

/** Lets bundles of users leave out what they do not use of inflection, which is CommonJS. */
const pureInflection = {
  name: 'pure-inflection',
  setup(build) {
    build.onLoad({ filter: /[\\/]inflection[\\/]lib[\\/]inflection\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      const contents = text
        .replaceAll(/^(?:exports\.|Object\.defineProperty\(exports).*$/gm, '')
        .replaceAll('new RegExp(', '/* @__PURE__ */ new RegExp(')
      return { contents: `${contents}\nexport { pluralize, singularize }`, loader: 'js' }
    })
  },
}

/**
 * Takes of uuid one version a file, in its build for every runtime: the build for Node loads
 * `node:crypto` at once, and the main file leads each importer to every version.
 */
const smallUuid = {
  name: 'small-uuid',
  setup(build) {
    const resolveDir = fileURLToPath(new URL('node_modules/uuid/dist', import.meta.url))
    build.onResolve({ filter: /^uuid$/ }, ({ importer }) => {
      const path = /steps[\\/]create\.ts$/.test(importer) ? 'v5' : 'v7'
      return { path, namespace: 'uuid', sideEffects: false }
    })
    build.onLoad({ filter: /^v/, namespace: 'uuid' }, ({ path }) => {
      return { contents: `export { default as ${path} } from './${path}.js'`, resolveDir }
    })
  },
}

/**
 * Keeps what the server's doors share in few files. Who imports one of them imports `nounful` as
 * well, and so does the command line. But as esbuild sees it each module belongs to those entries
 * that reach it, which made a file of every combination: each file costs half a millisecond of a
 * start. Kysely's door is left out: alone, it would be a fifth larger.
 */
const oneCore = {
  name: 'one-core',
  setup(build) {
    const core = fileURLToPath(new URL('src/index.ts', import.meta.url))
    const doors = 'cli|conformance|explorer|fetch|layers|memory|node|openapi'
    const lazy =
      'cli/(?:ddl|init|serve|gate/(?:changes|diff|snapshot))|kysely/doctor/ddl|project/from-database'
    const withCore = new RegExp(`/src/(?:${doors}|${lazy})\\.ts$`.replaceAll('/', '[\\\\/]'))
    const kysely = fileURLToPath(new URL('src/kysely.ts', import.meta.url))
    build.onResolve({ filter: /^one-core$/ }, () => ({ path: core, sideEffects: true }))
    build.onResolve({ filter: /^one-kysely$/ }, () => ({ path: kysely, sideEffects: true }))
    build.onLoad({ filter: withCore }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      // The commands about tables reach only parts of kysely's door.
      const isOfTables = /[\\/](?:doctor[\\/]ddl|from-database)\.ts$/.test(path)
      const further = isOfTables ? "import 'one-kysely';" : ''
      return { contents: `${text}${further}import 'one-core'`, loader: 'ts' }
    })
  },
}

/**
 * Makes one file of the chunks that `nounful` shares with the client or with Kysely's door. esbuild
 * makes a chunk of each combination of doors. Each file costs half a millisecond of a start.
 */
const oneShared = {
  name: 'one-shared',
  setup(build) {
    build.initialOptions.metafile = true
    build.onEnd(async (result) => {
      const files = new Map(result.outputFiles.map((file) => [nameOf(file.path), file]))
      // What is left of a module that was imported for nothing but its place.
      const empty = new Set([...files.keys()].filter((name) => files.get(name).text === ''))
      const shared = sharedChunks(result.metafile.outputs)
      const [merged] = await mergeFiles(build.esbuild, shared, files)
      const path = [...files.values()][0].path.replace(/[^\\/]+$/, sharedName)
      const others = [...files].filter(([name]) => !shared.has(name) && !empty.has(name))
      const renamed = others.map(([, file]) =>
        withText(file, renameImports(withoutImports(file.text, empty), shared)),
      )
      result.outputFiles = [...renamed, withText({ ...merged, path }, merged.text)]
    })
  },
}

const sharedName = 'shared.js'

/** Returns the chunks that index.js or memory.js load, and the client or Kysely's door as well. */
function sharedChunks(outputs) {
  const loadedBy = (door) => {
    const loaded = new Set()
    const visit = (path) => {
      for (const { path: next, kind } of outputs[path].imports) {
        if (kind !== 'import-statement' || !(next in outputs) || loaded.has(nameOf(next))) continue
        loaded.add(nameOf(next))
        visit(next)
      }
    }
    visit(`dist/${door}.js`)
    return loaded
  }
  const others = new Set([...loadedBy('client'), ...loadedBy('kysely')])
  const loaded = [...loadedBy('index'), ...loadedBy('memory')]
  return new Set(loaded.filter((name) => others.has(name)))
}

/** Bundles chunks into one file with the exports of all. */
async function mergeFiles(esbuild, names, files) {
  const contents = [...names].map((name) => `export * from './${name}'`).join('\n')
  const chunks = {
    name: 'chunks',
    setup(build) {
      build.onResolve({ filter: /^\.\/chunk-/ }, ({ path }) => ({ path, namespace: 'chunk' }))
      build.onLoad({ filter: /./, namespace: 'chunk' }, ({ path }) => {
        return { contents: files.get(nameOf(path)).text, loader: 'js' }
      })
    },
  }
  const { outputFiles } = await esbuild.build({
    stdin: { contents, resolveDir: '.' },
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    packages: 'external',
    plugins: [chunks],
  })
  return outputFiles
}

function withoutImports(text, names) {
  return text.replace(/^import "\.\/(chunk-\w+\.js)";\n/gm, (line, name) =>
    names.has(name) ? '' : line,
  )
}

function renameImports(text, shared) {
  return text.replace(/(^import|^} from|\bfrom) "\.\/(chunk-\w+\.js)"/gm, (line, begin, name) =>
    shared.has(name) ? `${begin} "./${sharedName}"` : line,
  )
}

function withText(file, text) {
  return { ...file, path: file.path, text, contents: Buffer.from(text) }
}

/** The rooms that no user bundles, and the explorer, which a user takes whole. */
const toolRooms = [
  ...['cli', 'cli.ts', 'diff', 'explorer', 'explorer.ts'],
  ...['file', 'project', 'schemas', 'sets', 'trial'],
]

/**
 * Shortens the files that hold these rooms alone. Names stay, and lines stay short, so that a stack
 * tells a place. The other files stay as they are: a bundler needs their `@__PURE__`.
 */
const shortTools = {
  name: 'short-tools',
  setup(build) {
    build.onEnd(async (result) => {
      const shortened = result.outputFiles.map(async (file) => {
        const path = relative('', file.path).replaceAll('\\', '/')
        const inputs = Object.keys(result.metafile.outputs[path]?.inputs ?? {})
        const rooms = inputs.flatMap((input) => /^src\/([\w.]+)/.exec(input)?.[1] ?? [])
        if (rooms.length === 0 || rooms.some((room) => !toolRooms.includes(room))) return file
        const { code } = await build.esbuild.transform(file.text, {
          minifyWhitespace: true,
          minifySyntax: true,
          lineLimit: 100,
        })
        return withText(file, code)
      })
      result.outputFiles = await Promise.all(shortened)
    })
  },
}

/** Packages that become a part of this one, with their licences. */
const bundled = ['commander', 'inflection', 'refa', 'uuid']

async function writeLicences() {
  const texts = bundled.map(async (name) => {
    const folder = new URL(`node_modules/${name}/`, import.meta.url)
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry))
    return `${name}\n\n${(await readFile(new URL(file, folder), 'utf8')).trim()}\n`
  })
  const path = new URL('dist/licences.txt', import.meta.url)
  await writeFile(path, (await Promise.all(texts)).join('\n\n'))
}

function nameOf(path) {
  return path.slice(path.search(/[^\\/]+$/))
}

// JavaScript, because tsup's own types do not pass a strict check.
export default {
  entry: ['src/*.ts'],
  format: 'esm',
  target: ['es2022', 'node20'],
  // One ProblemError for every door: `instanceof` must hold across them.
  splitting: true,
  // Runtimes other than Node know `node:http`, not `http`.
  removeNodeProtocol: false,
  dts: true,
  clean: true,
  esbuildOptions(options) {
    // That index.ts is imported for nothing but where it is put is what "one-core" is for.
    options.logOverride = { 'ignored-bare-import': 'silent' }
  },
  esbuildPlugins: [
    inlineAssets,
    bundledCommander,
    shortTables,
    pureInflection,
    smallUuid,
    oneCore,
    oneShared,
    shortTools,
  ],
  onSuccess: writeLicences,
}

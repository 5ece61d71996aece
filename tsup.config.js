import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

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
        bundle: true,
        minify: true,
        format: 'esm',
        target: 'es2022',
        write: false,
      })
      const texts = outputFiles.map((file) => [nameOf(file.path), file.text])
      texts.push(['icon.svg', await readFile(`${folder}/icon.svg`, 'utf8')])
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
 * Keeps what the server's doors share in one file. Who imports one of them imports `nounful` as well; but as esbuild sees it each
 * module belongs to those doors that reach it, which made a file of every combination, and what a start costs half as much again. Kysely's door is left out: alone, it
 * would be a fifth larger.
 */
const oneCore = {
  name: 'one-core',
  setup(build) {
    const core = fileURLToPath(new URL('src/index.ts', import.meta.url))
    const withCore = /[\\/]src[\\/](?:conformance|explorer|fetch|layers|memory|node|openapi)\.ts$/
    build.onResolve({ filter: /^one-core$/ }, () => ({ path: core, sideEffects: true }))
    build.onLoad({ filter: withCore }, async ({ path }) => {
      return { contents: `${await readFile(path, 'utf8')}import 'one-core'`, loader: 'ts' }
    })
  },
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
  sourcemap: true,
  clean: true,
  esbuildOptions(options) {
    // The package holds src/, so its maps need not repeat it.
    options.sourcesContent = false
    // That index.ts is imported for nothing but where it is put is what "one-core" is for.
    options.logOverride = { 'ignored-bare-import': 'silent' }
  },
  esbuildPlugins: [inlineAssets, bundledCommander, oneCore],
}

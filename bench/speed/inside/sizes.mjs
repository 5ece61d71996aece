// The sizes of bundles.
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { answers } from './questions.mjs'

const folder = fileURLToPath(new URL('..', import.meta.url))

answers({ sizes })

/** Kilobytes of each bundle, minified and gzipped, by name. */
async function sizes(bundles) {
  const kilobytes = {}
  for (const [name, contents] of Object.entries(bundles)) kilobytes[name] = await sizeOf(contents)
  return kilobytes
}

async function sizeOf(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    write: false,
    // esbuild warns of side-effect-free imports in bundles that esbuild itself split.
    logLevel: 'error',
  })
  return gzipSync(outputFiles[0].contents, { level: 9 }).length / 1000
}

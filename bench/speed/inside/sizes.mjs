import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { answers } from '../../support/process.ts'

answers({ kilobytes })

/** The kilobytes of a bundle, minified and gzipped. */
async function kilobytes(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('..', import.meta.url)) },
    ...{ bundle: true, minify: true, platform: 'node', format: 'esm', write: false },
    // esbuild warns of side-effect-free imports in bundles that esbuild itself split.
    logLevel: 'error',
  })
  return gzipSync(outputFiles[0].contents, { level: 9 }).length / 1000
}

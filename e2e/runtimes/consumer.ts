import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import ts from 'typescript5'
import { npm, pack } from '../../tools/npm.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
const sources = [
  'e2e/runtimes/programs/*.ts',
  'e2e/runtimes/service/*.ts',
  'examples/companies/contract.ts',
  'test/support/first-version.ts',
  'examples/companies/sample.ts',
]

/**
 * Makes a folder a user of the library: installs the packed tarball and the service's packages, and
 * puts the service there as JavaScript, since Node 20 and 22 do not strip its types.
 */
export async function makeConsumer(folder: string): Promise<void> {
  install(folder)
  for await (const source of glob(sources, { cwd: root })) transpile(source, folder)
  for (const name of ['worker', 'worker-d1']) await bundle(name, folder)
}

// The gate has packed dist/ just before.
let isBuilt = process.env.TARBALL !== undefined

/** Installs the packed tarball as published, and packages at the versions of this repository. */
export function install(
  folder: string,
  packages: readonly string[] = ['kysely', 'srvx', 'zod'],
): void {
  if (!isBuilt) npm(root, ['run', 'build', '--silent'])
  isBuilt = true
  const manifest = { name: 'consumer', private: true, type: 'module' }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  const wanted = [pack(folder), ...packages.map(versioned)]
  npm(folder, ['install', '--silent', '--no-audit', '--no-fund', ...wanted])
}

function versioned(name: string): string {
  for (const manifest of ['package.json', 'e2e/package.json']) {
    const { devDependencies } = JSON.parse(readFileSync(join(root, manifest), 'utf8'))
    if (devDependencies[name] !== undefined) return `${name}@${devDependencies[name]}`
  }
  throw new Error(`No version of ${name} is named.`)
}

function transpile(source: string, folder: string): void {
  const { outputText } = ts.transpileModule(readFileSync(join(root, source), 'utf8'), {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      rewriteRelativeImportExtensions: true,
      verbatimModuleSyntax: true,
    },
  })
  const target = join(folder, source.replace(/\.ts$/, '.js'))
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, outputText)
}

// A Worker is one file; this is how Cloudflare's own tool makes it.
async function bundle(name: string, folder: string): Promise<void> {
  await build({
    entryPoints: [join(folder, `e2e/runtimes/programs/${name}.js`)],
    outfile: join(folder, `${name}.js`),
    bundle: true,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
  })
}

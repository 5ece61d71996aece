// Clients that other generators make of the example's document: each compiles strictly, and works.
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@hey-api/openapi-ts'
import { generate } from 'orval'
import { generateApi } from 'swagger-typescript-api'
import { startExample } from './example.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = join(here, '../..')
const generated = join(here, '.generated')

const url = await startExample()
rmSync(generated, { recursive: true, force: true })
mkdirSync(generated, { recursive: true })
const input = join(generated, 'example.json')
writeFileSync(input, await (await fetch(`${url}/openapi.json`)).text())

const generators = {
  'hey-api': (output) => createClient({ input, output, logs: { level: 'error' } }),
  orval: (output) =>
    generate({
      input: { target: input },
      output: { target: join(output, 'api.ts'), client: 'fetch', baseUrl: url },
    }),
  'swagger-typescript-api': (output) =>
    generateApi({ input, output, fileName: 'api.ts', silent: true }),
}

for (const [name, make] of Object.entries(generators)) {
  await make(join(generated, name))
  const program = join(here, 'clients', `${name}.ts`)
  check(program)
  // It runs what the other loaders do not: imports without an extension, and enums.
  run(join(root, 'node_modules/jiti/lib/jiti-cli.mjs'), [program, url])
  console.log(`A client of ${name} works.`)
}
rmSync(generated, { recursive: true })
process.exit()

function check(program) {
  const config = join(generated, 'tsconfig.json')
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    strict: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
  }
  writeFileSync(config, JSON.stringify({ compilerOptions, files: [program] }))
  run(join(root, 'node_modules/typescript/bin/tsc'), ['-p', config])
}

function run(program, args) {
  const { status } = spawnSync(process.execPath, [program, ...args], {
    stdio: 'inherit',
    cwd: here,
  })
  if (status !== 0) process.exit(status ?? 1)
}

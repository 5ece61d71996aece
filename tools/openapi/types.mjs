// The example's document as types, and a client from them: it compiles strictly, and works.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startExample } from './example.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = join(here, '../..')
const generated = join(here, '.generated/types')
const url = await startExample()

mkdirSync(generated, { recursive: true })
const document = join(generated, 'example.json')
const response = await fetch(`${url}/openapi.json`)
writeFileSync(document, await response.text())

run(join(root, 'tools/node_modules/openapi-typescript/bin/cli.js'), [
  document,
  '-o',
  join(generated, 'example.d.ts'),
])
writeFileSync(
  join(generated, 'tsconfig.json'),
  JSON.stringify({
    compilerOptions: {
      target: 'es2022',
      module: 'nodenext',
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      allowImportingTsExtensions: true,
      noEmit: true,
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
    },
    files: [join(here, 'client.ts')],
  }),
)
run(join(root, 'node_modules/typescript/bin/tsc'), ['-p', generated])
run(join(here, 'client.ts'), [url])
process.exit()

function run(program, args) {
  const { status } = spawnSync(process.execPath, [program, ...args], {
    stdio: 'inherit',
    cwd: here,
  })
  if (status !== 0) process.exit(status ?? 1)
}

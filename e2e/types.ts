// Compiles small programs against the packed library with several compilers: node e2e/types.ts.

import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { install } from './runtimes/consumer.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Folders of compilers. */
const compilers = [
  'e2e/node_modules/typescript5',
  'node_modules/typescript',
  'e2e/node_modules/typescript7',
]
/** The `module` option for each way to resolve modules. */
const modules = { bundler: 'esnext', nodenext: 'nodenext' } as const

/** A place to compile in, and the programs that need no more. */
interface Surroundings {
  readonly name: string
  readonly lib: readonly string[]
  readonly types: readonly string[]
  readonly programs: readonly string[]
  readonly resolutions: readonly (keyof typeof modules)[]
}

const free = [
  'contract.ts',
  'views.ts',
  'exported.ts',
  'fetch.ts',
  'client.ts',
  'conformance.ts',
  'kysely.ts',
]
// In this order: the types of Node are installed once those without them are done.
const withoutNode: readonly Surroundings[] = [
  {
    name: 'a browser',
    lib: ['es2022', 'dom'],
    types: [],
    programs: free,
    resolutions: ['bundler', 'nodenext'],
  },
  {
    name: 'a worker',
    lib: ['es2022', 'webworker'],
    types: [],
    programs: free,
    resolutions: ['bundler'],
  },
]
const withNode: readonly Surroundings[] = [
  {
    name: 'Node',
    lib: ['es2022'],
    types: ['node'],
    programs: [...free, 'node.ts'],
    resolutions: ['bundler', 'nodenext'],
  },
]

const folder = mkdtempSync(join(tmpdir(), 'nounful-types-'))
let faults = 0
try {
  install(folder, ['kysely', 'zod'])
  cpSync(new URL('types', import.meta.url), folder, { recursive: true })
  compileAll(withoutNode)
  install(folder, ['kysely', 'zod', '@types/node'])
  compileAll(withNode)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = faults === 0 ? 0 : 1

function compileAll(surroundings: readonly Surroundings[]): void {
  for (const compiler of compilers) {
    for (const around of surroundings) {
      for (const moduleResolution of around.resolutions) compile(compiler, around, moduleResolution)
    }
  }
}

function compile(
  compiler: string,
  { name, lib, types, programs }: Surroundings,
  moduleResolution: keyof typeof modules,
): void {
  const compilerOptions = {
    moduleResolution,
    module: modules[moduleResolution],
    lib,
    types,
    target: 'es2022',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    allowImportingTsExtensions: true,
    skipLibCheck: false,
    noEmit: true,
    // Reports a type that a user's declarations cannot name.
    declaration: true,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: programs }))
  const { version } = JSON.parse(readFileSync(join(root, compiler, 'package.json'), 'utf8'))
  const tsc = join(root, compiler, 'bin/tsc')
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })
  if (status !== 0) faults++
  const verdict = status === 0 ? 'compiles' : `does not compile:\n${stdout}`
  console.log(`TypeScript ${version}, ${moduleResolution}, in ${name}: ${verdict}`)
}

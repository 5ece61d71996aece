// The compiler's cost of a big contract: resources, half of them nested with a reference to their
// parent, in a registry and a client.
// node tools/gate/instantiations.mjs prints the counts of both compilers. It exits with 1 above the
// budget, or when a declaration names a schema library.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const compilers = {
  'TypeScript 6': ['node_modules/typescript/bin/tsc'],
  'TypeScript 7': ['tools/node_modules/typescript7/bin/tsc', '--singleThreaded'],
}
// The compiler reads src/ too, and not declarations alone: that takes about 80,000 of each.
const budgets = { 100: 285_000, 400: 850_000 }

// Inside the package, so that `nounful` and `zod` are found, where git looks away.
const folder = join(root, 'test/.snippets/instantiations')
let isWithin = true
for (const [size, budget] of Object.entries(budgets)) {
  for (const [name, [compiler, ...flags]] of Object.entries(compilers)) {
    const count = measure(programOf(Number(size)), [compiler, ...flags])
    const verdict = count <= budget ? 'within' : 'ABOVE'
    isWithin &&= count <= budget
    console.log(`${size} resources, ${name}: ${count} instantiations, ${verdict} ${budget}`)
  }
}
rmSync(folder, { recursive: true, force: true })
process.exitCode = isWithin ? 0 : 1

function programOf(size) {
  const places = Array.from({ length: size }, (_, place) => place)
  const isNested = (place) => place % 2 === 1
  const pathOf = (place) =>
    isNested(place) ? `/things${place - 1}/:thing${place - 1}_id/things${place}` : `/things${place}`
  const resources = places.map(
    (place) => `
export interface New${place} {
  name: string
  field${place}: number
  email?: string
}
export interface Thing${place} extends New${place} {
  id: string
  created_at: string${isNested(place) ? `\n  thing${place - 1}_id: string` : ''}
}
export const things${place} = defineResource('things${place}', {
  schema: ${place === 0 ? 'Whole' : `schemaOf<Thing${place}>()`},
  create: ${place === 0 ? 'Whole.omit({ id: true, created_at: true })' : `schemaOf<New${place}>()`},
  readOnly: ['created_at'],
  sortable: ['name', 'field${place}'],
  searchable: ['name', 'email'],
  filterable: ['name', 'field${place}', 'email'],
  references: {${isNested(place) ? ` thing${place - 1}_id: 'things${place - 1}' ` : ''}},
})`,
  )
  const uses = places.map((place) => {
    const collection = isNested(place)
      ? `client.v1.things${place - 1}('1').things${place}`
      : `client.v1.things${place}`
    const email = isNested(place) ? '' : ", email: 'b'"
    const include = isNested(place) ? `, include: ['thing${place - 1}'], limit: 9` : ''
    return `
  for (const { field${place} } of await ${collection}.list({
    q: 'a', sort: ['name', '-field${place}'],
    where: { name: { contains: 'a' }, field${place}: { gte: 1 }, email: ['b', 'c'] }${include}
  })) sum += field${place}
  const made${place} = await ${collection}.create({ name: 'a', field${place}: 1${email} })
  sum += (await ${collection}(made${place}.id).update({
    ...made${place}, name: 'b'
  })).field${place}`
  })
  return {
    'contract.ts': `import { defineApi, defineResource, type StandardSchema } from 'nounful'
import { z } from 'zod'
// A library's own types do not count. One resource uses a library, to look at its declarations.
declare function schemaOf<T>(): StandardSchema<T, T>
const Whole = z.object({
  id: z.string(), created_at: z.string(), name: z.string(),
  field0: z.number(), email: z.string().optional()
})
${resources.join('\n')}
export const api = defineApi({
  v1: {
${places.map((place) => `    '${pathOf(place)}': things${place},`).join('\n')}
  },
})
`,
    'registry.ts': `import { defineRegistry } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { api } from './contract.ts'
export const registry = defineRegistry(api).adapters({
${places.map((place) => `  things${place}: memoryAdapter(),`).join('\n')}
})
`,
    'use.ts': `import { createClient } from 'nounful/client'
import type { api } from './contract.ts'
export const client = createClient<typeof api>({ baseUrl: 'http://127.0.0.1' })
export async function use(): Promise<number> {
  let sum = 0${uses.join('')}
  return sum
}
`,
  }
}

function measure(files, [compiler, ...flags]) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const compilerOptions = {
    noEmit: false,
    emitDeclarationOnly: true,
    declaration: true,
    allowImportingTsExtensions: true,
    outDir: 'types',
    rootDir: '../../..',
    skipLibCheck: true,
  }
  const config = {
    extends: '../../../tsconfig.json',
    compilerOptions,
    include: [],
    files: Object.keys(files),
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const out = run([join(root, compiler), '-p', folder, '--extendedDiagnostics', ...flags])
  for (const name of Object.keys(files)) checkDeclaration(name.replace('.ts', '.d.ts'))
  return Number(/^Instantiations:\s*([\d,]+)/m.exec(out)?.[1].replaceAll(',', ''))
}

function checkDeclaration(name) {
  const text = readFileSync(join(folder, 'types/test/.snippets/instantiations', name), 'utf8')
  if (!/zod|Zod/.test(text)) return
  console.log(`${name} names a schema library`)
  isWithin = false
}

function run(args) {
  try {
    return execFileSync(process.execPath, args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  } catch (error) {
    // tsc tells its errors on standard output.
    console.error(error.stdout.slice(0, 2000))
    process.exit(1)
  }
}

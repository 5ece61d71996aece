/** Modules that a user may name on the command line, by file. */
const schema = `{
  '~standard': {
    version: 1,
    vendor: 'hand',
    validate: (value) =>
      typeof value?.name === 'string'
        ? { value }
        : { issues: [{ message: 'has no name', path: ['name'] }] },
  },
}`

const contract = `
const item = ${schema}
export const people = defineResource('people', {
  schema: item, create: item, sortable: ['name'], searchable: ['name']
})
export const pets = defineResource('pets', {
  schema: item, create: item, sortable: ['name'], searchable: ['name'],
  references: { person_id: 'people' },
})
export const api = defineApi({ v1: { '/people': people, '/people/:person_id/pets': pets } })`

const imports = `import { defineApi, defineRegistry, defineResource } from 'nounful'
import { memoryAdapter } from 'nounful/memory'`

const bound = `
const owners = memoryAdapter({
  items: [{ id: 'a', name: 'Ann Lee' }, { id: 'b', name: 'Bob Ray' }],
})
export const registry = defineRegistry(api).adapters({
  people: owners,
  pets: memoryAdapter({
    items: [{ id: 'c', name: 'Cat', person_id: 'a' }, { id: 'd', name: 'Dog', person_id: 'a' }],
  }),
})`

const typedContract = contract
  .replaceAll('(value)', '(value: any)')
  .replaceAll('version: 1,', 'version: 1 as const,')

export const modules = {
  'plain.mjs': `${imports}${contract}${bound}`,
  'plain.js': `${imports}${contract}${bound}`,
  'typed.ts': `${imports}${typedContract}${bound.replace('registry =', 'registry: unknown =')}`,
  'typed.mts': `export { registry } from './typed.ts'`,
  // TypeScript that Node's type stripping cannot run.
  'enums.ts': `${imports}
enum Place { Here = '/people' }
class Names { constructor(readonly first: string) {} }
const item = ${schema.replaceAll('(value)', '(value: any)')} as any
const people = defineResource(new Names('people').first, { schema: item })
export const api = defineApi({ v1: { [Place.Here]: people } } as any)`,
  'extensionless.mts': `export { registry } from './typed'`,
  'as-js.ts': `export { registry } from './typed.js'`,
  'common.cjs': `const { defineApi, defineResource } = require('nounful')
const item = ${schema}
const people = defineResource('people', { schema: item })
module.exports = { api: defineApi({ v1: { '/people': people } }) }`,
  'default.mjs': `import { api } from './plain.mjs'\nexport default api`,
  'several.mjs': `import { api, registry } from './plain.mjs'
export const one = api, other = registry`,
  'versions.mjs': `${imports}
const item = ${schema}
const people = defineResource('people', { schema: item })
export const api = defineApi({ v1: { '/people': people }, v2: { '/people': people } })`,
  'listening.mjs': `import { createServer } from 'node:http'
createServer().listen(0)
export { registry } from './plain.mjs'`,
  // Waits like an open pool.
  'unfit.mjs': `import { api } from './plain.mjs'
import { defineRegistry } from 'nounful'
setInterval(() => undefined, 1000)
const mismatch = {
  resource: 'people',
  table: 'people',
  message: 'no name',
  fix: 'alter table people add column name',
}
const ready = async () => {
  throw Object.assign(new TypeError('no name'), { mismatches: [mismatch] })
}
const read = () => null
export const registry = defineRegistry(api).adapters({ people: { read, ready }, pets: { read } })`,
  'none.mjs': `export const answer = 42`,
  'empty.mjs': ``,
  'noisy.mjs': "console.log('hello'); export * from './plain.mjs'\n",
  'waits.mjs': 'await new Promise(() => undefined)\n',
  'exits.mjs': 'process.exit(0)\n',
  'throws.mjs': `export const early = 1\nthrow new Error('No database here')`,
  'throws-text.mjs': `throw 'a text'`,
  'throws.ts': `const place: string = 'there'\nthrow new Error('Not ' + place)`,
  'wrong.mjs': `${imports}
const person = defineResource('person', { schema: ${schema} })
export const api = defineApi({ v1: { '/person': person } })`,
  'broken.mjs': `export const registry = {`,
  'broken.ts': `export const registry: = {`,
  'lacks.mjs': `import 'there-is-no-such-package'\nexport const registry = 1`,
  'pets.yaml': `openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
paths: { /pets: { get: { responses: { '200': { description: ok } } } } }
`,
  'data.json': `{"name":"Ann"}`,
  'employee.json': `{"name":"Ann"}`,
  'list.json': `[1]`,
}

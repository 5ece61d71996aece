/** Modules that somebody may name on the command line, by file. */
const schema = `{ '~standard': { version: 1, vendor: 'hand', validate: (value) => typeof value?.name === 'string' ? { value } : { issues: [{ message: 'has no name', path: ['name'] }] } } }`

const contract = `
const item = ${schema}
export const people = defineResource('people', { schema: item, create: item, sortable: ['name'], searchable: ['name'] })
export const pets = defineResource('pets', { schema: item, create: item, sortable: ['name'], searchable: ['name'] })
export const api = defineApi({ v1: { '/people': people, '/people/:person_id/pets': pets } })`

const imports = `import { defineApi, defineRegistry, defineResource } from 'nounful'
import { memoryAdapter } from 'nounful/memory'`

const bound = `
const owners = memoryAdapter({ items: [{ id: 'a', name: 'Ann Lee' }, { id: 'b', name: 'Bob Ray' }] })
export const registry = defineRegistry(api).adapters({
  people: owners,
  pets: memoryAdapter({ items: [{ id: 'c', name: 'Cat', person_id: 'a' }, { id: 'd', name: 'Dog', person_id: 'a' }], references: { person_id: owners } }),
})`

export const modules = {
  'plain.mjs': `${imports}${contract}${bound}`,
  'plain.js': `${imports}${contract}${bound}`,
  'typed.ts': `${imports}${contract.replaceAll('(value)', '(value: any)').replaceAll('version: 1,', 'version: 1 as const,')}${bound.replace('registry =', 'registry: unknown =')}`,
  'typed.mts': `export { registry } from './typed.ts'`,
  // What Node cannot do by stripping types.
  'enums.ts': `${imports}
enum Place { Here = '/people' }
class Names { constructor(readonly first: string) {} }
const item = ${schema.replaceAll('(value)', '(value: any)')} as any
export const api = defineApi({ v1: { [Place.Here]: defineResource(new Names('people').first, { schema: item }) } } as any)`,
  'extensionless.ts': `export { registry } from './typed'`,
  'as-js.ts': `export { registry } from './typed.js'`,
  'common.cjs': `const { defineApi, defineResource } = require('nounful')
const item = ${schema}
module.exports = { api: defineApi({ v1: { '/people': defineResource('people', { schema: item }) } }) }`,
  'default.mjs': `import { api } from './plain.mjs'\nexport default api`,
  'several.mjs': `import { api, registry } from './plain.mjs'\nexport const one = api, other = registry`,
  'versions.mjs': `${imports}
const item = ${schema}
const people = defineResource('people', { schema: item })
export const api = defineApi({ v1: { '/people': people }, v2: { '/people': people } })`,
  'listening.mjs': `import { createServer } from 'node:http'
createServer().listen(0)
export { registry } from './plain.mjs'`,
  'none.mjs': `export const answer = 42`,
  'empty.mjs': ``,
  'noisy.mjs': "console.log('hello'); export * from './plain.mjs'\n",
  'waits.mjs': 'await new Promise(() => undefined)\n',
  'exits.mjs': 'process.exit(0)\n',
  'throws.mjs': `export const early = 1\nthrow new Error('No database here')`,
  'throws-text.mjs': `throw 'a text'`,
  'throws.ts': `const place: string = 'there'\nthrow new Error('Not ' + place)`,
  'wrong.mjs': `${imports}\nexport const api = defineApi({ v1: { '/person': defineResource('person', { schema: ${schema} }) } })`,
  'broken.mjs': `export const registry = {`,
  'broken.ts': `export const registry: = {`,
  'lacks.mjs': `import 'there-is-no-such-package'\nexport const registry = 1`,
  'data.json': `{"name":"Ann"}`,
  'employee.json': `{"name":"Ann"}`,
  'list.json': `[1]`,
}

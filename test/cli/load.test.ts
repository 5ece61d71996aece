import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineApi, defineRegistry, defineResource, operations } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { serve } from 'nounful/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { apiOf, isRegistry, loadSource } from '../../src/cli/load.ts'
import { adviceFor, formatRoutes, routesOf } from '../../src/cli/routes.ts'
import { parseHeaders } from '../../src/trial/check/headers.ts'
import { UsageError } from '../../src/trial/check/usage-error.ts'
import { api } from '../support/first-version.ts'
import { mapOf, notesWith } from '../support/registry.ts'

const text = z.string()
const example = (name: string) =>
  fileURLToPath(new URL(`../../examples/companies/${name}`, import.meta.url))

describe('a module', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'load-'))
    mkdirSync(join(folder, 'inner'))
    for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text)
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const shape = '{ resources: new Map(), versions: new Map(), collections: [] }'
  const texts = {
    'none.mjs': 'export const a = 1',
    'several.mjs': `export const a = ${shape}, b = ${shape}`,
    'same.mjs': `const a = ${shape}; export { a as b, a as c }`,
    'bound.mjs': `export const api = ${shape}; export const mine = { api, bindings: [] }`,
    'throws.mjs': 'throw new Error("Nobody home")',
    'throws-text.mjs': "throw 'a text'",
    'we#ird.mjs': `export default ${shape}`,
  }

  test('may be a registry or an api', async () => {
    expect(isRegistry(await loadSource(example('registry.ts')))).toBe(true)
    expect(apiOf(await loadSource(example('contract.ts'))).collections).toHaveLength(8)
  })

  test('may serve at a port that is taken', async () => {
    const { registry } = notesWith(mapOf())
    const { port } = await serve(registry, { port: 0 })
    const source = (path: string) => new URL(`../../src/${path}`, import.meta.url).href
    const text =
      `import { serve } from '${source('node.ts')}'\n` +
      `import { defaultLimits as limits } from '${source('convention/limits.ts')}'\n` +
      `export const api = ${shape}\nexport const lines = []\n` +
      `const options = { port: ${port}, log: (line) => lines.push(line) }\n` +
      `export const { url, close } = await serve({ api, bindings: [], limits }, options)\n`
    const file = join(folder, 'serves.mjs')
    writeFileSync(file, text)
    expect(apiOf(await loadSource(file)).collections).toEqual([])
    const { url, lines, close } = await import(/* @vite-ignore */ file)
    expect(url).not.toBe(`http://127.0.0.1:${port}`)
    expect(lines).toEqual([])
    await close()
    await expect(serve(registry, { port })).rejects.toThrow('EADDRINUSE')
  })

  test.for([
    ['same.mjs', false],
    ['bound.mjs', false],
    ['bound.mjs#mine', true],
    ['several.mjs#b', false],
    ['we#ird.mjs', false],
  ] as const)('%s is found by its shape', async ([place, isBound]) => {
    expect(isRegistry(await loadSource(join(folder, place)))).toBe(isBound)
  })

  test.for([
    ['missing.mjs', 'does not exist'],
    ['inner', 'is no module'],
    ['none.mjs', 'exports no registry and no API: export the result'],
    ['several.mjs', 'exports several ('],
    ['several.mjs#c', 'exports no registry and no API as "c"'],
    ['throws.mjs', 'throws.mjs:1:7: Nobody home'],
    ['throws-text.mjs', 'throws-text.mjs cannot be loaded: a text'],
  ] as const)('%s is complained of', async ([place, message]) => {
    const loading = loadSource(join(folder, place))
    await expect(loading).rejects.toThrow(UsageError)
    await expect(loading).rejects.toThrow(message)
  })
})

describe('routes', () => {
  test('of an api are all that it offers', () => {
    const offers = routesOf(api)
    expect(offers).toHaveLength(4 * Object.keys(operations).length)
    expect(
      offers.find(({ path, kind }) => path.endsWith('customers/count') && kind === 'count'),
    ).toEqual({
      version: 'v1',
      path: '/v1/companies/:company_id/customers/count',
      method: 'GET',
      kind: 'count',
      resource: 'customers',
      ownedBy: null,
      parameters: [
        ...['q', 'id', 'id:ne'],
        ...['', ':ne', ':null', ':gt', ':gte', ':lt', ':lte'].map((filter) => `name${filter}`),
        ...[':contains', ':startsWith', ':endsWith'].map((part) => `name${part}`),
        ...['', ':ne', ':null', ':contains', ':startsWith', ':endsWith'].map(
          (filter) => `email${filter}`,
        ),
        ...['', ':ne', ':null', ':gt', ':gte', ':lt', ':lte'].map((is) => `company.name${is}`),
        ...[':contains', ':startsWith', ':endsWith'].map((part) => `company.name${part}`),
        ...['', ':ne', ':null', ':gt', ':gte', ':lt', ':lte'].map(
          (is) => `company.created_at${is}`,
        ),
      ],
      takes: 'nothing',
      types: [],
      states: null,
      putCreates: false,
      rules: [],
      gives: 'count',
      status: 200,
      deprecated: null,
      sunset: null,
      successor: null,
      docs: null,
      shows: null,
      folded: [],
      related: ['company'],
      offers: [],
    })
  })

  test('tell the bodies', () => {
    const json = 'application/json'
    const bodiesOf = (source: Parameters<typeof routesOf>[0]) =>
      routesOf(source)
        .filter(({ version, types }) => version === 'v1' && types.length > 0)
        .map(({ kind, takes, types }) => [kind, takes, ...types])
    const { registry } = notesWith({ ...mapOf(), modify: () => null, modifyMany: () => [] })
    const changes = [
      ['updateMany', 'items', json],
      ['patchMany', 'patches', json],
      ['update', 'item', json],
      ['patch', 'patch', 'application/merge-patch+json', json],
    ]
    expect(bodiesOf(registry)).toEqual([['create', 'item', json], ...changes])
    const every = notesWith({ ...mapOf(), createMany: () => [] }).registry
    expect(bodiesOf(every)[0]).toEqual(['create', 'itemOrItems', json])
    expect(bodiesOf(api)[0]).toEqual(['create', 'itemOrItems', json])
  })

  test('of a registry are what adapters support', () => {
    const { list, read } = mapOf()
    const declaration = { searchable: [], without: ['last'] }
    const { registry } = notesWith(
      { ...(list && { list }), ...(read && { read }) },
      { declaration },
    )
    expect(routesOf(registry).map(({ kind }) => kind)).toEqual(['list', 'read', 'first', 'count'])
    expect(formatRoutes(routesOf(registry)).split('\n')).toEqual([
      'VERSION  PATH             METHOD  KIND   PARAMETERS                                  STATUS',
      'v1       /v1/notes        GET     list   filters(id) sort limit offset after fields  200',
      'v1       /v1/notes/:id    GET     read   fields                                      200',
      'v1       /v1/notes/first  GET     first  filters(id) sort fields                     200',
      'v1       /v1/notes/count  GET     count  filters(id)                                 200',
    ])
  })

  test('name the filtered fields in the table, and every parameter as data', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const schema = z.object({ id: text, ...Object.fromEntries(names.map((name) => [name, text])) })
    const tableFor = (filterable: readonly string[]) => {
      const notes = defineResource('notes', { schema, filterable, sortable: ['a'] } as never)
      const routes = routesOf(defineApi({ v1: { '/notes': notes } }))
      const count = routes.find(({ kind }) => kind === 'count')
      return [count?.parameters, formatRoutes(routes).split('\n').at(-1)?.trim()]
    }
    expect(tableFor(['a', 'b'])).toEqual([
      [
        ...['id', 'id:ne', 'a', 'a:ne', 'a:null', 'a:gt', 'a:gte', 'a:lt', 'a:lte'],
        ...['b', 'b:ne', 'b:null'],
      ],
      expect.stringMatching(/ count +filters\(id a b\) +200$/),
    ])
    const [parameters, row] = tableFor(names)
    expect(parameters).toHaveLength(2 + 7 + 5 * 3)
    expect(row).toMatch(/ count +filters\(id a b c d and 2 more\) +200$/)
  })
})

describe('routes advise a bound', () => {
  const companies = defineResource('companies', { schema: z.object({ id: text }) })
  const adviceAbout = (declaration: object, ...paths: readonly string[]) => {
    const schema = z.object({ id: text, company_id: text })
    const employees = defineResource('employees', { schema, ...declaration })
    const mounts = Object.fromEntries(paths.map((path) => [path, employees]))
    return adviceFor(defineApi({ v1: { '/companies': companies, ...mounts } })).map(
      ({ message }) => message,
    )
  }
  const top = '/employees'
  const owned = '/companies/:company_id/employees'

  test('where a resource is at the top and below a parent', () => {
    expect(adviceAbout({}, top, owned)).toEqual([
      'DELETE /v1/employees deletes the employees of every parent. ' +
        'With "bounded: true" in "employees", clients must set a limit.',
    ])
  })

  // biome-ignore format: a row stays a line
  const rows: [name: string, declaration: object, paths: readonly string[]][] = [
    ['at the top only',      {},                       [top]],
    ['below a parent only',  {},                       [owned]],
    ['bounded',              { bounded: true },        [top, owned]],
    ['without deleteAll',    { without: ['deleteAll'] }, [top, owned]],
  ]
  for (const [name, declaration, paths] of rows) {
    test(`not of one that is ${name}`, () => expect(adviceAbout(declaration, ...paths)).toEqual([]))
  }

  test('not of one whose adapter cannot', () => {
    const registry = defineRegistry(api).adapters({
      companies: memoryAdapter(),
      customers: memoryAdapter(),
      employees: { list: () => [], read: () => null },
    })
    expect(adviceFor(registry)).toEqual([])
    expect(adviceFor(api)).toHaveLength(1)
  })

  test('across versions, since the items are the same', () => {
    const employees = defineResource('employees', {
      schema: z.object({ id: text, company_id: text }),
    })
    const v1 = { '/companies': companies, [owned]: employees }
    const advice = adviceFor(defineApi({ v1, v2: { [top]: employees }, v3: { [top]: employees } }))
    const message = expect.stringContaining('DELETE /v2/employees, /v3/employees deletes')
    expect(advice).toEqual([{ resource: 'employees', message }])
  })
})

test('headers are read as curl writes them', () => {
  expect(parseHeaders(['A: b', 'a:c', 'X-Y:', 'if-match: "a:b"'])).toEqual({
    a: 'b, c',
    'x-y': '',
    'if-match': '"a:b"',
  })
  for (const wrong of ['a', ': b', 'a b: c', 'a: b\r\nc: d'])
    expect(() => parseHeaders([wrong])).toThrow(UsageError)
})

import { defineApi, defineRegistry, defineResource } from 'nounful'
import { toFetchHandler } from 'nounful/fetch'
import { memoryAdapter } from 'nounful/memory'
import { type OpenApiDocument, openApiAt, toOpenApi } from 'nounful/openapi'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { endingRegistry } from '../support/ending.ts'
import { info, versions } from './contracts.ts'
import { finderFor, follow } from './declared.ts'

const { registry } = endingRegistry()
const whole = toOpenApi(registry, { info, methods: 'all' })
const at = (document: OpenApiDocument, method: string, path: string): Record<string, unknown> =>
  Object(document.paths[path]?.[method])

const problemTypes = 'https://x.example/'
const schema = z.object({ id: z.string() })
const notes = defineResource('notes', { schema })

describe('an operation that ends', () => {
  // biome-ignore format: a row stays a line
  const rows: readonly (readonly [place: string, sunset?: string])[] = [
    ['get /v2/companies',                   '2027-11-01'],
    ['head /v2/companies',                  '2027-11-01'],
    ['options /v2/companies',               '2027-11-01'],
    ['delete /v2/companies/{id}',           '2027-11-01'],
    ['get /v2/companies/{company_id}/staff', '2027-11-01'],
    ['post /v2/faxes',                      '2027-11-01'],
    ['get /v3/faxes'],
    ['options /v3/faxes/{id}'],
  ]
  test.each(rows)('is deprecated at %s', (place, sunset) => {
    const [method = '', path = ''] = String(place).split(' ')
    const operation = at(whole, method, path)
    expect(operation).toMatchObject({ deprecated: true })
    expect(operation['x-sunset']).toBe(sunset)
  })

  const kept = ['get /v3/firms', 'head /v3/firms', 'options /v3/firms', 'put /v3/workers/{id}']
  test.each(kept)('is none at %s', (place) => {
    const [method = '', path = ''] = String(place).split(' ')
    const operation = at(whole, method, path)
    expect(operation).toHaveProperty('responses')
    expect(Object.keys(operation)).not.toEqual(expect.arrayContaining(['deprecated']))
    for (const { headers } of Object.values(
      finderFor(whole)(method.toUpperCase(), path)?.responses ?? {},
    ))
      expect(Object.keys(Object(headers))).not.toContain('Deprecation')
  })

  type Required = Readonly<Record<string, boolean>>
  // biome-ignore format: a row stays a line
  const ends: readonly (readonly [name: string, end: object, required: Required])[] = [
    ['a date',      {},                                      { Deprecation: true }],
    ['a sunset',    { sunset: '2027-11-01' },                { Deprecation: true, Sunset: true }],
    ['a successor', { successor: 'v2' },                     { Deprecation: true, Link: false }],
    ['a page',      { docs: '/versions' },                   { Deprecation: true, Link: true }],
    ['both',        { docs: '/versions', successor: 'v2' },  { Deprecation: true, Link: true }],
  ]
  test.each(ends)('with %s has its headers in every response', (_, end, required) => {
    const lifecycle = { v1: { deprecated: '2026-11-01', ...end } }
    const api = defineApi({ v1: { '/notes': notes }, v2: { '/notes': notes } }, { lifecycle })
    const document = toOpenApi(api, { info, methods: 'all' })
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'DELETE']) {
      const responses = Object.values(finderFor(document)(method, '/v1/notes')?.responses ?? {})
      expect(responses.length).toBeGreaterThan(1)
      for (const { headers } of responses) {
        const found = Object.entries(Object(headers))
          .map(([name, part]) => [name, follow(document, part)] as const)
          .filter(([name, { description }]) => name !== 'Link' || /newer/.test(`${description}`))
          .filter(([name]) => ['Deprecation', 'Sunset', 'Link'].includes(name))
          .map(([name, { required = false }]) => [name, required])
        expect(Object.fromEntries(found)).toEqual(required)
      }
    }
  })

  test('shows the header as the server writes it', () => {
    expect(whole.components.headers).toMatchObject({
      deprecation: { example: '@1793491200', schema: { type: 'string' } },
      sunset: { example: 'Mon, 01 Nov 2027 00:00:00 GMT' },
    })
  })
})

describe('a version that has ended', () => {
  test('is told beside unknown versions', () => {
    expect(whole.info.description).toMatch(/A path of `\/v1` has ended: 404.*`retired_version`/)
    expect(toOpenApi(versions().registry, { info }).info.description).not.toMatch(/retired/)
  })
})

describe('the versions of a document', () => {
  test('stand with the newest one first', () => {
    const versions = Object.keys(whole.paths).map((path) => path.split('/')[1])
    expect([...new Set(versions)]).toEqual(['v3', 'v2'])
  })

  const named = { v1: { '/notes': notes }, v2: { '/notes': notes }, v10: { '/notes': notes } }
  // biome-ignore format: a row stays a line
  const rows: readonly (readonly [name: string, lifecycle: object, tags: readonly string[]])[] = [
    ['stays',         {},                                          ['notes', 'notes (v2)', 'notes (v1)']],
    ['is deprecated', { v1: { deprecated: '2026-01-01' } },        ['notes', 'notes (v2)', 'notes (v1, deprecated)']],
    ['is the newest', { v10: { deprecated: '2026-01-01' } },       ['notes', 'notes (v2)', 'notes (v1)']],
  ]
  test.each(rows)('name old ones in tags where one %s', (_, lifecycle, tags) => {
    const document = toOpenApi(defineApi(named, { lifecycle }), { info, tags: { notes: 'Words' } })
    expect(document.tags).toEqual(tags.map((name) => ({ name, description: 'Words' })))
    const inPaths = Object.values(document.paths).map((item) => Object(item.get).tags?.[0])
    expect([...new Set(inPaths.filter((tag) => tag !== undefined))]).toEqual(tags)
  })
})

describe('a document of one version', () => {
  const pathsOf = (version: string) =>
    Object.keys(toOpenApi(registry, { info, version }).paths).map((path) => path.split('/')[1])

  test('has its paths alone', () => {
    expect(new Set(pathsOf('v2'))).toEqual(new Set(['v2']))
    expect(new Set(pathsOf('v3'))).toEqual(new Set(['v3']))
    expect(pathsOf('v2').length + pathsOf('v3').length).toBe(Object.keys(whole.paths).length)
  })

  test('has the operations of the whole document', () => {
    const alone = toOpenApi(registry, { info, version: 'v3', methods: 'all' })
    for (const [path, item] of Object.entries(alone.paths)) expect(item).toEqual(whole.paths[path])
    expect(Object.keys(alone.paths).length).toBeGreaterThan(5)
  })

  test('leaves out the components and tags of others', () => {
    const alone = toOpenApi(registry, { info, version: 'v2' })
    expect(Object.keys(alone.components.schemas ?? {})).toEqual(
      expect.arrayContaining(['Company', 'Staff', 'Fax']),
    )
    expect(JSON.stringify(alone)).not.toMatch(/"(?:Firm|Worker)\b/)
    const tags = alone.tags.map(({ name }) => name)
    expect(tags).toEqual(['companies', 'staff', 'faxes'])
    expect(alone.tags[2]?.description).toMatch(/^At `\/v2\/faxes`\./)
    expect(alone.info.description).toMatch(/For every path:/)
  })

  test('takes no name from another version', () => {
    const names = (version?: string) => {
      const { registry, options } = versions()
      const document = toOpenApi(registry, { ...options, ...(version && { version }) })
      return Object.keys(document.components.schemas ?? {}).filter((name) =>
        /^Address\d*$/.test(name),
      )
    }
    expect(names()).toEqual(expect.arrayContaining(['Address', 'Address2']))
    expect(names('v1')).toEqual(['Address'])
  })

  const words: readonly (readonly [version: string, defaultVersion: 'v2' | false, rule: RegExp])[] =
    [
      ['v2', 'v2', /`\/x` is `\/v2\/x`/],
      ['v3', 'v2', /A path starts with its version/],
      ['v2', false, /A path starts with its version/],
    ]
  test.each(words)('of %s with the default %s says so', (version, defaultVersion, rule) => {
    const { registry } = endingRegistry(defaultVersion)
    expect(toOpenApi(registry, { info, version }).info.description).toMatch(rule)
  })

  test('of a contract leaves the default version open', () => {
    const { description } = toOpenApi(registry.api, { info, version: 'v2' }).info
    expect(description).not.toMatch(/starts with its version|leave out the version/)
  })

  test('has no link to an operation of another version', () => {
    const boss = defineResource('bosses', { schema })
    const Team = z.object({ id: z.string(), boss_id: z.string() })
    const teams = defineResource('teams', { schema: Team, references: { boss_id: 'bosses' } })
    const api = defineApi({ v1: { '/bosses': boss }, v2: { '/teams': teams } })
    const document = toOpenApi(
      defineRegistry(api, { defaultVersion: false, problemTypes }).adapters({
        bosses: memoryAdapter(),
        teams: memoryAdapter(),
      }),
      { info, version: 'v2' },
    )
    expect(document.components.schemas).toHaveProperty('Team')
    expect(JSON.stringify(document)).not.toContain('v1.bosses')
  })

  // biome-ignore format: a row stays a line
  const faults: readonly (readonly [version: unknown, message: RegExp])[] = [
    ['v9',  /Unknown version "v9"\. The api has v2, v3\./],
    ['v1',  /Unknown version "v1"\. The api has v2, v3\./],
    ['2',   /Unknown version "2"/],
    [2,     /Unknown version 2\./],
    [null,  /Unknown version null/],
  ]
  test.each(faults)('of %s is refused', (version, message) => {
    const options = { info, version } as never
    expect(() => toOpenApi(registry, options)).toThrow(TypeError)
    expect(() => openApiAt('/openapi.json', registry, options)).toThrow(message)
  })

  test('is served at its own path', async () => {
    const layers = ['v2', 'v3'].map((version) =>
      openApiAt(`/openapi/${version}.json`, registry, { info, version }),
    )
    const fetch = toFetchHandler(registry, { layers })
    for (const version of ['v2', 'v3']) {
      const response = await fetch(new Request(`http://x.example/openapi/${version}.json`))
      expect(await response.json()).toEqual(toOpenApi(registry, { info, version }))
    }
  })
})

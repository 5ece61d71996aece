import { defineApi, defineRegistry, defineResource, defineView } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { formatRouteBlocks } from '../../src/cli/route-blocks.ts'
import { formatRoutes, homePathsOf, type Route, routesOf } from '../../src/cli/routes.ts'
import { snapshotOf } from '../../src/diff/take.ts'
import { endingRegistry } from '../support/ending.ts'
import { api as companies } from '../support/first-version.ts'
import { tenancyIn } from '../support/tenancy.ts'

const schema = z.object({ id: z.string(), text: z.string() })
const tasks = defineResource('tasks', {
  schema,
  without: ['deleteAll', 'last'],
  sortable: ['text'],
})
const view = defineView('tasks_v1', tasks, { schema, create: schema, offers: ['deleteAll'] })
const viewed = defineApi({ v1: { '/tasks': view }, v2: { '/tasks': tasks } })

const kindOf = ({ kind }: Route) => kind

describe('routes in blocks', () => {
  test('have one for each resource, with its operations', () => {
    const notes = defineResource('notes', { schema, offers: ['list', 'read', 'count'] })
    const text = formatRouteBlocks(routesOf(defineApi({ v1: { '/notes': notes } })))
    expect(text.split('\n')).toEqual([
      '/v1/notes',
      '  notes',
      '    GET             list        200  filters(id) sort limit offset after fields',
      '    GET     /:id    read        200  fields',
      '    GET     /count  count       200  filters(id)',
    ])
  })

  test('of a registry are those of its contract, where the adapters take all', () => {
    const notes = defineResource('notes', { schema, searchable: ['text'] })
    const api = defineApi({ v1: { '/notes': notes } })
    const kinds = routesOf(defineRegistry(api).adapters({ notes: memoryAdapter() })).map(kindOf)
    expect(kinds).toEqual(routesOf(api).map(kindOf))
    expect(kinds).toContain('deleteMany')
  })

  test('show what a view is, and what it reopens', () => {
    const [block = '', second = ''] = formatRouteBlocks(routesOf(viewed)).split('\n\n')
    expect(block).toMatch(/^\/v1\/tasks\n {2}tasks_v1; view of tasks; offers deleteAll\n/)
    expect(block).toMatch(/^ {4}DELETE +deleteAll +200$/m)
    expect(second).toMatch(/^\/v2\/tasks\n {2}tasks\n/)
    expect(second).not.toContain('deleteAll')
  })

  test('show the states of a field, and the moves between them', () => {
    const withStates = z.object({ id: z.string(), status: z.enum(['draft', 'public', 'gone']) })
    const pages = defineResource('pages', {
      schema: withStates,
      offers: ['update'],
      revision: 'id',
      states: { status: { draft: ['public', 'gone'], public: ['gone'], gone: [] } },
    })
    const routes = routesOf(defineApi({ v1: { '/pages': pages } }))
    expect(formatRouteBlocks(routes).split('\n')).toContain(
      '  pages; states of status: draft to public or gone, public to gone, gone to none',
    )
    const moves = { draft: ['public', 'gone'], public: ['gone'], gone: [] }
    expect(routes[0]?.states).toEqual({ field: 'status', moves })
  })

  test('show whose items are, and the end of a version', async () => {
    const { registry } = await tenancyIn('memory')
    expect(formatRouteBlocks(routesOf(registry))).toContain('\n  users; whose: tenant_id\n')
    const ending = formatRouteBlocks(routesOf(endingRegistry().registry))
    expect(ending).toContain(
      '\n  companies; view of firms; deprecated: 2026-11-01; ends: 2027-11-01\n',
    )
  })

  test('share one block where two paths are alike', () => {
    const text = formatRouteBlocks(routesOf(endingRegistry().registry))
    expect(text).toContain('/v3/workers\n/v3/people\n/v3/firms/:firm_id/workers\n  workers\n')
  })

  test('hold every route once', () => {
    const routes = routesOf(companies)
    const lines = formatRouteBlocks(routes).split('\n')
    const paths = lines.filter((line) => line.startsWith('/'))
    const kinds = lines.filter((line) => /^ {4}[A-Z]+ .* \d{3}\b/.test(line))
    expect(paths).toHaveLength(new Set(paths).size)
    expect(paths).toHaveLength(companies.collections.length)
    expect(kinds.length).toBeLessThanOrEqual(routes.length)
  })

  test('fit 80 columns, however many filters there are', () => {
    const names = Array.from({ length: 9 }, (_, at) => `a_rather_long_name_${at}`)
    const wide = z.object({
      id: z.string(),
      ...Object.fromEntries(names.map((name) => [name, z.string()])),
    })
    const notes = defineResource('notes', { schema: wide, filterable: names } as never)
    const routes = routesOf(defineApi({ v1: { '/notes': notes } }))
    const widths = formatRouteBlocks(routes)
      .split('\n')
      .map(({ length }) => length)
    expect(Math.max(...widths)).toBeLessThanOrEqual(80)
    expect(formatRoutes(routes).split('\n')).toHaveLength(routes.length + 1)
  })
})

test('routes tell the rules that judge items, through views too', () => {
  const registry = defineRegistry(viewed, { defaultVersion: 'v2' })
    .rules({ tasks: { delete: () => true, create: () => true } })
    .adapters({ tasks: memoryAdapter() })
  const routes = routesOf(registry)
  expect(new Set(routes.map(({ rules }) => rules.join()))).toEqual(new Set(['create,delete']))
  const blocks = formatRouteBlocks(routes).split('\n\n')
  for (const block of blocks) expect(block).toContain('; rules: create, delete\n')
  expect(formatRouteBlocks(routesOf(viewed))).not.toContain('rules')
})

test('routes of a registry begin with its home documents', () => {
  const registryWith = (home: boolean) =>
    defineRegistry(viewed, { defaultVersion: 'v2', home }).adapters({ tasks: memoryAdapter() })
  const routes = routesOf(registryWith(true))
  const paths = homePathsOf(registryWith(true))
  expect(paths).toEqual(['/', '/v1', '/v2'])
  const [block] = formatRouteBlocks(routes, paths).split('\n\n')
  const line = '    GET             home        200'
  expect(block?.split('\n')).toEqual([...paths, '  home documents', line])
  const rows = formatRoutes(routes, paths).split('\n').slice(1, 4)
  expect(rows.map((row) => row.trim().split(/ +/))).toEqual([
    ['/', 'GET', 'home', '200'],
    ['v1', '/v1', 'GET', 'home', '200'],
    ['v2', '/v2', 'GET', 'home', '200'],
  ])
  expect(homePathsOf(registryWith(false))).toEqual([])
  expect(homePathsOf(viewed)).toEqual([])
})

test('a snapshot holds what a view reopens', () => {
  const registry = defineRegistry(viewed, { defaultVersion: 'v2' }).adapters({
    tasks: memoryAdapter(),
  })
  const { resources, versions } = snapshotOf(registry, { nounful: '1.0.0' })
  expect(resources.tasks_v1?.offers).toEqual(['deleteAll'])
  expect(resources.tasks).not.toHaveProperty('offers')
  expect(versions.v1?.paths['/tasks']?.operations).toContain('deleteAll')
})

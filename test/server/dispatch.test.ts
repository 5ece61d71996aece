import {
  defineApi,
  defineRegistry,
  defineResource,
  type HttpResponse,
  handle,
  type Operation,
} from 'nounful'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { nested } from '../support/nested.ts'
import {
  delayed,
  type Line,
  noting,
  pointersOf,
  requestOf,
  verdictOf,
} from '../support/registry.ts'

const deep = '/companies/1/teams/a/members'
const [mia, noa] = [
  { id: 'm', company_id: '1', team_id: 'a', name: 'Mia' },
  { id: 'n', company_id: '2', team_id: 'b', name: 'Noa' },
]

// biome-ignore format: a row stays a line
const scoped: [line: Line, verdict: string, body?: unknown][] = [
  [['GET', deep],                                          '200', [mia]],
  [['GET', '/companies/2/teams/b/members'],                '200', [noa]],
  [['GET', `${deep}/count`],                               '200', { count: 1 }],
  [['GET', `${deep}/first`],                               '200', mia],
  [['GET', `${deep}/last`],                                '200', mia],
  [['GET', `${deep}/m`],                                   '200', mia],
  [['GET', `${deep}/n`],                                   '404 not_found'],
  [['GET', `${deep}/p`],                                   '404 not_found'],
  [['GET', '/companies/1/teams/a'],                        '200', { id: 'a', company_id: '1', name: 'Optics' }],
  [['GET', '/companies/1/teams/b'],                        '404 not_found'],
  [['PUT', `${deep}/m`, { name: 'Mo' }],                   '200', { ...mia, name: 'Mo' }],
  [['PUT', `${deep}/n`, { name: 'No' }],                   '404 not_found'],
  [['PUT', deep, [{ id: 'm', name: 'Mo' }]],               '200', [{ ...mia, name: 'Mo' }]],
  [['PUT', deep, [{ id: 'm', name: 'Mo' }, { id: 'n', name: 'No' }]], '404 not_found'],
  [['DELETE', `${deep}/m`],                                '200', mia],
  [['DELETE', `${deep}/n`],                                '404 not_found'],
  [['DELETE', deep],                                       '200', { deleted: 1 }],
  [['POST', deep, { name: 'New' }],                        '201', { id: 'n5', company_id: '1', team_id: 'a', name: 'New' }],
  [['POST', deep, { name: 'New', company_id: '1', team_id: 'a' }], '201', { id: 'n5', company_id: '1', team_id: 'a', name: 'New' }],
  [['GET', '/companies/2/teams'],                          '200', [{ id: 'b', company_id: '2', name: 'Freight' }]],
]

describe('every operation stays inside its scope', () => {
  for (const [line, verdict, body] of scoped) {
    test(`${line[0]} ${line[1]} is ${verdict}`, async () => {
      for (const { registry, stored } of [nested(), nested(delayed)]) {
        const others = [...stored.members.values()].filter(
          (member) => member !== stored.members.get('m'),
        )
        const answer = await handle(requestOf(line), registry)
        expect(verdictOf(answer)).toBe(verdict)
        if (body !== undefined) expect(answer.body).toEqual(body)
        for (const other of others) expect([...stored.members.values()]).toContain(other)
      }
    })
  }

  test('stays synchronous at every depth', () => {
    for (const [line] of scoped) {
      expect(handle(requestOf(line), nested().registry)).not.toBeInstanceOf(Promise)
    }
  })

  test('locates what was made under its parents', () => {
    const request = requestOf(['POST', `${deep}/`, { name: 'New' }])
    expect(handle(request, nested().registry)).toMatchObject({
      headers: { location: '/v1/companies/1/teams/a/members/n5' },
    })
  })
})

describe('a body that contradicts the path is 422', () => {
  // biome-ignore format: a row stays a line
  const rows: [line: Line, pointers: string[]][] = [
    [['POST', deep, { name: 'x', company_id: '2' }],              ['/company_id scope_mismatch']],
    [['POST', deep, { name: 'x', company_id: '2', team_id: 'b' }], ['/company_id scope_mismatch', '/team_id scope_mismatch']],
    [['POST', deep, { name: 1, company_id: 1 }],                  ['/company_id scope_mismatch', '/name invalid_type']],
    [['PUT', `${deep}/m`, { name: 'x', team_id: null }],          ['/team_id scope_mismatch']],
    [['PUT', deep, [{ id: 'm', name: 'x' }, { id: 'n', name: 'x', team_id: 'b' }]], ['/1/team_id scope_mismatch']],
  ]
  for (const [line, pointers] of rows) {
    test(`${line[0]} points to ${pointers}`, async () => {
      const answer = await handle(requestOf(line), nested().registry)
      expect([verdictOf(answer), pointersOf(answer)]).toEqual(['422 validation_failed', pointers])
    })
  }
})

describe('a parent that is missing is 404', () => {
  // Unknown, of another kind, under another parent, orphaned: at each depth.
  const paths = [
    '/companies/9/teams',
    '/companies/a/teams',
    '/companies/9/teams/a/members',
    '/companies/1/teams/9/members',
    '/companies/1/teams/b/members',
    '/companies/3/teams/x/members',
  ]
  const named = { id: 'm', name: 'x' }
  for (const path of paths) {
    const lines: Line[] = [
      ['GET', path],
      ['HEAD', path],
      ['POST', path, { name: 'x' }],
      ['PUT', path, [named]],
      ['PUT', path, []],
      ['DELETE', path],
      ['GET', `${path}/m`],
      ['PUT', `${path}/m`, { name: 'x' }],
      ['DELETE', `${path}/m`],
      ['GET', `${path}/first`],
      ['GET', `${path}/last`],
      ['GET', `${path}/count`],
    ]
    test(`${path} has no operations`, async () => {
      for (const line of lines) {
        for (const wrap of [undefined, delayed]) {
          const { registry, stored } = nested(wrap)
          const before = JSON.stringify([...stored.members, ...stored.teams])
          const answer = await handle(requestOf(line), registry)
          if (line[0] === 'HEAD') expect(answer.status).toBe(404)
          else expect(verdictOf(answer)).toBe('404 parent_not_found')
          expect(JSON.stringify([...stored.members, ...stored.teams])).toBe(before)
        }
      }
    })
  }

  test('its own faults come first', async () => {
    // biome-ignore format: a row stays a line
    const rows: [line: Line, verdict: string][] = [
      [['GET', '/companies/9/teams?x=1'],                '400 unknown_parameter'],
      [['POST', '/companies/9/teams', { name: 1 }],      '422 validation_failed'],
      [['PUT', '/companies/9/teams', [{ name: 'x' }]],   '422 validation_failed'],
      [['DELETE', '/companies/9/teams', '[]'],           '400 body_not_allowed'],
    ]
    for (const [line, verdict] of rows) {
      expect(verdictOf(await handle(requestOf(line), nested().registry))).toBe(verdict)
    }
  })
})

describe('parents are looked for', () => {
  test('outermost first, each inside the one before', async () => {
    for (const wrap of [undefined, delayed]) {
      const { registry, asked } = nested(wrap)
      await handle({ method: 'GET', url: `${deep}?q=mia` }, registry)
      expect(
        asked.map(({ kind, resource, id, scope, path, query }) => [
          `${kind} ${resource.name}`,
          id,
          scope,
          path,
          query.words,
        ]),
      ).toEqual([
        ['read companies', '1', {}, '/companies', []],
        ['read teams', 'a', { company_id: '1' }, '/companies/:company_id/teams', []],
        [
          'list members',
          undefined,
          { company_id: '1', team_id: 'a' },
          '/companies/:company_id/teams/:team_id/members',
          ['mia'],
        ],
      ])
    }
  })

  test('nowhere when the path has none', async () => {
    const { registry, asked } = nested()
    const { body } = (await handle({ method: 'GET', url: '/members' }, registry)) as HttpResponse
    expect([(body as unknown[]).length, asked.length]).toEqual([4, 1])
  })

  test('not for an id that names none', () => {
    const asked: unknown[] = []
    const shelves = defineResource('shelves', {
      schema: z.object({ id: z.number() }),
      id: z.coerce.number(),
    })
    const books = defineResource('books', {
      schema: z.object({ id: z.string(), shelf_id: z.number() }),
    })
    const api = defineApi({ v1: { '/shelves': shelves, '/shelves/:shelf_id/books': books } })
    const registry = defineRegistry(api).adapters({
      shelves: { read: ({ id }) => noting(asked, id, { id }) },
      books: { list: () => [] },
    })
    const listOf = (id: string) =>
      verdictOf(handle({ method: 'GET', url: `/shelves/${id}/books` }, registry) as HttpResponse)
    expect([listOf('7'), listOf('x'), listOf('07')]).toEqual([
      '200',
      '404 parent_not_found',
      '404 parent_not_found',
    ])
    expect(asked).toEqual([7])
  })

  test('that are broken are 500', () => {
    const broken = { read: () => 'Acme', list: () => [] }
    const { registry } = nested(() => broken)
    expect(handle({ method: 'GET', url: '/companies/1/teams' }, registry)).toMatchObject({
      status: 500,
    })
  })
})

describe('an adapter that forgets its scope', () => {
  const everything = {
    read: ({ resource, id }: Operation) =>
      resource.name === 'members' ? noa : { id, company_id: '1' },
    list: () => [noa],
    create: () => noa,
    update: () => noa,
    updateMany: ({ items }: Operation) => items?.map(() => ({ ...noa, id: 'n' })),
    delete: () => noa,
  }
  // biome-ignore format: a row stays a line
  const rows: [line: Line, verdict: string][] = [
    [['GET', deep],                               '500 internal_error'],
    [['GET', `${deep}?limit=1`],                  '500 internal_error'],
    [['GET', `${deep}/first`],                    '500 internal_error'],
    [['GET', `${deep}/count`],                    '500 internal_error'],
    [['POST', deep, { name: 'x' }],               '500 internal_error'],
    [['GET', `${deep}/n`],                        '404 not_found'],
    [['PUT', `${deep}/n`, { name: 'x' }],         '404 not_found'],
    [['PUT', deep, [{ id: 'n', name: 'x' }]],     '404 not_found'],
    [['DELETE', `${deep}/n`],                     '404 not_found'],
  ]
  for (const [line, verdict] of rows) {
    test(`answers ${line[0]} ${line[1]} with ${verdict}`, async () => {
      const { registry, stored } = nested(() => everything)
      expect(verdictOf(await handle(requestOf(line), registry))).toBe(verdict)
      expect(stored.members.size).toBe(4)
    })
  }
})

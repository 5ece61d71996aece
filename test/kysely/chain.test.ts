import { handle } from 'nounful'
import { createClient } from 'nounful/client'
import { explorer } from 'nounful/explorer'
import { toFetchHandler } from 'nounful/fetch'
import { toOpenApi } from 'nounful/openapi'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { explain } from '../../src/cli/explain/explain.ts'
import { explanationData } from '../../src/cli/explain/format.ts'
import { type api, type Chain, chainIn, rows } from '../support/chain.ts'
import { engines, has } from '../support/stores.ts'

let chain: Chain

async function ask(method: string, url: string, body?: unknown) {
  const headers = { 'content-type': 'application/json' }
  const request = { method, url: `/v1/organisations${url}` }
  const response = await handle(
    body === undefined ? request : { ...request, headers, body: JSON.stringify(body) },
    chain.registry,
  )
  const { status, headers: given } = response
  return { status, headers: given, body: structuredClone(response.body) as unknown }
}

async function codeOf(method: string, url: string, body?: unknown): Promise<unknown> {
  const { status, body: given } = await ask(method, url, body)
  return status < 400 ? status : Object(given).code
}

// Every item of the store, by the path of its list.
async function stored(): Promise<object> {
  const lists = ['', '/1/projects', '/2/projects', '/1/projects/p1/tasks', '/2/projects/p2/tasks']
  const all = [...lists, '/1/projects/p1/tasks/t1/comments', '/2/projects/p2/tasks/t2/comments']
  const entries = all.map(async (path) => [path, (await ask('GET', path)).body] as const)
  return Object.fromEntries(await Promise.all(entries))
}

type Row = readonly [method: string, url: string, body: unknown, answered: unknown]

// biome-ignore format: a row stays a line
const facts: readonly Row[] = [
  ['GET', '/1/projects/p1', undefined, rows.projects[0]],
  ['GET', '/1/projects/count', undefined, { count: 2 }],
  ['GET', '/1/projects/p1/tasks', undefined, [rows.tasks[0], rows.tasks[2]]],
  ['GET', '/1/projects/p1/tasks?title=Write', undefined, [rows.tasks[2]]],
  ['GET', '/1/projects/p1/tasks?q=secret', undefined, []],
  ['GET', '/1/projects/p1/tasks/count', undefined, { count: 2 }],
  ['GET', '/1/projects/p1/tasks/last?sort=title', undefined, rows.tasks[2]],
  ['GET', '/1/projects/p1/tasks/t3', undefined, rows.tasks[2]],
  ['POST', '/1/projects/p3/tasks', { id: 't9', title: 'New' }, { id: 't9', project_id: 'p3', title: 'New' }],
  ['PUT', '/1/projects/p1/tasks/t1', { title: 'Cut' }, { id: 't1', project_id: 'p1', title: 'Cut' }],
  ['PUT', '/1/projects/p1/tasks', [{ id: 't3', title: 'Cut' }], [{ id: 't3', project_id: 'p1', title: 'Cut' }]],
  ['DELETE', '/1/projects/p1/tasks/t1', undefined, rows.tasks[0]],
  ['DELETE', '/1/projects/p1/tasks', undefined, { deleted: 2 }],
  ['GET', '/1/projects/p1/tasks/t1/comments', undefined, [rows.comments[0], rows.comments[2]]],
  ['GET', '/1/projects/p1/tasks/t3/comments', undefined, []],
  ['GET', '/1/projects/p1/tasks/t1/comments/first', undefined, rows.comments[0]],
  ['POST', '/2/projects/p2/tasks/t2/comments', { id: 'c9', text: 'x' }, { id: 'c9', task_id: 't2', text: 'x' }],
  ['PUT', '/1/projects/p1/tasks/t1/comments/c1', { id: 'c1', text: 'x' }, { id: 'c1', task_id: 't1', text: 'x' }],
  ['DELETE', '/1/projects/p1/tasks/t1/comments', undefined, { deleted: 2 }],
]

// The parents of tasks and of comments, each wrong in another place.
const brokenTasks = ['/2/projects/p1', '/9/projects/p1', '/1/projects/p2', '/x/projects/p1']
const brokenComments = [
  ...['/2/projects/p1/tasks/t1', '/9/projects/p1/tasks/t1', '/01/projects/p1/tasks/t1'],
  ...['/1/projects/p3/tasks/t1', '/1/projects/p1/tasks/t2', '/2/projects/p1/tasks/t2'],
  ...['/1/projects/p2/tasks/t2', '/1/projects/p9/tasks/t1', '/2/projects/p2/tasks/t1'],
]
const broken = [
  ...brokenTasks.map((path) => ({ path: `${path}/tasks`, id: 't1', item: { title: 'x' } })),
  ...brokenComments.flatMap((path) => [
    { path: `${path}/comments`, id: 'c1', item: { id: 'c1', text: 'x' } },
    { path: `${path}/comments`, id: 'c2', item: { id: 'c2', text: 'x' } },
  ]),
]

describe.each(['memory' as const, ...engines.filter(has)])('a chain of parents in %s', (home) => {
  beforeEach(async () => {
    chain = await chainIn(home)
  }, 60_000)
  afterEach(() => chain.drop())

  test('needs only the nearest id in an item', async () => {
    for (const [method, url, body, answered] of facts) {
      const fresh = method === 'GET' ? undefined : await chainIn(home)
      const kept = chain
      if (fresh) chain = fresh
      expect((await ask(method, url, body)).body, `${method} ${url}`).toEqual(answered)
      chain = kept
      await fresh?.drop()
    }
  }, 60_000)

  test('that breaks anywhere is 404, for every operation, and nothing changes', async () => {
    const before = await stored()
    for (const { path, id, item } of broken) {
      const asks: readonly (readonly [method: string, url: string, body?: unknown])[] = [
        ...['', '/first', '/last', '/count', `/${id}`].map((rest) => ['GET', path + rest] as const),
        ['POST', path, { ...item, id: 'n1' }],
        ['PUT', path, [{ ...item, id }]],
        ['PUT', path, []],
        ['PUT', `${path}/${id}`, item],
        ['DELETE', `${path}/${id}`],
        ['DELETE', path],
      ]
      for (const [method, url, body] of asks)
        expect(await codeOf(method, url, body), `${method} ${url}`).toBe('parent_not_found')
    }
    expect(await stored()).toEqual(before)
  }, 60_000)

  test('has cursors and links of its own', async () => {
    const { headers } = await ask('GET', '/1/projects/p1/tasks?limit=1')
    const next = /<([^>]*)>/.exec(String(headers.link))?.[1] ?? ''
    expect(next).toMatch('/v1/organisations/1/projects/p1/tasks?limit=1&after=')
    const rest = next.slice('/v1/organisations'.length)
    expect((await ask('GET', rest)).body).toEqual([rows.tasks[2]])
    for (const other of ['/2/projects/p1', '/1/projects/p3', '/2/projects/p2'])
      expect(await codeOf('GET', rest.replace('/1/projects/p1', other))).toBe('invalid_cursor')
  })

  test('is in the Location, and not in the item', async () => {
    const path = '/1/projects/p1/tasks/t1/comments'
    const { headers } = await ask('POST', path, { id: 'c7', text: 'x' })
    expect(headers.location).toBe(`/v1/organisations${path}/c7`)
    expect(await codeOf('POST', path, { id: 'c8', text: 'x', organisation_id: 1 })).toBe(
      'validation_failed',
    )
    const { status, body } = await ask('POST', path, { id: 'c8', text: 'x', task_id: 't2' })
    expect([status, Object(body).issues]).toEqual([
      422,
      [expect.objectContaining({ pointer: '/task_id', code: 'scope_mismatch' })],
    ])
  })

  test('is in operation.parents, and its fields of the item in operation.scope', async () => {
    for (const url of ['', '/1', '/1/projects', '/1/projects/p1/tasks/t1/comments/c1'])
      await ask('GET', url)
    const told = chain.asked.map(({ scope, parents }) => ({
      scope,
      parents: parents.map(({ resource, id }) => [resource.name, id]),
    }))
    expect(told).toEqual([
      { scope: {}, parents: [] },
      { scope: {}, parents: [] },
      { scope: { organisation_id: 1 }, parents: [['organisations', 1]] },
      {
        scope: { task_id: 't1' },
        parents: [
          ['organisations', 1],
          ['projects', 'p1'],
          ['tasks', 't1'],
        ],
      },
    ])
    const [list, one] = chain.asked
    expect(list?.parents).toBe(one?.parents)
    expect(Object.isFrozen(list?.parents)).toBe(true)
  })
})

describe('a chain of parents', () => {
  beforeEach(async () => {
    chain = await chainIn('memory')
  })

  test('is what the client calls', async () => {
    const fetch = toFetchHandler(chain.registry)
    const client = createClient<typeof api>({ baseUrl: 'https://host.example', fetch })
    const tasks = client.v1.organisations(1).projects('p1').tasks
    expect(await tasks.count()).toBe(2)
    expect(await tasks('t1').comments.create({ id: 'c7', text: 'x' })).toMatchObject({
      task_id: 't1',
    })
  })

  test('has the ids of its parents in the OpenAPI document', () => {
    const document = JSON.parse(
      JSON.stringify(toOpenApi(chain.registry, { info: { title: 'Chain', version: '1' } })),
    )
    const path =
      '/v1/organisations/{organisation_id}/projects/{project_id}/tasks/{task_id}/comments'
    const names = document.paths[path].parameters.map(({ $ref }: { $ref: string }) =>
      $ref.replace('#/components/parameters/', ''),
    )
    expect(names).toEqual(['organisations.organisation_id', 'projects.project_id', 'tasks.task_id'])
    const { parameters, schemas } = document.components
    expect(parameters['organisations.organisation_id'].schema).toMatchObject({ type: 'integer' })
    const bodies = Object.entries(schemas).filter(([name]) => name.startsWith('Comment'))
    for (const [, schema] of bodies) expect(JSON.stringify(schema)).not.toContain('organisation_id')
    expect(JSON.stringify(bodies)).toContain('task_id')
  })

  test('has the fields of the item alone in the forms of the explorer', async () => {
    const url = '/v1/organisations/1/projects/p1/tasks/t1/comments/c1'
    const fetch = toFetchHandler(chain.registry, { layers: [explorer(chain.registry)] })
    const request = new Request(`https://host.example${url}`, { headers: { accept: 'text/html' } })
    const shown = await (await fetch(request)).text()
    expect(shown).toContain('<code>task_id</code> is <bdi>t1</bdi>, from the path.')
    expect(shown).not.toContain('<code>organisation_id</code>')
    expect(shown).toContain('href="/v1/organisations/1/projects/p1"')
  })

  test('is explained', async () => {
    const request = { method: 'GET', url: '/v1/organisations/1/projects/p1/tasks/t1' }
    const { calls, checks } = explanationData(request, await explain(request, chain.registry))
    expect(calls).toMatchObject([
      { method: 'read', resource: 'organisations', id: 1 },
      { method: 'read', resource: 'projects', id: 'p1' },
      { method: 'read', resource: 'tasks', id: 't1', scope: { project_id: 'p1' } },
    ])
    expect(checks.map(({ name }) => name)).toEqual(['authorization', 'parent', 'item', 'answer'])
  })
})

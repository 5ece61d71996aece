import { serve } from 'nounful/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { trackerRegistry } from '../../examples/tracker/tracker.ts'

const server = await serve(trackerRegistry(), { port: 0 })
afterAll(() => server.close())

interface Named {
  readonly id: string
  readonly title?: string
  readonly name?: string
}

let acme = ''
let globex = ''
/** The ids of Acme's projects and users, and of all tasks, by name. */
const ids: Record<string, string> = {}

async function ask(path: string, init?: RequestInit): Promise<Response> {
  return fetch(`${server.url}/v1/organisations${path}`, init)
}

async function send(path: string, item: object): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  return ask(path, { method: 'POST', headers, body: JSON.stringify(item) })
}

async function make(path: string, item: object): Promise<string> {
  const response = await send(path, item)
  const made = await response.json()
  expect(response.status, JSON.stringify(made)).toBe(201)
  const { id, title, name } = made as Named
  ids[title ?? name ?? ''] = id
  return id
}

beforeAll(async () => {
  acme = await make('', { name: 'Acme' })
  globex = await make('', { name: 'Globex' })
  for (const name of ['Ann', 'Bo', 'Cy'])
    await make(`/${acme}/users`, { name, email: `${name}@acme.example` })
  await make(`/${acme}/projects`, { name: 'Web' })
  await make(`/${acme}/projects`, { name: 'App', archived: true })
  const { Ann, Bo, Web, App } = ids
  // biome-ignore format: a row stays a line
  const tasks: [project: string | undefined, task: object][] = [
    [Web, { title: 'Buy a domain',  status: 'done',  assignee_id: Ann, due: '2026-01-10', points: 1 }],
    [Web, { title: 'Draw the logo', status: 'doing', assignee_id: Bo,  due: '2026-02-01', points: 5 }],
    [Web, { title: 'Write texts',   status: 'todo',  assignee_id: Ann, due: '2026-02-15', points: 3 }],
    [Web, { title: 'Test 100%',     status: 'todo',  due: '2026-03-01' }],
    [App, { title: 'Draw icons',    status: 'todo',  assignee_id: Bo }],
    [App, { title: 'Test on tablets', assignee_id: Ann, due: '2026-01-31', points: 8 }],
  ]
  for (const [project, task] of tasks) await make(`/${acme}/projects/${project}/tasks`, task)
  const theirs = await make(`/${globex}/projects`, { name: 'Theirs' })
  await make(`/${globex}/projects/${theirs}/tasks`, { title: 'Secret', status: 'todo' })
})

/** Puts ids in the place of names: `{Ann}`. */
function filled(query: string): string {
  return query.replaceAll(/\{([^}]+)\}/g, (_, name: string) => ids[name] ?? '')
}

async function pageAt(url: string): Promise<{ headers: Headers; items: readonly Named[] }> {
  const response = await ask(url)
  return { headers: response.headers, items: (await response.json()) as readonly Named[] }
}

async function titlesAt(url: string): Promise<readonly (string | undefined)[]> {
  const response = await ask(url)
  const body = await response.json()
  expect(response.status, JSON.stringify(body)).toBe(200)
  return (body as readonly Named[]).map(({ title, name }) => title ?? name)
}

// biome-ignore format: a row stays a line
const queries: [need: string, query: string, titles: string[]][] = [
  ['one status',           'status=doing',                              ['Draw the logo']],
  ['several statuses',     'status=doing&status=done&sort=title',       ['Buy a domain', 'Draw the logo']],
  ['all but one status',   'status:ne=todo&sort=title',                 ['Buy a domain', 'Draw the logo']],
  ['tasks of a user',      'assignee_id={Ann}&status:ne=done&sort=due', ['Test on tablets', 'Write texts']],
  ['tasks of nobody',      'assignee_id:null=true',                     ['Test 100%']],
  ['overdue tasks',        'due:lt=2026-02-10&status:ne=done&sort=due', ['Test on tablets', 'Draw the logo']],
  ['a month',              'due:gte=2026-02-01&due:lt=2026-03-01&sort=due', ['Draw the logo', 'Write texts']],
  ['tasks without a date', 'due:null=true',                             ['Draw icons']],
  ['estimates, high first', 'points:gte=3&sort=-points',                ['Test on tablets', 'Draw the logo', 'Write texts']],
  ['no estimate of these', 'points:ne=1&points:ne=8&sort=title',        ['Draw icons', 'Draw the logo', 'Test 100%', 'Write texts']],
  ['a part of a title',    'title:contains=THE',                        ['Draw the logo']],
  ['the start of a title', 'title:startsWith=draw&sort=title',          ['Draw icons', 'Draw the logo']],
  ['a percent sign',       'title:endsWith=%25',                        ['Test 100%']],
  ['words and a filter',   'q=draw&assignee_id={Bo}&status=todo',       ['Draw icons']],
  ['tasks of a project',   'project_id={App}&sort=title',               ['Draw icons', 'Test on tablets']],
  ['created since',        'created_at:gt=2026-01-01T00:00:00%2B02:00&status=done', ['Buy a domain']],
  ['many by id',           'id={Draw icons}&id={Buy a domain}&id=none&sort=title', ['Buy a domain', 'Draw icons']],
  ['another one by id',    'id={Secret}',                               []],
]

describe('a tracker lists', () => {
  for (const [need, query, titles] of queries) {
    test(need, async () => {
      const url = `/${acme}/tasks?${filled(query)}`
      expect(await titlesAt(url)).toEqual(titles)
      const filters = filled(query).replace(/&sort=.*$/, '')
      const counted = await ask(`/${acme}/tasks/count?${filters}`)
      expect(await counted.json()).toEqual({ count: titles.length })
    })

    test(`${need}, page by page`, async () => {
      const joined: unknown[] = []
      let next: string | undefined = `/${acme}/tasks?${filled(query)}&limit=1`
      while (next !== undefined && joined.length <= titles.length) {
        const { headers, items } = await pageAt(next)
        joined.push(...items.map(({ title }) => title))
        expect(headers.get('x-total-count')).toBe(`${titles.length}`)
        next = /<\/v1\/organisations(.*)>/.exec(headers.get('link') ?? '')?.[1]
      }
      expect(joined).toEqual(titles)
    })
  }
})

describe('a tracker shows', () => {
  test('a page by its number, and the total', async () => {
    const url = `/${acme}/tasks?status:ne=done&sort=title&limit=2&offset=2&fields=title`
    const response = await ask(url)
    expect(response.headers.get('x-total-count')).toBe('5')
    expect(await response.json()).toEqual([
      { id: ids['Test 100%'], title: 'Test 100%' },
      { id: ids['Test on tablets'], title: 'Test on tablets' },
    ])
  })

  test('a total of users on demand', async () => {
    const headers = { prefer: 'count=exact' }
    const counted = await ask(`/${acme}/users?q=acme&limit=1`, { headers })
    expect(counted.headers.get('x-total-count')).toBe('3')
    expect(counted.headers.get('preference-applied')).toBe('count=exact')
    const plain = await ask(`/${acme}/users?q=acme&limit=1`)
    expect(plain.headers.get('x-total-count')).toBeNull()
  })

  test('tasks with their project and assignee in one request', async () => {
    const url = `/${acme}/tasks?status=todo&include=assignee,project&sort=title&fields=title`
    const { items } = await pageAt(url)
    expect(items).toMatchObject([
      { title: 'Draw icons', assignee: { name: 'Bo' }, project: { name: 'App', archived: true } },
      { title: 'Test 100%', assignee: null, project: { name: 'Web' } },
      { title: 'Test on tablets', assignee: { name: 'Ann' }, project: { name: 'App' } },
      { title: 'Write texts', assignee: { name: 'Ann' }, project: { name: 'Web' } },
    ])
    expect(Object.keys(items[0] ?? {}).sort()).toEqual(['assignee', 'id', 'project', 'title'])
  })

  test('no task of a user or project that is unknown', async () => {
    const refused = await send(`/${acme}/tasks`, { title: 'T', project_id: 'X', assignee_id: 'Y' })
    const issues = ['/project_id', '/assignee_id'].map((pointer) => ({ pointer }))
    expect([refused.status, await refused.json()]).toMatchObject([422, { issues }])
  })

  test('the newest task first', async () => {
    const url = `/${acme}/tasks?sort=-id&limit=1`
    expect(await titlesAt(url)).toEqual(['Test on tablets'])
  })

  test('projects by a boolean', async () => {
    expect(await titlesAt(`/${acme}/projects?archived=false`)).toEqual(['Web'])
  })

  test('a board by counts', async () => {
    const counts: unknown[] = []
    for (const status of ['todo', 'doing', 'done']) {
      const path = `/${acme}/projects/{Web}/tasks/count?status=${status}`
      counts.push(await (await ask(filled(path))).json())
    }
    expect(counts).toEqual([{ count: 2 }, { count: 1 }, { count: 1 }])
  })

  test('comments under their task alone', async () => {
    const { Web = '', App = '' } = ids
    const [task = ''] = [ids['Draw the logo']]
    const path = `/${acme}/projects/${Web}/tasks/${task}/comments`
    await make(path, { text: 'In blue' })
    const listed = await ask(`${path}?fields=task_id,text`)
    expect(await listed.json()).toEqual([
      expect.objectContaining({ task_id: task, text: 'In blue' }),
    ])
    for (const [organisation, project] of [
      [globex, Web],
      [acme, App],
    ]) {
      const broken = await ask(`/${organisation}/projects/${project}/tasks/${task}/comments`)
      expect(await broken.json()).toMatchObject({ code: 'parent_not_found' })
    }
  })

  test('the next task of a user', async () => {
    const path = `/${acme}/tasks/first?assignee_id={Ann}&status=todo&sort=due&fields=title`
    expect(await (await ask(filled(path))).json()).toMatchObject({ title: 'Test on tablets' })
  })

  // biome-ignore format: a row stays a line
  const faults: [query: string, code: string, allowed?: string][] = [
    ['state=todo',           'unknown_parameter', 'status'],
    ['status:gt=todo',       'unknown_parameter', 'status:ne'],
    ['status=open',          'bad_parameter',     'todo'],
    ['due=soon',             'bad_parameter'],
    ['points:gte=many',      'bad_parameter'],
    ['points:gte=1&points:gte=2', 'repeated_parameter'],
    ['offset=10001&limit=1', 'bad_parameter'],
    ['fields=secret',        'bad_parameter',     'title'],
  ]
  for (const [query, code, allowed] of faults) {
    test(`${code} for ${query}`, async () => {
      const response = await ask(`/${acme}/tasks?${query}`)
      const body = (await response.json()) as { readonly allowed?: readonly string[] }
      expect(response.status).toBe(400)
      expect(body).toMatchObject({ code })
      if (allowed !== undefined) expect(body.allowed).toContain(allowed)
    })
  }
})

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

async function send(path: string, body: object, method = 'POST'): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  return ask(path, { method, headers, body: JSON.stringify(body) })
}

async function make(path: string, ...items: readonly object[]): Promise<string> {
  const response = await send(path, items)
  const made: unknown = await response.json()
  expect(response.status, JSON.stringify(made)).toBe(201)
  for (const { id, title, name } of made as readonly Named[]) ids[title ?? name ?? ''] = id
  return (made as readonly Named[]).at(-1)?.id ?? ''
}

beforeAll(async () => {
  acme = await make('', { name: 'Acme' })
  globex = await make('', { name: 'Globex' })
  const names = ['Ann', 'Bo', 'Cy']
  await make(`/${acme}/users`, ...names.map((name) => ({ name, email: `${name}@acme.example` })))
  await make(`/${acme}/projects`, { name: 'Web' }, { name: 'App', archived: true })
  const { Ann, Bo, Web, App } = ids
  // biome-ignore format: a row stays a line
  const tasks = [
    { project_id: Web, title: 'Buy a domain',  status: 'done',  assignee_id: Ann, due: '2026-01-10', points: 1 },
    { project_id: Web, title: 'Draw the logo', status: 'doing', assignee_id: Bo,  due: '2026-02-01', points: 5 },
    { project_id: Web, title: 'Write texts',   status: 'todo',  assignee_id: Ann, due: '2026-02-15', points: 3 },
    { project_id: Web, title: 'Test 100%',     status: 'todo',  due: '2026-03-01' },
    { project_id: App, title: 'Draw icons',    status: 'todo',  assignee_id: Bo },
    { project_id: App, title: 'Test on tablets', assignee_id: Ann, due: '2026-01-31', points: 8 },
  ]
  await make(`/${acme}/tasks`, ...tasks)
  const theirs = await make(`/${globex}/projects`, { name: 'Theirs' })
  await make(`/${globex}/projects/${theirs}/tasks`, { title: 'Secret', status: 'todo' })
})

/** Puts ids in the place of names: `{Ann}`. */
function filled(query: string): string {
  return query.replaceAll(/\{([^}]+)\}/g, (_, name: string) => ids[name] ?? '')
}

/** Does the same in the fields of an item, and leaves out those without a value. */
function withIds(item: object): object {
  const fields = Object.entries(item).filter(([, value]) => value !== undefined)
  return Object.fromEntries(
    fields.map(([field, value]) => [field, typeof value === 'string' ? filled(value) : value]),
  )
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
  ['tasks by a user’s name', 'assignee.name=Ann&status:ne=done&sort=due', ['Test on tablets', 'Write texts']],
  ['tasks of open projects', 'project.archived=false&assignee_id:null=true', ['Test 100%']],
  ['by project, then title', 'status=todo&sort=project.name,title',     ['Draw icons', 'Test on tablets', 'Test 100%', 'Write texts']],
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
    const counted = await ask(filled(`/${acme}/projects/{Web}/tasks/count?by=status`))
    const groups = [
      { status: 'todo', count: 2 },
      { status: 'doing', count: 1 },
      { status: 'done', count: 1 },
    ]
    expect(await counted.json()).toEqual({ count: 4, groups })
  })

  test('names in one order, in capitals or not', async () => {
    const names = ['Bob', 'ann', 'Adam']
    const users = names.map((name) => ({ name, email: `${name}@globex.example` }))
    await make(`/${globex}/users`, ...users)
    expect(await titlesAt(`/${globex}/users?sort=name`)).toEqual(['Adam', 'ann', 'Bob'])
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

  test('a comment that its author alone changes and deletes', async () => {
    const path = `/${acme}/projects/${ids.Web}/tasks/${ids['Draw the logo']}/comments`
    const as = async (user: string, method: string, target: string, body?: object) => {
      const headers = { 'content-type': 'application/json', 'x-user': user }
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
      const response = await ask(target, init)
      const answer: unknown = await response.json()
      return { status: response.status, answer }
    }
    const { answer } = await as('ann', 'POST', path, { text: 'Larger' })
    const { id } = answer as Named
    expect(answer).toMatchObject({ author_id: 'ann' })
    expect((await as('bo', 'GET', `${path}/${id}`)).status).toBe(200)
    const refused = { status: 403, answer: { code: 'forbidden' } }
    expect(await as('bo', 'PATCH', `${path}/${id}`, { text: 'x' })).toMatchObject(refused)
    expect(await as('bo', 'DELETE', `${path}/${id}`)).toMatchObject(refused)
    expect(await as('bo', 'DELETE', path)).toMatchObject(refused)
    expect((await as('ann', 'PATCH', `${path}/${id}`, { text: 'x' })).status).toBe(200)
    expect((await as('ann', 'DELETE', `${path}/${id}`)).status).toBe(200)
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

describe('a tracker changes', () => {
  const task = 'tasks/{Draw icons}'
  // biome-ignore format: a row stays a line
  const changes: [need: string, path: string, patch: object, changed: object][] = [
    ['the status of a task',        task,               { status: 'doing' },           { status: 'doing' }],
    ['the user of a task',          task,               { assignee_id: '{Ann}' },      { assignee_id: '{Ann}' }],
    ['a task of a user to nobody’s', task,              { assignee_id: null },         { assignee_id: undefined }],
    ['the date and the estimate',   task,               { due: '2026-03-05', points: 2 }, { due: '2026-03-05', points: 2 }],
    ['a date to none',              task,               { due: null },                 { due: undefined }],
    ['the project of a task',       task,               { project_id: '{Web}' },       { project_id: '{Web}' }],
    ['nothing for the same status', task,               { status: 'doing' },           {}],
    ['a task within its project',   `projects/{Web}/${task}`, { title: 'Draw all icons' }, { title: 'Draw all icons' }],
    ['a project to an archived one', 'projects/{Web}',  { archived: true },            { archived: true }],
    ['the name of a user',          'users/{Cy}',       { name: 'Cyd' },               { name: 'Cyd' }],
  ]
  for (const [need, path, patch, changed] of changes) {
    test(need, async () => {
      const url = `/${acme}/${filled(path)}`
      const before: object = Object(await (await ask(url)).json())
      const expected = withIds({ ...before, ...changed })
      const patched = await send(url, withIds(patch), 'PATCH')
      expect([patched.status, await patched.json()]).toEqual([200, expected])
      expect(await (await ask(url)).json()).toEqual(expected)
    })
  }

  // biome-ignore format: a row stays a line
  const faults: [path: string, patch: object, status: number, pointer: string][] = [
    ['tasks/{Write texts}',                { assignee_id: 'nobody' },      422, '/assignee_id'],
    ['tasks/{Write texts}',                { project_id: null },           422, '/project_id'],
    ['tasks/{Write texts}',                { status: 'open' },             422, '/status'],
    ['tasks/{Write texts}',                { created_at: '2026-01-01T00:00:00Z' }, 422, '/created_at'],
    ['tasks/{Write texts}',                { organisation_id: 'x' },       422, '/organisation_id'],
    ['projects/{Web}/tasks/{Write texts}', { project_id: '{App}' },        422, '/project_id'],
    ['users/{Ann}',                        { email: 'Bo@acme.example' },   409, '/email'],
  ]
  for (const [path, patch, status, pointer] of faults) {
    test(`nothing of ${path} by ${JSON.stringify(patch)}`, async () => {
      const url = `/${acme}/${filled(path)}`
      const refused = await send(url, withIds(patch), 'PATCH')
      expect(refused.status).toBe(status)
      expect(await refused.json()).toMatchObject({ issues: [{ pointer }] })
    })
  }

  test('all open tasks of a user at once, or none', async () => {
    const { items } = await pageAt(filled(`/${acme}/tasks?assignee_id={Ann}&status:ne=done`))
    const patches = items.map(({ id }) => ({ id, status: 'done' }))
    expect(patches.length).toBeGreaterThan(1)
    const refused = await send(`/${acme}/tasks`, [...patches, { id: ids.Secret }], 'PATCH')
    expect(refused.status).toBe(404)
    const tried = await send(`/${acme}/tasks?dry_run=true`, patches, 'PATCH')
    expect(await tried.json()).toMatchObject(patches)
    expect(await titlesAt(filled(`/${acme}/tasks?assignee_id={Ann}&status=todo`))).not.toEqual([])
    const done = await send(`/${acme}/tasks`, patches, 'PATCH')
    expect(await done.json()).toMatchObject(patches)
    expect(await titlesAt(filled(`/${acme}/tasks?assignee_id={Ann}&status:ne=done`))).toEqual([])
  })

  test('a user of an identity provider, in its organisation alone', async () => {
    const put = async (organisation: string, name: string) => {
      const user = { name, email: 'dee@globex.example' }
      const { status } = await send(`/${organisation}/users/idp-4`, user, 'PUT')
      return status
    }
    expect([await put(globex, 'Dee'), await put(globex, 'Dea')]).toEqual([201, 200])
    expect(await put(acme, 'Dee')).toBe(409)
    expect(await titlesAt(`/${globex}/users?email=dee@globex.example`)).toEqual(['Dea'])
  })

  test('the finished tasks of a project to none', async () => {
    const tasks = ['Old', 'Older'].map((title) => ({ title, status: 'done' }))
    await make(`/${globex}/projects/${ids.Theirs}/tasks`, ...tasks, { title: 'New' })
    const remove = async (most: number, rest = '') => {
      const headers = { prefer: `max-affected=${most}` }
      const path = `/${globex}/tasks?status=done&project.archived=false${rest}`
      const response = await ask(path, { method: 'DELETE', headers })
      return response.json()
    }
    expect(await remove(1)).toMatchObject({ code: 'too_many_affected' })
    expect(await remove(2, '&dry_run=true')).toEqual({ deleted: 2 })
    expect(await remove(2)).toEqual({ deleted: 2 })
    expect(await titlesAt(`/${globex}/tasks?sort=title`)).toEqual(['New', 'Secret'])
  })

  test('what two users change at once', async () => {
    const url = `/${acme}/tasks/${ids['Test 100%']}`
    const changes = [{ status: 'doing' }, { points: 1 }, { due: null }, { title: 'Test it all' }]
    await Promise.all(changes.map((patch) => send(url, patch, 'PATCH')))
    const task: unknown = await (await ask(url)).json()
    expect(task).toMatchObject({ status: 'doing', points: 1, title: 'Test it all' })
    expect(task).not.toHaveProperty('due')
  })
})

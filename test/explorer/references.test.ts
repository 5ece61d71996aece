import { defineApi, defineRegistry, defineResource, type HttpRequest } from 'nounful'
import { explorer } from 'nounful/explorer'
import { toFetchHandler } from 'nounful/fetch'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { exampleRegistry } from '../support/companies.ts'

const User = z.strictObject({ id: z.string(), nick: z.string().optional(), name: z.string() })
const Task = z.strictObject({
  id: z.string(),
  title: z.string(),
  project_id: z.number(),
  owner_id: z.string().nullish(),
  parentId: z.string().optional(),
})
const Mark = z.looseObject({ id: z.string(), task_id: z.string() })
const users = defineResource('users', {
  ...{ schema: User, searchable: ['nick'], sortable: ['name'] },
})
const projects = defineResource('projects', {
  schema: z.strictObject({ id: z.number(), code: z.string() }),
  id: z.coerce.number(),
  searchable: ['code'],
  maxLimit: 20,
})
const tasks = defineResource('tasks', {
  schema: Task,
  create: Task.partial({ id: true, project_id: true }),
  sortable: ['title'],
  references: { project_id: 'projects', owner_id: { to: 'users', as: 'boss' }, parentId: 'tasks' },
})
const marks = defineResource('marks', { schema: Mark, references: { task_id: 'tasks' } })
const api = defineApi({
  v1: {
    '/users': users,
    '/projects': projects,
    '/projects/:project_id/tasks': tasks,
    '/marks': marks,
  },
})
const stored = {
  users: [
    { id: 'ann', name: 'Ann <b>' },
    { id: 'bob', name: '' },
    { id: 'cy', name: '', nick: 'Cyclops' },
    { id: 'dee', name: `${'é'.repeat(40)}` },
  ],
  projects: [
    { id: 1, code: 'P1' },
    { id: 2, code: '' },
  ],
  tasks: [
    { id: 'a', title: 'A', project_id: 1, owner_id: 'ann' },
    { id: 'b', title: 'B', project_id: 1, owner_id: 'bob', parentId: 'a' },
    { id: 'c', title: 'C', project_id: 1, owner_id: null },
    { id: 'd', title: 'D', project_id: 1, owner_id: 'cy' },
    { id: 'e', title: 'E', project_id: 2, owner_id: 'dee', parentId: 'a' },
  ],
  marks: [{ id: 'm', task_id: 'e', color: 'red' }],
}

interface Shown {
  readonly status: number
  readonly text: string
  /** The URLs that the API was asked for. */
  readonly asked: readonly string[]
}

async function show(path: string, base = ''): Promise<Shown> {
  const registry = defineRegistry(api).adapters({
    users: memoryAdapter({ items: stored.users }),
    projects: memoryAdapter({ items: stored.projects }),
    tasks: memoryAdapter({ items: stored.tasks }),
    marks: memoryAdapter({ items: stored.marks }),
  })
  const asked: string[] = []
  const layers = [
    explorer(registry),
    (request: HttpRequest, answer: Parameters<ReturnType<typeof explorer>>[1]) => {
      asked.push(request.url)
      return answer(request)
    },
  ]
  const fetch = toFetchHandler(registry, { layers, base })
  const headers = { accept: 'text/html' }
  const response = await fetch(new Request(`https://h${base}/v1${path}`, { headers }))
  return { status: response.status, text: await response.text(), asked }
}

const dataIn = (text: string): string => /<div id="data">.*?<\/div>\n?(?=<)/s.exec(text)?.[0] ?? ''
const formIn = (text: string): string =>
  /<form class="includes".*?<\/form>/s.exec(text)?.[0].replaceAll('\n', '') ?? ''
const hiddenIn = (form: string): readonly string[] =>
  [...form.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
    ([, name, value]) => `${name}=${value}`,
  )
const writesIn = (text: string): string =>
  /<section class="actions".*?<\/section>/s.exec(text)?.[0] ?? ''

describe('the form of include', () => {
  test('has a checkbox for each member', async () => {
    const form = formIn((await show('/projects/1/tasks')).text)
    const boxes = [
      ...form.matchAll(/<input type="checkbox" name="include" value="(\w+)"( checked)?>/g),
    ]
    expect(boxes.map(([, member, checked]) => [member, checked])).toEqual([
      ['project', undefined],
      ['boss', undefined],
      ['parent', undefined],
    ])
    expect(form).toContain('method="get" action="/v1/projects/1/tasks"')
    expect(form).toContain('<legend>With each item</legend>')
  })

  test('shows the members of the request', async () => {
    const { text } = await show('/projects/1/tasks/a?include=boss&include=parent')
    expect(formIn(text)).toContain('value="boss" checked>')
    expect(formIn(text)).toContain('value="parent" checked>')
    expect(formIn(text)).toContain('value="project">')
  })

  // biome-ignore format: a row stays a line
  const rows: readonly (readonly [path: string, kept: readonly string[]])[] = [
    ['',                                          ['limit=50']],
    ['?sort=-title&fields=title&include=boss&limit=2', ['sort=-title', 'fields=title', 'limit=2']],
    ['?limit=900',                                ['limit=500']],
    ['?sort=&title=x',                            []],
    ['/a?include=boss',                           []],
    ['/first?sort=title',                         ['sort=title']],
  ]
  test.each(rows)('keeps at %s the parameters %j', async (path, kept) => {
    expect(hiddenIn(formIn((await show(`/projects/1/tasks${path}`)).text))).toEqual(kept)
  })

  test.each(['/users', '/users/ann', '/projects/1/tasks/count'])('is not at %s', async (path) => {
    const { text } = await show(path)
    expect(text).not.toContain('class="includes"')
    expect(text).not.toContain('<div class="tools"></div>')
  })

  test('sends a request that the API takes', async () => {
    const query = hiddenIn(formIn((await show('/projects/1/tasks')).text)).join('&')
    const { status, asked } = await show(`/projects/1/tasks?${query}&include=boss&include=project`)
    expect([status, asked[0]]).toEqual([
      200,
      '/v1/projects/1/tasks?limit=50&include=boss&include=project',
    ])
  })
})

describe('included items', () => {
  test('are links with a name, beside the id', async () => {
    const { text } = await show('/projects/1/tasks?limit=9&include=boss', '/in')
    const headings = [...text.matchAll(/<th scope="col">(?:<a[^>]*>)?<bdi>(\w+)/g)]
    expect(headings.slice(0, 3).map(([, name]) => name)).toEqual(['id', 'boss', 'title'])
    const data = dataIn(text)
    expect(data).toContain('<a href="/in/v1/users/ann"><bdi>Ann &lt;b&gt;</bdi></a>')
    expect(data).toContain('<a href="/in/v1/users/bob"><bdi>bob</bdi></a>')
    expect(data).toContain('<a href="/in/v1/users/cy"><bdi>Cyclops</bdi></a>')
    expect(data).toContain('<td><i>null</i><td>C')
  })

  test('have the path that their own fields give', async () => {
    const { text } = await show('/marks/m?include=task')
    expect(text).toContain('<a href="/v1/projects/2/tasks/e"><bdi>e</bdi></a>')
    const { text: nested } = await show('/projects/2/tasks/e?include=parent')
    expect(nested).toContain('<dt><bdi>parent</bdi></dt><dd><a href="/v1/projects/1/tasks/a">')
  })

  test('show the start of a long name', async () => {
    const { text } = await show('/projects/2/tasks/last?include=boss,project')
    expect(text).toContain(`<a href="/v1/users/dee"><bdi>${'é'.repeat(28)}…</bdi></a>`)
    expect(text).toContain('<dt><bdi>project</bdi></dt><dd><a href="/v1/projects/2"><bdi>2</bdi>')
  })

  test('stay with some fields only', async () => {
    const { text } = await show('/projects/1/tasks?limit=9&include=boss&fields=title')
    const headings = [...text.matchAll(/<th scope="col">(?:<a[^>]*>)?<bdi>(\w+)/g)]
    expect(headings.map(([, name]) => name)).toEqual(['id', 'boss', 'title'])
    expect(text).toContain('href="/v1/projects/1/tasks?limit=9&amp;include=boss">Show all fields')
  })

  // biome-ignore format: a row stays a line
  const orders: readonly (readonly [query: string, column: string, next: string | undefined])[] = [
    ['',                      'owner_id',   'boss.name'],
    ['?include=boss&limit=9', 'boss',       'boss.name'],
    ['?include=boss&limit=9', 'owner_id',   undefined],
    ['?sort=boss.name',       'owner_id',   '-boss.name'],
    ['?sort=-boss.name',      'owner_id',   ''],
    ['?sort=title',           'owner_id',   'boss.name,title'],
    // Projects have no order, and a task's own order is that of its title.
    ['',                      'project_id', undefined],
    ['',                      'title',      'title'],
    ['',                      'parentId',   undefined],
  ]
  test.each(orders)('have the order of their names: %s %s', async (query, column, next) => {
    const { text } = await show(`/projects/1/tasks${query}`)
    const heading = new RegExp(`<th scope="col"[^>]*>(?:<a[^>]*>)?<bdi>${column}<`).exec(text)?.[0]
    expect(heading).toBeDefined()
    const [, link] = /href="([^"]*)"/.exec(heading ?? '') ?? []
    const parameters = link && new URLSearchParams(link.replaceAll('&amp;', '&').split('?')[1])
    expect(parameters ? (parameters.get('sort') ?? '') : undefined).toBe(next)
    if (link) expect((await show(link.replaceAll('&amp;', '&').slice(3))).status).toBe(200)
  })

  test('are no fields of a form', async () => {
    for (const path of ['/projects/1/tasks/a?include=boss,parent', '/marks/m?include=task']) {
      const { text } = await show(path)
      expect(text).toContain('<dt><bdi>')
      expect(writesIn(text)).toContain('data-kind="update"')
      expect(writesIn(text)).not.toMatch(
        /data-name="(?:boss|parent|task)"|&quot;(?:boss|task)&quot;/,
      )
    }
    const { text } = await show('/marks?limit=1&include=task')
    expect(/<form data-kind="updateMany".*?<\/form>/s.exec(text)?.[0]).toContain(
      'data-url="/v1/marks?limit=1"',
    )
    expect(writesIn((await show('/marks/m?include=task')).text)).toContain('&quot;red&quot;')
  })
})

describe('a reference', () => {
  test('is a link to its item, by its name or else its id', async () => {
    const { text, asked } = await show('/projects/1/tasks')
    expect(dataIn(text)).toContain('<td><a href="/v1/users/ann"><bdi>Ann &lt;b&gt;</bdi></a>')
    expect(dataIn(text)).toContain('<td><a href="/v1/users/bob"><bdi>bob</bdi></a>')
    expect(dataIn(text)).toContain('<td><a href="/v1/projects/1"><bdi>P1</bdi></a>')
    // The home document comes second.
    expect(asked.slice(2)).toEqual([
      '/v1/projects?id=1&limit=1&fields=code',
      '/v1/users?id=ann&id=bob&id=cy&limit=3&fields=name,nick',
    ])
    const { text: item } = await show('/projects/1/tasks/a')
    expect(item).toContain(
      '<dd><a href="/v1/users/ann"><bdi>Ann &lt;b&gt;</bdi></a> <code>ann</code></dd>',
    )
    const crumb = '<li><a href="/v1/projects/1"><bdi>P1</bdi></a></li>'
    expect([text.includes(crumb), item.includes(crumb)]).toEqual([true, true])
  })

  test('is no link below a parent that is not known', async () => {
    const { text } = await show('/projects/1/tasks/b')
    expect(text).toContain('<dt><bdi>parentId</bdi></dt><dd><bdi class="short">a</bdi></dd>')
    expect((await show('/marks/m')).text).toContain('<dd><bdi class="short">e</bdi></dd>')
  })

  test('is no link to a resource without a read', async () => {
    const hidden = defineResource('users', { schema: User, without: ['read'] })
    const some = defineResource('tasks', { schema: Task, references: { owner_id: 'users' } })
    const registry = defineRegistry(
      defineApi({ v1: { '/users': hidden, '/tasks': some } }),
    ).adapters({
      users: memoryAdapter({ items: stored.users }),
      tasks: memoryAdapter({ items: stored.tasks }),
    })
    const fetch = toFetchHandler(registry, { layers: [explorer(registry)] })
    const headers = { accept: 'text/html' }
    const page = await (await fetch(new Request('https://h/v1/tasks/a', { headers }))).text()
    expect(page).toContain('<dt><bdi>owner_id</bdi></dt><dd><bdi class="short">ann</bdi></dd>')
  })

  const choicesIn = (text: string): readonly (readonly [url: string, names: string])[] =>
    [...text.matchAll(/ data-choices="([^"]*)" data-names="([^"]*)"/g)].map(
      ([, url = '', names = '']) => [url.replaceAll('&amp;', '&'), names.replaceAll('&quot;', '"')],
    )

  // biome-ignore format: a row stays a line
  const lists: readonly (readonly [path: string, choices: ReturnType<typeof choicesIn>])[] = [
    // Of its project, and by the search of users.
    ['/projects/1/tasks/a', [
      ['/in/v1/users?limit=20&fields=name,nick&q=', '["name","nick"]'],
      ['/in/v1/projects/1/tasks?limit=100',         '["name"]'],
    ]],
    // No path tells the project of a task.
    ['/marks',              []],
    ['/users',              []],
  ]
  test.each(lists)(
    'leads the script at %s to the items that a field may hold',
    async (path, all) => {
      const { text, asked } = await show(path, '/in')
      expect(choicesIn(writesIn(text) || text)).toEqual(all)
      // The script reads them: a page shows no items that another caller may read.
      expect(asked.filter((url) => /limit=(?:20|100)/.test(url))).toEqual([])
    },
  )

  // biome-ignore format: a row stays a line
  const kinds: readonly (readonly [declaration: object, url: string | undefined])[] = [
    [{ searchable: ['code'] },               '/v1/projects?limit=9&fields=code&q='],
    [{ searchable: ['code'], maxLimit: 50 }, '/v1/projects?limit=20&fields=code&q='],
    [{},                                     '/v1/projects?limit=9'],
    [{ maxLimit: 500 },                      '/v1/projects?limit=100'],
    [{ without: ['list'] },                  undefined],
  ]
  test.each(kinds)('to %j has the choices %s in forms and filters', async (declaration, url) => {
    const numbered = defineResource('projects', {
      schema: z.strictObject({ id: z.number(), code: z.string() }),
      ...{ id: z.coerce.number(), maxLimit: 9, ...declaration },
    })
    const holders = defineResource('tasks', {
      ...{ schema: Task, references: { project_id: 'projects' }, filterable: ['project_id'] },
    })
    const registry = defineRegistry(
      defineApi({ v1: { '/projects': numbered, '/tasks': holders } }),
    ).adapters({
      projects: memoryAdapter({ items: stored.projects }),
      tasks: memoryAdapter({ items: stored.tasks }),
    })
    const fetch = toFetchHandler(registry, { layers: [explorer(registry)] })
    const headers = { accept: 'text/html' }
    const page = await (await fetch(new Request('https://h/v1/tasks', { headers }))).text()
    // To create, and to filter by "is" and "is not".
    const urls = choicesIn(page).map(([list]) => list)
    expect(urls).toEqual(url === undefined ? [] : [url, url, url])
    expect(page.match(/<output><\/output>/g) ?? []).toHaveLength(urls.length)
    if (url === undefined) return
    const example = url.replace(/&q=$/, '')
    const list = await fetch(new Request(`https://h${example}`, { headers: { accept: '*/*' } }))
    expect(list.status).toBe(200)
  })

  test('that is an owner has choices, too', async () => {
    const owned = defineResource('marks', {
      ...{ schema: z.object({ id: z.string(), project_id: z.number() }) },
      ...{ filterable: ['project_id'], without: ['create'] },
    })
    const paths = { '/projects': projects, '/projects/:project_id/marks': owned, '/marks': owned }
    const registry = defineRegistry(defineApi({ v1: paths })).adapters({
      ...{ projects: memoryAdapter(), marks: memoryAdapter() },
    })
    const fetch = toFetchHandler(registry, { layers: [explorer(registry)] })
    const headers = { accept: 'text/html' }
    const page = await (await fetch(new Request('https://h/v1/marks', { headers }))).text()
    const choices = ['/v1/projects?limit=20&fields=code&q=', '["code"]']
    expect(choicesIn(page)).toEqual([choices, choices])
  })

  test('has its name below its control, and in the chip of its filter', async () => {
    const held = defineResource('tasks', {
      ...{ schema: Task, filterable: ['owner_id', 'project_id', 'title'] },
      ...{ references: { owner_id: 'users', project_id: 'projects' }, searchable: ['title'] },
    })
    const registry = defineRegistry(
      defineApi({ v1: { '/users': users, '/projects': projects, '/tasks': held } }),
    ).adapters({
      users: memoryAdapter({ items: stored.users }),
      projects: memoryAdapter({ items: stored.projects }),
      tasks: memoryAdapter({ items: stored.tasks }),
    })
    const fetch = toFetchHandler(registry, { layers: [explorer(registry)] })
    const headers = { accept: 'text/html' }
    const at = async (path: string) =>
      (await fetch(new Request(`https://h/v1/tasks${path}`, { headers }))).text()
    const namesOf = (text: string) =>
      [...text.matchAll(/<output>(.*?)<\/output>/g)].map(([, name]) => name)
    expect(namesOf(await at('/a'))).toEqual(['P1', 'Ann &lt;b&gt;'])
    const search =
      '?owner_id=ann&owner_id=bob&owner_id=x&project_id:ne=1&project_id:ne=7&title:ne=ann'
    const text = await at(`${search}&fields=title`)
    const chips = [...text.matchAll(/aria-label="Remove ([^"]*)"/g)].map(([, words]) => words)
    expect(chips).toEqual([
      'owner_id is Ann &lt;b&gt; (ann) or bob or x',
      'project_id is not P1 (1) nor 7',
      'title is not ann',
    ])
    const form = /<details class="filters.*?<\/form>/s.exec(text)?.[0] ?? ''
    expect(namesOf(form)).toEqual(['Ann &lt;b&gt;', '', '', '', '', '', 'P1', '', ''])
  })

  test('is described', async () => {
    const registry = await exampleRegistry()
    const fetch = toFetchHandler(registry, { layers: [explorer(registry)] })
    const headers = { accept: 'text/html' }
    const page = await (await fetch(new Request('https://h/v1/employees', { headers }))).text()
    expect(page).toContain('<dt>References</dt><dd>company_id (companies)</dd>')
  })
})

// biome-ignore format: a row stays a line
const limits: readonly (readonly [search: string, status: number, sent: string | undefined])[] = [
  ['?include=boss',          200, '50'],
  ['?include=boss&sort=-id', 200, '50'],
  ['?include=boss&limit=2',  200, '2'],
  ['?include=nope',          400, undefined],
  ['?include=boss&limit=0',  400, '0'],
]
test.each(limits)(
  'a page %s has the limit that included items need',
  async (search, status, limit) => {
    const { status: received, text, asked } = await show(`/projects/1/tasks${search}`)
    expect([received, /limit=(\d+)/.exec(`${asked[0]}`)?.[1]]).toEqual([status, limit])
    if (status === 200)
      expect(text).toContain('<input type="checkbox" name="include" value="boss" checked>')
  },
)

test('the control of a reference says so', async () => {
  const { text } = await show('/projects/1/tasks/a')
  expect(text).toMatch(/data-name="owner_id" data-type="text" data-reference /)
  expect(text).toMatch(/data-name="title" data-type="text" data-initial/)
})

import { defineApi, defineRegistry, defineResource } from 'nounful'
import { type CountedPage, createClient, type Page } from 'nounful/client'
import { toFetchHandler } from 'nounful/fetch'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { companies, companiesRegistry, employees } from '../support/companies.ts'
import type { api as example } from '../support/first-version.ts'

const Task = z.object({
  id: z.string(),
  title: z.string(),
  project_id: z.number(),
  owner_id: z.string().nullish(),
  parentId: z.string().optional(),
  ally: z.string().optional(),
  unit_Id: z.string().optional(),
})
const users = defineResource('users', { schema: z.object({ id: z.string(), name: z.string() }) })
const projects = defineResource('projects', {
  schema: z.object({ id: z.number(), code: z.string() }),
  id: z.coerce.number(),
})
const tasks = defineResource('tasks', {
  schema: Task,
  references: {
    project_id: 'projects',
    owner_id: { to: 'users', as: 'boss' },
    parentId: 'tasks',
    ally: { to: 'users', as: 'friend' },
    unit_Id: 'users',
  },
})
const api = defineApi({
  v1: { '/users': users, '/projects': projects, '/projects/:project_id/tasks': tasks },
  v2: { '/users': users, '/tasks': tasks },
})
type Task = z.infer<typeof Task>
type User = { id: string; name: string }
type Project = { id: number; code: string }
const stored: readonly Task[] = [
  { id: 'a', title: 'A', project_id: 1, owner_id: 'ann' },
  { id: 'b', title: 'B', project_id: 1, owner_id: null, parentId: 'a', ally: 'ann' },
]
const ann: User = { id: 'ann', name: 'Ann' }

const { v1, v2 } = createClient<typeof api>({
  baseUrl: 'http://x.test',
  fetch: toFetchHandler(
    defineRegistry(api, { defaultVersion: false }).adapters({
      users: memoryAdapter({ items: [ann] }),
      projects: memoryAdapter({ items: [{ id: 1, code: 'one' }] }),
      tasks: memoryAdapter({ items: stored }),
    }),
  ),
})

describe('the example includes', () => {
  const [acme, globex] = companies
  const [ada, , chloe, farid] = employees
  const targets: string[] = []
  const service = toFetchHandler(companiesRegistry())
  const client = createClient<typeof example>({
    baseUrl: 'http://x.test',
    fetch: (request) => {
      targets.push(request.url.slice('http://x.test/v1'.length))
      return service(request)
    },
  })
  const include = ['company'] as const

  test('the company of an employee', async () => {
    const { employees } = client.v1
    const read = await employees('e-ada').read({ include })
    expect(read).toEqual({ ...ada, company: acme })
    expect(read.company?.name).toBe('Acme')
    expect(await employees('e-farid').read({ include })).toEqual({ ...farid, company: null })
    expect(await employees.first({ include, fields: ['name'] })).toEqual({
      id: 'e-ada',
      name: 'Ada',
      company: acme,
    })
    expect(await employees.last({ include, where: { company_id: 'c-globex' } })).toEqual({
      ...chloe,
      company: globex,
    })
    expect(targets.splice(0)).toEqual([
      '/employees/e-ada?include=company',
      '/employees/e-farid?include=company',
      '/employees/first?fields=name&include=company',
      '/employees/last?company_id=c-globex&include=company',
    ])
  })

  test('the company of each in a list, page by page', async () => {
    const { employees } = client.v1.companies('c-acme')
    const query = { include, limit: 1, fields: ['name'] } as const
    const all = [
      { id: 'e-ada', name: 'Ada', company: acme },
      { id: 'e-ben', name: 'Ben', company: acme },
    ]
    expect(await employees.list({ ...query, limit: 9 })).toEqual(all)
    expect(await employees.page(query)).toMatchObject({ items: all.slice(0, 1), total: 2 })
    const items: unknown[] = []
    for await (const item of employees.items(query)) items.push(item)
    expect(items).toEqual(all)
    for await (const page of employees.pages({ ...query, limit: 2 })) {
      expect(page.items).toEqual(all)
    }
    const tail = targets.splice(0).map((target) => target.replace(/&after=[^&]+/, ''))
    expect(tail).toHaveLength(5)
    for (const target of tail) {
      expect(target).toMatch(/employees\?limit=\d&fields=name&include=company$/)
    }
  })

  test('nothing by an empty list', async () => {
    const { employees } = client.v1
    for (const include of [undefined, []]) {
      expect(await employees('e-ada').read({ include })).toEqual(ada)
    }
  })

  test('the company of each id, without a limit', async () => {
    const { employees } = client.v1
    targets.splice(0)
    expect(await employees.readMany(['e-chloe', 'nope', 'e-ada'], { include })).toEqual([
      { ...chloe, company: globex },
      undefined,
      { ...ada, company: acme },
    ])
    const part = { include, fields: ['name'] } as const
    const [named] = await employees.readMany(['e-ada'], part)
    expect(named).toEqual({ id: 'e-ada', name: 'Ada', company: acme })
    expect(targets.splice(0)).toEqual([
      '/employees?id=e-chloe&id=nope&id=e-ada&include=company',
      '/employees?id=e-ada&fields=name&include=company',
    ])
    const unknown = { include: ['boss'] } as never
    await expect(employees.readMany(['e-ada'], unknown)).rejects.toMatchObject({
      code: 'bad_parameter',
    })
    await expect(employees.readMany([], { limit: 3 } as never)).rejects.toThrow(
      'Unknown option "limit". Allowed: signal, headers, fields, include',
    )
    targets.splice(0)
  })

  test('a member that an update sends back', async () => {
    const { employees } = client.v1
    const read = await employees('e-ben').read({ include })
    const updated = await employees('e-ben').update({ ...read, name: 'Benno' })
    expect(updated).toMatchObject({ name: 'Benno', company_id: 'c-acme' })
    expect(updated).not.toHaveProperty('company')
  })

  test('no other member, and none for a count', async () => {
    const { employees } = client.v1
    const unknown = { include: ['boss'] } as never
    await expect(employees('e-ada').read(unknown)).rejects.toMatchObject({
      code: 'bad_parameter',
      members: { allowed: ['company'] },
    })
    await expect(employees.list({ include })).rejects.toMatchObject({
      code: 'bad_parameter',
      message: expect.stringContaining('needs a "limit"'),
    })
    await expect(employees.count({ include } as never)).rejects.toThrow(TypeError)
  })
})

test('more than 100 ids are included in several requests', async () => {
  const targets: string[] = []
  const items = Array.from({ length: 250 }, (_, at) => ({
    ...{ id: `t${at}`, title: 'T', project_id: 1, owner_id: at % 2 ? 'ann' : null },
  }))
  const service = toFetchHandler(
    defineRegistry(api, { defaultVersion: false }).adapters({
      users: memoryAdapter({ items: [ann] }),
      projects: memoryAdapter({ items: [{ id: 1, code: 'one' }] }),
      tasks: memoryAdapter({ items }),
    }),
  )
  const client = createClient<typeof api>({
    baseUrl: 'http://x.test',
    fetch: (request) => {
      targets.push(request.url)
      return service(request)
    },
  })
  const ids = items.map(({ id }) => id)
  const read = await client.v1.projects(1).tasks.readMany(ids, { include: ['boss', 'project'] })
  expect(read).toEqual(
    items.map((item) => ({
      ...item,
      boss: item.owner_id === null ? null : ann,
      project: { id: 1, code: 'one' },
    })),
  )
  expect(targets).toHaveLength(3)
})

test('a contract names the members', async () => {
  const { tasks } = v1.projects(1)
  const read = await tasks('b').read({ include: ['boss', 'parent', 'friend', 'project'] })
  expect(read).toEqual({
    ...stored[1],
    boss: null,
    parent: stored[0],
    friend: ann,
    project: { id: 1, code: 'one' },
  })
  expect(await v2.tasks('a').read({ include: ['boss', 'unit'] })).toEqual({
    ...stored[0],
    boss: ann,
    unit: null,
  })
})

// Never called: it only has to compile, but for the lines after "@ts-expect-error".
export function refused(texts: string[]): void {
  const { tasks } = v1.projects(1)
  // @ts-expect-error: an unknown member
  tasks.list({ include: ['owner'] })
  // @ts-expect-error: the field of a member
  tasks.list({ include: ['project', 'owner_id'] })
  // @ts-expect-error: a member as text
  tasks.page({ include: 'project' })
  // @ts-expect-error: any text
  tasks.items({ include: texts })
  // @ts-expect-error: `null` instead of a list
  tasks.list({ include: null })
  // @ts-expect-error: a resource that the version does not have
  v2.tasks.first({ include: ['project'] })
  // @ts-expect-error: a resource without references
  v1.users('ann').read({ include: ['boss'] })
  // @ts-expect-error: no item of a count
  tasks.count({ include: ['project'] })
}

describe('types follow from the references', () => {
  const { tasks } = v1.projects(1)
  type Several = ('boss' | 'parent')[]
  // Never called.
  const asked = (several: Several, isAsked: boolean) => ({
    list: tasks.list({ include: ['boss', 'project'], limit: 3 }),
    fields: tasks.list({ fields: ['title'], include: ['parent'], limit: 3 }),
    first: tasks.first({ include: ['friend'] }),
    last: tasks.last({ include: ['unit'] }),
    read: tasks('a').read({ include: ['project'] }),
    page: tasks.page({ include: ['boss'], limit: 3 }),
    pages: tasks.pages({ include: ['boss'], limit: 3 }),
    items: tasks.items({ include: ['boss'], limit: 3 }),
    many: tasks.readMany(['a'], { include: ['boss'] }),
    part: tasks.readMany(['a'], { include: ['boss'], fields: ['title'] }),
    constant: v2.tasks('a').read({ include: ['boss', 'parent', 'unit'] } as const),
    several: tasks('a').read({ include: several }),
    more: tasks('a').read({ include: ['boss', ...several] }),
    either: tasks('a').read({ include: [isAsked ? 'boss' : 'parent'] }),
    perhaps: tasks('a').read({ include: isAsked ? ['boss'] : [] }),
    none: tasks('a').read({ include: [] }),
    missing: tasks('a').read({ include: undefined }),
    plain: tasks('a').read(),
  })
  type Asked = ReturnType<typeof asked>
  type Boss = { boss: User | null }
  type Unsure = Task & { boss?: User | null; parent?: Task | null }

  test('of the included members', () => {
    expectTypeOf<Awaited<Asked['list']>>().toEqualTypeOf<
      readonly (Task & { boss: User | null; project: Project | null })[]
    >()
    expectTypeOf<Awaited<Asked['fields']>>().toEqualTypeOf<
      readonly (Pick<Task, 'id' | 'title'> & { parent: Task | null })[]
    >()
    expectTypeOf<Awaited<Asked['first']>>().toEqualTypeOf<Task & { friend: User | null }>()
    expectTypeOf<Awaited<Asked['last']>>().toEqualTypeOf<Task & { unit: User | null }>()
    expectTypeOf<Awaited<Asked['read']>>().toEqualTypeOf<Task & { project: Project | null }>()
    expectTypeOf<Awaited<Asked['page']>>().toEqualTypeOf<CountedPage<Task & Boss>>()
    expectTypeOf<Asked['pages']>().toExtend<AsyncIterable<Page<Task & Boss>>>()
    expectTypeOf<Asked['items']>().toExtend<AsyncIterable<Task & Boss>>()
    expectTypeOf<Awaited<Asked['many']>>().toEqualTypeOf<readonly ((Task & Boss) | undefined)[]>()
    expectTypeOf<Awaited<Asked['part']>>().toEqualTypeOf<
      readonly ((Pick<Task, 'id' | 'title'> & Boss) | undefined)[]
    >()
    expectTypeOf<Awaited<Asked['constant']>>().toEqualTypeOf<
      Task & { boss: User | null; parent: Task | null; unit: User | null }
    >()
  })

  test('of members that depend on a value: optional', () => {
    expectTypeOf<Awaited<Asked['several']>>().toEqualTypeOf<Unsure>()
    expectTypeOf<Awaited<Asked['more']>>().toEqualTypeOf<Unsure>()
    expectTypeOf<Awaited<Asked['either']>>().toEqualTypeOf<Unsure>()
    expectTypeOf<Awaited<Asked['perhaps']>>().toEqualTypeOf<Task & Partial<Boss>>()
  })

  test('of an item without an include', () => {
    expectTypeOf<Awaited<Asked['none']>>().toEqualTypeOf<Task>()
    expectTypeOf<Awaited<Asked['missing']>>().toEqualTypeOf<Task>()
    expectTypeOf<Awaited<Asked['plain']>>().toEqualTypeOf<Task>()
    expectTypeOf(tasks.first).returns.resolves.toEqualTypeOf<Task>()
    expectTypeOf(refused).returns.toBeVoid()
  })
})

import { inspect } from 'node:util'
import fc from 'fast-check'
import { defineApi, defineRegistry, defineResource, type HttpRequest, type Registry } from 'nounful'
import { createClient, isProblem, isUnexpected } from 'nounful/client'
import { toFetchHandler } from 'nounful/fetch'
import { memoryAdapter } from 'nounful/memory'
import { serve } from 'nounful/node'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { isId } from '../../src/contract/resource/id.ts'
import { parseRequest } from '../../src/wire/request.ts'
import type { api as wireApi } from '../contract/companies.ts'
import { registry as wireRegistry } from '../contract/companies.ts'
import { companiesRegistry, employees } from '../support/companies.ts'
import type { api } from '../support/first-version.ts'

const ann = { name: 'Ann', birthdate: '1990-01-01' }

function clientOf(registry: Registry = companiesRegistry()) {
  return createClient<typeof api>({ baseUrl: 'http://api.test', fetch: toFetchHandler(registry) })
    .v1
}

async function allOf<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const all: Value[] = []
  for await (const value of values) all.push(value)
  return all
}

async function thrownBy(promise: PromiseLike<unknown>): Promise<unknown> {
  return promise.then(
    (value) => {
      throw new Error(`Nothing was thrown, but ${value} given`)
    },
    (error: unknown) => error,
  )
}

async function codeOf(promise: PromiseLike<unknown>): Promise<string> {
  const error = await thrownBy(promise)
  if (isProblem(error)) return error.code
  throw error
}

describe('each operation has its method', () => {
  test('on a collection', async () => {
    const client = clientOf()
    expect(await client.employees.list({ q: 'a', sort: ['-name'], limit: 2 })).toMatchObject([
      { name: 'Farid' },
      { name: 'Ada' },
    ])
    expect(await client.employees.first({ sort: ['birthdate'] })).toMatchObject({ name: 'Ben' })
    expect(await client.employees.last({ sort: ['birthdate'] })).toMatchObject({ name: 'Farid' })
    expect(await client.employees.count({ q: 'ada' })).toBe(1)
    const made = await client.employees.create(ann)
    expect(made).toMatchObject({ id: '1', ...ann })
    const both = [made, employees[0]].map((item) => ({ ...item, ...ann, id: `${item?.id}` }))
    expect(await client.employees.updateMany(both)).toMatchObject([{ id: '1' }, { id: 'e-ada' }])
    expect(await client.employees.deleteAll()).toBe(5)
    expect(await client.employees.list()).toEqual([])
  })

  test('on an item', async () => {
    const client = clientOf()
    const made = await client.employees.create(ann)
    const item = client.employees(made.id)
    expect(await item.read()).toEqual(made)
    expect(await item.update({ ...made, name: 'Zoe' })).toEqual({ ...made, name: 'Zoe' })
    expect(await item.delete()).toEqual({ ...made, name: 'Zoe' })
    expect(await codeOf(item.read())).toBe('not_found')
  })

  test('under a parent', async () => {
    const { companies } = clientOf()
    const acme = companies('c-acme')
    expect(await acme.employees.count()).toBe(2)
    expect(await acme.employees.create(ann)).toMatchObject({ company_id: 'c-acme' })
    expect(await acme.employees('e-ada').read()).toMatchObject({ name: 'Ada' })
    expect(await acme.customers.list({ sort: ['name'] })).toHaveLength(1)
    expect(await codeOf(acme.employees('e-chloe').read())).toBe('not_found')
    expect(await codeOf(companies('nope').employees.list())).toBe('parent_not_found')
  })

  test('over a socket, behind a prefix and a slash', async () => {
    const server = await serve(companiesRegistry(), { port: 0 })
    for (const baseUrl of [server.url, `${server.url}/`]) {
      const { v1 } = createClient<typeof api>({ baseUrl })
      expect(await v1.companies('c-acme').employees.first()).toMatchObject({ name: 'Ada' })
    }
    await server.close()
    const fetch = toFetchHandler(companiesRegistry(), { base: '/deep/api' })
    for (const baseUrl of ['https://x.test/deep/api', 'https://x.test/deep/api///']) {
      const { v1 } = createClient<typeof api>({ baseUrl, fetch })
      expect(await v1.companies.count()).toBe(3)
      const pages = v1.employees.items({ limit: 1 })
      expect(await allOf(pages)).toHaveLength(4)
    }
  })
})

describe('pages', () => {
  test('are requested one by one, and you can stop early', async () => {
    let asked = 0
    const fetch = toFetchHandler(companiesRegistry())
    const { v1 } = createClient<typeof api>({
      baseUrl: 'http://x',
      fetch: (request) => {
        asked++
        return fetch(request)
      },
    })
    const pages = v1.employees.pages({ limit: 1, sort: ['-name'] })
    expect(asked).toBe(0)
    const { value: first } = await pages.next()
    expect([asked, first?.items.length]).toEqual([1, 1])
    for await (const { items } of pages) {
      expect(items).toMatchObject([{ name: 'Chloé' }])
      break
    }
    expect(asked).toBe(2)
    const rest = v1.employees.items({ limit: 2, sort: ['-name'], after: `${first?.next}` })
    expect((await allOf(rest)).map(({ name }) => name)).toEqual(['Chloé', 'Ben', 'Ada'])
    const all = await allOf(v1.employees.pages({ limit: 3 }))
    expect(all.map(({ items, next }) => [items.length, typeof next])).toEqual([
      [3, 'string'],
      [1, 'undefined'],
    ])
  })

  test('never leave the origin, and stop at a cycle', async () => {
    const urls: string[] = []
    const { v1 } = createClient<typeof api>({
      baseUrl: 'http://x.test',
      fetch: ({ url }) => {
        urls.push(url)
        return Response.json([], { headers: { link: '<https://evil.test/?after=a>; rel="next"' } })
      },
    })
    const error = await thrownBy(allOf(v1.employees.pages()))
    expect(`${error}`).toMatch('repeats a cursor')
    expect(urls).toEqual(['http://x.test/v1/employees', 'http://x.test/v1/employees?after=a'])
  })
})

describe('an id arrives unchanged', () => {
  const ids = [
    'a/b',
    '%',
    '%2F',
    '?',
    '#',
    'é',
    '😀',
    '+',
    ' ',
    'a b',
    ';=&',
    '..foo',
    '...',
    '\\',
    '__proto__',
    'constructor',
    'then',
    '"',
    "'",
    '.hidden',
    '%2e%2e',
    'v1',
    'a'.repeat(255),
  ]
  const Note = z.object({ id: z.string(), text: z.string() })
  const Part = Note.extend({ note_id: z.string() })
  const notes = defineResource('notes', { schema: Note })
  const parts = defineResource('parts', { schema: Part, create: Part.omit({ note_id: true }) })
  const shelf = defineApi({ v1: { '/notes': notes, '/notes/:note_id/parts': parts } })
  const registry = defineRegistry(shelf).adapters({
    notes: memoryAdapter(),
    parts: memoryAdapter(),
  })
  const { v1 } = createClient<typeof shelf>({
    baseUrl: 'http://x',
    fetch: toFetchHandler(registry),
  })

  for (const id of ids) {
    test(JSON.stringify(id.slice(0, 20)), async () => {
      await v1.notes.create({ id, text: 'x' })
      expect(await v1.notes(id).read()).toEqual({ id, text: 'x' })
      expect(await v1.notes(id).parts.create({ id, text: 'y' })).toMatchObject({ id, note_id: id })
      expect(await v1.notes(id).parts(id).update({ text: 'z' })).toMatchObject({ id, text: 'z' })
      expect(await v1.notes(id).parts(id).delete()).toMatchObject({ id })
      expect(await v1.notes(id).delete()).toEqual({ id, text: 'x' })
    })
  }

  const none = ['', '.', '..', 'first', 'last', 'count', 'a\n', '\0', '\ud800', 'a'.repeat(256)]
  const silent = createClient<typeof shelf>({
    baseUrl: 'http://x',
    fetch: ({ url }) => {
      throw new Error(`Sent to ${url}`)
    },
  }).v1
  for (const id of none) {
    test(`the client never sends ${JSON.stringify(id.slice(0, 20))}`, async () => {
      expect(await codeOf(silent.notes(id).delete())).toBe('not_found')
      expect(await codeOf(silent.notes(id).update({ text: 'x' }))).toBe('not_found')
      expect(await codeOf(silent.notes(id).parts.deleteAll())).toBe('parent_not_found')
      expect(await codeOf(silent.notes('1').parts(id).delete())).toBe('not_found')
      expect(await codeOf(silent.notes(id).parts.pages().next())).toBe('parent_not_found')
    })
  }

  for (const id of [
    undefined,
    null,
    {},
    [],
    true,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Symbol('x'),
  ]) {
    test(`the client never sends ${String(id)}`, async () => {
      expect(await thrownBy(silent.notes(id as never).delete())).toBeInstanceOf(TypeError)
      expect(await thrownBy(silent.notes(id as never).parts.list())).toBeInstanceOf(TypeError)
    })
  }

  test('a server reads every request of a client', async () => {
    const seen: HttpRequest[] = []
    const { v1 } = createClient<typeof wireApi>({
      baseUrl: 'http://x.test',
      fetch: (request) => {
        const headers = Object.fromEntries(request.headers)
        seen.push({ method: request.method, url: request.url, headers })
        return Response.json({ id: '1', count: 1, deleted: 1 }, { status: 200 })
      },
    })
    const anyId = fc.string({ unit: 'binary', minLength: 1 }).filter(isId)
    const q = fc
      .string({ unit: 'binary', maxLength: 99 })
      .filter((text) => /\S/u.test(text) && !/\p{Cc}/u.test(text))
    await fc.assert(
      fc.asyncProperty(anyId, anyId, anyId, q, async (one, two, three, words) => {
        await v1.companies(one).customers(two).orders(three).delete({ ifRevision: words })
        await v1.companies(one).employees.first({ q: words, sort: ['-name', 'id'] })
        const calls = seen.splice(0).map((request) => parseRequest(request, wireRegistry))
        expect(calls).toMatchObject([
          {
            kind: 'delete',
            target: {
              parents: [one, two],
              id: three,
              collection: { path: '/companies/:company_id/customers/:customer_id/orders' },
            },
            conditions: { ifMatch: [encodeURIComponent(words)] },
          },
          {
            kind: 'first',
            target: { parents: [one] },
            query: { q: words },
            fault: undefined,
            parameters: {
              sort: [
                { field: 'name', direction: 'desc' },
                { field: 'id', direction: 'asc' },
              ],
            },
          },
        ])
      }),
    )
  })
})

describe('a client is an ordinary object', () => {
  const client = createClient<typeof api>({
    baseUrl: 'http://x',
    fetch: ({ url }) => {
      throw new Error(`Sent to ${url}`)
    },
  })
  const item = client.v1.companies('7')
  const parts = {
    client,
    version: client.v1,
    collection: client.v1.companies,
    item,
    nested: item.employees,
  }
  for (const [name, part] of Object.entries(parts)) {
    test(`as ${name}`, async () => {
      expect(await part).toBe(part)
      expect(await (async () => part)()).toBe(part)
      expect(part).toEqual(part)
      expect({ part }).not.toEqual({ part: 1 })
      expect(JSON.stringify({ part, x: 1 })).toMatch('"x":1')
      expect(inspect(part, { showProxy: false })).toEqual(expect.any(String))
      expect(String(part)).toEqual(expect.any(String))
      for (const word of [
        'then',
        'toJSON',
        'asymmetricMatch',
        'nodeType',
        '$$typeof',
        '@@iterator',
        'a b',
        '',
      ]) {
        expect(Reflect.get(part, word)).toBeUndefined()
      }
      expect(Reflect.get(part, Symbol.iterator)).toBeUndefined()
      expect(Object.isFrozen(part)).toBe(true)
    })
  }

  test('with the same parts at every access', () => {
    expect(client.v1).toBe(client.v1)
    expect(client.v1.companies).toBe(client.v1.companies)
    expect(item.employees).toBe(item.employees)
  })

  test('with nouns that look like methods', async () => {
    const toDos = defineResource('toDos', { schema: z.object({ id: z.string() }) })
    const list = defineApi({ v1: { '/toDos': toDos } })
    const registry = defineRegistry(list).adapters({ toDos: memoryAdapter() })
    const { v1 } = createClient<typeof list>({
      baseUrl: 'http://x',
      fetch: toFetchHandler(registry),
    })
    expect(await v1.toDos.create({ id: '7' })).toEqual({ id: '7' })
  })

  test('with versions only', () => {
    for (const word of ['v0', 'v01', 'V1', 'constructor1', 'v']) {
      expect(Reflect.get(client, word)).toBeUndefined()
    }
  })
})

describe('options', () => {
  const refused: readonly (readonly [unknown, RegExp])[] = [
    [undefined, /baseUrl/],
    [{}, /baseUrl/],
    [{ baseUrl: '' }, /https:/],
    [{ baseUrl: 'api.example.com' }, /https:/],
    [{ baseUrl: 'ftp://x' }, /https:/],
    [{ baseUrl: 'javascript:alert(1)' }, /https:/],
    [{ baseUrl: '/api' }, /in a browser/],
    [{ baseUrl: 'http://x?a=b' }, /https:/],
    [{ baseUrl: 'http://x#a' }, /https:/],
    [{ baseUrl: 'http://me:secret@x' }, /https:/],
    [{ baseUrl: 'http://' }, /https:/],
    [{ baseUrl: 'http://x', fetsh: fetch }, /fetsh/],
    [{ baseUrl: 'http://x', fetch: 1 }, /fetch/],
    [{ baseUrl: 'http://x', retry: { attempts: 3 } }, /retry/],
  ]
  for (const [options, says] of refused) {
    test(`reject ${inspect(options)}`, () => {
      expect(() => createClient(options as never)).toThrow(says)
      expect(() => createClient(options as never)).toThrow(TypeError)
    })
  }

  test('of a call reject unknown names', async () => {
    const { employees } = clientOf()
    const calls = [
      () => employees.deleteAll({ q: 'ann' } as never),
      () => employees.deleteAll({ maxAfected: 1 } as never),
      () => employees.deleteAll({ maxAffected: undefined } as never),
      () => employees.deleteAll({ maxAffected: Number.NaN }),
      () => employees('1').delete({ ifRevision: undefined } as never),
      () => employees('1').delete({ maxAffected: 1 } as never),
      () => employees.list({ filter: 'x' } as never),
      () => employees.count({ sort: ['name'] } as never),
      () => employees.deleteAll(7 as never),
      () => employees.deleteAll([] as never),
      () => employees.deleteAll(null as never),
      () => employees.deleteAll(new Set(['e-ada']) as never),
      () => employees.deleteAll((({ name }: { name: string }) => name === 'Ada') as never),
      () => employees.list(new URLSearchParams('q=ann') as never),
      () => Reflect.apply(employees.deleteAll, undefined, [{}, { maxAffected: 1 }]),
      () => Reflect.apply(employees.deleteAll, undefined, [undefined, { maxAffected: 1 }]),
      () => Reflect.apply(employees('e-ada').delete, undefined, [{}, { ifRevision: 1 }]),
    ]
    for (const call of calls) expect(await thrownBy(call())).toBeInstanceOf(TypeError)
    expect(await employees.count()).toBe(4)
  })

  test('lists the allowed names in the message', async () => {
    const { employees } = clientOf()
    const messages = [
      employees('1').read({ ifRevision: 1 } as never),
      employees.deleteAll({ limit: 1 } as never),
      employees.first({ limit: 1 } as never),
    ].map(async (call) => String(await thrownBy(call)))
    expect(await Promise.all(messages)).toEqual([
      'TypeError: Unknown option "ifRevision". Allowed: fields, include',
      'TypeError: Unknown option "limit". Allowed: signal, headers, maxAffected',
      'TypeError: Unknown option "limit". Allowed: q, where, sort, fields, include',
    ])
  })

  test('take a relative base URL in a page', async () => {
    Object.defineProperty(globalThis, 'location', {
      value: { href: 'https://app.test/deep/page?x#y' },
      configurable: true,
    })
    const urls: string[] = []
    const fetch = ({ url }: Request) => {
      urls.push(url)
      return Response.json({ count: 0 })
    }
    for (const baseUrl of ['/', '/api/', '//cdn.test/x']) {
      await createClient<typeof api>({ baseUrl, fetch }).v1.employees.count()
    }
    Reflect.deleteProperty(globalThis, 'location')
    expect(urls).toEqual([
      'https://app.test/v1/employees/count',
      'https://app.test/api/v1/employees/count',
      'https://cdn.test/x/v1/employees/count',
    ])
  })
})

describe('a call throws', () => {
  test('the problem of the response', async () => {
    const error = await thrownBy(clientOf().employees.create({ ...ann, name: '' }))
    expect(isProblem(error) && [error.code, error.status, error.members.issues?.length]).toEqual([
      'validation_failed',
      422,
      1,
    ])
    expect(error).toBeInstanceOf(Error)
    const { employees } = clientOf()
    expect(await codeOf(employees.deleteAll({ maxAffected: 3 }))).toBe('too_many_affected')
    expect(await codeOf(employees('e-ada').delete({ ifRevision: 3 }))).toBe('precondition_failed')
    expect(await codeOf(employees.list({ after: 'x' }))).toBe('invalid_cursor')
    await employees.deleteAll()
    expect(await codeOf(employees.first())).toBe('empty_collection')
  })

  const answers: readonly (readonly [string, () => Response])[] = [
    [
      'a page of a gateway',
      () =>
        new Response('<h1>Bad gateway</h1>', {
          status: 502,
          headers: { 'content-type': 'text/html' },
        }),
    ],
    [
      'a page',
      () => new Response('<h1>Welcome</h1>', { headers: { 'content-type': 'text/html' } }),
    ],
    ['nothing', () => new Response(null, { status: 204 })],
    [
      'broken JSON',
      () => new Response('[{"id":', { headers: { 'content-type': 'application/json' } }),
    ],
    ['an item instead of a list', () => Response.json({ id: '1' })],
    ['items without ids', () => Response.json([{}])],
    [
      'a code there is not',
      () =>
        Response.json(
          { code: 'teapot', detail: 'x' },
          { status: 418, headers: { 'content-type': 'application/problem+json' } },
        ),
    ],
  ]
  for (const [name, answer] of answers) {
    test(`the whole response of ${name}`, async () => {
      const { v1 } = createClient<typeof api>({ baseUrl: 'http://x', fetch: answer })
      const error = await thrownBy(v1.employees.list())
      expect(isUnexpected(error)).toBe(true)
      const { status, headers } = answer()
      expect(error).toMatchObject({
        status,
        headers: Object.fromEntries(headers),
        body: await answer().text(),
      })
      expect(error).toBeInstanceOf(Error)
    })
  }

  test('the error of fetch', async () => {
    const { v1 } = createClient<typeof api>({ baseUrl: 'http://127.0.0.1:1' })
    expect(await thrownBy(v1.employees.list())).toMatchObject({
      name: 'TypeError',
      message: 'fetch failed',
    })
    const own = new Error('own')
    const failing = createClient<typeof api>({
      baseUrl: 'http://x',
      fetch: () => Promise.reject(own),
    })
    expect(await thrownBy(failing.v1.employees.list())).toBe(own)
  })

  test('the reason of an abort', async () => {
    const never = createClient<typeof api>({
      baseUrl: 'http://x',
      fetch: () => new Promise(() => undefined),
    })
    const reason = new Error('gone')
    const controller = new AbortController()
    const list = thrownBy(never.v1.employees.list({}, { signal: controller.signal }))
    controller.abort(reason)
    expect(await list).toBe(reason)
    expect(await thrownBy(never.v1.employees.list({}, { signal: AbortSignal.abort(reason) }))).toBe(
      reason,
    )
    expect(
      await thrownBy(never.v1.employees.count({}, { signal: AbortSignal.timeout(1) })),
    ).toMatchObject({ name: 'TimeoutError' })
  })

  test('the reason of an abort before the request', async () => {
    const sent: string[] = []
    let give: (headers: Record<string, string>) => void = () => undefined
    let asked = 0
    const { v1 } = createClient<typeof api>({
      baseUrl: 'http://x',
      headers: () => {
        asked++
        return new Promise((resolve) => {
          give = resolve
        })
      },
      fetch: ({ url }) => {
        sent.push(url)
        return Response.json({ deleted: 4 })
      },
    })
    const reason = new Error('gone')
    const controller = new AbortController()
    const deleted = thrownBy(v1.employees.deleteAll({ signal: controller.signal }))
    controller.abort(reason)
    expect(await deleted).toBe(reason)
    give({})
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(await thrownBy(v1.employees.deleteAll({ signal: controller.signal }))).toBe(reason)
    expect([sent, asked]).toEqual([[], 1])
  })
})

describe('headers', () => {
  test('go with every call, and a call overrides the client', async () => {
    const seen: Headers[] = []
    let times = 0
    const { v1 } = createClient<typeof api>({
      baseUrl: 'http://x',
      headers: async () => ({
        authorization: `Bearer ${++times}`,
        accept: 'text/html',
        'X-One': '1',
      }),
      fetch: ({ headers }) => {
        seen.push(headers)
        return Response.json({ count: 0, id: '1' })
      },
    })
    await v1.employees.count()
    await v1
      .employees('1')
      .update(ann, { headers: { 'x-one': '2', 'Content-Type': 'text/plain' }, ifRevision: 'ä"1' })
    await v1.employees('1').delete({ headers: new Headers({ 'x-two': '2' }) })
    expect(seen.map((headers) => Object.fromEntries(headers))).toEqual([
      {
        accept: 'application/json, application/problem+json',
        authorization: 'Bearer 1',
        'x-one': '1',
      },
      {
        accept: 'application/json, application/problem+json',
        authorization: 'Bearer 2',
        'x-one': '2',
        'content-type': 'application/json',
        'if-match': '"%C3%A4%221"',
      },
      {
        accept: 'application/json, application/problem+json',
        authorization: 'Bearer 3',
        'x-one': '1',
        'x-two': '2',
      },
    ])
  })
})

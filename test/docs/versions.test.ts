import { defineApi, defineRegistry, type HttpRequest, handle, type Registry } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { writeSnippets } from './snippets.ts'

const paths = new Map(
  writeSnippets('docs/versions.md', 'versions').map(({ name, path }) => [name, path]),
)
const load = async (name: string) => import(/* @vite-ignore */ String(paths.get(name)))

const asking = (registry: Registry) => async (line: string, body?: HttpRequest['body']) => {
  const [method = '', url = ''] = line.split(' ')
  const headers = { 'content-type': 'application/json' }
  return handle({ method, url, headers, body }, registry)
}

describe('the versions of the guide', () => {
  test('write what they say, and keep the rest', async () => {
    const ask = asking((await load('employees.ts')).registry)
    const made = await ask('POST /v1/employees', { name: 'Ida', active: true })
    expect(made.status).toBe(201)
    const [, id] = /^\/v1\/employees\/(.*)$/.exec(`${made.headers.location}`) ?? []
    const stored = { id, full_name: 'Ida', state: 'active', email: null }
    expect((await ask(`GET /v2/employees/${id}`)).body).toEqual(stored)
    const patch = { state: 'archived', email: 'i@x.org' }
    const changed = handle(
      {
        method: 'PATCH',
        url: `/v2/employees/${id}`,
        headers: { 'content-type': 'application/merge-patch+json' },
        body: patch,
      },
      (await load('employees.ts')).registry,
    )
    expect((await changed).body).toEqual({ ...stored, ...patch })
    const put = { name: 'Ida Lund', active: false }
    expect((await ask(`PUT /employees/${id}`, put)).body).toEqual({ id, ...put })
    expect((await ask(`GET /v2/employees/${id}`)).body).toEqual({
      ...stored,
      ...patch,
      full_name: 'Ida Lund',
    })
    expect((await ask('GET /v1/employees?active=false&q=lund&sort=name')).body).toHaveLength(1)
  })

  test('split a text, and reach into an object', async () => {
    const { people, people_v2 } = await load('people.ts')
    const api = defineApi({ v1: { '/people': people }, v2: { '/people': people_v2 } })
    const registry = Reflect.apply(
      defineRegistry(api, { defaultVersion: 'v1' } as object).adapters,
      undefined,
      [{ people_v2: memoryAdapter() }],
    )
    const ask = asking(registry)
    const person = { name: 'Ada King Lovelace', city: 'London', price: '1.50', fax: null }
    const { status, body } = await ask('POST /v1/people', person)
    expect({ status, body }).toMatchObject({ status: 201, body: person })
    const { id } = body as { id: string }
    expect((await ask(`GET /v2/people/${id}`)).body).toEqual({
      id,
      first_name: 'Ada King',
      last_name: 'Lovelace',
      address: { city: 'London' },
      cents: 150,
    })
    expect(await ask('POST /v1/people', { ...person, price: '1.505' })).toMatchObject({
      status: 422,
      body: { issues: [{ pointer: '/price', code: 'unrepresentable' }] },
    })
  })

  test('keep what an old client does not know', async () => {
    const { notes } = await load('keep.ts')
    const api = defineApi({ v1: { '/notes': notes } })
    const items = [{ id: '1', text: 'a', color: 'red' }]
    const registry = Reflect.apply(defineRegistry(api).adapters, undefined, [
      { notes: memoryAdapter<never>({ items: items as never }) },
    ])
    const ask = asking(registry)
    const put = async (body: HttpRequest['body']) => (await ask('PUT /v1/notes/1', body)).body
    expect(await put({ text: 'b' })).toEqual({ id: '1', text: 'b', color: 'red' })
    expect(await put({ text: 'b', color: null })).toEqual({ id: '1', text: 'b', color: null })
  })
})

import {
  defineApi,
  defineRegistry,
  defineResource,
  type HttpResponse,
  handle,
  type Registry,
} from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { read, writeSnippets } from './snippets.ts'

const paths = new Map(
  writeSnippets('docs/owners.md', 'owners').map(({ name, path }) => [name, path]),
)

type Ask = (user: string, line: string, body?: object, headers?: object) => Promise<HttpResponse>

async function load(name: string): Promise<Ask> {
  const { registry } = await import(/* @vite-ignore */ String(paths.get(name)))
  return asking(registry)
}

function asking(registry: Registry): Ask {
  return async (user, line, body, more) => {
    const [method = '', path = ''] = line.split(' ')
    const type = body && { 'content-type': 'application/json' }
    const headers = { authorization: `Bearer ${user}`, ...type, ...more }
    return handle({ method, url: `/v1${path}`, headers, ...(body && { body }) }, registry)
  }
}

describe('owners', () => {
  test('hide a restricted field from all but HR', async () => {
    const ask = await load('restricted.ts')
    const made = await ask('hr', 'POST /workers', { name: 'Ida', salary: 5000 })
    expect(made).toMatchObject({ status: 201, body: { salary: 5000 } })
    const path = String(made.headers.location).slice('/v1'.length)
    expect((await ask('ann', `GET ${path}`)).body).not.toHaveProperty('salary')
    expect((await ask('ann', `PATCH ${path}`, { salary: 1 })).status).toBe(422)
  })

  test('confine every operation to the caller', async () => {
    const ask = await load('registry.ts')
    const made = await ask('ann', 'POST /projects', { name: 'Launch' })
    expect(made).toMatchObject({ status: 201, body: { tenant_id: 'acme' } })
    const path = String(made.headers.location).slice('/v1'.length)
    expect((await ask('ann', `POST ${path}/tasks`, { title: 'Plan' })).status).toBe(201)
    for (const line of [`GET ${path}`, `PATCH ${path}`, `DELETE ${path}`, `GET ${path}/tasks`]) {
      const body = line.startsWith('PATCH') ? { name: 'x' } : undefined
      const other = await ask('gia', line, body)
      expect(other.status).toBe(404)
      const absent = await ask('gia', line.replace(path, '/projects/none'), body)
      // The message names the id that the client sent.
      const id = path.slice('/projects/'.length)
      expect(JSON.stringify(other).replaceAll(id, 'none')).toBe(JSON.stringify(absent))
    }
    expect((await ask('ann', `DELETE ${path}/tasks`)).body).toEqual({ deleted: 1 })
    expect((await ask('gia', 'GET /projects/count?q=launch')).body).toEqual({ count: 0 })
    expect((await ask('gia', 'DELETE /projects')).body).toEqual({ deleted: 0 })
    expect((await ask('ops', 'GET /projects/count')).body).toEqual({ count: 1 })
    expect((await ask('gia', 'POST /countries', { id: 'ch', name: 'CH' })).status).toBe(201)
    expect((await ask('ann', 'GET /countries/ch')).status).toBe(200)
  })

  test('are named by a caller of every owner', async () => {
    const ask = await load('registry.ts')
    const required = { issues: [{ pointer: '/tenant_id', code: 'required' }] }
    const refused = await ask('ops', 'POST /projects', { name: 'New' })
    expect(refused).toMatchObject({ status: 422, body: required })
    const made = await ask('ops', 'POST /projects', { name: 'New', tenant_id: 'globex' })
    expect(made.status).toBe(201)
    const path = String(made.headers.location).slice('/v1'.length)
    const put = await ask('ops', `PUT ${path}`, { name: 'New' })
    expect(put).toMatchObject({ status: 422, body: required })
    const moved = await ask('ops', `PATCH ${path}`, { tenant_id: 'acme' })
    expect(moved).toMatchObject({ status: 200, body: { tenant_id: 'acme' } })
    const code = 'too_many_affected'
    expect(await ask('ops', 'DELETE /projects')).toMatchObject({ status: 409, body: { code } })
    const bound = { prefer: 'max-affected=9' }
    expect((await ask('ops', 'DELETE /projects', undefined, bound)).status).toBe(200)
  })

  test('may be several, and a new item names one', async () => {
    const ask = await load('organisations.ts')
    const required = { issues: [{ pointer: '/organisation_id', code: 'required' }] }
    const refused = await ask('ann', 'POST /notes', { text: 'a' })
    expect(refused).toMatchObject({ status: 422, body: required })
    const other = await ask('ann', 'POST /notes', { text: 'a', organisation_id: 'umbra' })
    expect(other).toMatchObject({ status: 422, body: { issues: [{ code: 'scope_mismatch' }] } })
    const note = { text: 'a', organisation_id: 'globex' }
    expect((await ask('ann', 'POST /notes', note)).status).toBe(201)
    const own = await ask('ben', 'POST /notes', { text: 'b' })
    expect(own).toMatchObject({ status: 201, body: { organisation_id: 'acme' } })
    expect((await ask('ann', 'GET /notes/count')).body).toEqual({ count: 2 })
    expect((await ask('ben', 'GET /notes')).body).toEqual([own.body])
    expect((await ask('ben', 'GET /notes?organisation_id=globex')).body).toEqual([])
  })
})

const Note = z.object({ id: z.string(), tenant_id: z.string() })
const Line = z.object({ id: z.string(), note_id: z.string() })
const PageLine = z.object({ id: z.string(), page_id: z.string() })
const notes = defineResource('notes', { schema: Note, ownedBy: ['tenant_id'] })
const lines = defineResource('lines', { schema: Line, ownedBy: 'parent' })
const pages = defineResource('pages', { schema: z.object({ id: z.string() }), ownedBy: [] })
const bare = defineResource('pages', { schema: z.object({ id: z.string() }) })
// As code without types calls it.
const declare = defineResource as (name: string, declaration: object) => unknown
const bind = defineRegistry as (api: unknown) => {
  scope(make: () => unknown): ReturnType<typeof bind>
  onError(listener: (error: unknown) => void): ReturnType<typeof bind>
  adapters(adapters: object): Registry
}
const owned = defineApi({ v1: { '/notes': notes } })

// biome-ignore format: a row stays a line
const mistakes: [name: string, make: () => unknown][] = [
  ['no owner',            () => defineApi({ v1: { '/notes': notes, '/invoices': defineResource('invoices', { schema: Note }) } })],
  ['an unknown field',    () => declare('notes', { schema: Note, ownedBy: ['owner'] })],
  ['a read-only owner',   () => declare('notes', { schema: Note, create: Note.pick({}), ownedBy: ['tenant_id'], readOnly: ['tenant_id'] })],
  ['ids that count up',   () => declare('notes', { schema: Note.extend({ id: z.int() }), id: z.coerce.number().pipe(z.int()), ownedBy: ['tenant_id'] })],
  ['no parent',           () => defineApi({ v1: { '/notes': notes, '/lines': lines } })],
  ['a parent of nobody',  () => defineApi({ v1: { '/notes': notes, '/pages': pages, '/pages/:page_id/lines': defineResource('lines', { schema: PageLine, ownedBy: 'parent' }) } })],
  ['no reference',        () => defineApi({ v1: { '/notes': notes, '/notes/:note_id/lines': lines } })],
  ['no scope',            () => bind(owned).adapters({ notes: memoryAdapter() })],
  ['a scope for nothing', () => bind(defineApi({ v1: { '/pages': bare } })).scope(() => ({})).adapters({ pages: memoryAdapter() })],
]

describe('docs/owners.md quotes the message of', () => {
  // A message that is too long for a line goes on in the next one.
  const page = read('docs/owners.md').replaceAll('\n  ', ' ')
  for (const [name, make] of mistakes) {
    test(name, () => {
      let message = ''
      try {
        make()
      } catch (error) {
        message = (error as Error).message
      }
      expect(message).not.toBe('')
      expect(page).toContain(`\n${message}\n`)
    })
  }

  for (const given of [{}, null]) {
    test(`a scope of ${JSON.stringify(given)}`, async () => {
      const told: string[] = []
      const registry = bind(owned)
        .scope(() => given)
        .onError((error) => told.push((error as Error).message))
        .adapters({ notes: memoryAdapter() })
      expect((await asking(registry)('ann', 'GET /notes')).status).toBe(500)
      expect(page).toContain(`\n${told[0]}\n`)
    })
  }
})

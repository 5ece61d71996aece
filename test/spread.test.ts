import { createServer } from 'node:http'
import {
  defineApi,
  defineRegistry,
  defineResource,
  type HttpRequest,
  type HttpResponse,
  handle,
  type Layer,
  type Operation,
} from 'nounful'
import { toFetchHandler } from 'nounful/fetch'
import { toNodeListener } from 'nounful/node'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { portOf } from './support/listening.ts'

const Note = z.object({ id: z.string(), text: z.string(), by: z.string().optional() })
const notes = defineResource('notes', { schema: Note, create: Note.partial({ id: true }) })
const api = defineApi({ v1: { '/notes': notes } })

/** Objects that users receive and copy with a spread. */
interface Seen {
  readonly requests: HttpRequest[]
  readonly operations: Operation[]
}

function service(): { readonly seen: Seen; readonly registry: ReturnType<typeof build> } {
  const seen: Seen = { requests: [], operations: [] }
  return { seen, registry: build(seen) }
}

function build({ requests, operations }: Seen) {
  return defineRegistry(api)
    .onError((_, { request }) => {
      requests.push({ ...request })
    })
    .context((request) => {
      requests.push({ ...request })
      return { by: request.headers?.['x-by'] }
    })
    .use((operation, _, next) => {
      operations.push({ ...operation })
      return next()
    })
    .adapters({
      notes: {
        create: (operation, { by }) => {
          operations.push({ ...operation })
          const { text, id = '1' } = operation.item
          return { id, text, by: String(by) }
        },
        delete: () => {
          throw new Error('broken')
        },
      },
    })
}

const signing: Layer = (request, answer) =>
  answer({ ...request, headers: { ...request.headers, 'x-by': 'ann' } })

type Send = (url: string, init: RequestInit) => Promise<{ status: number; body: unknown }>
type Registry = ReturnType<typeof build>

const doors: Readonly<Record<string, (registry: Registry) => Promise<Send>>> = {
  'a listener of Node': async (registry) => {
    const port = await portOf(createServer(toNodeListener(registry, { layers: [signing] })))
    return async (url, init) => shown(await fetch(`http://127.0.0.1:${port}${url}`, init))
  },
  'a fetch handler': async (registry) => {
    const serve = toFetchHandler(registry, { layers: [signing] })
    return async (url, init) => shown(await serve(new Request(`http://localhost${url}`, init)))
  },
}

async function shown(response: Response) {
  return { status: response.status, body: await response.json() }
}

const posted = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ id: '1', text: 'Buy milk' }),
}

describe('a spread copies every member', () => {
  for (const [door, open] of Object.entries(doors)) {
    test(`of a request from ${door}`, async () => {
      const { seen, registry } = service()
      const send = await open(registry)
      const created = { status: 201, body: { id: '1', text: 'Buy milk', by: 'ann' } }
      expect(await send('/v1/notes', posted)).toEqual(created)
      expect((await send('/v1/notes/1', { method: 'DELETE' })).status).toBe(500)
      expect(seen.requests).toHaveLength(3)
      for (const request of seen.requests) {
        expect(request.signal).toBeInstanceOf(AbortSignal)
        expect(request.headers).toMatchObject({ 'x-by': 'ann' })
        expect(request).toHaveProperty('source')
        expect(request).toHaveProperty('given')
        expect(request).toHaveProperty('base', '')
      }
      expect(typeof seen.requests[0]?.body).toBe('function')
    })
  }

  test('of an operation', async () => {
    const { seen, registry } = service()
    await handle({ ...posted, url: '/v1/notes' }, registry)
    expect(seen.operations.map(({ kind }) => kind)).toEqual(['create', 'create'])
    const members =
      'kind resource version path scope id query item items maxAffected ifRevision signal'
    for (const operation of seen.operations) {
      expect(operation.signal).toBeInstanceOf(AbortSignal)
      expect(Object.keys(operation)).toEqual(expect.arrayContaining(members.split(' ')))
    }
  })

  test('of a request whose class the caller wrote', async () => {
    class Asked implements HttpRequest {
      readonly #text = 'Buy milk'
      readonly method = 'POST'
      readonly url = '/v1/notes'

      get headers() {
        return { 'Content-Type': 'application/json', 'X-By': 'bob' }
      }

      get body() {
        return JSON.stringify({ text: this.#text })
      }
    }
    const { registry } = service()
    const { status, body }: HttpResponse = await handle(new Asked(), registry)
    expect([status, body]).toMatchObject([201, { text: 'Buy milk', by: 'bob' }])
  })
})

import { handle, type Layer } from 'nounful'
import { toFetchHandler } from 'nounful/fetch'
import { describe, expect, test, vi } from 'vitest'
import { companiesRegistry } from './support/companies.ts'
import { delayed, mapOf, notesWith, noting } from './support/registry.ts'

const base = 'http://any.example'
const json = { 'content-type': 'application/json' }
const notes = () => notesWith(mapOf({ id: 'a', text: 'Ann' }))

function posting(body: BodyInit, headers: Record<string, string> = json): Request {
  return new Request(`${base}/notes`, {
    method: 'POST',
    headers,
    body,
    duplex: 'half',
  } as RequestInit)
}

function streamOf(pull: (controller: ReadableStreamDefaultController<unknown>) => unknown) {
  const cancelled: unknown[] = []
  const stream = new ReadableStream({
    pull: (controller) => void pull(controller),
    cancel: (reason) => void cancelled.push(reason),
  })
  return { stream, cancelled }
}

async function codeOf(response: Response): Promise<string> {
  return response.status < 400
    ? `${response.status}`
    : `${response.status} ${(await response.json()).code}`
}

describe('a fetch handler', () => {
  test('responds synchronously if it can', async () => {
    const response = toFetchHandler(notes().registry)(new Request(`${base}/notes/a`))
    expect(response).toBeInstanceOf(Response)
    const { status, headers } = response as Response
    expect([status, Object.fromEntries(headers)]).toEqual([
      200,
      { 'content-type': 'application/json', 'content-length': '23' },
    ])
    expect(await (response as Response).text()).toBe('{"id":"a","text":"Ann"}')
  })

  test('returns a promise if it waits', async () => {
    const { registry } = notesWith(delayed(mapOf({ id: 'a' })))
    const response = toFetchHandler(registry)(new Request(`${base}/notes/a`))
    expect(response).toBeInstanceOf(Promise)
    expect((await response).status).toBe(200)
  })

  test('looks up single header fields', async () => {
    const { registry } = notesWith(mapOf())
    const request = posting('{"text":"x"}', { ...json, 'x-other': '1' })
    Object.defineProperty(request.headers, Symbol.iterator, {
      value: () => {
        throw new Error('All of them were asked for.')
      },
    })
    expect((await toFetchHandler(registry)(request)).status).toBe(201)
  })

  test('reads the header fields that a layer sets', async () => {
    const others = { ...json, 'content-encoding': 'br' }
    const layers: readonly Layer[] = [
      (request, answer) => answer(Object.create(request, { headers: { value: others } })),
      (request, answer) =>
        answer(
          new Proxy(request, {
            get: (of, name) => (name === 'headers' ? others : Reflect.get(of, name)),
          }),
        ),
      (request, answer) => {
        Object.assign(request.headers ?? {}, others)
        return answer(request)
      },
    ]
    for (const layer of layers) {
      const handler = toFetchHandler(notesWith(mapOf()).registry, { layers: [layer] })
      expect(await codeOf(await handler(posting('{"text":"x"}')))).toBe('400 unsupported_encoding')
    }
  })

  test('counts the length in bytes', async () => {
    const { registry } = notesWith(mapOf({ id: 'a', text: '日本 😀' }))
    const response = await toFetchHandler(registry)(new Request(`${base}/notes/a`))
    const length = (await response.clone().arrayBuffer()).byteLength
    expect(response.headers.get('content-length')).toBe(`${length}`)
  })

  test('responds to HEAD with a length and no body', async () => {
    const { registry } = notes()
    const get = await toFetchHandler(registry)(new Request(`${base}/notes`))
    const head = await toFetchHandler(registry)(new Request(`${base}/notes`, { method: 'HEAD' }))
    expect([head.status, head.body]).toEqual([get.status, null])
    expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(get.headers))
  })

  test('rejects a fragment', async () => {
    for (const url of [`${base}/notes/a#part`, `${base}/notes#/a`]) {
      const answer = await toFetchHandler(notes().registry)(new Request(url, { method: 'DELETE' }))
      expect([answer.status, (await answer.json()).code]).toEqual([400, 'bad_path'])
    }
  })

  test('removes its base from paths and adds it to links', async () => {
    const { registry } = notesWith({ list: () => [{ id: 'a' }, { id: 'b' }] })
    const serve = toFetchHandler(registry, { base: '/api' })
    for (const path of ['/api/notes?limit=1', '/notes?limit=1']) {
      const answer = await serve(new Request(`${base}${path}`))
      expect(answer.headers.get('link')).toMatch(/^<\/api\/v1\/notes\?limit=1&after=/)
    }
    const answers = { '/api': 200, '/api?q=a': 400, '/apiary/notes': 404 }
    for (const [path, status] of Object.entries(answers)) {
      expect((await serve(new Request(`${base}${path}`))).status).toBe(status)
    }
    for (const wrong of ['api', '/api/', '/api?x', 'http://x/api']) {
      expect(() => toFetchHandler(notes().registry, { base: wrong })).toThrow(
        /write it like "\/api"/,
      )
    }
  })

  test('passes the request and its signal on', async () => {
    const seen: unknown[] = []
    const { registry } = notesWith(
      { read: (operation) => noting(seen, operation.signal, new Promise(() => undefined)) },
      { context: ({ source }) => noting(seen, source, null) },
    )
    const controller = new AbortController()
    const request = new Request(`${base}/notes/a`, { signal: controller.signal })
    void toFetchHandler(registry)(request)
    controller.abort(new Error('gone'))
    expect(seen[0]).toBe(request)
    expect(seen[1]).toMatchObject({ aborted: true, reason: new Error('gone') })
  })

  test('has no prefix by default', async () => {
    const registry = companiesRegistry()
    const response = await toFetchHandler(registry)(new Request(`${base}/v1/employees?limit=1`))
    const answer = await handle({ method: 'GET', url: '/v1/employees?limit=1' }, registry)
    expect(response.headers.get('link')).toBe(answer.headers.link)
  })
})

describe('a body', () => {
  const text = '{"text":"é"}'

  test('is read in one piece or many', async () => {
    const bytes = new TextEncoder().encode(text)
    const parts = [bytes.slice(0, 10), bytes.slice(10, 11), new Uint8Array(), bytes.slice(11)]
    const { stream } = streamOf((controller) => {
      const part = parts.shift()
      if (part) controller.enqueue(part)
      else controller.close()
    })
    for (const body of [text, bytes, new Blob([text]), stream]) {
      const response = await toFetchHandler(notes().registry)(posting(body))
      expect([response.status, await response.json()]).toEqual([201, { id: 'n2', text: 'é' }])
    }
  })

  test('without an end is rejected and cancelled', async () => {
    const chunk = new Uint8Array(65_536).fill(97)
    const { stream, cancelled } = streamOf((controller) => controller.enqueue(chunk))
    const response = await toFetchHandler(notes().registry)(posting(stream))
    expect(await codeOf(response)).toBe('400 body_too_large')
    expect(cancelled).toHaveLength(1)
  })

  // Some hosts close the connection at a cancel, before the client has its response.
  test('that is rejected and short is read to its end', async () => {
    const left = [new Uint8Array(2_000_000), new Uint8Array(1000)]
    let isEnded = false
    const { stream, cancelled } = streamOf((controller) => {
      const chunk = left.shift()
      if (chunk) return controller.enqueue(chunk)
      controller.close()
      isEnded = true
    })
    const response = await toFetchHandler(notes().registry)(posting(stream))
    expect(await codeOf(response)).toBe('400 body_too_large')
    await vi.waitFor(() => expect(isEnded).toBe(true))
    expect(cancelled).toEqual([])
  })

  test('whose cancel fails is rejected', async () => {
    const stream = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(2_000_000)),
      cancel: () => Promise.reject(new Error('no')),
    })
    expect(await codeOf(await toFetchHandler(notes().registry)(posting(stream)))).toBe(
      '400 body_too_large',
    )
  })

  test('with too large a length stays unread', async () => {
    const { stream } = streamOf(() => {
      throw new Error('read')
    })
    const headers = { ...json, 'content-length': '2000000' }
    expect(await codeOf(await toFetchHandler(notes().registry)(posting(stream, headers)))).toBe(
      '400 body_too_large',
    )
  })

  test('that breaks off is 400', async () => {
    const { stream } = streamOf((controller) => controller.error(new Error('reset')))
    const { registry, errors } = notes()
    expect(await codeOf(await toFetchHandler(registry)(posting(stream)))).toBe('400 bad_request')
    expect(errors).toEqual([])
  })

  const used: [name: string, use: (request: Request) => unknown][] = [
    ['that was read', (request) => request.text()],
    ['that somebody else reads', (request) => request.body?.getReader()],
  ]
  for (const [name, use] of used) {
    test(`${name} is 500 and reported`, async () => {
      const { registry, errors } = notes()
      const request = posting(text)
      await use(request)
      expect(await codeOf(await toFetchHandler(registry)(request))).toBe('500 internal_error')
      expect(errors).toEqual([
        new TypeError('Other code read the body before the handler. Leave the body unread.'),
      ])
    })
  }

  test('without bytes is 500 and reported', async () => {
    const request = posting(text)
    const { stream } = streamOf((controller) => controller.enqueue('text'))
    Object.defineProperty(request, 'body', { value: stream })
    const { registry, errors } = notes()
    expect(await codeOf(await toFetchHandler(registry)(request))).toBe('500 internal_error')
    expect(errors).toEqual([new TypeError('The request body must be a stream of bytes')])
  })

  test('may be empty for a method without a body', async () => {
    for (const body of [null, '', new Uint8Array()]) {
      const request = new Request(`${base}/notes/a`, { method: 'DELETE', body })
      expect(await codeOf(await toFetchHandler(notes().registry)(request))).toBe('200')
    }
    const request = new Request(`${base}/notes`, { method: 'DELETE', headers: json, body: '[]' })
    expect(await codeOf(await toFetchHandler(notes().registry)(request))).toBe(
      '400 body_not_allowed',
    )
  })

  test('of a client that left has no effect', async () => {
    const { stream } = streamOf(() => undefined)
    const controller = new AbortController()
    const init = {
      method: 'POST',
      headers: json,
      body: stream,
      duplex: 'half',
      signal: controller.signal,
    }
    const { registry, errors } = notes()
    const response = toFetchHandler(registry)(new Request(`${base}/notes`, init as RequestInit))
    controller.abort()
    // The runtime breaks the stream off. No promise rejects.
    await Promise.race([response, new Promise((resolve) => setTimeout(resolve, 20))])
    expect(errors).toEqual([])
  })
})

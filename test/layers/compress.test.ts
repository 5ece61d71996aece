import { text as textOf } from 'node:stream/consumers'
import { brotliDecompressSync, createGunzip, gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, test, vi } from 'vitest'
import { toFetchHandler } from '../../src/fetch.ts'
import type { Layer, Registry } from '../../src/index.ts'
import { compress, cors } from '../../src/layers.ts'
import { refusalOf } from '../contract/thrown.ts'
import { type Loose, mapOf, notesWith } from '../support/registry.ts'
import { generated, notesUpTo, throwing, until } from '../support/streams.ts'

const long = { id: 'long', text: 'é😀'.repeat(400), rank: 7 }
const items = mapOf(long, { id: 'short', text: 'x' })
const declaration = { revision: 'rank' }
const own = (adapter: Loose): Registry => notesWith(adapter, { declaration }).registry

interface Asking {
  readonly adapter?: Loose
  readonly layers?: readonly Layer[]
  readonly method?: string
  readonly accepts?: string
}

async function ask(target: string, asking: Asking = {}): Promise<Response> {
  const { adapter = items, layers = [compress()], method = 'GET', accepts } = asking
  const headers = accepts === undefined ? undefined : { 'accept-encoding': accepts }
  const request = new Request(`http://x${target}`, { method, ...(headers && { headers }) })
  return toFetchHandler(own(adapter), { layers })(request)
}

async function decoded(response: Response): Promise<string> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  const coding = response.headers.get('content-encoding')
  if (coding === 'br') return brotliDecompressSync(bytes).toString()
  return (coding === 'gzip' ? gunzipSync(bytes) : Buffer.from(bytes)).toString()
}

const fields = ({ headers }: Response): (string | null)[] =>
  ['content-encoding', 'vary'].map((name) => headers.get(name))

const adding =
  (headers: Readonly<Record<string, string>>): Layer =>
  async (request, next) => {
    const response = await next(request)
    return { ...response, headers: { ...response.headers, ...headers } }
  }

describe('a body', () => {
  for (const coding of ['br', 'gzip']) {
    test(`is compressed with ${coding}, with its length`, async () => {
      const response = await ask('/notes/long', { accepts: coding })
      expect(fields(response)).toEqual([coding, 'Accept-Encoding'])
      const size = (await response.clone().arrayBuffer()).byteLength
      expect(size).toBeLessThan(200)
      expect(response.headers.get('content-length')).toBe(`${size}`)
      expect(JSON.parse(await decoded(response))).toEqual(long)
    })

    test(`of more than 64 KiB is compressed with ${coding}`, async () => {
      const list = notesUpTo(1900, 'x'.repeat(100))
      const response = await ask('/notes', { adapter: { list: () => list }, accepts: coding })
      expect(response.headers.get('content-length')).toMatch(/^\d+$/)
      expect(JSON.parse(await decoded(response))).toEqual(list)
    })
  }

  test('stays as it is without Accept-Encoding, and still varies', async () => {
    const response = await ask('/notes/long')
    expect(fields(response)).toEqual([null, 'Accept-Encoding'])
    expect(await response.json()).toEqual(long)
  })

  test('below the threshold stays as it is', async () => {
    expect(fields(await ask('/notes/short', { accepts: 'gzip' }))).toEqual([
      null,
      'Accept-Encoding',
    ])
    // The threshold counts bytes: this text has 1,200 characters.
    const size = Buffer.byteLength(JSON.stringify(long))
    for (const [threshold, coding] of [
      [size, 'gzip'],
      [size + 1, null],
      [0, 'gzip'],
    ] as const) {
      const response = await ask('/notes/long', {
        layers: [compress({ threshold })],
        accepts: 'gzip',
      })
      expect(response.headers.get('content-encoding')).toBe(coding)
    }
  })

  test('keeps its ETag, which names the revision', async () => {
    const tags = await Promise.all(
      [undefined, 'gzip', 'br'].map(async (accepts) => {
        const response = await ask('/notes/long', accepts === undefined ? {} : { accepts })
        return response.headers.get('etag')
      }),
    )
    expect(tags).toEqual(['"7"', '"7"', '"7"'])
  })

  test('has the same headers for HEAD', async () => {
    for (const target of ['/notes/long', '/notes/short']) {
      const [get, head] = await Promise.all(
        ['GET', 'HEAD'].map((method) => ask(target, { method, accepts: 'gzip' })),
      )
      expect(head?.body).toBeNull()
      expect(Object.fromEntries(head?.headers ?? [])).toEqual(
        Object.fromEntries(get?.headers ?? []),
      )
    }
  })

  test('of a problem is compressed too', async () => {
    const response = await ask(`/notes?sort=${'x,'.repeat(7)}x&${'y'.repeat(1500)}=1`, {
      layers: [compress({ threshold: 10 })],
      accepts: 'gzip',
    })
    expect([response.status, response.headers.get('content-encoding')]).toEqual([400, 'gzip'])
    expect(JSON.parse(await decoded(response))).toMatchObject({ status: 400 })
  })

  test('of text that is no JSON is compressed', async () => {
    const page: Layer = () => ({
      status: 200,
      headers: { 'content-type': 'text/html' },
      body: '<p>'.repeat(1000),
    })
    const response = await ask('/', { layers: [compress(), page], accepts: 'br' })
    expect(await decoded(response)).toBe('<p>'.repeat(1000))
  })

  // biome-ignore format: a row stays a line
  const kept: readonly (readonly [name: string, value: string, coding: string | null])[] = [
    ['content-encoding', 'identity',               'identity'],
    ['cache-control',    'no-transform',           null],
    ['cache-control',    'private, No-Transform',  null],
    ['cache-control',    'no-transformation',      'gzip'],
    ['cache-control',    'no-store',               'gzip'],
  ]
  for (const [name, value, coding] of kept) {
    test(`with ${name}: ${value} has the coding ${coding}`, async () => {
      for (const layers of [
        [compress(), adding({ [name]: value })],
        [adding({ [name]: value }), compress()],
      ]) {
        const response = await ask('/notes/long', { layers, accepts: 'gzip' })
        expect(response.headers.get('content-encoding')).toBe(coding)
        expect(response.headers.has('vary')).toBe(coding === 'gzip')
      }
    })
  }

  test('is compressed once by two layers', async () => {
    const layers = [compress(), compress()]
    const response = await ask('/notes/long', { layers, accepts: 'gzip' })
    expect(fields(response)).toEqual(['gzip', 'Accept-Encoding'])
    expect(JSON.parse(await decoded(response))).toEqual(long)
  })

  test('varies by all that its layers vary by', async () => {
    const layers = [cors({ origins: ['https://a.example'] }), compress()]
    expect(fields(await ask('/notes/long', { layers, accepts: 'br' }))).toEqual([
      'br',
      'Origin, Accept-Encoding',
    ])
    expect(
      fields(await ask('/notes/long', { layers: [compress(), adding({ vary: '*' })] })),
    ).toEqual([null, '*'])
  })

  test('that the client sends compressed is 400', async () => {
    const handler = toFetchHandler(own(items), { layers: [compress()] })
    const request = new Request('http://x/notes', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: gzipSync('{"text":"a"}'),
    })
    const response = await handler(request)
    expect([response.status, (await response.json()).code]).toEqual([400, 'unsupported_encoding'])
  })
})

describe('a runtime without node:zlib', () => {
  function portable(): Layer {
    const hidden = vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined)
    try {
      return compress()
    } finally {
      hidden.mockRestore()
    }
  }

  test('has gzip for whole bodies', async () => {
    const response = await ask('/notes/long', { layers: [portable()], accepts: 'br, gzip;q=0.5' })
    expect(fields(response)).toEqual(['gzip', 'Accept-Encoding'])
    expect(JSON.parse(await decoded(response))).toEqual(long)
  })

  test('leaves a streamed list as it is, since it could not flush', async () => {
    const { adapter } = generated(5000)
    const response = await ask('/notes', { adapter, layers: [portable()], accepts: 'gzip' })
    expect(fields(response)).toEqual([null, 'Accept-Encoding'])
    expect(await response.json()).toEqual(notesUpTo(5000))
  })
})

describe('a streamed list', () => {
  for (const coding of ['br', 'gzip']) {
    test(`is compressed with ${coding}`, async () => {
      const text = 'é😀'
      const { adapter } = generated(5000, { text })
      const response = await ask('/notes', { adapter, accepts: coding })
      expect(fields(response)).toEqual([coding, 'Accept-Encoding'])
      expect(response.headers.has('content-length')).toBe(false)
      expect(JSON.parse(await decoded(response))).toEqual(notesUpTo(5000, text))
    })
  }

  test('arrives slice by slice', async () => {
    const list = generated(1_000_000)
    const response = await ask('/notes', { adapter: list.adapter, accepts: 'gzip' })
    const reader = response.body?.getReader()
    const gunzip = createGunzip()
    let read = ''
    gunzip.on('data', (chunk) => {
      read += chunk
    })
    for (let slice = 1; slice <= 3; slice++) {
      const { value } = (await reader?.read()) ?? {}
      await new Promise((resolve) => gunzip.write(value, resolve))
      expect(read.match(/"id"/g)?.length).toBe(slice * 1000)
      expect(list.made).toBeLessThanOrEqual((slice + 1) * 1000)
    }
    await reader?.cancel()
    expect(list.closed).toBe(1)
  })

  for (const coding of ['br', 'gzip']) {
    test(`that fails is never a whole ${coding}`, async () => {
      const { adapter } = generated(5000, { at: { 3500: throwing(new Error('boom')) } })
      const { body } = await ask('/notes', { adapter, accepts: coding })
      const chunks: Uint8Array[] = []
      const readAll = async (): Promise<void> => {
        for await (const chunk of body ?? []) chunks.push(chunk)
      }
      await expect(readAll()).rejects.toThrow()
      expect(chunks).toHaveLength(3)
      const decode = coding === 'br' ? brotliDecompressSync : gunzipSync
      expect(() => decode(Buffer.concat(chunks))).toThrow('unexpected end of file')
    })
  }

  test('for HEAD reads one slice', async () => {
    const list = generated(1_000_000)
    const response = await ask('/notes', { adapter: list.adapter, method: 'HEAD', accepts: 'br' })
    expect([response.body, ...fields(response)]).toEqual([null, 'br', 'Accept-Encoding'])
    await until(() => list.closed === 1)
    expect(list.made).toBe(1000)
  })

  test('that is an array of thousands is compressed in slices', async () => {
    const list = notesUpTo(9000)
    const response = await ask('/notes', { adapter: { list: () => list }, accepts: 'gzip' })
    const gunzip = createGunzip()
    gunzip.end(Buffer.from(await response.arrayBuffer()))
    expect(JSON.parse(await textOf(gunzip))).toEqual(list)
  })
})

test('An encoder that fails is 500, with the headers of outer layers', async () => {
  const failing: Layer = async (request, next) => ({
    ...(await next(request)),
    encode: () => {
      throw new Error('secret')
    },
  })
  for (const list of [generated(5000), undefined]) {
    const { registry, errors } = notesWith(list?.adapter ?? { list: () => [] })
    const layers = [cors({ origins: '*' }), failing]
    const headers = { origin: 'https://a.example' }
    const response = await toFetchHandler(registry, { layers })(
      new Request('http://x/notes', { headers }),
    )
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([
      500,
      '*',
    ])
    await until(() => list === undefined || list.closed === 1)
    expect(errors).toHaveLength(1)
  }
})

test('compress refuses unknown and invalid options', () => {
  expect(refusalOf(() => compress({ level: 9 } as object))).toContain('threshold')
  for (const threshold of [-1, 1.5, Number.NaN, '1024'])
    expect(refusalOf(() => compress({ threshold } as object))).toContain('bytes')
})

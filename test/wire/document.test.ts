import { handle } from 'nounful'
import { toFetchHandler } from 'nounful/fetch'
import { describe, expect, test } from 'vitest'
import { registry } from '../../examples/companies/registry.ts'
import type { Layer } from '../../src/contract/resource/http.ts'
import { documentAt, pathOf } from '../../src/wire/document.ts'

const css = () => ({ type: 'text/css; charset=utf-8', body: 'p { color: red }' })
const json = () => ({ type: 'application/json', body: { a: 1 }, headers: { 'x-made': 'yes' } })
const layers = [documentAt('/style.css', css), documentAt('/documents/a.json', json)]
const ask = (path: string, method = 'GET') =>
  toFetchHandler(registry, { layers })(new Request(`http://localhost${path}`, { method }))

describe('a document', () => {
  test('is served as it is', async () => {
    const response = await ask('/style.css?v=1')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/css; charset=utf-8')
    expect(await response.text()).toBe('p { color: red }')
  })

  test('of JSON is written as JSON, with its headers', async () => {
    const response = await ask('/documents/a.json')
    expect(response.headers.get('x-made')).toBe('yes')
    expect(await response.text()).toBe('{"a":1}')
  })

  test('has a head', async () => {
    const response = await ask('/style.css', 'HEAD')
    expect(response.headers.get('content-length')).toBe('16')
    expect(await response.text()).toBe('')
  })

  test('tells its methods', async () => {
    const told = await ask('/style.css', 'OPTIONS')
    expect([told.status, told.headers.get('allow')]).toEqual([200, 'GET, HEAD, OPTIONS'])
    expect(await told.json()).toEqual({ type: 'text/css; charset=utf-8' })
    const refused = await ask('/style.css', 'PUT')
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
    expect(await refused.json()).toMatchObject({
      detail: '"PUT" is not allowed here: use GET, HEAD, OPTIONS.',
    })
  })

  test('is made once, with the first request for it', () => {
    let made = 0
    const layer = documentAt('/style.css', () => ({ ...css(), body: `${++made}` }))
    const get = () =>
      layer({ method: 'GET', url: '/style.css' }, () => expect.fail(), { target: undefined })
    expect(made).toBe(0)
    expect([get(), get()]).toMatchObject([{ body: '1' }, { body: '1' }])
  })

  test('leaves other paths to the api', async () => {
    const own = await handle({ method: 'GET', url: '/v1/companies/count' }, registry)
    expect(await (await ask('/v1/companies/count')).json()).toEqual(own.body)
    expect((await ask('/style.cs')).status).toBe(404)
  })

  test('may be at a path of several segments', () => {
    expect(documentAt('/documents/a.json', json)).toBeTypeOf('function')
  })

  test.each(['', 'style.css', '/', '/a//b', '/a b', '/a?b'])('is not at %j', (path) => {
    expect(() => documentAt(path, css)).toThrow('is no path of a document')
  })
})

test.each([
  ['/a/b', '/a/b'],
  ['/a?b?c', '/a'],
  ['/a#b', '/a'],
  ['?b', ''],
])('the path of %s is %s', (url, path) => {
  expect(pathOf({ method: 'GET', url })).toBe(path)
})

describe('layers', () => {
  const mark =
    (name: string): Layer =>
    async (request, answer) => {
      const response = await answer(request)
      const { marks = '' } = response.headers
      return { ...response, headers: { ...response.headers, marks: `${marks}${name}` } }
    }

  test('are gone through from the outermost', async () => {
    const handler = toFetchHandler(registry, { layers: [mark('a'), mark('b')] })
    const response = await handler(new Request('http://localhost/v1/companies'))
    expect(response.headers.get('marks')).toBe('ba')
  })

  test('that throw are answered for', async () => {
    const told: unknown[] = []
    const layers: Layer[] = [
      () => {
        throw new Error('broken')
      },
    ]
    const handler = toFetchHandler(
      { ...registry, onError: (error) => told.push(error) },
      { layers },
    )
    const response = await handler(new Request('http://localhost/v1/companies'))
    expect(response.status).toBe(500)
    expect(told).toHaveLength(1)
  })
})

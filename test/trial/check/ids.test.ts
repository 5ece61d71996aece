import { describe, expect, test } from 'vitest'
import { openConnection } from '../../../src/trial/check/connection.ts'
import { findCollections } from '../../../src/trial/check/find.ts'
import { isUnambiguous } from '../../../src/trial/check/path.ts'
import { type CheckOutcome, runRules } from '../../../src/trial/check/run.ts'
import { guardWrites } from '../../../src/trial/check/write-guard.ts'
import {
  type Behavior,
  type SimpleRequest,
  type StoredItems,
  startSimpleServer,
  usualReply,
} from './simple-server.ts'

interface Tried extends CheckOutcome {
  readonly held: StoredItems
  readonly asked: readonly SimpleRequest[]
}

const names = ['/teams', '/teams/{team_id}/players']
const writing = { samples: {}, isEmptied: false }
const samples = { '/teams': { name: 'Any {n}' }, '/teams/{team_id}/players': { name: 'Any {n}' } }

async function tryOn(
  behavior: Behavior,
  leave: typeof writing | undefined = writing,
  named: readonly string[] = names,
): Promise<Tried> {
  const asked: SimpleRequest[] = []
  const server = await startSimpleServer((one, held) => {
    asked.push(one)
    return behavior(one, held)
  })
  const connection = openConnection({
    origin: server.url,
    headers: {},
    timeout: 300,
    requests: 5000,
  })
  try {
    return { ...(await runRules(connection, named, leave)), held: server.held, asked }
  } finally {
    connection.close()
    await server.close()
  }
}

// The most lenient reading of a path: decoded until it no longer changes, then resolved.
function resolved(url: string): string {
  let path = url.split('?')[0] ?? ''
  for (let before = ''; before !== path; ) {
    before = path
    path = path.replace(/%([0-7][\da-f])/gi, (_, code) => String.fromCharCode(parseInt(code, 16)))
  }
  return new URL(path.split(/[?#;]/)[0] ?? '', 'http://a').pathname.replace(/\/+/g, '/')
}

/** Lists the requests that change or delete an item that the check cannot have made. */
function strayIn(asked: readonly SimpleRequest[]): readonly string[] {
  return asked
    .filter(({ method }) => ['PUT', 'PATCH', 'DELETE'].includes(method))
    .filter(({ url }) => !/\/nounful_no_such_thing$/.test(resolved(url)))
    .map(({ method, url }) => `${method} ${url}`)
}

function brokenIn({ verdicts }: CheckOutcome): readonly string[] {
  return verdicts.flatMap(({ id, verdict }) => (verdict === 'broken' ? [id] : []))
}

function messagesIn({ verdicts }: CheckOutcome, rule: string): string {
  return verdicts
    .flatMap(({ id, faults }) => (id === rule ? faults : []))
    .map(({ message }) => message)
    .join('\n')
}

const neverIds = ['', '.', '..', 'count', 'a\u0000b', 'a\u0085', '\ud800', 'x'.repeat(256)]

describe('a server that answers POST with an id that is never one', () => {
  test.for(neverIds)('%j is sent no change to it', { timeout: 30_000 }, async (id) => {
    const tried = await tryOn(({ method, id: own, body }) =>
      method === 'POST' && own === undefined
        ? { status: 201, body: { ...Object(body), id } }
        : undefined,
    )
    expect(strayIn(tried.asked)).toEqual([])
    expect(brokenIn(tried)).toContain('create')
    expect(messagesIn(tried, 'create')).toContain('which is invalid')
    const where = id === 'count' ? '/teams/count' : '/teams, an item with the id'
    expect(tried.left.join('\n')).toContain(where)
    // The check could not remove a second one.
    const posts = tried.asked.filter(({ method, url }) => method === 'POST' && url === '/teams')
    expect(posts.length).toBeLessThan(12)
  })
})

const oddIds = ['%2e%2e', 'a/../..', '/', '..;x', '../1', '..\\1', '?a', ' ', '...', '/teams/1']

describe('a server that answers POST with an id that others could take for a path', () => {
  test.for(oddIds)('%j is sent no change to it', { timeout: 30_000 }, async (id) => {
    const tried = await tryOn(({ method, id: own, body }) =>
      method === 'POST' && own === undefined
        ? { status: 201, body: { ...Object(body), id } }
        : undefined,
    )
    expect(strayIn(tried.asked)).toEqual([])
    expect(tried.left.join('\n')).toContain('/teams, an item with the id')
  })
})

const locations = [
  ...['/teams/..', '/teams/.', '/teams/%2e%2e', '/teams/%2E/', '/teams//', '/teams/x/../1', '..'],
  ...[
    '/teams/%252e%252e',
    '/teams/a%2f..%2f..',
    '/teams\\..',
    '/teams/.\t.',
    'http://127.0.0.1:9/teams/1',
  ],
  ...['/teams/1/players', '/teamsters/1', '/teams/%zz', '/teams/x?/..', '/teams/first'],
  // An item of another server, and of another collection with a path of the same length.
  ...['http://127.0.0.1:9/teams/77', '/other/77'],
]

describe('a server that answers POST with a Location', () => {
  test.for(locations)('%j is sent no change to it', { timeout: 30_000 }, async (location) => {
    const tried = await tryOn(({ method, id }) =>
      method === 'POST' && id === undefined
        ? { status: 201, body: {}, headers: { location } }
        : undefined,
    )
    const stray = strayIn(tried.asked).filter((one) => one !== 'DELETE /teams/x')
    expect(stray).toEqual([])
    expect(tried.left.join('\n')).toContain('/teams')
    const names = ['/teams/.', '/teams/..', '/teams/%2e%2e', '/teams/%2E', '/teams/../teams']
    const gets = tried.asked.filter(({ url }) => resolved(url) !== url && /\.|%2e/i.test(url))
    const own = (url: string) => names.includes(url) || /\/players\/|%zz|limit=/.test(url)
    expect(gets.map(({ url }) => url).filter((url) => !own(url))).toEqual([])
  })

  test('that names the item has it removed', async () => {
    const tried = await tryOn((asked, held) => {
      if (asked.method !== 'POST' || asked.id !== undefined) return undefined
      const { body } = usualReply(asked, held)
      const path = `${asked.place}/${Object(body).id}`
      return { status: 201, headers: { location: `http://${asked.headers.host}${path}` } }
    })
    expect(tried.left).toEqual([])
    expect(tried.held.get('/teams')).toHaveLength(3)
  })
})

describe('a list with an id that is never one', () => {
  for (const leave of [undefined, { samples, isEmptied: false }])
    test.for(neverIds)(
      `%j is a broken rule, ${leave ? 'and nothing is written' : 'read only'}`,
      { timeout: 30_000 },
      async (id) => {
        const tried = await tryOn(
          ({ method, id: own, place }) =>
            method === 'GET' && own === undefined && place === '/teams'
              ? {
                  status: 200,
                  body: [
                    { id: 1, name: 'Athletic' },
                    { id, name: 'Odd' },
                  ],
                }
              : undefined,
          leave,
        )
        expect(brokenIn(tried)).toContain('list-is-array')
        expect(messagesIn(tried, 'list-is-array')).toContain('which is invalid')
        const own = tried.asked.filter(({ url }) => !url.includes('/players'))
        expect(own.filter(({ method }) => !['GET', 'OPTIONS'].includes(method))).toEqual([])
        expect(own.filter(({ url }) => resolved(url) !== url.split('?')[0])).toEqual([])
      },
    )
})

test('a parent whose id is never one is not looked below', async () => {
  const tried = await tryOn(({ method, id, place }) =>
    method === 'GET' && id === undefined && place === '/teams'
      ? { status: 200, body: [{ id: '..' }] }
      : undefined,
  )
  expect(tried.asked.filter(({ url }) => url.includes('..'))).toEqual([])
})

test('a list that cannot be read is not written to: nobody knows what is whose', async () => {
  const tried = await tryOn(
    (asked, held) => {
      if (asked.id !== undefined) return undefined
      const [first] = held.get(asked.place) ?? []
      if (asked.method === 'GET') return { status: 200, body: { data: held.get(asked.place) } }
      return asked.method === 'POST' ? { status: 201, body: first } : undefined
    },
    { samples, isEmptied: false },
  )
  expect(tried.asked.filter(({ method }) => method !== 'GET' && method !== 'OPTIONS')).toEqual([])
  expect(tried.held.get('/teams')).toHaveLength(3)
})

test('parents that cannot be listed again are not made', async () => {
  let lists = 0
  const tried = await tryOn(
    ({ method, url }) => {
      const isParents = method === 'GET' && url === '/teams'
      lists += Number(isParents)
      return isParents && lists > 1 ? { status: 200, body: { data: [] } } : undefined
    },
    { samples, isEmptied: false },
    ['/teams/{team_id}/players'],
  )
  expect(tried.asked.filter(({ method, url }) => method === 'POST' && url === '/teams')).toEqual([])
})

test('a change goes to no path that a server could read otherwise', async () => {
  const asked: SimpleRequest[] = []
  const server = await startSimpleServer((one) => void asked.push(one))
  const connection = openConnection({ origin: server.url, headers: {}, timeout: 300, requests: 9 })
  const guard = guardWrites(connection)
  guard.allow('/teams/9')
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    for (const path of ['/teams/9/..', '/teams/9/%2E%2e/1', '/teams/9//1', '/teams/9/..%2f1?a'])
      await expect(guard.send(method, path)).rejects.toThrow('could take it for another path')
  connection.close()
  await server.close()
  expect(asked).toEqual([])
})

test.for(['/v1/teams/first/players', '/v1/teams/%ff/players'])(
  '%s is not looked below',
  async (name) => {
    const { verdicts, asked } = await tryOn(() => undefined, writing, [name])
    expect(verdicts[0]?.reason).toBe(`${name} holds an invalid parent id.`)
    expect(asked).toEqual([])
  },
)

describe('a server that stores items under reserved words', () => {
  const storing: Behavior = ({ method, place, id, body }, held) => {
    const { id: own } = Object(body)
    if (method !== 'POST' || id !== undefined || !['first', 'last', 'count'].includes(own))
      return undefined
    held.set(place, [...(held.get(place) ?? []), Object(body)])
    return { status: 201, body }
  }

  test('has them removed', { timeout: 30_000 }, async () => {
    const tried = await tryOn(storing)
    expect(brokenIn(tried)).toContain('reserved-id')
    expect(tried.left.filter((path) => /first|last|count/.test(path))).toEqual([])
    expect(tried.held.get('/teams')).toHaveLength(3)
  })

  test('keeps its first item where that is called so', { timeout: 30_000 }, async () => {
    const tried = await tryOn((asked, held) => {
      const { method, place, id } = asked
      if (id !== 'first') return storing(asked, held)
      const [first, ...rest] = held.get(place) ?? []
      if (method === 'DELETE') held.set(place, rest)
      return method === 'GET' ? { status: 200, body: { ...first, id: 'first' } } : { status: 200 }
    })
    expect(tried.held.get('/teams')?.[0]).toEqual({ id: 1, name: 'Athletic' })
    expect(tried.left).toContain('/teams/first')
  })

  test('keeps one that was there before', { timeout: 30_000 }, async () => {
    const other = { id: 'first', name: 'First' }
    const tried = await tryOn((asked, held) => {
      const items = held.get('/teams') ?? []
      if (!items.some(({ id }) => id === 'first')) held.set('/teams', [...items, other])
      return storing(asked, held)
    })
    expect(tried.held.get('/teams')).toContainEqual(other)
    expect(tried.held.get('/teams')).toHaveLength(4)
  })
})

test('a link to a next page is followed nowhere else', async () => {
  for (const next of ['/teams/../admin', '/teams/%2e%2e/admin', '/teams/.\t./admin', '\\admin']) {
    const tried = await tryOn(
      ({ url }) =>
        url.startsWith('/teams?limit=')
          ? { status: 200, body: [{ id: 1 }], headers: { link: `<${next}?after=x>; rel="next"` } }
          : undefined,
      undefined,
    )
    expect(tried.asked.filter(({ url }) => url.includes('admin'))).toEqual([])
  }
})

describe('collections that a server tells', () => {
  const told = [
    '/teams',
    '/teams/../admin',
    '/teams//x',
    '/%2e%2e/admin',
    '/a%zz',
    `/${'a/'.repeat(3000)}b`,
  ]

  test.for(['OPTIONS', 'openapi'])('%s are taken where they can be', async (way) => {
    const paths = Object.fromEntries(
      told.flatMap((path) => [
        [path, { get: {} }],
        [`${path}/{id}`, { get: {} }],
      ]),
    )
    const server = await startSimpleServer(({ method, url }) => {
      if (way === 'OPTIONS' && method === 'OPTIONS') return { status: 200, body: { paths: told } }
      if (way === 'openapi' && url === '/openapi.json') return { status: 200, body: { paths } }
      return { status: 404, body: {} }
    })
    const connection = openConnection({
      origin: server.url,
      headers: {},
      timeout: 300,
      requests: 9,
    })
    expect(await findCollections(connection.send, '/', [])).toEqual(['/teams'])
    for (const name of ['/teams/..', '/teams//x', '/a%zz', '/teams?x'])
      await expect(findCollections(connection.send, '/', [name])).rejects.toThrow(
        '--collection cannot be',
      )
    connection.close()
    await server.close()
  })
})

test.for([
  ['/v1/teams/1', true],
  ['/v1/teams/a%2Fb%3F%23', true],
  ['/v1/teams/%C3%A9', true],
  ['/v1/teams/n%2F%25%3F%23', true],
  ['/v1/teams/a.b', true],
  ['/v1/teams/', false],
  ['/v1//teams', false],
  ['/v1/teams/..', false],
  ['/v1/../teams', false],
  ['/v1/teams/%252E', false],
  ['/v1/teams/..%2F1', false],
  ['teams', false],
] as const)('%s is plain: %s', ([path, isIt]) => {
  expect(isUnambiguous(path)).toBe(isIt)
})

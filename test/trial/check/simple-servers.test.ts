import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { openConnection } from '../../../src/trial/check/connection.ts'
import { formatReport } from '../../../src/trial/check/report.ts'
import { runRules } from '../../../src/trial/check/run.ts'
import {
  type Behavior,
  initialItems,
  type StoredItems,
  startSimpleServer,
  usualReply,
} from './simple-server.ts'

const names = ['/teams', '/teams/{team_id}/players']

async function writeTo(
  behavior: Behavior,
): Promise<{ held: StoredItems; left: readonly string[] }> {
  const server = await startSimpleServer(behavior)
  const connection = openConnection({
    origin: server.url,
    headers: {},
    timeout: 300,
    requests: 5000,
  })
  try {
    const { left } = await runRules(connection, names, { samples: {}, isEmptied: false })
    return { held: server.held, left }
  } finally {
    connection.close()
    await server.close()
  }
}

// biome-ignore format: a row stays a line
const behaviors: readonly (readonly [name: string, behavior: Behavior])[] = [
  ['does all as usual', () => undefined],
  ['gives back what has the same name', ({ method, place, id, body }, held) => {
    const there = held.get(place)?.find(({ name }) => name === Object(body).name)
    return method === 'POST' && id === undefined && there ? { status: 200, body: there } : undefined
  }],
  ['replaces what has the same name', ({ method, place, id, body }, held) => {
    const there = held.get(place)?.find(({ name }) => name === Object(body).name)
    return method === 'POST' && id === undefined && there
      ? usualReply({ method: 'PUT', place, id: String(there.id), body }, held)
      : undefined
  }],
  [
    'gives back its first item whatever is made',
    ({ method, place, id }, held) =>
      method === 'POST' && id === undefined
        ? { status: 201, body: held.get(place)?.[0] ?? {} }
        : undefined,
  ],
  ['gives ids that are taken', ({ method, place, id, body }, held) => {
    if (method !== 'POST' || id !== undefined) return undefined
    const items = held.get(place) ?? []
    const item = { ...Object(body), id: items.length }
    held.set(place, [...items, item])
    return { status: 201, body: item }
  }],
  ['counts ids parent by parent', ({ method, place, id, body }, held) => {
    if (method !== 'POST' || id !== undefined) return undefined
    const items = held.get(place) ?? []
    const item = { ...Object(body), id: Math.max(0, ...items.map((one) => Number(one.id))) + 1 }
    held.set(place, [...items, item])
    return { status: 201, body: item }
  }],
  ['makes what is put where nothing is', ({ method, place, id, body }, held) => {
    const items = held.get(place) ?? []
    const isTaken = items.some((one) => String(one.id) === id)
    if (method !== 'PUT' || id === undefined || isTaken) return undefined
    held.set(place, [...items, { ...Object(body), id }])
    return { status: 201 }
  }],
  ['makes what is patched where nothing is', ({ method, place, id, body }, held) => {
    const items = held.get(place) ?? []
    const isTaken = items.some((one) => String(one.id) === id)
    if (method !== 'PATCH' || id === undefined || isTaken) return undefined
    held.set(place, [...items, { ...Object(body), id }])
    return { status: 200, body: { ...Object(body), id } }
  }],
  ['believes the id of a patch', ({ method, place, id, body }, held) => {
    const { id: own } = Object(body)
    if (method !== 'PATCH' || id === undefined || own === undefined) return undefined
    held.set(place, [...(held.get(place) ?? []).filter((one) => one.id !== own), Object(body)])
    return { status: 200, body }
  }],
  ['makes all that a list holds', ({ method, place, id, body }, held) => {
    if (method !== 'POST' || id !== undefined || !Array.isArray(body)) return undefined
    const made = body.map((one) => usualReply({ method, place, id, body: one }, held).body)
    return { status: 201, body: made }
  }],
  ['makes all that a list holds, and says one', ({ method, place, id, body }, held) => {
    if (method !== 'POST' || id !== undefined || !Array.isArray(body)) return undefined
    const made = body.map((one) => usualReply({ method, place, id, body: one }, held).body)
    return { status: 201, body: made.at(-1) ?? {} }
  }],
  ['makes nothing of a list, and gives all that it has', ({ method, place, id, body }, held) => {
    if (method !== 'POST' || id !== undefined || !Array.isArray(body)) return undefined
    return { status: 201, body: held.get(place) }
  }],
  ['believes the id of a body', ({ method, place, id, body }, held) => {
    const { id: own } = Object(body)
    if (method !== 'PUT' || id === undefined || own === undefined) return undefined
    held.set(place, [...(held.get(place) ?? []).filter((one) => one.id !== own), Object(body)])
    return { status: 200, body }
  }],
  ['answers 200 and nothing else', (asked, held) => {
    usualReply(asked, held)
    return { status: 200, body: {} }
  }],
  ['answers 200 and nothing else to what writes', (asked, held) => {
    const answer = usualReply(asked, held)
    return asked.method === 'GET' ? answer : { status: 200, body: { ok: true } }
  }],
  ['leads on to what it has made', (asked, held) => {
    const { body } = usualReply(asked, held)
    return asked.method === 'POST'
      ? { status: 303, headers: { location: `${asked.place}/${Object(body).id}` } }
      : undefined
  }],
  ['has a Location that is none', (asked, held) => {
    if (asked.method !== 'POST') return undefined
    usualReply(asked, held)
    return { status: 201, headers: { location: 'http://[' } }
  }],
  [
    'lists everything below every parent',
    ({ method, place, id }, held) => {
      if (method !== 'GET' || id !== undefined || place === '/teams') return undefined
      const body = [...held].flatMap(([path, items]) => (path === '/teams' ? [] : items))
      return { status: 200, body }
    },
  ],
  ['deletes nothing', ({ method }) => (method === 'DELETE' ? { status: 500 } : undefined)],
  ['is silent when it deletes', ({ method }) => (method === 'DELETE' ? new Promise(() => undefined) : undefined)],
  ['is cut off when it has made something', (asked, held) => {
    if (asked.method !== 'POST') return undefined
    usualReply(asked, held)
    return null
  }],
  ['changes its first item when something is posted to it', ({ method, place, id, body }, held) => {
    const [first, ...rest] = held.get(place) ?? []
    if (method !== 'POST' || id !== 'first' || first === undefined) return undefined
    held.set(place, [{ ...Object(body), id: first.id }, ...rest])
    return { status: 200, body: { ...Object(body), id: first.id } }
  }],
  ['empties all of a noun below any parent', ({ method, path, id }, held) => {
    if (id !== undefined || path === '/teams') return undefined
    if (!['DELETE', 'PUT', 'PATCH'].includes(method)) return undefined
    for (const place of held.keys()) if (place !== '/teams') held.set(place, [])
    return { status: 200, body: { deleted: 0 } }
  }],
  ['heeds no parent when it deletes', ({ method, id, place }, held) => {
    if (method !== 'DELETE' || place === '/teams') return undefined
    for (const [path, items] of held) {
      if (path === '/teams') continue
      const rest = items.filter((one) => String(one.id) !== id)
      held.set(path, id === undefined ? [] : rest)
    }
    return { status: 200, body: { deleted: 0 } }
  }],
]

describe('with leave to write, a server that', () => {
  test.for(behaviors)('%s loses nothing', { timeout: 60_000 }, async ([, behavior]) => {
    const { held, left } = await writeTo(behavior)
    const extra: string[] = []
    const before = initialItems()
    for (const [place, items] of held) {
      const kept = before.get(place) ?? []
      for (const item of kept) expect(items, place).toContainEqual(item)
      for (const { id } of items.filter((one) => !kept.some((own) => isEqual(one, own))))
        extra.push(`${place}/${id}`)
    }
    // The report names every new item.
    const untold = extra.filter(
      (path) =>
        !left.some(
          (told) => told === path || told.startsWith(`${path.slice(0, path.lastIndexOf('/'))}, `),
        ),
    )
    expect(untold).toEqual([])
  })
})

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

describe('a server that', () => {
  const ask = async (behavior: Behavior, method = 'GET') => {
    const server = await startSimpleServer(behavior)
    const connection = openConnection({
      origin: server.url,
      headers: {},
      timeout: 300,
      requests: 9,
    })
    try {
      return await connection.send(method, '/teams', method === 'POST' ? { body: {} } : {})
    } finally {
      connection.close()
      await server.close()
    }
  }

  test('answers 429 is waited for', async () => {
    let count = 0
    const response = await ask(() => {
      count++
      return count > 1 ? undefined : { status: 429, headers: { 'retry-after': '1' } }
    })
    expect([response.status, count]).toEqual([200, 2])
  })

  test('is cut off is not sent a change twice', async () => {
    let count = 0
    const asking = ask(() => {
      count++
      return null
    }, 'POST')
    await expect(asking).rejects.toThrow('closed without a response')
    expect(count).toBe(1)
  })

  test('compresses unasked is understood', async () => {
    const response = await ask(() => ({
      status: 200,
      headers: { 'content-encoding': 'gzip' },
      content: gzipSync('[{"id":1}]'),
    }))
    expect(response.json).toEqual([{ id: 1 }])
  })
})

test('a report does what no terminal obeys', () => {
  const fault = { collection: '/a\u001b[2J', message: 'By \u009b1m.', curl: "curl 'x\u0007'" }
  const text = formatReport({
    url: 'http://a',
    collections: ['/a'],
    requests: 1,
    mode: 'reads only',
    verdicts: [{ id: 'a', rule: 'A.', verdict: 'broken', faults: [fault], reason: undefined }],
    left: ['/a/\u001b]0;x'],
    stopped: 'The \u202eend.',
    unfinished: ['/b\u001b[1m'],
  })
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
})

test('a server that takes everything is only read', async () => {
  const methods = new Set<string>()
  const server = await startSimpleServer((asked, held) => {
    methods.add(asked.method)
    const { body } = usualReply({ ...asked, method: 'GET' }, held)
    return { status: 200, body: body ?? {} }
  })
  const connection = openConnection({
    origin: server.url,
    headers: {},
    timeout: 300,
    requests: 5000,
  })
  const { left } = await runRules(connection, names, undefined)
  connection.close()
  await server.close()
  const safe = ['GET', 'HEAD', 'OPTIONS', 'PROPFIND', 'REPORT', 'SEARCH']
  expect([...methods].filter((method) => !safe.includes(method))).toEqual([])
  expect(left).toEqual([])
})

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { createProgram } from '../../../src/cli/program.ts'
import { type ConnectionOptions, openConnection } from '../../../src/trial/check/connection.ts'
import { findCollections } from '../../../src/trial/check/find.ts'
import { maxCleanUpTime, maxDepth, maxPages } from '../../../src/trial/check/limits.ts'
import { type CheckOutcome, runRules } from '../../../src/trial/check/run.ts'
import { cleanUp } from '../../../src/trial/check/write-guard.ts'
import { type Behavior, type SimpleRequest, startSimpleServer } from './simple-server.ts'

interface Tried extends CheckOutcome {
  readonly asked: readonly SimpleRequest[]
}

async function tryOn(behavior: Behavior, options: Partial<ConnectionOptions> = {}): Promise<Tried> {
  const asked: SimpleRequest[] = []
  const server = await startSimpleServer((one, held) => {
    asked.push(one)
    return behavior(one, held)
  })
  const connection = openConnection({
    origin: server.url,
    headers: {},
    timeout: 5000,
    requests: 5000,
    ...options,
  })
  try {
    return { ...(await runRules(connection, ['/teams'], undefined)), asked }
  } finally {
    connection.close()
    await server.close()
  }
}

function messageIn({ verdicts }: CheckOutcome, rule: string): string | undefined {
  return verdicts.find(({ id }) => id === rule)?.faults[0]?.message
}

const isList = ({ method, id }: SimpleRequest) => method === 'GET' && id === undefined

describe('an answer', () => {
  test('may have a list of 150,000 items', { timeout: 60_000 }, async () => {
    const items = Array.from({ length: 150_000 }, (_, at) => ({ id: at + 1 }))
    const content = Buffer.from(JSON.stringify(items))
    // Enough to see that nothing is put on the stack.
    const trying = tryOn((asked) => (isList(asked) ? { status: 200, content } : undefined), {
      requests: 20,
    })
    expect((await trying).stopped).toContain('Rules are left after 20 requests')
  })

  const deep = (levels: number) => Buffer.from('['.repeat(levels) + ']'.repeat(levels))
  const ask = async (behavior: Behavior, options: Partial<ConnectionOptions> = {}) => {
    const server = await startSimpleServer(behavior)
    const connection = openConnection({
      origin: server.url,
      headers: {},
      timeout: 5000,
      requests: 9,
      ...options,
    })
    try {
      return await connection.send('GET', '/teams')
    } finally {
      connection.close()
      await server.close()
    }
  }

  test.for([
    [maxDepth, false],
    [maxDepth + 1, true],
    [1_000_000, true],
  ] as const)('of %i levels is refused: %s', async ([levels, isRefused]) => {
    const asking = ask(() => ({ status: 200, content: deep(levels) }))
    if (isRefused) await expect(asking).rejects.toThrow(`has more than ${maxDepth} levels`)
    else expect(Array.isArray((await asking).json)).toBe(true)
  })

  test('is as deep as its brackets, not as its text', async () => {
    const value = { a: '['.repeat(9999), b: '\\"[[{{'.repeat(9999), c: '\\' }
    const list = Array.from({ length: 9999 }, () => [{}])
    const content = Buffer.from(JSON.stringify([value, list]))
    expect((await ask(() => ({ status: 200, content }))).json).toEqual([value, list])
  })

  test('that is no JSON may have any brackets', async () => {
    const content = Buffer.from('['.repeat(maxDepth + 1))
    expect((await ask(() => ({ status: 200, content }))).json).toBeUndefined()
  })

  const bomb = Buffer.alloc(2_000_000, ' ')
  test.for([
    ['gzip', gzipSync(bomb)],
    ['br', brotliCompressSync(bomb)],
    ['identity', bomb],
  ] as const)('in %s has an end of bytes', async ([encoding, content]) => {
    const headers = { 'content-encoding': encoding }
    const behavior: Behavior = () => ({ status: 200, headers, content })
    await expect(ask(behavior, { bytes: 1_000_000 })).rejects.toThrow(
      'has more than 1000000 bytes: allow more with --bytes',
    )
    expect((await ask(behavior, { bytes: 2_000_000 })).text).toHaveLength(2_000_000)
  })

  test('that never ends is cut off', async () => {
    const behavior: Behavior = () => (response) => {
      response.writeHead(200)
      const more = () => {
        while (response.write(Buffer.alloc(65_536)));
        response.once('drain', more)
      }
      more()
    }
    await expect(ask(behavior)).rejects.toThrow('has more than 16777216 bytes')
  })

  test.for([
    ['its body', 200],
    ['early hints', 103],
  ] as const)('that drips %s has an end of time', async ([, status]) => {
    const behavior: Behavior = () => (response) => {
      if (status === 200) response.writeHead(200).flushHeaders()
      const timer = setInterval(() => {
        if (status === 200) response.write(' ')
        else response.writeEarlyHints({ link: '</a>; rel=preload' })
      }, 20)
      response.on('close', () => clearInterval(timer))
    }
    await expect(ask(behavior, { timeout: 300 })).rejects.toThrow(
      'The whole response did not come within 300 ms',
    )
  })

  test('that changes the protocol is none', async () => {
    const behavior: Behavior = () => (response) => {
      response.socket?.end('HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n')
    }
    await expect(ask(behavior, { timeout: 300 })).rejects.toThrow('The whole response did not come')
  })
})

describe('pages', () => {
  const paged =
    (next: (at: number) => number): Behavior =>
    (asked) => {
      if (!isList(asked)) return undefined
      const at = Number(new URL(asked.url, 'http://a').searchParams.get('after') ?? 0)
      const link = `</teams?after=${next(at)}>; rel="next"`
      return { status: 200, body: [{ id: at + 1 }], headers: { link } }
    }

  test('without an end are left', { timeout: 30_000 }, async () => {
    const { asked, verdicts } = await tryOn(paged((at) => at + 1))
    expect(verdicts.find(({ id }) => id === 'count-agrees')?.reason).toBe(
      `The list cannot be read: It has more than ${maxPages} pages.`,
    )
    expect(asked.filter(({ url }) => url === `/teams?after=${maxPages - 1}`)).toHaveLength(1)
    expect(asked.filter(({ url }) => url === `/teams?after=${maxPages}`)).toEqual([])
  })

  test('that lead back are read once', async () => {
    const { asked, verdicts } = await tryOn(paged((at) => (at + 1) % 3))
    expect(asked.length).toBeLessThan(400)
    expect(verdicts.find(({ id }) => id === 'count-agrees')?.verdict).toBe('broken')
  })

  test('that are long have an end together', { timeout: 60_000 }, async () => {
    const text = JSON.stringify([{ id: 1, name: 'x'.repeat(15_000_000) }])
    let pages = 0
    const { verdicts } = await tryOn((asked) => {
      if (!isList(asked)) return undefined
      pages++
      const headers = { link: `</teams?after=${pages}>; rel="next"` }
      return asked.url.startsWith('/teams?after=') || asked.url === '/teams'
        ? { status: 200, content: Buffer.from(text), headers }
        : undefined
    })
    expect(verdicts.find(({ id }) => id === 'count-agrees')?.reason).toContain(
      'It has more than 67108864 characters.',
    )
  })
})

describe('a check', () => {
  test('has an end of time', async () => {
    const slow: Behavior = () => new Promise((resolve) => setTimeout(resolve, 20))
    expect(await tryOn(slow, { time: 200 })).toMatchObject({
      stopped: 'Rules are left after 200 ms: allow more with --time.',
      unfinished: ['/teams'],
    })
  })

  test('reports the rules that it has judged by then', async () => {
    const { verdicts, stopped, unfinished } = await tryOn(
      ({ method }) => (method === 'HEAD' ? { status: 500 } : undefined),
      { requests: 60 },
    )
    expect(stopped).toBe('Rules are left after 60 requests: allow more with --requests.')
    expect(unfinished).toEqual(['/teams'])
    const judged = verdicts.filter(({ verdict }) => verdict !== 'not applicable')
    expect(judged.map(({ verdict }) => verdict)).toContain('broken')
    expect(judged.map(({ verdict }) => verdict)).toContain('kept')
    expect(verdicts.map(({ reason }) => reason)).toContain('The check has stopped.')
  })

  const healthy: Behavior = () => undefined
  const failing: Behavior = ({ method }) => (method === 'HEAD' ? { status: 500 } : undefined)
  test.each([
    ['2, for rules that are left', healthy, { limit: 10, code: 2 }],
    ['1, for a rule that is broken', failing, { limit: 60, code: 1 }],
  ])('ends with %s', async (_, behavior, { limit, code }) => {
    const server = await startSimpleServer(behavior)
    let printed = ''
    let exitCode = 0
    const program = createProgram({
      print: (text) => {
        printed += text
      },
      warn: () => undefined,
      setExitCode: (given) => {
        exitCode = given
      },
      version: '1.0.0',
    })
    const args = ['check', server.url, '--collection', '/teams', '--requests', `${limit}`]
    await program.parseAsync(args, { from: 'user' })
    await server.close()
    expect(printed).toContain(`Rules are left after ${limit} requests: allow more with --requests.`)
    expect(printed).toContain('The rules of these are not all judged: /teams')
    expect(exitCode).toBe(code)
  })

  test('shows the beginning of a long message', async () => {
    const code = 'x'.repeat(100_000)
    const outcome = await tryOn(({ method, url }) =>
      method === 'GET' && url === '/teams?limit=1' ? { status: 400, body: { code } } : undefined,
    )
    expect(messageIn(outcome, 'list-is-array')).toHaveLength(1001)
  })

  test('has an end when it removes what it has made', async () => {
    let now = 0
    const real = performance.now
    performance.now = () => now
    try {
      const created = new Map(Array.from({ length: 9 }, (_, at) => [`/teams/${at}`, {}]))
      let count = 0
      const left = await cleanUp(
        { created, deleted: new Set(), lost: new Set() },
        async (method, path) => {
          count++
          now += maxCleanUpTime / 2
          const request = { method, path, headers: {}, body: undefined }
          const status = method === 'GET' ? 404 : 200
          return { request, status, headers: {}, text: '', json: {} }
        },
      )
      expect([count, left.length]).toEqual([2, 8])
    } finally {
      performance.now = real
    }
  })

  test('tries the first fields of an item one by one', { timeout: 30_000 }, async () => {
    const fields = Array.from({ length: 100 }, (_, at) => [`field${at}`, 'text'])
    const posts: SimpleRequest[] = []
    const server = await startSimpleServer((asked, held) => {
      if (asked.method === 'POST') posts.push(asked)
      if (asked.method === 'PUT') return { status: 422, body: {} }
      held.set('/teams', [
        { id: 1, ...Object.fromEntries(fields) },
        ...(held.get('/teams') ?? []).slice(1),
      ])
      return undefined
    })
    const connection = openConnection({
      origin: server.url,
      headers: {},
      timeout: 5000,
      requests: 5000,
    })
    await runRules(connection, ['/teams'], { samples: {}, isEmptied: false })
    connection.close()
    await server.close()
    const odd = posts.filter(({ body }) =>
      (JSON.stringify(body) ?? '').includes('{"nounful":[true]}'),
    )
    expect(odd).toHaveLength(20)
    expect(posts.length).toBeLessThan(100)
  })

  test('tries the first of the paths that a server tells', { timeout: 30_000 }, async () => {
    const paths = Array.from({ length: 200_000 }, (_, at) => `/n${at}`)
    const document = Object.fromEntries(paths.map((path) => [path, { get: {} }]))
    const server = await startSimpleServer(({ method, url }) => {
      if (method === 'OPTIONS') return { status: 200, body: { paths } }
      return url === '/openapi.json' ? { status: 200, body: { paths: document } } : { status: 404 }
    })
    const connection = openConnection({
      origin: server.url,
      headers: {},
      timeout: 5000,
      requests: 9,
    })
    expect(await findCollections(connection.send, '/', [])).toHaveLength(1000)
    connection.close()
    await server.close()
  })
})

test.for([301, 302, 303, 307, 308])('a redirect of %i is followed nowhere', async (status) => {
  let hits = 0
  const other = createServer((_, response) => {
    hits++
    response.end('[]')
  })
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo
  const location = `http://127.0.0.1:${port}/teams`
  const { asked, verdicts } = await tryOn(
    ({ url }) => (url === '/here' ? undefined : { status, headers: { location } }),
    { headers: { authorization: 'Bearer secret' } },
  )
  const elsewhere = await tryOn(() => ({ status, headers: { location: '/here' } }))
  other.close()
  expect(hits).toBe(0)
  expect(asked.length).toBeGreaterThan(0)
  expect([...asked, ...elsewhere.asked].filter(({ url }) => url.startsWith('/here'))).toEqual([])
  expect(verdicts.find(({ id }) => id === 'twelve-statuses')?.verdict).toBe('broken')
})

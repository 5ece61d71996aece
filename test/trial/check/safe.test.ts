import { execFile } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { openConnection } from '../../../src/trial/check/connection.ts'
import { type CheckOutcome, runRules } from '../../../src/trial/check/run.ts'
import {
  type Behavior,
  initialItems,
  type SimpleRequest,
  type StoredItems,
  startSimpleServer,
  usualReply,
} from './simple-server.ts'

interface Tried extends CheckOutcome {
  readonly held: StoredItems
  readonly asked: readonly SimpleRequest[]
}

async function tryOn(behavior: Behavior, isWriting = false): Promise<Tried> {
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
    const writing = isWriting ? { samples: {}, isEmptied: false } : undefined
    const outcome = await runRules(connection, ['/teams', '/teams/{team_id}/players'], writing)
    return { ...outcome, held: server.held, asked }
  } finally {
    connection.close()
    await server.close()
  }
}

// Does to the held items as another method does.
function as(
  method: string,
  { place, id, body }: SimpleRequest,
  held: StoredItems,
): ReturnType<typeof usualReply> {
  return usualReply({ method, place, id, body }, held)
}

const problem = (status: number) => ({ status, body: {} })

/** Habits that take a request for another one, and what they do to the first team at most. */
const behaviors: readonly (readonly [
  how: string,
  sent: RegExp,
  message: string,
  behavior: Behavior,
])[] = [
  [
    'HEAD as DELETE',
    /^HEAD \/teams\/1$/,
    'The item "1" is gone from /teams after HEAD /teams/1.',
    (asked, held) => (asked.method === 'HEAD' ? as('DELETE', asked, held) : undefined),
  ],
  [
    'HEAD as DELETE, without an answer',
    /^HEAD \/teams\/1$/,
    'The item "1" is gone from /teams after HEAD /teams/1.',
    (asked, held) => {
      if (asked.method !== 'HEAD' || asked.id !== '1') return undefined
      as('DELETE', asked, held)
      return null
    },
  ],
  [
    'HEAD as PUT',
    /^HEAD \/teams\/1$/,
    'The field "name" of the item "1" has changed in /teams after HEAD /teams/1.',
    (asked, held) => (asked.method === 'HEAD' ? as('PUT', asked, held) : undefined),
  ],
  [
    'HEAD as POST',
    /^HEAD \/teams$/,
    'has been added to /teams after HEAD /teams.',
    (asked, held) =>
      asked.method === 'HEAD' && asked.id === undefined ? as('POST', asked, held) : undefined,
  ],
  [
    'OPTIONS as DELETE',
    /^OPTIONS \/teams\/1$/,
    'The item "1" is gone from /teams after OPTIONS /teams/1.',
    (asked, held) => {
      if (asked.method !== 'OPTIONS') return undefined
      if (asked.id === undefined) held.set(asked.place, [])
      return as('DELETE', asked, held)
    },
  ],
  [
    'PROPFIND of what exists as DELETE',
    /^PROPFIND \/teams\/1$/,
    'The item "1" is gone from /teams after PROPFIND /teams/1.',
    (asked, held) => {
      if (!['PROPFIND', 'SEARCH'].includes(asked.method)) return undefined
      return asked.id === '1' ? as('DELETE', asked, held) : problem(405)
    },
  ],
  [
    'GET with a body as PUT',
    /^GET \/teams\/1$/,
    'The field "name" of the item "1" has changed in /teams after GET /teams/1.',
    (asked, held) => {
      if (asked.method !== 'GET' || asked.body === undefined) return undefined
      return asked.id === '1' ? as('PUT', asked, held) : problem(400)
    },
  ],
  [
    'GET with an odd parameter as DELETE',
    /^GET \/teams\/1\?q=a$/,
    'The item "1" is gone from /teams after',
    (asked, held) => (asked.url === '/teams/1?q=a' ? as('DELETE', asked, held) : undefined),
  ],
  [
    'OPTIONS as an end of the list',
    /^OPTIONS \/teams\/1$/,
    'The list cannot be read (404) at /teams after OPTIONS /teams/1.',
    ({ url, method }, held) => {
      if (method === 'OPTIONS' && url === '/teams/1') held.delete('/teams')
      return held.has('/teams') ? undefined : problem(404)
    },
  ],
]

describe('a server that takes', () => {
  for (const isWriting of [false, true])
    test.for(behaviors)(
      `%s is left alone at once, ${isWriting ? 'with leave to write' : 'read only'}`,
      { timeout: 20_000 },
      async ([, sent, message, behavior]) => {
        const { verdicts, stopped, asked, held } = await tryOn(behavior, isWriting)
        const broken = verdicts.find(({ id }) => id === 'safe-methods')
        expect(broken?.verdict).toBe('broken')
        expect(broken?.faults).toHaveLength(1)
        // With leave to write it is an item of the check's own that HEAD is tried on.
        const told = broken?.faults[0]?.message.replaceAll(/(?<=item "|HEAD \/teams\/)\d{4}/g, '1')
        expect(told).toContain(message)
        expect(stopped).toMatch(/The check stops here\.$/)
        // Nothing is sent after the look that finds it, but what removes what the check has made.
        const lines = asked.map(({ method, url }) => `${method} ${url}`)
        const at = lines.findLastIndex((line) => sent.test(line.replace(/\d{4}$/, '1')))
        const after = asked.slice(at + 1)
        const own = (url: string) => /\/\d{4,}$/.test(url)
        expect(after.filter(({ url }) => !own(url)).map(({ url }) => url)).toEqual(['/teams'])
        for (const [place, items] of initialItems()) {
          const lost = items.filter((item) => !held.get(place)?.some(({ id }) => id === item.id))
          const isOwn = /\d{4}$/.test(lines[at] ?? '')
          if (held.has(place)) expect(lost.length).toBeLessThan(isOwn ? 1 : 2)
        }
      },
    )

  test.for(['DELETE', 'PUT', 'POST'])('unknown methods as %s loses nothing', async (method) => {
    const headers = { allow: 'OPTIONS, GET, HEAD' }
    const { held, stopped } = await tryOn((asked, held) => {
      if (asked.method === 'OPTIONS') return { status: 200, body: {}, headers }
      return /^(?:PROPFIND|SEARCH|REPORT)$/.test(asked.method) ? as(method, asked, held) : undefined
    })
    expect([...held]).toEqual([...initialItems()])
    expect(stopped).toBeUndefined()
  })

  test('no unknown method is sent none but for what does not exist', async () => {
    const { asked } = await tryOn(() => undefined)
    const odd = asked.filter(({ method }) => !['GET', 'HEAD', 'OPTIONS'].includes(method))
    expect(odd.length).toBeGreaterThan(0)
    expect(odd.filter(({ url }) => !url.endsWith('/nounful_no_such_thing'))).toEqual([])
  })

  test.for(['HEAD', 'OPTIONS'])('%s for GET is asked first for an absent item', async (method) => {
    const { asked } = await tryOn(() => undefined)
    const [first] = asked.filter((one) => one.method === method)
    expect(first?.url).toBe('/teams/nounful_no_such_thing')
  })

  test('GET as DELETE is left alone after the rule, also where that is kept', async () => {
    const { asked, stopped, verdicts } = await tryOn((one, held) => {
      if (one.url !== '/teams?limit=1') return undefined
      as('DELETE', { ...one, id: '1' }, held)
      return undefined
    })
    expect(stopped).toContain('The item "1" is gone from /teams after ')
    expect(stopped).toContain('GET /teams?limit=1')
    expect(asked.filter(({ url }) => url.includes('?nounful_no_such_thing'))).toEqual([])
    expect(verdicts.find(({ id }) => id === 'safe-methods')?.verdict).toBe('broken')
  })
})

describe('a collection that changes of itself', () => {
  test('is no harm where a field counts', async () => {
    let count = 0
    const { stopped, verdicts } = await tryOn(({ method, place, id }, held) => {
      if (method !== 'GET' || id !== undefined) return undefined
      count++
      return { status: 200, body: held.get(place)?.map((item) => ({ ...item, count })) }
    })
    expect(stopped).toBeUndefined()
    expect(verdicts.find(({ id }) => id === 'safe-methods')?.verdict).toBe('kept')
  })

  test('is no harm where items come', async () => {
    let last = 100
    const { stopped } = await tryOn(({ method, place, id }, held) => {
      if (method !== 'GET' || id !== undefined) return undefined
      last++
      return { status: 200, body: [...(held.get(place) ?? []), { id: last, name: 'New' }] }
    })
    expect(stopped).toBeUndefined()
  })
})

test('the command says what was destroyed, and exits with 1', { timeout: 20_000 }, async () => {
  const server = await startSimpleServer((asked, held) =>
    asked.method === 'HEAD' ? as('DELETE', asked, held) : undefined,
  )
  const cli = fileURLToPath(new URL('../../../src/cli.ts', import.meta.url))
  const run = async (...more: string[]) =>
    promisify(execFile)(process.execPath, [cli, 'check', `${server.url}/teams`, ...more]).then(
      ({ stdout }) => ({ code: 0, stdout }),
      ({ code, stdout }) => ({ code, stdout }),
    )
  const text = await run()
  expect(text.code).toBe(1)
  expect(text.stdout).toContain('The item "1" is gone from /teams after HEAD /teams/1.')
  expect(text.stdout).toMatch(/curl -i --path-as-is --globoff -I '\S+\/teams\/1'/)
  const json = await run('--json')
  expect(json.code).toBe(1)
  expect(JSON.parse(json.stdout).stopped).toContain('The item "3" is gone from /teams')
  await server.close()
})

test('HEAD that loses an item below an own parent is found on that item', async () => {
  const { verdicts, held } = await tryOn(
    (asked, held) =>
      asked.method === 'HEAD' && asked.place !== '/teams' ? as('DELETE', asked, held) : undefined,
    true,
  )
  const head = verdicts.find(({ id }) => id === 'head')
  expect(head?.faults.map(({ message }) => message)).toContain(
    'After HEAD the item is not as it was.',
  )
  expect([...held.values()].flat()).toEqual([...initialItems().values()].flat())
})

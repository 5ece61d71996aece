import fc from 'fast-check'
import { type HttpRequest, handle } from 'nounful'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { type Answer, isAlike } from '../support/alike.ts'
import { memoryPeer, type Peer, peerOn } from '../support/peers.ts'
import { type Line, requestOf } from '../support/registry.ts'
import { type Step, sequence } from '../support/requests.ts'
import { engines, has } from '../support/stores.ts'

// `RUNS=100000 npx vitest run test/kysely/same.test.ts` sends so many. `SEED=…` repeats them.
const requests = Number(process.env.RUNS ?? 3000)
const seed = process.env.SEED === undefined ? {} : { seed: Number(process.env.SEED) }
const numRuns = Math.ceil(requests / 22)
const timeout = 30_000 + requests * 30

const ann = { name: 'Ann', birthdate: '1990-01-01' }
const peers: Peer[] = []
let asked = 0

beforeAll(async () => {
  peers.push(...(await Promise.all(engines.filter(has).map(peerOn))))
}, 60_000)

afterAll(async () => {
  await Promise.all(peers.map((peer) => peer.end()))
  if (process.env.RUNS !== undefined) console.log(`${asked} requests in ${numRuns} sequences`)
})

test('every store responds as the memory does', { timeout }, async () => {
  await fc.assert(
    fc.asyncProperty(sequence, async (steps) => {
      asked += await askInTurn([...steps, ...everything])
    }),
    { numRuns, ...seed },
  )
})

// Differences that random requests found, or may find once in many thousand.
const cases: readonly (readonly [name: string, lines: readonly Line[]])[] = [
  [
    'a number that no column holds finds no item',
    ['2147483648', '-2147483649', '9007199254740991'].flatMap((id): Line[] => [
      ['GET', `/v1/gadgets/${id}`],
      ['PUT', `/v1/gadgets/${id}`, { label: 'a', note: null, weight: null }],
      ['PUT', '/v1/gadgets', [{ id: Number(id), label: 'a', note: null, weight: null }]],
      ['DELETE', `/v1/gadgets/${id}`],
      ['GET', `/v1/gadgets/${id}/parts`],
      ['GET', `/v1/gadgets/${id}/parts/count`],
      ['POST', `/v1/gadgets/${id}/parts`, { name: 'a' }],
      ['DELETE', `/v1/gadgets/${id}/parts`],
    ]),
  ],
  [
    'a reference that no column holds is unknown',
    [
      ['POST', '/v1/parts', { name: 'a', gadget_id: 2147483648 }],
      ['POST', '/v1/employees', { ...ann, company_id: 'x'.repeat(300) }],
      ['GET', `/v1/companies/${'x'.repeat(255)}/employees`],
    ],
  ],
  [
    'a broken reference is reported before a taken value',
    [
      ['POST', '/v1/parts', { id: 'a', name: 'a', code: 'x' }],
      ['POST', '/v1/parts', { id: 'b', name: 'b', code: 'y' }],
      ['POST', '/v1/parts', { name: 'c', code: 'x', gadget_id: 9 }],
      ['POST', '/v1/parts', { name: 'c', code: 'x', gadget_id: 2147483648 }],
      ['POST', '/v1/parts', { id: 'a', name: 'c', gadget_id: 9 }],
      ['POST', '/v1/parts', { id: 'a', name: 'c', code: 'y' }],
      ['POST', '/v1/parts', { id: 'c', name: 'c', code: 'y' }],
      ['PUT', '/v1/parts/a', { name: 'a', code: 'y', gadget_id: 9 }],
      ['PUT', '/v1/parts/none', { name: 'a', code: 'y', gadget_id: 2147483648 }],
      ['PUT', '/v1/parts/a', { name: 'a', code: 'y' }],
    ],
  ],
  [
    'every issue of a bulk is reported, references first',
    [
      ['POST', '/v1/parts', { id: 'a', name: 'a', code: 'x' }],
      ['POST', '/v1/parts', { id: 'b', name: 'b', code: 'y' }],
      ['POST', '/v1/parts', { id: 'c', name: 'c', code: 'z' }],
      ...[
        [
          { id: 'a', name: 'a', code: 'z' },
          { id: 'b', name: 'b', gadget_id: 9 },
        ],
        [
          { id: 'a', name: 'a', gadget_id: 2147483648 },
          { id: 'b', name: 'b', gadget_id: 9 },
          { id: 'p-1', name: 'c', code: 'x' },
        ],
        [
          { id: 'a', name: 'a', code: 'z' },
          { id: 'b', name: 'b', code: 'z' },
        ],
        [
          { id: 'a', name: 'a', code: 'new' },
          { id: 'b', name: 'b', code: 'new' },
          { id: 'p-1', name: 'c', code: 'z' },
        ],
      ].map((parts): Line => ['PUT', '/v1/parts', parts]),
    ],
  ],
  [
    'a bulk of new items is stored whole or not at all',
    [
      ['POST', '/v1/parts', { id: 'a', name: 'a', code: 'x' }],
      ...[
        [],
        [{ name: 'b' }, { id: 'c', name: 'c', code: 'z' }],
        [{ name: 'd' }, { name: 'e', code: 'x' }],
        [
          { name: 'd', code: 'n' },
          { name: 'e', code: 'n' },
        ],
        [{ name: 'd' }, { id: 'a', name: 'e' }, { id: 'c', name: 'f' }],
        [
          { name: 'd', code: 'x' },
          { name: 'e', gadget_id: 9 },
        ],
        [
          { name: 'd', gadget_id: 2147483648 },
          { name: 'e', gadget_id: 9 },
        ],
      ].map((parts): Line => ['POST', '/v1/parts', parts]),
      ['GET', '/v1/parts?sort=name'],
    ],
  ],
  [
    'patches of several items meet their constraints',
    [
      [
        'POST',
        '/v1/parts',
        [
          { id: 'a', name: 'a', code: 'x' },
          { id: 'b', name: 'b', code: 'y' },
        ],
      ],
      ...[
        [{ id: 'a', code: 'y' }],
        [
          { id: 'a', name: 'n' },
          { id: 'b', code: 'x' },
        ],
        [
          { id: 'a', code: 'y' },
          { id: 'b', name: 'n' },
        ],
        [
          { id: 'a', code: 'n' },
          { id: 'b', code: 'n' },
        ],
        [
          { id: 'a', code: 'n' },
          { id: 'b', gadget_id: 9 },
        ],
        [
          { id: 'a', code: 'n' },
          { id: 'b', code: 'x' },
        ],
        [
          { id: 'a', name: 'n' },
          { id: 'none', name: 'n' },
        ],
      ].map((parts): Line => ['PATCH', '/v1/parts', parts]),
      ['PATCH', '/v1/parts/a', { code: 'x' }],
      ['PATCH', '/v1/parts/a', { gadget_id: 2147483648 }],
      ['GET', '/v1/parts?sort=name'],
    ],
  ],
  [
    'a search keeps the replacement character apart',
    [
      ...['a\ufffd', 'b\ufffe', 'c\uffff', 'é\uffff'].map(
        (name): Line => ['POST', '/v1/companies', { name }],
      ),
      ...[
        '\ufffd',
        '\ufffe',
        '\uffff',
        'A\ufffd',
        'C\uffff',
        'c\ufffd',
        'É\uffff',
        'É\ufffe',
      ].flatMap((word): Line[] => {
        const q = encodeURIComponent(word)
        return [
          ['GET', `/v1/companies?q=${q}`],
          ['GET', `/v1/companies/count?q=${q}`],
        ]
      }),
    ],
  ],
]

describe('as in memory', () => {
  test.each(cases)('%s', async (_, lines) => void (await askInTurn(lines.map(requestOf))))
})

/** Sends the requests to every store again, and returns their number. */
async function askInTurn(steps: readonly Step[]): Promise<number> {
  const memory = memoryPeer()
  await Promise.all(peers.map((peer) => peer.reset()))
  const done: HttpRequest[] = []
  const links: string[] = []
  for (const step of steps) {
    const request = toRequest(step, links)
    if (request === undefined || (await handsOn(request, memory))) continue
    done.push(request)
    const { headers } = await askAll(memory, done)
    const [, link] = /<([^>]+)>; rel="next"/.exec(headers.link ?? '') ?? []
    if (link !== undefined) links.unshift(link)
  }
  return done.length
}

// The stored items at the end.
const everything: readonly Step[] = [
  'companies',
  'employees',
  'gadgets',
  'parts',
  'companies/c-1/customers',
].map((path) => ({ method: 'GET', url: `/v1/${path}` }))

function toRequest(step: Step, links: readonly string[]): HttpRequest | undefined {
  if (!('goOn' in step)) return step
  const url = links[step.goOn]
  return url === undefined ? undefined : { method: 'GET', url }
}

// In memory, an item of a bulk may take the unique code of another. Databases check each item when
// they write it (refusals.test.ts).
async function handsOn({ method, url, body }: HttpRequest, memory: Peer): Promise<boolean> {
  if (method !== 'PUT' || !/\/(?:parts|pieces)$/.test(url)) return false
  const sent: unknown = JSON.parse(String(body))
  const { body: stored } = await ask(memory, { method: 'GET', url: '/v1/parts' })
  const parts = [sent].flat().map((part): Part => Object(part))
  const holders = new Map((stored as Part[]).map(({ code, id }) => [code, id]))
  return parts.some(({ id, code }) => {
    const holder = code === undefined ? undefined : holders.get(code)
    return holder !== undefined && holder !== id && parts.some((part) => part.id === holder)
  })
}

interface Part {
  readonly id?: unknown
  readonly code?: unknown
}

async function askAll(memory: Peer, done: readonly HttpRequest[]): Promise<Answer> {
  const [request] = done.slice(-1)
  if (request === undefined) throw new Error('nothing is asked')
  const expected = await ask(memory, request)
  const answers = await Promise.all(peers.map((peer) => ask(peer, request)))
  for (const [place, answer] of answers.entries()) {
    if (isAlike(expected, answer)) continue
    throw new Error(
      [
        `${peers[place]?.name} differs from memory`,
        ...done.map(show),
        `memory: ${show(expected)}`,
        `${peers[place]?.name}: ${show(answer)}`,
      ].join('\n'),
    )
  }
  return expected
}

async function ask({ companies, gadgets }: Peer, request: HttpRequest): Promise<Answer> {
  const isOfGadgets = /^\/(?:v1\/(?:gadgets|parts)|v2\/)/.test(request.url)
  const registry = isOfGadgets ? gadgets : companies
  const { status, headers, body } = await handle(request, registry)
  const { date, ...rest } = headers
  return {
    status,
    headers: rest,
    body: body === undefined ? body : JSON.parse(JSON.stringify(body)),
  }
}

// Escapes invisible characters.
function show(value: unknown): string {
  const text = JSON.stringify(value).replace(/[\p{M}\p{C}\p{Z}]/gu, (found) =>
    found === ' ' ? found : `\\u{${found.codePointAt(0)?.toString(16)}}`,
  )
  return text.length < 2000 ? text : `${text.slice(0, 2000)}… (${text.length} characters)`
}

/** The levels that compare whole servers. */
export type Door = 'pipeline' | 'loopback' | 'fetch'

/** One of the servers that the bench compares. */
export interface Contender {
  /** Its name in the tables. */
  readonly name: string
  /** Its file in `contenders/`. */
  readonly file: string
  readonly doors: readonly Door[]
  /** Its packages; the page tells their versions. */
  readonly packages: readonly string[]
}

const node: readonly Door[] = ['pipeline', 'loopback']
const every: readonly Door[] = [...node, 'fetch']

/** The yardstick. */
export const bare = 'bare'
/** A second copy of the yardstick, the control: its ratio would be 1 without noise. */
export const bareAgain = 'bare again'
/** The contenders that have goals. They send the very headers that bare sends. */
export const ours: readonly string[] = ['nounful', 'nounful, serve']

/** The yardstick and its control, nounful, then peers. */
export const contenders: readonly Contender[] = [
  { name: bare, file: 'bare', doors: every, packages: [] },
  { name: bareAgain, file: 'bare', doors: every, packages: [] },
  { name: 'nounful', file: 'nounful', doors: every, packages: [] },
  { name: 'nounful, serve', file: 'nounful', doors: node, packages: [] },
  { name: 'fastify', file: 'fastify', doors: node, packages: ['fastify'] },
  { name: 'polka', file: 'polka', doors: ['pipeline'], packages: ['polka'] },
  { name: 'hono', file: 'hono', doors: every, packages: ['hono', '@hono/node-server'] },
  { name: 'h3', file: 'h3', doors: ['pipeline', 'fetch'], packages: ['h3'] },
  { name: 'elysia', file: 'elysia', doors: ['fetch'], packages: ['elysia'] },
  { name: 'express', file: 'express', doors: node, packages: ['express'] },
]

/** Servers of one list of 10,000 items, by name; `contenders/long-list.mjs` makes them. */
export const longLists: readonly Contender[] = [
  ...['bare', 'bare again, bare', 'nounful, array', 'nounful, iterable', 'fastify', 'express'],
].map((name) => ({ name, file: 'long-list', doors: ['loopback'], packages: [] }))

/** One request that a server gets again and again. */
export interface Case {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly body?: string
}

const employee = {
  name: 'Gita Rao',
  email: 'gita.rao@example.com',
  birthdate: '1991-04-09',
  department: 'Research',
  company_id: '7',
}
const employees = Array.from({ length: 100 }, (_, index) => ({ id: `${index}`, ...employee }))

/** The name of a case that no mean includes: it costs many times the rest. */
export const bulk = 'PUT of 100'

/** The request that {@link longLists} answer. */
export const longList: Case = { name: '10,000 items', method: 'GET', path: '/v1/employees' }

/** The requests for {@link contenders}. `list` has a next page, so its response has a `Link`. */
export const cases: readonly Case[] = [
  { name: 'read', method: 'GET', path: '/v1/employees/77' },
  { name: 'nested read', method: 'GET', path: '/v1/companies/7/employees/77' },
  { name: 'list', method: 'GET', path: '/v1/employees?sort=-name&limit=20' },
  { name: 'count', method: 'GET', path: '/v1/employees/count' },
  { name: 'create', method: 'POST', path: '/v1/employees', body: JSON.stringify(employee) },
  { name: '404', method: 'GET', path: '/v1/nowhere/77' },
  { name: '405', method: 'DELETE', path: '/v1/employees/77' },
  { name: bulk, method: 'PUT', path: '/v1/employees', body: JSON.stringify(employees) },
]

/** A contender whose responses are compared: the bytes of one, in Latin-1. */
export interface Responder {
  readonly name: string
  ask(request: Case): Promise<string>
}

/**
 * Checks that all contenders send the same status, body, media type and headers.
 *
 * @throws {Error} For the first difference; it names it.
 */
export async function compareResponses(
  [first, ...peers]: readonly Responder[],
  requests: readonly Case[],
): Promise<void> {
  for (const request of requests) {
    const expected = parseResponse((await first?.ask(request)) ?? '')
    for (const { name, ask } of peers) {
      const actual = parseResponse(await ask(request))
      // A yardstick by hand must send the same headers, no more and no fewer.
      const parts = ours.includes(name) ? [...compared, 'headers'] : compared
      for (const part of parts) {
        if (actual.get(part) === expected.get(part)) continue
        const texts = [actual, expected].map((response) => JSON.stringify(response.get(part)))
        throw new Error(`${name}, ${request.name}: ${part} ${texts.join(' instead of ')}`)
      }
    }
  }
}

const compared = ['status', 'body', 'content-type', 'allow', 'location', 'link']

function parseResponse(bytes: string): ReadonlyMap<string, string> {
  const end = bytes.indexOf('\r\n\r\n')
  const [status = '', ...lines] = bytes.slice(0, end).split('\r\n')
  const headers = new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':')
      // JSON is UTF-8 with or without saying so; some frameworks always do.
      const value = line.slice(colon + 1).replace(/; ?charset=utf-8$/i, '')
      return [line.slice(0, colon).toLowerCase(), value.trim()]
    }),
  )
  const body = bytes.slice(end + 4)
  return new Map(headers)
    .set('headers', [...headers.keys()].sort().join(', '))
    .set('status', status.split(' ')[1] ?? '')
    .set('body', headers.get('transfer-encoding') === 'chunked' ? joinChunks(body) : body)
}

function joinChunks(chunks: string): string {
  const start = chunks.indexOf('\r\n') + 2
  const length = Number.parseInt(chunks, 16)
  if (!(length > 0)) return ''
  return chunks.slice(start, start + length) + joinChunks(chunks.slice(start + length + 2))
}

import fc from 'fast-check'
import { type HttpRequest, type HttpResponse, handle, type Registry } from 'nounful'
import { type FetchHandler, toFetchHandler } from 'nounful/fetch'
import { afterAll, expect, test } from 'vitest'
import { respond } from '../../../src/server/respond.ts'
import { checkAnswer } from '../../support/answers.ts'
import { memoryPeer } from '../../support/peers.ts'
import { wildRequests } from '../../support/wild.ts'

// `RUNS=1000000 npx vitest run test/adversity/fuzz/requests.test.ts` sends so many requests;
// `SEED=…` repeats them.
const requests = Number(process.env.RUNS ?? 3000)
const seed = process.env.SEED === undefined ? {} : { seed: Number(process.env.SEED) }
const numRuns = Math.ceil(requests / 20)
const timeout = 30_000 + requests * 10
let asked = 0
const met = new Map<string, number>()

afterAll(() => {
  if (process.env.RUNS !== undefined) console.log(asked, Object.fromEntries([...met].sort()))
})

/** The same service three times, each behind another door. */
interface Services {
  readonly plain: Registry
  readonly text: Registry
  readonly fetch: Registry
  readonly fetchHandler: FetchHandler
}

function services(name: 'companies' | 'gadgets'): Services {
  const [plain, text, fetch] = [memoryPeer()[name], memoryPeer()[name], memoryPeer()[name]]
  return { plain, text, fetch, fetchHandler: toFetchHandler(fetch) }
}

const ask = async (registry: Registry, request: HttpRequest) => await handle(request, registry)
const lists = [
  '/v1/companies', '/v1/employees', '/v1/companies/c-1/customers', '/v1/companies/c-2/customers',
  '/v1/gadgets', '/v1/parts',
] // biome-ignore format: one list

async function dump(registry: Registry): Promise<string> {
  const answers = await Promise.all(lists.map((url) => ask(registry, { method: 'GET', url })))
  return JSON.stringify(answers.map(({ status, body }) => [status, body]))
}

test('every request is answered by the convention', { timeout }, async () => {
  await fc.assert(
    fc.asyncProperty(wildRequests, async (all) => {
      const [companies, gadgets] = [services('companies'), services('gadgets')]
      for (const request of all) {
        asked++
        await attack(/gadgets|parts/.test(request.url) ? gadgets : companies, request)
      }
    }),
    { numRuns, ...seed },
  )
})

async function attack(of: Services, request: HttpRequest): Promise<void> {
  const before = await dump(of.plain)
  const answer = await ask(of.plain, request)
  const { code = '' } = Object(answer.body)
  met.set(`${answer.status} ${code}`, (met.get(`${answer.status} ${code}`) ?? 0) + 1)
  checkAnswer(request, answer)
  expect(answer.status, 'nothing is broken').toBeLessThan(500)
  const isRead = !['POST', 'PUT', 'PATCH', 'DELETE'].includes(request.method)
  if (isRead || answer.status >= 400) expect(await dump(of.plain)).toBe(before)
  await expectSameText(of.text, request, answer)
  await expectSameFetched(of, request, answer)
  await expectKin(of.plain, request, answer)
  await expectWayOn(of.plain, answer)
}

async function expectSameText(
  registry: Registry,
  request: HttpRequest,
  { status, headers, body }: HttpResponse,
): Promise<void> {
  const own = { ...request, headers: lowerCase(request.headers) }
  const { content: text, slices: rest, ...written } = await respond(own, registry)
  expect(rest).toBeUndefined()
  expect(written).toMatchObject({ status, headers })
  if (request.method !== 'HEAD') expect(text).toBe(JSON.stringify(body))
}

// Doors give them so.
function lowerCase(headers: HttpRequest['headers'] = {}): HttpRequest['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
}

async function expectSameFetched(
  { fetch, fetchHandler }: Services,
  request: HttpRequest,
  { status, headers, body }: HttpResponse,
): Promise<void> {
  const fetchable = toRequest(request)
  // Requests that fetch cannot send run all the same, so that both keep the same items.
  if (fetchable === undefined) return void (await ask(fetch, request))
  const response = await fetchHandler(fetchable)
  const { 'content-length': length, ...given } = Object.fromEntries(response.headers)
  const text = await response.text()
  expect({ status: response.status, headers: given }).toEqual({ status, headers })
  expect(text).toBe(request.method === 'HEAD' ? '' : JSON.stringify(body))
  if (request.method !== 'HEAD') expect(length).toBe(`${new TextEncoder().encode(text).length}`)
}

function toRequest({ method, url, headers = {}, body }: HttpRequest): Request | undefined {
  try {
    const target = new URL(url, 'http://x')
    // Fetch refuses or rewrites some, and adds a type to what has none.
    if (target.href.slice('http://x'.length) !== url || !/^[A-Z]+$/.test(method)) return undefined
    const given = new Headers()
    for (const [name, value] of Object.entries(headers)) given.set(name, String(value))
    const same = [...given].every(([name, value]) => headers[name] === value)
    if (!same || [...given].length < Object.keys(headers).length) return undefined
    if (body !== undefined && !given.has('content-type')) return undefined
    if (typeof body === 'string' && !body.isWellFormed()) return undefined
    const init = { method, headers: given }
    const made = new Request(target, body === undefined ? init : { ...init, body: body as string })
    return made.method === method ? made : undefined
  } catch {
    return undefined
  }
}

const pathCodes = [
  'uri_too_long', 'bad_path', 'bad_percent_encoding', 'unknown_version', 'unknown_resource',
] // biome-ignore format: one list

// Compares other methods of the same target.
async function expectKin(
  registry: Registry,
  request: HttpRequest,
  { status, headers, body }: HttpResponse,
): Promise<void> {
  if (request.method === 'GET') {
    const head = await ask(registry, { ...request, method: 'HEAD' })
    expect(head).toEqual({ status, headers, body: undefined })
  }
  const options = await ask(registry, { method: 'OPTIONS', url: request.url })
  checkAnswer({ ...request, method: 'OPTIONS' }, options)
  const isPlace = request.method !== 'HEAD' && !pathCodes.includes(Object(body).code)
  if (isPlace) expect(options.status).toBe(200)
  if (status === 405) expect(options.headers.allow ?? headers.allow).toBe(headers.allow)
}

// Follows the links of a response.
async function expectWayOn(
  registry: Registry,
  { headers: { location, link }, body }: HttpResponse,
): Promise<void> {
  if (location !== undefined) {
    const item = await ask(registry, { method: 'GET', url: location })
    expect({ status: item.status, body: item.body }).toEqual({ status: 200, body })
  }
  const next = /^<([^>]+)>; rel="next"$/.exec(link ?? '')?.[1]
  expect(next === undefined).toBe(link === undefined)
  if (next === undefined) return
  const page = await ask(registry, { method: 'GET', url: next })
  // A sort value may be longer than a target may be.
  if (next.length <= 4096) expect(page.status).toBe(200)
}

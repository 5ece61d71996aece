import fc from 'fast-check'
import { type HttpRequest, type HttpResponse, handle } from 'nounful'
import { describe, expect, test } from 'vitest'
import { compareBy } from '../src/contract/values/order.ts'
import { statuses } from '../src/convention/operations.ts'
import { problems } from '../src/convention/problems.ts'
import { respond } from '../src/server/respond.ts'
import { companies, companiesRegistry, employees } from './support/companies.ts'
import { requestOf } from './support/registry.ts'

// `RUNS=1000000 npx vitest run test/properties.test.ts` tries harder.
const numRuns = Number(process.env.RUNS ?? 2000)
const timeout = 10_000 + numRuns

const anyOf = <const Value>(...values: readonly Value[]) => fc.constantFrom(...values)

/** Any text, most of it what breaks things. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ maxLength: 12 }),
  anyOf(
    '',
    ' ',
    '.',
    '..',
    '__proto__',
    'constructor',
    'first',
    'count',
    '\0',
    '\ud800',
    'é',
    '😀',
    'a/b',
    '%',
    '%zz',
    '\r\nx: y',
  ),
)

const known = anyOf(...employees, ...companies).map(({ id }) => id)
const segment = fc.oneof(
  {
    weight: 6,
    arbitrary: anyOf('v1', 'employees', 'companies', 'customers', 'first', 'last', 'count'),
  },
  { weight: 4, arbitrary: known },
  {
    weight: 2,
    arbitrary: anyOf(
      '',
      '.',
      '..',
      '%2e',
      '%',
      '%zz',
      '%C0%AF',
      '%2F',
      '%00',
      'v2',
      'v01',
      'Employees',
      '\\',
      '*',
      ';x=1',
    ),
  },
  { weight: 1, arbitrary: text },
  { weight: 1, arbitrary: text.map((part) => encodeURIComponent(part.toWellFormed())) },
)

const parameter = fc
  .oneof(
    fc.tuple(
      anyOf('q', 'sort', 'limit', 'after', 'x', 'sort[]', '__proto__'),
      fc.oneof(
        text,
        anyOf('name', '-name,birthdate', 'name,name', '1', '0', '1e3', ',', '%zz', '+'),
      ),
    ),
    fc.tuple(text, text),
  )
  .map(([name, value]) => `${name}=${value}`)

/** A path that names something, or could. */
const goodPath = fc
  .tuple(
    anyOf('', '/v1'),
    anyOf('/employees', '/companies', '/companies/c-acme/employees', '/companies/c-acme/customers'),
    fc.oneof(
      anyOf('', '', '', '/', '/first', '/last', '/count'),
      known.map((id) => `/${id}`),
    ),
  )
  .map((parts) => parts.join(''))

/** Any target, most of them near a valid one. */
const target = fc.oneof(
  { weight: 8, arbitrary: goodPath },
  {
    weight: 2,
    arbitrary: fc.tuple(goodPath, parameter).map((parts) => parts.join('?')),
  },
  {
    weight: 8,
    arbitrary: fc
      .tuple(
        fc.array(segment, { maxLength: 6 }),
        fc.array(parameter, { maxLength: 3 }),
        anyOf('', '/'),
      )
      .map(
        ([segments, parameters, slash]) =>
          `/${segments.join('/')}${slash}` +
          `${parameters.length > 0 ? '?' : ''}${parameters.join('&')}`,
      ),
  },
  { weight: 1, arbitrary: text },
  {
    weight: 1,
    arbitrary: anyOf(
      '*',
      '',
      '/',
      '//',
      'http://x',
      'https://x/v1/employees?q=a',
      '/v1/employees#x',
      `/${'a'.repeat(5000)}`,
    ),
  },
)

const method = fc.oneof(
  { weight: 9, arbitrary: anyOf('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS') },
  { weight: 1, arbitrary: fc.oneof(text, anyOf('PATCH', 'get', 'TRACE')) },
)

const oddHeaders = fc.record(
  {
    'content-type': fc.oneof(
      { weight: 9, arbitrary: fc.constant('application/json') },
      { weight: 1, arbitrary: text },
    ),
    'content-length': fc.oneof(anyOf('0', '9999999', '-1', 'x'), text),
    'content-encoding': fc.oneof(anyOf('gzip', 'identity'), text),
    'content-range': text,
    'if-match': fc.oneof(anyOf('*', '"1"', 'W/"1"', '"'), text),
    'if-none-match': fc.oneof(anyOf('*', '"1"'), text),
    prefer: fc.oneof(anyOf('max-affected=1', 'max-affected=x', 'wait', 'max-affected="'), text),
    accept: text,
    'x-http-method-override': method,
  },
  { requiredKeys: ['content-type'] },
)

const headers = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ 'content-type': 'application/json' }) },
  { weight: 2, arbitrary: oddHeaders },
)

const field = fc.oneof(
  anyOf('id', 'name', 'birthdate', 'email', 'company_id', 'created_at', '__proto__', 'toString'),
  text,
)
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  text,
  known,
  anyOf<unknown>('1990-01-01', 'Ann', { toString: 1 }, [{ toString: 1 }]),
)
const item = fc.oneof(
  fc.record({ name: anyOf('Ann', '😀'), birthdate: fc.constant('1990-01-01') }),
  fc.record({ id: known, name: fc.constant('Ann'), birthdate: fc.constant('1990-01-01') }),
  fc.record(
    {
      id: known,
      name: anyOf('Ann', 'Bo', ''),
      birthdate: anyOf('1990-01-01', 'x'),
      company_id: known,
    },
    { requiredKeys: ['name'] },
  ),
  fc.dictionary(field, value, { maxKeys: 5 }),
)
const body = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  { weight: 4, arbitrary: item.map((one) => JSON.stringify(one)) },
  { weight: 2, arbitrary: fc.array(item, { maxLength: 4 }).map((items) => JSON.stringify(items)) },
  { weight: 1, arbitrary: fc.oneof(value, item).map((one) => Object(one) as object) },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: text },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }) },
  { weight: 1, arbitrary: fc.constant('[['.repeat(5000)) },
)

const anyRequest: fc.Arbitrary<HttpRequest> = fc.oneof(
  fc.record({ method, url: target, headers, body }),
  fc.record({ method: anyOf('POST', 'PUT'), url: goodPath, headers, body }),
  fc.record({ method: anyOf('GET', 'HEAD', 'DELETE'), url: target, headers }),
)

// Checks the facts of every response.
function check(
  { method, url }: HttpRequest,
  { status, headers: sent, body: given }: HttpResponse,
): void {
  expect(statuses).toContain(status)
  expect(status).toBeLessThan(500)
  for (const [name, line] of Object.entries(sent))
    expect(`${name}: ${line}`).toMatch(/^[a-z-]+: [!-~ ]+$/)
  if (method === 'HEAD') expect(given).toBeUndefined()
  else expect(JSON.parse(JSON.stringify(given))).toEqual(given)
  // Many new items have no location.
  if (status === 201 && !Array.isArray(given)) expect(sent.location).toMatch(/^\/v1\/[!-~]+$/)
  if (status === 405) expect(sent.allow).toMatch(/(^|, )OPTIONS$/)
  if (status === 401) expect(sent['www-authenticate']).toBeDefined()
  if (status < 400) {
    expect(sent['content-type']).toBe('application/json')
    if (method === 'OPTIONS') expect(sent.allow).toBeDefined()
    return
  }
  expect(sent['content-type']).toBe('application/problem+json')
  if (method === 'HEAD') return
  const { code, message, ...problem } = given as Record<string, unknown>
  expect(problem).toMatchObject({ type: 'about:blank', status, detail: message })
  expect(problems).toHaveProperty(String(code), { status, title: problem.title })
  expect(JSON.stringify(given).length, url).toBeLessThan(65_536)
}

describe('every request', () => {
  test(
    'is answered by the convention',
    async () => {
      await fc.assert(
        fc.asyncProperty(anyRequest, async (request) => {
          check(request, await handle(request, companiesRegistry()))
        }),
        { numRuns },
      )
    },
    timeout,
  )

  test(
    'is answered alike in text',
    async () => {
      await fc.assert(
        fc.asyncProperty(anyRequest, async (request) => {
          const answer = await handle(request, companiesRegistry())
          const { content: written, status } = await respond(request, companiesRegistry())
          expect(status).toBe(answer.status)
          if (request.method !== 'HEAD') expect(written).toBe(JSON.stringify(answer.body))
        }),
        { numRuns },
      )
    },
    timeout,
  )

  test(
    'that reads changes nothing',
    async () => {
      const registry = companiesRegistry()
      const before = await handle({ method: 'GET', url: '/employees' }, registry)
      const reading = anyRequest.filter(
        (request) => !['POST', 'PUT', 'PATCH', 'DELETE'].includes(request.method),
      )
      await fc.assert(
        fc.asyncProperty(reading, async (request) => {
          await handle(request, registry)
          expect(await handle({ method: 'GET', url: '/employees' }, registry)).toEqual(before)
        }),
        { numRuns },
      )
    },
    timeout,
  )
})

interface Employee {
  readonly id: string
  readonly name: string
  readonly birthdate: string
  readonly company_id?: string | undefined
  readonly created_at: string
}

const draft = fc.record(
  {
    name: anyOf('Ann', 'Bo', 'É', '😀', 'ann'),
    birthdate: anyOf('1980-01-01', '1990-01-01'),
    company_id: anyOf('c-acme', 'c-umbra'),
  },
  { requiredKeys: ['name', 'birthdate'] },
)
const scope = anyOf(undefined, 'c-acme', 'c-umbra')
const place = fc.nat(6)

// A step is a request; its index stands for an existing id.
const step = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), scope, draft }),
  fc.record({ kind: fc.constant('update' as const), scope, place, draft }),
  fc.record({
    kind: fc.constant('updateMany' as const),
    scope,
    places: fc.uniqueArray(place, { maxLength: 3 }),
    draft,
  }),
  fc.record({ kind: fc.constant('delete' as const), scope, place }),
  fc.record({
    kind: fc.constant('deleteAll' as const),
    scope,
    most: fc.option(fc.nat(4), { nil: undefined }),
  }),
  fc.record({
    kind: anyOf('list', 'first', 'last', 'count', 'pages'),
    scope,
    q: anyOf('', 'an', 'é', '😀'),
    sort: anyOf('', 'name', '-name,birthdate', 'birthdate'),
  }),
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/** The model of a service of employees: a `Map`, and a counter. */
class Model {
  readonly stored = new Map<string, Employee>(employees.map((one) => [one.id, one]))
  #last = 0

  inScope(owner: string | undefined): Employee[] {
    return [...this.stored.values()]
      .filter(({ company_id }) => owner === undefined || company_id === owner)
      .sort(compareBy([{ field: 'id', direction: 'asc' }]))
  }

  idAt(at: number): string {
    return [...this.stored.keys()][at] ?? 'nobody'
  }

  put(item: Employee): Employee {
    this.stored.set(item.id, item)
    return item
  }

  create(item: Omit<Employee, 'id' | 'created_at'>): Employee {
    return this.put({ id: `${++this.#last}`, ...item, created_at: '2026-01-02T03:04:05.000Z' })
  }
}

type Ask = (method: string, url: string, body?: unknown, headers?: object) => Promise<HttpResponse>

async function take(done: Step, model: Model, ask: Ask): Promise<void> {
  const owner = done.scope
  const base = owner === undefined ? '/employees' : `/companies/${owner}/employees`
  const owned = model.inScope(owner)
  const written =
    'draft' in done
      ? { ...done.draft, ...(owner === undefined ? {} : { company_id: owner }) }
      : person
  const sent =
    'draft' in done && owner !== undefined ? { ...done.draft, company_id: undefined } : written
  switch (done.kind) {
    case 'create':
      expect(await ask('POST', base, sent)).toMatchObject({
        status: 201,
        body: model.create(written),
      })
      return
    case 'update':
    case 'delete': {
      const id = model.idAt(done.place)
      const old = owned.find((one) => one.id === id)
      const isUpdate = done.kind === 'update'
      const answer = await ask(
        isUpdate ? 'PUT' : 'DELETE',
        `${base}/${id}`,
        isUpdate ? sent : undefined,
      )
      if (!old) return void expect(answer).toMatchObject({ status: 404 })
      expect(answer.status).toBe(200)
      expect(answer.body).toEqual(
        isUpdate ? model.put({ id, ...written, created_at: old.created_at }) : old,
      )
      if (!isUpdate) model.stored.delete(id)
      return
    }
    case 'updateMany': {
      const ids = [...new Set(done.places.map((at) => model.idAt(at)))]
      const olds = ids.map((id) => owned.find((one) => one.id === id))
      const answer = await ask(
        'PUT',
        base,
        ids.map((id) => ({ ...sent, id })),
      )
      if (olds.includes(undefined)) return void expect(answer).toMatchObject({ status: 404 })
      expect(answer.body).toEqual(
        olds.map((old) => old && model.put({ id: old.id, ...written, created_at: old.created_at })),
      )
      return
    }
    case 'deleteAll': {
      const headers = done.most === undefined ? {} : { prefer: `max-affected=${done.most}` }
      const answer = await ask('DELETE', base, undefined, headers)
      if (owned.length > (done.most ?? owned.length))
        return void expect(answer).toMatchObject({ status: 409 })
      expect(answer).toMatchObject({ status: 200, body: { deleted: owned.length } })
      for (const { id } of owned) model.stored.delete(id)
      return
    }
    default:
      return look(done, owned, { base, ask })
  }
}

const person = { name: 'Ann', birthdate: '1980-01-01' }

async function look(
  { kind, q, sort }: Extract<Step, { q: string }>,
  owned: readonly Employee[],
  { base, ask }: { readonly base: string; readonly ask: Ask },
): Promise<void> {
  const matching = owned.filter(({ name }) => name.toLowerCase().includes(q))
  const order =
    sort === ''
      ? []
      : sort
          .split(',')
          .map((name) =>
            name.startsWith('-')
              ? ({ field: name.slice(1), direction: 'desc' } as const)
              : ({ field: name, direction: 'asc' } as const),
          )
  const wanted = matching.sort(compareBy([...order, { field: 'id', direction: 'asc' }]))
  const query = `q=${encodeURIComponent(q)}`
  if (kind === 'count')
    return void expect((await ask('GET', `${base}/count?${query}`)).body).toEqual({
      count: wanted.length,
    })
  if (kind === 'first' || kind === 'last') {
    const { status, body: given } = await ask('GET', `${base}/${kind}?${query}&sort=${sort}`)
    if (wanted.length === 0) expect(status).toBe(404)
    else expect(given).toEqual(kind === 'first' ? wanted[0] : wanted.at(-1))
    return
  }
  const seen: unknown[] = []
  const limit = kind === 'pages' ? '&limit=2' : ''
  for (let url: string | undefined = `${base}?${query}&sort=${sort}${limit}`; url; ) {
    const { body: given, headers: sent } = await ask('GET', url)
    seen.push(...(given as unknown[]))
    url = /^<([^>]*)>/.exec(sent.link ?? '')?.[1]
  }
  expect(seen).toEqual(wanted)
}

describe('sequences of requests', () => {
  test(
    'behave as a Map of employees does',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
          const registry = companiesRegistry()
          const ask: Ask = async (verb, url, sent, extra) =>
            await handle(requestOf([verb, url, sent, extra as never]), registry)
          const model = new Model()
          for (const one of steps) await take(one, model, ask)
          const { body: all } = await ask('GET', '/employees')
          expect(all).toEqual(model.inScope(undefined))
        }),
        { numRuns: Math.ceil(numRuns / 10) },
      )
    },
    timeout,
  )
})

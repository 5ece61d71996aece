import { type HttpResponse, handle } from 'nounful'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkAnswer } from '../../support/answers.ts'
import { Model, type Step } from '../../support/model.ts'
import { expectForetold, modelled, requestFor } from '../../support/modelled.ts'
import type { Loose, ProblemBody } from '../../support/registry.ts'

// Runs a script of sixty requests once for each adapter call, which fails. That one request is 500.
// All others have their usual response, and the stored items are the written ones.

const company = (method: string, end?: string, name?: string): Step => {
  return { method, noun: 'companies', end, ...(name === undefined ? {} : { body: { name } }) }
}
const task = (method: string, end?: string, more: Partial<Step> = {}): Step => {
  return { method, noun: 'tasks', end, ...more }
}
const under = (under: string, method: string, end?: string, more: Partial<Step> = {}): Step => {
  return { ...task(method, end, more), under }
}
const meter = (method: string, end?: string, more: Partial<Step> = {}): Step => {
  return { method, noun: 'meters', end, ...more }
}
const tasks = (...body: readonly object[]): Step => task('PUT', undefined, { body })
const meters = (...body: readonly object[]): Step => meter('PUT', undefined, { body })
const titled = (title: string, more: object = {}) => ({ body: { title, ...more } })

const script: readonly Step[] = [
  company('POST', undefined, 'Acme'),
  company('POST', undefined, 'Globex'),
  company('POST', undefined, 'Umbra'),
  under('c1', 'POST', undefined, titled('Ann', { id: 'a' })),
  under('c1', 'POST', undefined, titled('Bea', { rank: 2 })),
  under('c2', 'POST', undefined, titled('Cleo', { id: 'c' })),
  task('POST', undefined, titled('Dora', { company_id: 'c2' })),
  task('POST', undefined, titled('Eva', { id: 'a' })),
  task('POST', undefined, titled('Fay', { company_id: 'c9' })),
  under('c9', 'POST', undefined, titled('Gil')),
  meter('POST', undefined, { body: { value: 1 } }),
  meter('POST', undefined, { body: { value: 2 } }),
  task('GET'),
  under('c1', 'GET'),
  task('GET', undefined, { query: { sort: '-title', limit: '2' } }),
  under('c1', 'GET', undefined, { query: { q: 'an', limit: '1' } }),
  task('GET', 'first'),
  task('GET', 'last', { query: { sort: 'rank' } }),
  under('c1', 'GET', 'last'),
  under('c3', 'GET', 'first'),
  task('GET', 'count'),
  under('c1', 'GET', 'count', { query: { q: 'a' } }),
  meter('GET', 'count'),
  task('GET', 'a'),
  under('c1', 'GET', 'a'),
  under('c2', 'GET', 'a'),
  task('HEAD', 'c'),
  task('OPTIONS'),
  task('PUT', 'a', titled('Ann Lee')),
  task('PUT', 'a', { ...titled('Ann Li'), ifMatch: '"2"' }),
  task('PUT', 'a', { ...titled('Ann No'), ifMatch: '"2"' }),
  task('PUT', 'c', titled('Cleo Poe', { version: 1, company_id: 'c1' })),
  under('c1', 'PUT', 't1', titled('Bea Day')),
  under('c2', 'PUT', 't1', titled('Bea Nay')),
  company('PUT', 'c3', 'Umbra Inc.'),
  company('PUT', 'c9', 'Nobody'),
  meter('PUT', '1', { body: { value: 3 } }),
  tasks({ id: 'a', title: 'A' }, { id: 'c', title: 'C', version: 2 }),
  tasks({ id: 'a', title: 'No' }, { id: 'nobody', title: 'No' }),
  tasks({ id: 'a', title: 'No' }, { id: 'c', title: 'No', version: 9 }),
  under('c1', 'PUT', undefined, { body: [{ id: 't1', title: 'B', rank: 1 }] }),
  meters({ id: 1, value: 4 }, { id: 2, value: 5 }),
  meter('PUT', undefined, { body: [] }),
  task('GET', undefined, { query: { sort: 'title,-rank' } }),
  company('DELETE', 'c2'),
  task('DELETE', 't2', { ifMatch: '"7"' }),
  task('DELETE', 't2', { ifMatch: '*' }),
  task('DELETE', 'a', { ifNoneMatch: '"4"' }),
  under('c2', 'DELETE', 'a'),
  under('c1', 'DELETE', 'a'),
  company('DELETE', 'c2'),
  under('c1', 'DELETE', undefined, { most: 0 }),
  task('DELETE', undefined, { most: 100 }),
  meter('DELETE'),
  company('DELETE'),
  task('POST', undefined, titled('Hana', { id: 'a' })),
  company('POST', undefined, 'New'),
  company('GET'),
  task('GET'),
  meter('GET'),
]

const writes: readonly string[] = [
  'create',
  'update',
  'modify',
  'updateMany',
  'modifyMany',
  'delete',
  'deleteAll',
]
const never = (): Promise<never> => new Promise(() => undefined)
const poisoned = { get id(): never { throw new Error('poisoned') } } // biome-ignore format: a line

/** The failures of a call, and their status. */
const faults: Readonly<Record<string, readonly [status: number, fail: (kind: string) => unknown]>> =
  {
    'throws': [500, () => raise(new Error('broken'))], // biome-ignore format: aligned
    'throws what chooses a status': [
      500,
      () => raise({ status: 404, statusCode: 404, code: 'ENOENT' }),
    ],
    'throws nothing': [500, () => raise(undefined)],
    'rejects': [500, () => Promise.reject(new Error('broken'))], // biome-ignore format: aligned
    'rejects with nothing': [500, () => Promise.reject(undefined)],
    'gives text': [500, () => 'garbage'],
    'gives half an item': [500, (kind) => (kind === 'list' ? [{}] : {})],
    'gives a promise of garbage': [500, (kind) => Promise.resolve(kind === 'list' ? [null] : -1)],
    'gives what throws when looked into': [
      500,
      (kind) => (kind === 'list' ? [poisoned] : poisoned),
    ],
    'never ends': [503, never],
  }

function raise(error: unknown): never {
  throw error
}

interface Fault {
  /** The call that fails, from 1; 0 for none. */
  readonly nth: number
  readonly when: 'before' | 'after'
  readonly fail: (kind: string) => unknown
}

/** The result of a script. */
interface Played {
  calls: number
  failed: number
  readonly errors: unknown[]
}

/** Plays the script with a fault, and holds every answer against the model. */
async function play({ nth, when, fail }: Fault, status: number): Promise<Played> {
  const played: Played = { calls: 0, failed: 0, errors: [] }
  let failing: string | undefined
  const call = (kind: string, work: () => unknown) => {
    played.calls++
    if (played.calls !== nth) return work()
    failing = kind
    if (when === 'after') quietly(work)
    return fail(kind)
  }
  const registry = modelled({
    wrap: (adapter) => wrapped(adapter, call),
    options: { limits: { time: 20 } },
    onError: (error) => played.errors.push(error),
  })
  const model = new Model()
  for (const step of script) {
    failing = undefined
    const request = requestFor(step)
    const answer = await handle(request, registry)
    if (failing === undefined) {
      expectForetold(answer, model.answer(step))
      continue
    }
    played.failed++
    checkAnswer(request, answer)
    expectFailed(answer, status)
    if (when === 'after' && writes.includes(failing)) model.answer(step)
  }
  return played
}

function wrapped(adapter: Loose, call: (kind: string, work: () => unknown) => unknown): Loose {
  return Object.fromEntries(
    Object.entries(adapter).map(([kind, method]) => [
      kind,
      // The storage knows its adapter by this method.
      kind === 'join'
        ? method
        : (...given: Parameters<typeof method>) => call(kind, () => method(...given)),
    ]),
  )
}

// Runs work whose own refusal does not matter: the call fails all the same.
function quietly(work: () => unknown): void {
  try {
    work()
  } catch {}
}

function expectFailed({ status, body }: HttpResponse, expected: number): void {
  expect(status).toBe(expected)
  if (body === undefined) return
  const { code } = body as ProblemBody
  expect(code).toBe(expected === 503 ? 'unavailable' : 'internal_error')
  expect(JSON.stringify(body)).not.toMatch(/broken|garbage|poisoned|ENOENT/)
}

const unhandled: unknown[] = []
const note = (error: unknown): void => void unhandled.push(error)
const aMoment = () => new Promise((resolve) => setTimeout(resolve, 10))

describe('whichever call of an adapter fails', () => {
  let calls = 0
  beforeAll(async () => {
    process.on('unhandledRejection', note)
    const played = await play({ nth: 0, when: 'before', fail: () => undefined }, 500)
    expect(script).toHaveLength(60)
    expect(played).toMatchObject({ failed: 0, errors: [] })
    calls = played.calls
  })
  afterAll(() => void process.off('unhandledRejection', note))

  for (const [name, [status, fail]] of Object.entries(faults)) {
    for (const when of ['before', 'after'] as const) {
      test(`as it ${name}, ${when} its work`, { timeout: 60_000 }, async () => {
        const all = Array.from({ length: calls }, (_, place) => place + 1)
        const played = await Promise.all(all.map((nth) => play({ nth, when, fail }, status)))
        await aMoment()
        expect(played.map(({ failed }) => failed)).toEqual(all.map(() => 1))
        expect(played.map(({ errors }) => errors.length)).toEqual(all.map(() => 1))
        expect(unhandled).toEqual([])
      })
    }
  }
})

import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { type HttpResponse, handle, type Registry } from 'nounful'
import { afterAll, describe, expect, test } from 'vitest'
import { Model, type Step } from '../../support/model.ts'
import { modelled, requestFor } from '../../support/modelled.ts'
import { type Loose, verdictOf } from '../../support/registry.ts'
import { anyOf } from '../../support/texts.ts'

// `RUNS=100000 npx vitest run test/adversity/fuzz/crossing.test.ts` crosses so many requests;
// `SEED=…` repeats them.
const runs = Number(process.env.RUNS ?? 600)
const seed = process.env.SEED === undefined ? {} : { seed: Number(process.env.SEED) }
const timeout = 30_000 + runs * 20
const met = new Map<string, number>()

afterAll(() => {
  if (process.env.RUNS !== undefined) console.log(Object.fromEntries([...met].sort()))
})

/** The first items: two companies, three tasks of the first, two meters. */
const begin: readonly Step[] = [
  ...['Acme', 'Globex'].map(
    (name) => ({ method: 'POST', noun: 'companies', body: { name } }) as const,
  ),
  ...['a', 'b', 'c'].map((id) => post(id, 'old')),
  ...[1, 2].map((value) => ({ method: 'POST', noun: 'meters', body: { value } }) as const),
]

function post(id: string, title: string): Step {
  return { method: 'POST', noun: 'tasks', under: 'c1', body: { id, title } }
}

/** A service whose adapters wait for the scheduler before and after every operation. */
async function startWith(scheduler: fc.Scheduler): Promise<Registry> {
  let isCrossing = false
  const turn = (): Promise<unknown> =>
    isCrossing ? scheduler.schedule(Promise.resolve()) : Promise.resolve()
  const slowed =
    (method: NonNullable<Loose[keyof Loose]>) =>
    async (...[operation, context, change]: Parameters<typeof method>): Promise<unknown> => {
      await turn()
      const slowChange = async (stored: unknown) => {
        await turn()
        return change?.(stored)
      }
      const given = await method(operation, context, change && slowChange)
      await turn()
      return given
    }
  // The storage knows its adapter by the method `join`.
  const wrap = (adapter: Loose): Loose =>
    Object.fromEntries(
      Object.entries(adapter).map(([kind, method]) => [
        kind,
        kind === 'join' ? method : slowed(method),
      ]),
    )
  const registry = modelled({ wrap })
  for (const step of begin) await handle(requestFor(step), registry)
  isCrossing = true
  return registry
}

/** Asks for everything at once, and lets the scheduler say who comes when. */
async function cross(steps: readonly Step[], scheduler: fc.Scheduler) {
  const registry = await startWith(scheduler)
  const ask = async (step: Step) => await handle(requestFor(step), registry)
  const answers = await scheduler.waitFor(Promise.all(steps.map(ask)))
  for (const answer of answers) {
    const verdict = verdictOf(answer)
    met.set(verdict, (met.get(verdict) ?? 0) + 1)
  }
  const read = async (noun: Step['noun']) => {
    const { body } = await scheduler.waitFor(ask({ method: 'GET', noun }))
    return body as readonly Record<string, unknown>[]
  }
  return { answers, verdicts: answers.map(verdictOf), read }
}

/** Holds something against every order in which requests may cross. */
function always<Given>(
  given: fc.Arbitrary<Given>,
  holds: (given: Given, scheduler: fc.Scheduler) => Promise<void>,
): Promise<void> {
  const property = fc.asyncProperty(fc.scheduler(), given, (scheduler, one) =>
    holds(one, scheduler),
  )
  return fc.assert(property, { numRuns: runs, ...seed })
}

const id = anyOf('a', 'b', 'c', 'd')
const owner = anyOf('c1', 'c1', 'c2', undefined)
const title = anyOf('x', 'y', 'z')
const company = anyOf('c1', 'c2', undefined)
const condition = anyOf(undefined, undefined, '"1"', '"2"', '*')
const titled = fc
  .record({ title, company_id: company })
  .map((body): object => JSON.parse(JSON.stringify(body)))

const patch = fc
  .record({ title, rank: anyOf(1, 2, null), company_id: anyOf('c1', 'c2', null) })
  .chain((body) => fc.subarray(Object.entries(body)))
  .map((entries) => Object.fromEntries(entries))
const distinct = fc.uniqueArray(id, { minLength: 1, maxLength: 3 })

const step: fc.Arbitrary<Step> = fc.oneof(
  fc
    .record({ id, body: patch, ifMatch: condition })
    .map(({ id, ...more }) => ({ method: 'PATCH', noun: 'tasks', end: id, ...more }) as const),
  fc.record({ ids: distinct, body: patch }).map(({ ids, body }) => {
    return { method: 'PATCH', noun: 'tasks', body: ids.map((id) => ({ ...body, id })) } as const
  }),
  fc.record({ ids: distinct, owner, title }).map(({ ids, owner, title }): Step => {
    return { ...post('', title), under: owner, body: ids.map((id) => ({ id, title })) }
  }),
  fc
    .record({ id, title, under: owner })
    .map(({ id, title, under }) => ({ ...post(id, title), under })),
  fc.record({ id, owner, title, ifMatch: condition }).map(({ id, owner, title, ifMatch }) => {
    return {
      method: 'PUT',
      noun: 'tasks',
      under: owner,
      end: id,
      body: { title },
      ifMatch,
    } as const
  }),
  fc
    .record({ id, body: titled })
    .map(({ id, body }) => ({ method: 'PUT', noun: 'tasks', end: id, body }) as const),
  fc
    .record({ ids: fc.uniqueArray(id, { minLength: 1, maxLength: 3 }), owner, title })
    .map(({ ids, owner, title }) => {
      return {
        method: 'PUT',
        noun: 'tasks',
        under: owner,
        body: ids.map((id) => ({ id, title })),
      } as const
    }),
  fc.record({ id, owner, ifMatch: condition }).map(({ id, owner, ifMatch }) => {
    return { method: 'DELETE', noun: 'tasks', under: owner, end: id, ifMatch } as const
  }),
  fc.record({ owner, most: anyOf(undefined, 0, 2, 3) }).map(({ owner, most }) => {
    return { method: 'DELETE', noun: 'tasks', under: owner, most } as const
  }),
  fc
    .record({ owner, end: anyOf(undefined, 'first', 'last', 'count', 'a') })
    .map(({ owner, end }) => {
      return { method: 'GET', noun: 'tasks', under: owner, end } as const
    }),
  anyOf('c1', 'c2').map((end) => ({ method: 'DELETE', noun: 'companies', end }) as const),
  anyOf('c1', 'c2').map(
    (end) => ({ method: 'PUT', noun: 'companies', end, body: { name: 'New' } }) as const,
  ),
  anyOf(1, 2).map((value) => ({ method: 'POST', noun: 'meters', body: { value } }) as const),
  anyOf('DELETE', 'GET').map((method) => ({ method, noun: 'meters' }) as const),
)

/** Whether requests that were answered with success could have come one after another. */
function isSerial(done: readonly Done[], model: Model, after: unknown): boolean {
  if (done.length === 0) return isDeepStrictEqual(sorted(model), after)
  return done.some(({ step, answer }, place) => {
    const next = model.copy()
    const { status, body } = next.answer(step)
    const isSame = status === answer.status && isDeepStrictEqual(body, plain(answer.body))
    return isSame && isSerial(done.toSpliced(place, 1), next, after)
  })
}

interface Done {
  readonly step: Step
  readonly answer: HttpResponse
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const nouns = ['companies', 'tasks', 'meters'] as const
const byId = (one: object, other: object) =>
  String(Reflect.get(one, 'id')) < String(Reflect.get(other, 'id')) ? -1 : 1
const sorted = ({ items }: Model) => nouns.map((noun) => items[noun].toSorted(byId))

describe('requests that cross', () => {
  test('are as if they came one after another', { timeout }, async () => {
    await always(
      fc.array(step, { minLength: 2, maxLength: 6, size: 'max' }),
      async (steps, scheduler) => {
        const { answers, read } = await cross(steps, scheduler)
        const after = []
        for (const noun of nouns) after.push((await read(noun)).toSorted(byId))
        const done = steps.flatMap((step, place) => {
          const answer = answers[place]
          return answer && answer.status < 400 ? [{ step, answer }] : []
        })
        const model = new Model()
        for (const one of begin) model.answer(one)
        expect(
          isSerial(done, model, plain(after)),
          JSON.stringify(done.map(({ step, answer }) => [step, answer.body])),
        ).toBe(true)
        for (const { status } of answers) expect(status).toBeLessThan(500)
      },
    )
  })
})

const several = fc
  .integer({ min: 2, max: 5 })
  .map((length) => Array.from({ length }, (_, at) => `w${at}`))
const counted = (verdicts: readonly string[], verdict: string) =>
  verdicts.filter((one) => one === verdict).length

describe('of requests that cross', () => {
  test('those that replace an item leave one', { timeout }, async () => {
    await always(several, async (titles, scheduler) => {
      const steps = titles.map(
        (title) => ({ method: 'PUT', noun: 'tasks', end: 'a', body: { title } }) as const,
      )
      const { verdicts, read } = await cross(steps, scheduler)
      expect(verdicts).toEqual(titles.map(() => '200'))
      const [left] = await read('tasks')
      expect(titles).toContain(left?.title)
      expect(left?.version).toBe(titles.length + 1)
    })
  })

  test('one creates what has an id', { timeout }, async () => {
    await always(several, async (titles, scheduler) => {
      const { verdicts, answers, read } = await cross(
        titles.map((title) => post('new', title)),
        scheduler,
      )
      expect(counted(verdicts, '201')).toBe(1)
      expect(counted(verdicts, '409 conflict')).toBe(titles.length - 1)
      const winner = answers.find(({ status }) => status === 201)
      expect((await read('tasks')).filter(({ id }) => id === 'new')).toEqual([winner?.body])
    })
  })

  test('one that names the version writes', { timeout }, async () => {
    await always(several, async (titles, scheduler) => {
      const steps = titles.map((title, place): Step => {
        const at = { noun: 'tasks', end: 'a', under: place % 2 === 0 ? 'c1' : undefined } as const
        if (place === 3) return { ...at, method: 'DELETE', ifMatch: '"1"' }
        const named =
          place === 2 ? { body: { title, version: 1 } } : { body: { title }, ifMatch: '"1"' }
        return { ...at, method: 'PUT', ...named }
      })
      const { verdicts, answers, read } = await cross(steps, scheduler)
      expect(counted(verdicts, '200')).toBe(1)
      expect(
        verdicts.filter(
          (one) => !['200', '409 precondition_failed', '404 not_found'].includes(one),
        ),
      ).toEqual([])
      const place = verdicts.indexOf('200')
      const left = (await read('tasks')).filter((item) => item.id === 'a')
      expect(left).toEqual(steps[place]?.method === 'DELETE' ? [] : [answers[place]?.body])
    })
  })

  test('those that change other fields lose none', { timeout }, async () => {
    await always(several, async (titles, scheduler) => {
      const at = { method: 'PATCH', noun: 'tasks' } as const
      const steps: readonly Step[] = [
        ...titles.map((title): Step => ({ ...at, end: 'a', body: { title } })),
        { ...at, end: 'a', body: { rank: 7 } },
        { ...at, body: ['b', 'a'].map((id) => ({ id, company_id: 'c2' })) },
      ]
      const { verdicts, read } = await cross(steps, scheduler)
      expect(verdicts).toEqual(steps.map(() => '200'))
      const left = (await read('tasks')).find((item) => item.id === 'a')
      expect(left).toMatchObject({ rank: 7, company_id: 'c2', version: steps.length + 1 })
      expect(titles).toContain(left?.title)
    })
  })

  test('a bulk is all or nothing', { timeout }, async () => {
    await always(several, async (titles, scheduler) => {
      const ids = ['a', 'b', 'c']
      const steps = titles.map((title, place): Step => {
        if (place === 4) return { method: 'DELETE', noun: 'tasks', end: 'c' }
        return { method: 'PUT', noun: 'tasks', under: 'c1', body: ids.map((id) => ({ id, title })) }
      })
      const { verdicts, read } = await cross(steps, scheduler)
      const left = await read('tasks')
      expect(new Set(left.map((item) => item.title)).size).toBeLessThanOrEqual(1)
      expect(counted(verdicts, '200')).toBeGreaterThan(0)
      expect(new Set(left.map((item) => item.version)).size).toBeLessThanOrEqual(1)
    })
  })

  test('deleting everything counts what it deletes', { timeout }, async () => {
    await always(several, async (titles, scheduler) => {
      const steps: readonly Step[] = [
        ...titles.map((title) => post(title, title)),
        { method: 'DELETE', noun: 'tasks' },
        { method: 'DELETE', noun: 'tasks', under: 'c1', most: 4 },
      ]
      const { verdicts, answers, read } = await cross(steps, scheduler)
      const deleted = answers.map(({ body }) => Number(Object(body).deleted ?? 0))
      const total = deleted.reduce((sum, one) => sum + one, 0)
      expect(deleted.at(-1)).toBeLessThanOrEqual(4)
      expect(counted(verdicts, '201')).toBe(titles.length)
      expect((await read('tasks')).length).toBe(3 + titles.length - total)
    })
  })

  test('a list is of one moment', { timeout }, async () => {
    await always(several, async (titles, scheduler) => {
      const ids = ['a', 'b', 'c']
      const steps: readonly Step[] = [
        ...titles.map(
          (title): Step => ({
            method: 'PUT',
            noun: 'tasks',
            body: ids.map((id) => ({ id, title })),
          }),
        ),
        ...titles.map((): Step => ({ method: 'GET', noun: 'tasks', query: { sort: 'title' } })),
      ]
      const { answers } = await cross(steps, scheduler)
      for (const { body } of answers.slice(titles.length)) {
        expect(new Set((body as readonly { title: string }[]).map((item) => item.title)).size).toBe(
          1,
        )
      }
    })
  })
})

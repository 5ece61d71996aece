import fc from 'fast-check'
import { handle } from 'nounful'
import { afterAll, expect, test } from 'vitest'
import { type Foretold, Model, type Step } from '../../support/model.ts'
import { expectForetold, modelled, requestFor } from '../../support/modelled.ts'
import { anyOf } from '../../support/texts.ts'

// `RUNS=1000000 npx vitest run test/adversity/fuzz/model.test.ts` sends so many requests; `SEED=…`
// repeats them.
const requests = Number(process.env.RUNS ?? 30_000)
const seed = process.env.SEED === undefined ? {} : { seed: Number(process.env.SEED) }
const numRuns = Math.ceil(requests / 30)
const timeout = 30_000 + requests * 10
const met = new Map<string, number>()
let asked = 0

afterAll(() => {
  if (process.env.RUNS !== undefined) console.log(asked, Object.fromEntries([...met].sort()))
})

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 2 })
const seldom = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })

const company = anyOf('c1', 'c1', 'c1', 'c2', 'c2', 'c3', 'c9', 'C1', 'first')
const task = anyOf(
  't1',
  't2',
  't3',
  'a',
  'b',
  'a/b',
  'é %',
  '😀',
  '\uffff',
  'A',
  't1',
  'a',
  'nobody',
  '%',
)
const meter = anyOf(1, 2, 3, 4, 9)
const title = anyOf(
  'Ann',
  'ann',
  'Bea Ann',
  'é',
  'É',
  '\uffff',
  '😀',
  '\uffff',
  '😀',
  '',
  'z',
  '%',
  'a_b',
)
const strange = anyOf<unknown>(null, 5, 'a', [], true)
const version = anyOf(1, 1, 2, 3, 7)

/** Nothing but what a body may say. */
const bodies = {
  companies: fc.record({ name: title }),
  tasks: fc
    .record({ title, rank: maybe(anyOf(0, -1, 2, 2.5, 1e21)), company_id: seldom(company) })
    .map((item): object => JSON.parse(JSON.stringify(item))),
  meters: fc.record({ value: anyOf(0, 1, -1, 0.1) }),
}
const extras = fc.oneof(
  { weight: 20, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: anyOf({ extra: 1 }, { title: 5 }, { name: null }, { value: 'x' }) },
  { weight: 2, arbitrary: version.map((version) => ({ version })) },
  { weight: 1, arbitrary: anyOf({ created: '2026-01-02T03:04:05.000Z' }, { created: 'x' }) },
)
const ids = { companies: company, tasks: task, meters: meter }

const draftOf = (noun: Step['noun']): fc.Arbitrary<unknown> =>
  fc.oneof(
    {
      weight: 20,
      arbitrary: fc.tuple<object[]>(bodies[noun], extras).map((all) => Object.assign({}, ...all)),
    },
    { weight: 1, arbitrary: strange },
    { weight: 1, arbitrary: fc.constant({}) },
  )
const withId = (noun: Step['noun']): fc.Arbitrary<unknown> =>
  fc
    .tuple(draftOf(noun), ids[noun], anyOf(9, 9, 9, 0))
    .map(([draft, id, chance]) => (chance === 0 ? draft : { ...Object(draft), id }))
const newOf = (noun: Step['noun']): fc.Arbitrary<unknown> =>
  noun === 'tasks'
    ? fc.oneof(
        { weight: 3, arbitrary: draftOf(noun) },
        { weight: 2, arbitrary: withId(noun) },
        { weight: 1, arbitrary: anyOf('first', '', 'count').map((id) => ({ title: 'a', id })) },
      )
    : fc.oneof({ weight: 9, arbitrary: draftOf(noun) }, { weight: 1, arbitrary: withId(noun) })

const patchOf = (noun: Step['noun']): fc.Arbitrary<object> =>
  fc
    .tuple<object[]>(
      bodies[noun],
      extras,
      seldom(anyOf({ rank: null }, { title: null }, { company_id: null }, { name: null })).map(
        Object,
      ),
    )
    .chain((all) => fc.subarray(Object.entries(Object.assign({}, ...all))))
    .map((entries) => Object.fromEntries(entries))
const patchWithId = (noun: Step['noun']): fc.Arbitrary<unknown> =>
  fc.tuple(patchOf(noun), ids[noun]).map(([patch, id]) => ({ ...patch, id }))

const sorts = {
  companies: ['name', '-name'],
  tasks: ['title', '-title', 'rank', '-rank', '-rank,title', 'title,-rank'],
  meters: ['value', '-value'],
}
const queryOf = (noun: Step['noun']) =>
  fc
    .record({
      q: maybe(anyOf('ann', 'bea ann', 'É', '%', '', 'zzz', '  a  ')),
      sort: maybe(
        fc.oneof(
          { weight: 9, arbitrary: fc.constantFrom(...sorts[noun]) },
          { weight: 1, arbitrary: anyOf('', 'title,title', 'name,-name', 'id2', 'rank') },
        ),
      ),
      limit: maybe(anyOf('1', '2', '3', '2', '1000', '1001', '0', '01')),
      x: seldom(fc.constant('1')),
    })
    .map(({ q, ...given }): Record<string, string> => {
      // Mostly what the noun takes.
      const taken = noun === 'meters' && q !== 'zzz' ? given : { ...given, q }
      return JSON.parse(JSON.stringify(taken))
    })
const tags = anyOf('*', '"1"', '"2"', '"1", "3"', 'W/"1"', '"x"')

const place = fc.oneof(
  fc.record({ noun: fc.constant('tasks' as const), under: company }),
  fc.record({ noun: anyOf('companies', 'tasks', 'meters') }),
)

const step: fc.Arbitrary<Step> = place.chain((at): fc.Arbitrary<Step> => {
  const { noun } = at
  const query = queryOf(noun)
  const noQuery = fc.oneof(
    { weight: 19, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: query },
  )
  const end = fc.oneof(
    { weight: 9, arbitrary: ids[noun].map(String) },
    { weight: 1, arbitrary: anyOf('01', '1.0', 'x', 'first', 'count') },
  )
  const conditions = { ifMatch: seldom(tags), ifNoneMatch: seldom(anyOf('*', '"1"', 'W/"2"')) }
  const method = (name: string) => fc.constant(name)
  const of = (parts: { readonly [Key in keyof Step]?: fc.Arbitrary<Step[Key]> }) =>
    fc.record(parts).map((made) => ({ ...at, ...made }) as Step)
  const word = anyOf('first', 'last', 'count')
  return fc.oneof(
    { weight: 8, arbitrary: of({ method: method('POST'), body: newOf(noun), query: noQuery }) },
    { weight: 4, arbitrary: of({ method: method('GET'), query }) },
    { weight: 2, arbitrary: of({ method: anyOf('GET', 'HEAD'), end, query: noQuery }) },
    { weight: 2, arbitrary: of({ method: anyOf('GET', 'HEAD'), end: word, query }) },
    {
      weight: 5,
      arbitrary: of({
        method: method('PUT'),
        end,
        body: fc.oneof(
          { weight: 4, arbitrary: draftOf(noun) },
          { weight: 1, arbitrary: withId(noun) },
        ),
        query: noQuery,
        ...conditions,
      }),
    },
    {
      weight: 3,
      arbitrary: of({
        method: method('PUT'),
        body: fc.oneof(
          { weight: 9, arbitrary: fc.array(withId(noun), { maxLength: 3 }) },
          { weight: 1, arbitrary: strange },
        ),
        ...conditions,
      }),
    },
    {
      weight: 2,
      arbitrary: of({
        method: method('POST'),
        body: fc.array(newOf(noun), { maxLength: 3 }),
        query: noQuery,
      }),
    },
    {
      weight: 5,
      arbitrary: of({
        method: method('PATCH'),
        end,
        body: fc.oneof(
          { weight: 9, arbitrary: patchOf(noun) },
          { weight: 1, arbitrary: patchWithId(noun) },
          { weight: 1, arbitrary: strange },
        ),
        query: noQuery,
        ...conditions,
      }),
    },
    {
      weight: 3,
      arbitrary: of({
        method: method('PATCH'),
        body: fc.oneof(
          { weight: 9, arbitrary: fc.array(patchWithId(noun), { maxLength: 3 }) },
          { weight: 1, arbitrary: fc.array(fc.oneof(patchOf(noun), strange), { maxLength: 2 }) },
          { weight: 1, arbitrary: strange },
        ),
      }),
    },
    {
      weight: 3,
      arbitrary: of({
        method: method('DELETE'),
        end,
        query: noQuery,
        body: seldom(strange),
        ...conditions,
      }),
    },
    {
      weight: 1,
      arbitrary: of({ method: method('DELETE'), most: maybe(fc.nat(3)), ...conditions }),
    },
    {
      weight: 1,
      arbitrary: of({ method: anyOf('PATCH', 'OPTIONS', 'POST', 'PUT'), end: maybe(word) }),
    },
  )
})

/** Asks for the page that follows the last list that was cut. */
const goOn = fc.constant('go on' as const)
const steps = fc.array(fc.oneof({ weight: 9, arbitrary: step }, { weight: 1, arbitrary: goOn }), {
  minLength: 1,
  maxLength: 60,
  size: 'max',
})

test('every answer is the one foretold', { timeout }, async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const [model, registry] = [new Model(), modelled()]
      const ask = async (given: Step, url?: string) => {
        const request = requestFor(given)
        return await handle(url === undefined ? request : { ...request, url }, registry)
      }
      let next: { readonly url: string; readonly step: NonNullable<Foretold['next']> } | undefined
      for (const given of [...begin, ...all, ...end]) {
        if (given === 'go on' && next === undefined) continue
        const one = given === 'go on' ? (next?.step ?? { method: '', noun: 'tasks' }) : given
        const answer = await ask(one, given === 'go on' ? next?.url : undefined)
        const foretold = model.answer(one)
        expectForetold(answer, foretold)
        asked++
        const name = `${foretold.status} ${foretold.code ?? one.method}`
        met.set(name, (met.get(name) ?? 0) + 1)
        const url = /^<([^>]+)>/.exec(answer.headers.link ?? '')?.[1]
        if (foretold.next && url) next = { url, step: foretold.next }
      }
    }),
    { numRuns, ...seed },
  )
  expect(met.size).toBeGreaterThan(20)
})

const begin: readonly Step[] = ['Ann', 'z', 'É'].map((name) => ({
  method: 'POST',
  noun: 'companies',
  body: { name },
}))
const end: readonly Step[] = ['companies', 'tasks', 'meters'].map((noun) => ({
  method: 'GET',
  noun: noun as Step['noun'],
}))

import fc from 'fast-check'
import {
  type Issue as AnyIssue,
  defineApi,
  defineRegistry,
  defineResource,
  defineView,
  problem,
  type Registry,
  type Resource,
} from 'nounful'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { bodyOf, type Fields, type Level, levelsOf, tape } from '../support/generated-views.ts'
import { ask, serviceOf, without } from '../support/things.ts'
import '../support/properties.ts'

const runs = { numRuns: Number(process.env.RUNS ?? 60) }
const timeout = 15_000 + runs.numRuns * 500

/** A base, the views of it, some stored items, and some bodies of the last view. */
const world = tape.chain((choices) => {
  const levels = levelsOf(choices)
  const [base] = levels
  const top = levels.at(-1) as Level
  return fc.record({
    levels: fc
      .constant(levels)
      .map((all) => Object.assign(all, { [fc.toStringMethod]: () => told(all) })),
    items: fc.array(bodyOf(base), { minLength: 1, maxLength: 6 }),
    bodies: fc.array(bodyOf(top), { minLength: 2, maxLength: 2 }),
  })
})

type World = typeof world extends fc.Arbitrary<infer Made> ? Made : never

const told = (levels: readonly Level[]) =>
  JSON.stringify(
    levels.map(({ declaration }) => declaration),
    (key, value) =>
      ['schema', 'create', 'update'].includes(key)
        ? undefined
        : typeof value === 'function'
          ? 'function'
          : value,
  )

async function started({ levels, items }: Pick<World, 'levels' | 'items'>) {
  const [base] = levels
  const { resource, fields } = levels.at(-1) as Level
  const registry = serviceOf(resource, base.resource)
  for (const [at, item] of items.entries())
    expect((await ask(registry, 'POST /v2/things', { ...item, id: `i${at}` })).status).toBe(201)
  const stored = async () => (await ask(registry, 'GET /v2/things/i0')).body as Fields
  const seen = async () => (await ask(registry, 'GET /v1/things/i0')).body as Fields
  const put = (body: object) => ask(registry, 'PUT /v1/things/i0', body)
  const fixed = fields.filter(({ isReadOnly }) => isReadOnly).map(({ name }) => name)
  return { registry, stored, seen, put, fixed: ['id', 'revision', ...fixed], view: resource }
}

const holds = (law: (given: World) => Promise<void>) => () =>
  fc.assert(fc.asyncProperty(world, law), runs)

describe('any view', { timeout }, () => {
  test('changes nothing by what it showed', holds(getPut))
  test('gives back what was written', holds(putGet))
  test('keeps what a changed field does not reach', holds(keepsOthers))
  test('forgets a write after the next', holds(putPut))
  test('of a view is both in turn', holds(inTurn))
  test('answers as the views in turn', holds(problems))
  test('has the items of its base', holds(sameItems))
  test('finds the words of its base', holds(sameWords))
  test('filters by what it shows', holds(filters))
  test('shows what its schema takes', holds(fits))
  test('tells faults in its own words', holds(ownWords))
})

async function getPut(given: World) {
  const { stored, seen, put } = await started(given)
  const before = await stored()
  expect((await put(await seen())).status).toBe(200)
  expect(without(await stored(), 'revision')).toEqual(without(before, 'revision'))
}

async function putGet({ bodies: [body = {}], ...given }: World) {
  const { stored, seen, put, fixed } = await started(given)
  const before = await stored()
  const { status, body: answer } = await put(body)
  if (status === 200) {
    expect(without(await seen(), ...fixed)).toEqual(body)
    expect(answer).toEqual(await seen())
  } else {
    expect(status).toBe(422)
    expect(await stored()).toEqual(before)
  }
}

async function keepsOthers({ bodies: [body = {}], ...given }: World) {
  const { stored, seen, put, view } = await started(given)
  for (const [field, value] of Object.entries(body)) {
    const before = await stored()
    await put({ ...without(await seen(), 'revision'), [field]: value })
    const reached = ['revision', ...(view.view?.sourcesOf(field) ?? [])]
    expect(without(await stored(), ...reached)).toEqual(without(before, ...reached))
  }
}

async function putPut({ bodies: [one = {}, two = {}], ...given }: World) {
  const both = await started(given)
  const last = await started(given)
  await both.put(one)
  const statuses = [(await both.put(two)).status, (await last.put(two)).status]
  if (statuses.every((status) => status === 200))
    expect(without(await both.seen(), 'revision')).toEqual(without(await last.seen(), 'revision'))
}

/** The conversions of the views, each alone over the one before. */
function stepsOf([, ...views]: World['levels'], levels: World['levels']) {
  return views.map(({ declaration }, at) => {
    const source = levels[at] as Level
    const { fields: _, hidden: __, ...own } = source.declaration as Fields
    const alone = Reflect.apply(defineResource, null, [source.resource.name, own])
    return Reflect.apply(defineView, null, ['things_v1', alone, declaration]).view
  }) as NonNullable<Resource['view']>[]
}

async function inTurn({ levels, items: [item], bodies: [body = {}] }: World) {
  const top = levels.at(-1)?.resource.view
  const steps = stepsOf(levels, levels)
  const stored = { ...item, id: 'i0', revision: 1 }
  const shown: object[] = [stored]
  for (const step of steps) shown.push(step.get(shown.at(-1) as object))
  expect(top?.get(stored)).toEqual(shown.at(-1))
  let written: object | undefined = { ...shown.at(-1), ...body }
  for (const [at, step] of [...steps.entries()].reverse())
    written = written && step.put(written, shown[at] as object).item
  expect(top?.put({ ...shown.at(-1), ...body }, stored).item).toEqual(written)
  let made: object | undefined = body
  for (const step of steps.toReversed()) made = made && step.make(made).item
  expect(top?.make(body).item).toEqual(made)
}

const only = (item: unknown, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(Object(item)).filter(([name]) => names.includes(name)))

type Issue = Required<Pick<AnyIssue, 'code' | 'message' | 'pointer'>>

const unrepresentable = {
  code: 'unrepresentable',
  message: 'cannot be stored so that it reads back the same',
}

/** The answer to a write, as each version would make it of the answer of the one source. */
async function answerInTurn(
  steps: readonly NonNullable<Resource['view']>[],
  { sent, stored, fixed, ask: askBase }: Writing,
): Promise<unknown> {
  const shown = [stored]
  for (const step of steps) shown.push(shown.at(-1) && step.get(shown.at(-1) as object))
  // A replacement holds what the server sets as it is.
  let item: object = { ...only(shown.at(-1), fixed), ...sent }
  for (const [at, step] of [...steps.entries()].reverse()) {
    const before = shown[at]
    const { item: next, faults = [] } = before ? step.put(item, before) : step.make(item)
    if (next === undefined) {
      const above = steps.slice(at + 1)
      const up = (name: string) =>
        above.reduce<readonly string[] | undefined>((path, one) => path && one.pathOf(path), [name])
      const all = faults.flatMap(({ field, message }) =>
        (up(field) ?? []).map((name) => [name, { ...unrepresentable, message }] as const),
      )
      const issues = [...new Map(all)].map(([name, issue]) => ({
        ...issue,
        pointer: pointerOf([name]),
      }))
      return problemOf(issues.length > 0 ? issues : [{ ...unrepresentable, pointer: '' }])
    }
    item = next
  }
  const { status, body } = await askBase(item)
  const { issues } = Object(body) as { issues?: readonly Issue[] }
  if (issues !== undefined) return problemOf(issues.map((issue) => inWords(issue, steps)))
  return { status, body: steps.reduce((one, step) => step.get(one), Object(body)) }
}

interface Writing {
  readonly sent: object
  /** `undefined` for a new item. */
  readonly stored: object | undefined
  readonly fixed: readonly string[]
  ask(item: object): Promise<{ readonly status: number; readonly body?: unknown }>
}

function pointerOf(path: readonly string[]): string {
  return path.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

function inWords(issue: Issue, steps: readonly NonNullable<Resource['view']>[]): Issue {
  const path = partsOf(issue.pointer)
  const shown = steps.reduce<readonly string[] | undefined>(
    (one, step) => one && (one.length === 0 ? one : step.pathOf(one)),
    path,
  )
  return shown === undefined
    ? { ...issue, pointer: '', message: 'is not valid' }
    : { ...issue, pointer: pointerOf(shown) }
}

function partsOf(pointer: string): readonly string[] {
  const parts = pointer.split('/').slice(1)
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

// As an adapter without views tells the same issues.
async function problemOf(issues: readonly Issue[]) {
  const create = () => {
    throw problem('validation_failed', undefined, { issues })
  }
  const bare = defineResource('bare', { schema: z.looseObject({ id: z.string() }), plural: true })
  const registry = defineRegistry(defineApi({ v1: { '/bare': bare } })).adapters({
    bare: { create },
  })
  const { status, body } = await ask(registry, 'POST /v1/bare', { id: 'x' })
  return { status, body }
}

async function problems({ bodies, ...given }: World) {
  const { levels } = given
  const steps = stepsOf(levels, levels)
  for (const sent of bodies) {
    const { registry, stored, put, fixed } = await started(given)
    const twin = (await started(given)).registry
    const known = (answer: { status: number; body?: unknown }) => ({
      status: answer.status,
      // A write that changes nothing keeps the revision.
      body: Object.hasOwn(Object(answer.body), 'issues')
        ? answer.body
        : without(answer.body, 'revision'),
    })
    const changed = await answerInTurn(steps, {
      sent,
      stored: await stored(),
      fixed,
      ask: (item) => ask(twin, 'PUT /v2/things/i0', without(item, 'id', 'revision')),
    })
    expect(known(await put(sent))).toEqual(known(Object(changed)))
    const made = await answerInTurn(steps, {
      sent: { ...sent, id: 'new' },
      stored: undefined,
      fixed,
      ask: (item) => ask(twin, 'POST /v2/things', item),
    })
    const answer = await ask(registry, 'POST /v1/things', { ...sent, id: 'new' })
    expect(known(answer)).toEqual(known(Object(made)))
  }
}

async function sameItems(given: World) {
  const { registry, view } = await started(given)
  const idsOf = (body: unknown): readonly string[] =>
    Object(body).map(({ id }: { id: string }) => id)
  const both = async (one: string, two: string) => {
    const ids = async (url: string) => {
      const { status, body } = await ask(registry, `GET ${url}`)
      const all = Array.isArray(body) ? idsOf(body) : Object(body).id
      return status === 200 ? { status, all: all ?? body } : { status }
    }
    const answer = await ids(`/v1/things${one}`)
    expect([one, answer]).toEqual([one, await ids(`/v2/things${two}`)])
    return answer
  }
  const pages = async (url: string) => {
    const all: string[] = []
    for (let next: string | undefined = url; next !== undefined; ) {
      const { status, body, headers } = await ask(registry, `GET ${next}`)
      expect(status).toBe(200)
      all.push(...idsOf(body))
      next = /<([^>]*)>; rel="next"/.exec(`${headers.link}`)?.[1]
    }
    return all
  }
  const whole = await both('', '')
  await both('/count', '/count')
  for (const field of ['id', ...view.sortable]) {
    const [name, source] = [field, `${view.view?.plainOf(field)}`].map(encodeURIComponent)
    await both(`?sort=${name}`, `?sort=${source}`)
    const last = await both(`/last?sort=${name}`, `/last?sort=${source}`)
    const tie = field === 'id' ? '' : ',-id'
    const [one, two] = [`/first?sort=-${name}${tie}`, `/first?sort=-${source}${tie}`]
    expect(last).toEqual(await both(one, two))
    for (const limit of [1, 2, 4]) {
      const [one, two] = [`sort=-${name}&limit=${limit}`, `sort=-${source}&limit=${limit}`]
      const all = await pages(`/v1/things?${one}`)
      expect(all).toEqual(await pages(`/v2/things?${two}`))
      expect(all.toSorted()).toEqual(whole.all?.toSorted())
    }
  }
}

async function sameWords(given: World) {
  const { levels } = given
  const { registry, view } = await started(given)
  const [base] = levels
  const searchable = [
    ...new Set(view.searchable.flatMap((name) => view.view?.sourcesOf(name) ?? [])),
  ]
  if (searchable.length === 0) return
  // A resource that searches the same stored fields.
  const own = Reflect.apply(defineResource, null, ['things', { ...base.declaration, searchable }])
  const items = (await ask(registry, 'GET /v2/things')).body as readonly object[]
  const mirror = serviceOf(own, undefined, items)
  for (const q of ['ada', 'king', 'o', 'lovelace king', 'é', '7', 'x', 'a b', 'none', '%', ' ']) {
    const url = `GET /v1/things?q=${encodeURIComponent(q)}`
    const ids = async (one: Registry) =>
      Object((await ask(one, url)).body).map(({ id }: { id: string }) => id)
    expect([q, await ids(registry)]).toEqual([q, await ids(mirror)])
  }
}

async function filters(given: World) {
  const { registry, view } = await started(given)
  const items = (await ask(registry, 'GET /v1/things')).body as readonly Fields[]
  const found = async (query: string) => {
    const { status, body } = await ask(registry, `GET /v1/things?${query}`)
    expect([query, status]).toEqual([query, 200])
    return body
  }
  for (const { name, type } of view.filterable) {
    const field = encodeURIComponent(name)
    const [, value] = [null, ...items.map((item) => item[name]).filter((one) => one !== undefined)]
    const other = type === 'text' ? 'no' : undefined
    for (const one of [value, other].filter((one) => one !== undefined && one !== null)) {
      const text = encodeURIComponent(String(one))
      const isEqual = (item: Fields) => item[name] === one
      // An enum refuses the other one.
      if (Array.isArray(view.filterable.find((known) => known.name === name)?.values)) continue
      if (one === '') continue
      expect(await found(`${field}=${text}`)).toEqual(items.filter(isEqual))
      expect(await found(`${field}:ne=${text}`)).toEqual(items.filter((item) => !isEqual(item)))
    }
    const isMissing = (item: Fields) => item[name] === undefined || item[name] === null
    expect(await found(`${field}:null=true`)).toEqual(items.filter(isMissing))
    expect(await found(`${field}:null=false`)).toEqual(items.filter((item) => !isMissing(item)))
  }
}

async function fits({ bodies: [body = {}], ...given }: World) {
  const { registry, view, put } = await started(given)
  await put(body)
  for (const item of (await ask(registry, 'GET /v1/things')).body as readonly Fields[]) {
    const result = await view.schema['~standard'].validate(item)
    expect(result.issues).toBeUndefined()
    expect(Object.keys(Object(Object(result).value)).sort()).toEqual(Object.keys(item).sort())
  }
}

async function ownWords({ levels, items, bodies: [body = {}, other = {}] }: World) {
  const { registry, put, view } = await started({ levels, items })
  const own = new Set(levels.at(-1)?.fields.map(({ name }) => name))
  const foreign = levels
    .flatMap(({ fields }) => fields.map(({ name }) => name))
    .filter((name) => !own.has(name))
  const [first] = Object.keys(body)
  const broken = first === undefined ? body : { ...body, [first]: [7] }
  const answers = [
    await put(body),
    await put(broken),
    await ask(registry, 'POST /v1/things', other),
  ]
  answers.push(await ask(registry, 'PUT /v1/things', [{ ...body, id: 'i0' }]))
  answers.push(await ask(registry, 'OPTIONS /v1/things'))
  answers.push(await ask(registry, 'GET /v1/things?sort=nothing'))
  for (const { status, body: answer, headers } of answers) {
    expect(status).toBeLessThan(500)
    const text = JSON.stringify([answer, headers])
    for (const name of foreign) expect(text).not.toContain(name)
    for (const { pointer = '' } of Object(answer).issues ?? []) {
      const field = partsOf(pointer).find((part) => Number.isNaN(Number(part || '0')))
      if (field !== undefined) expect(own).toContain(field)
    }
  }
  expect(view.view).toBeDefined()
}

import fc from 'fast-check'
import { defineResource, defineView, type Resource } from 'nounful'
import { describe, expect, test } from 'vitest'
import { bodyOf, type Fields, type Level, levelsOf, tape } from '../support/generated-views.ts'
import { ask, serviceOf, without } from '../support/things.ts'
import '../support/properties.ts'

const runs = { numRuns: Number(process.env.RUNS ?? 60) }

/** A hub, the views of it, some stored items, and some bodies of the last view. */
const world = tape.chain((choices) => {
  const levels = levelsOf(choices)
  const [hub] = levels
  const top = levels.at(-1) as Level
  return fc.record({
    levels: fc
      .constant(levels)
      .map((all) => Object.assign(all, { [fc.toStringMethod]: () => told(all) })),
    items: fc.array(bodyOf(hub), { minLength: 1, maxLength: 6 }),
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
  const [hub] = levels
  const { resource, fields } = levels.at(-1) as Level
  const registry = serviceOf(resource, hub.resource)
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

describe('any view', () => {
  test('changes nothing by what it showed', holds(getPut))
  test('gives back what was written', holds(putGet))
  test('keeps what a changed field does not reach', holds(keepsOthers))
  test('forgets a write after the next', holds(putPut))
  test('of a view is both in turn', holds(inTurn))
  test('has the items of its hub', holds(sameItems))
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

async function inTurn({ levels, items: [item], bodies: [body = {}] }: World) {
  const [hub, ...views] = levels
  const top = levels.at(-1)?.resource.view
  const steps = views.map(({ declaration }, at) => {
    const beneath = levels[at] as Level
    const { fields: _, hidden: __, ...own } = beneath.declaration as Fields
    const alone = Reflect.apply(defineResource, null, [beneath.resource.name, own])
    return Reflect.apply(defineView, null, ['things_v1', alone, declaration]).view
  }) as NonNullable<Resource['view']>[]
  expect(hub.resource.view).toBeUndefined()
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

async function sameItems(given: World) {
  const { registry, view } = await started(given)
  const both = async (one: string, two: string) => {
    const ids = async (url: string) => {
      const { status, body } = await ask(registry, `GET ${url}`)
      const all = Array.isArray(body) ? body.map(({ id }) => id) : Object(body).id
      return status === 200 ? { status, all: all ?? body } : { status }
    }
    expect(await ids(`/v1/things${one}`)).toEqual(await ids(`/v2/things${two}`))
  }
  await both('', '')
  await both('/count', '/count')
  for (const field of ['id', ...view.sortable]) {
    const source = view.view?.plainOf(field)
    await both(`?sort=${field}`, `?sort=${source}`)
    await both(`?sort=-${field}&limit=2`, `?sort=-${source}&limit=2`)
    await both(`/last?sort=${field}`, `/last?sort=${source}`)
    await both(`/first?sort=-${field}`, `/first?sort=-${source}`)
  }
  for (const { name } of view.filterable.filter(({ type }) => type === 'text'))
    await both(`?${name}=Ada`, `?${view.view?.plainOf(name)}=Ada`)
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
      const field = pointer.split('/').find((part: string) => Number.isNaN(Number(part || '0')))
      if (field !== undefined) expect(own).toContain(field)
    }
  }
  expect(view.view).toBeDefined()
}

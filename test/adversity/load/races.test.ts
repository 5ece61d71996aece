import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Race, startRace } from '../../support/race.ts'
import { fieldOf, type Reply, rounds } from '../../support/service.ts'
import { engines, has } from '../../support/stores.ts'

const repeats = rounds(2)
const limit = 15_000 + repeats * 3_000

describe.each(engines.filter(has))('on %s', { timeout: limit }, (engine) => {
  let race: Race

  beforeAll(async () => {
    race = await startRace(engine)
  }, 30_000)
  beforeEach(() => race.clear())
  afterEach(() => expect(race.errors).toEqual([]))
  afterAll(() => race.close())

  const post = (id: string, name: string) => race.ask('POST', '/things', { body: { id, name } })
  const put = (id: string, name: string, headers = {}) =>
    race.ask('PUT', `/things/${id}`, { body: { name }, headers })
  const get = async (id: string) => (await race.ask('GET', `/things/${id}`)).body
  const count = async () => Number(fieldOf((await race.ask('GET', '/things/count')).body, 'count'))
  const makeMany = async (resource: string, start: string, many: number) => {
    const ids = Array.from({ length: many }, (_, place) => `${start}-${place}`)
    await times(many, (place) =>
      race.ask('POST', `/${resource}`, { body: { id: ids[place], name: 'first' } }),
    )
    return ids
  }
  const names = async () => {
    const { body } = await race.ask('GET', '/plains')
    return new Set(Array.isArray(body) ? body.map((item) => fieldOf(item, 'name')) : [])
  }
  const repeat = async (act: (round: number) => Promise<void>) => {
    for (let round = 0; round < repeats; round++) await act(round)
  }

  test('a hundred writes of an item all count', () =>
    repeat(async (round) => {
      const id = `a${round}`
      await post(id, 'first')
      const replies = await times(100, (place) => put(id, `${place}`))
      expect(tally(replies)).toEqual({ 200: 100 })
      const last = replies.filter(({ body }) => fieldOf(body, 'version') === 101)
      expect(last.map(({ body }) => body)).toEqual([await get(id)])
    }))

  test('one of a hundred creates of one id succeeds', () =>
    repeat(async (round) => {
      const id = `a${round}`
      const replies = await times(100, (place) => post(id, `${place}`))
      expect(tally(replies)).toEqual({ 201: 1, 409: 99 })
      expect(replies.find(({ status }) => status === 201)?.body).toEqual(await get(id))
    }))

  test('crossing bulks run one after another', () =>
    repeat(async (round) => {
      await race.clear()
      const ids = await makeMany('plains', `p${round}`, 20)
      const orders = [ids, ids.toReversed(), [...ids.slice(7), ...ids.slice(0, 7)]]
      const seen: number[] = []
      const replies = await times(40, async (bulk) => {
        if (bulk % 4 === 3) seen.push((await names()).size)
        const body = orders[bulk % 3]?.map((id) => ({ id, name: `${bulk}` }))
        return race.ask('PUT', '/plains', { body })
      })
      expect(tally(replies)).toEqual({ 200: 40 })
      expect(new Set([...seen, (await names()).size])).toEqual(new Set([1]))
    }))

  test('a bulk among other writes is whole or nothing', () =>
    repeat(async (round) => {
      const ids = await makeMany('things', `t${round}`, 20)
      const replies = await times(60, (place) => {
        if (place % 3 === 0) return put(ids[place % 20] ?? '', `${place}`)
        const some = ids.slice(place % 10, (place % 10) + 11)
        const body = (place % 2 === 0 ? some : some.toReversed()).map((id) => ({ id, name: 'x' }))
        return race.ask('PUT', '/things', { body })
      })
      const singles = replies.filter((_, place) => place % 3 === 0)
      const { 200: done = 0, 409: late = 0 } = tally(replies.filter((_, place) => place % 3 !== 0))
      expect(tally(singles)).toEqual({ 200: 20 })
      expect(done + late).toBe(40)
      const stored = await Promise.all(ids.map(get))
      const versions = stored.map((item) => Number(fieldOf(item, 'version')) - 1)
      expect(versions.reduce((sum, version) => sum + version)).toBe(done * 11 + 20)
    }))

  test('an item created during deleteAll exists or is deleted', () =>
    repeat(async (round) => {
      await race.clear()
      const replies = await times(120, (place) =>
        place % 6 === 5 ? race.ask('DELETE', '/things') : post(`${round}-${place}`, 'new'),
      )
      expect(tally(replies)).toEqual({ 200: 20, 201: 100 })
      expect(deletedBy(replies) + (await count())).toBe(100)
    }))

  test('never more items are deleted than allowed', () =>
    repeat(async (round) => {
      await race.clear()
      const most = 5
      for (let first = 0; first < most; first++) await post(`f${round}-${first}`, 'first')
      const headers = { prefer: `max-affected=${most}` }
      const replies = await times(60, (place) =>
        place % 3 === 0
          ? race.ask('DELETE', '/things', { headers })
          : post(`${round}-${place}`, 'new'),
      )
      const deletes = replies.filter((_, place) => place % 3 === 0)
      for (const reply of deletes) expect(deletedBy([reply])).toBeLessThanOrEqual(most)
      expect(tally(replies.filter((_, place) => place % 3 !== 0))).toEqual({ 201: 40 })
      expect(
        Object.keys(tally(deletes)).filter((status) => !['200', '409'].includes(status)),
      ).toEqual([])
      expect(deletedBy(replies) + (await count())).toBe(40 + most)
    }))

  test('one of several conditional writes wins', () =>
    repeat(async (round) => {
      const id = `a${round}`
      const { headers } = await post(id, 'first')
      const replies = await times(50, (place) => put(id, `${place}`, { 'if-match': headers.etag }))
      expect(tally(replies)).toEqual({ 200: 1, 409: 49 })
      expect(replies.find(({ status }) => status === 200)?.body).toEqual(await get(id))
    }))

  test('one of several conditional deletes and writes wins', () =>
    repeat(async (round) => {
      const id = `a${round}`
      const { headers } = await post(id, 'first')
      const sent = { headers: { 'if-match': String(headers.etag) } }
      const replies = await times(50, (place) =>
        place % 2 === 0
          ? race.ask('DELETE', `/things/${id}`, sent)
          : put(id, `${place}`, sent.headers),
      )
      const { 404: missing = 0, 409: changed = 0, ...rest } = tally(replies)
      expect(rest).toEqual({ 200: 1 })
      expect(missing + changed).toBe(49)
    }))

  test('one of several deletes of an item deletes it', () =>
    repeat(async (round) => {
      const id = `a${round}`
      await post(id, 'first')
      const replies = await times(50, () => race.ask('DELETE', `/things/${id}`))
      expect(tally(replies)).toEqual({ 200: 1, 404: 49 })
    }))
})

function times(count: number, ask: (place: number) => Promise<Reply>): Promise<readonly Reply[]> {
  return Promise.all(Array.from({ length: count }, (_, place) => ask(place)))
}

function tally(replies: readonly Reply[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

function deletedBy(replies: readonly Reply[]): number {
  return replies.reduce((sum, { body }) => sum + Number(fieldOf(body, 'deleted') ?? 0), 0)
}

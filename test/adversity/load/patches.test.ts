import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Race, startRace } from '../../support/race.ts'
import { type Reply, rounds } from '../../support/service.ts'
import { engines, has } from '../../support/stores.ts'

const repeats = rounds(10)

describe.each(engines.filter(has))('on %s', { timeout: 15_000 + repeats * 1_000 }, (engine) => {
  let race: Race

  beforeAll(async () => {
    race = await startRace(engine)
  }, 30_000)
  afterEach(() => expect(race.errors).toEqual([]))
  afterAll(() => race.close())

  // `modify` serves spans, a revision serves turns.
  for (const noun of ['spans', 'turns']) {
    const patch = (id: string, body: object): Promise<Reply> =>
      race.ask('PATCH', `/${noun}/${id}`, { body })

    test(`patches of different fields all count, of ${noun}`, async () => {
      for (let round = 0; round < repeats; round++) {
        const id = `a${round}`
        const item = { id, name: 'first', note: 'first', start: 1, end: 9 }
        expect(await race.ask('POST', `/${noun}`, { body: item })).toMatchObject({ status: 201 })
        const changes = { name: `name ${round}`, note: `note ${round}`, start: 2, end: 8 }
        const replies = await Promise.all(
          Object.entries(changes).map(([field, value], place) =>
            (place + round) % 3 === 0
              ? race.ask('PATCH', `/${noun}`, { body: [{ id, [field]: value }] })
              : patch(id, { [field]: value }),
          ),
        )
        expect(replies.map(statusOf)).toEqual([200, 200, 200, 200])
        const { body } = await race.ask('GET', `/${noun}/${id}`)
        expect(body).toMatchObject({ id, ...changes })
      }
    })

    test(`a rule about two fields holds, of ${noun}`, async () => {
      for (let round = 0; round < repeats; round++) {
        const id = `b${round}`
        const item = { id, name: 'first', note: 'first', start: 1, end: 9 }
        expect(await race.ask('POST', `/${noun}`, { body: item })).toMatchObject({ status: 201 })
        // Each keeps the rule with the item as it was. Both together break it.
        const writes = [() => patch(id, { start: 6 }), () => patch(id, { end: 4 })]
        if (round % 2 === 0) writes.reverse()
        const others = [
          () => patch(id, { name: `${round}` }),
          () => patch(id, { note: `${round}` }),
        ]
        const replies = await Promise.all([...writes, ...others].map((write) => write()))
        const [one, other, ...rest] = replies.map(statusOf)
        expect([one, other].toSorted()).toEqual([200, 422])
        expect(rest).toEqual([200, 200])
        const { body } = await race.ask('GET', `/${noun}/${id}`)
        const isFirst = (one === 200) === (round % 2 === 1)
        const kept = isFirst ? { start: 6, end: 9 } : { start: 1, end: 4 }
        expect(body).toMatchObject({ ...kept, name: `${round}`, note: `${round}` })
      }
    })
  }
})

function statusOf({ status }: Reply): number {
  return status
}

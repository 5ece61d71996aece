import { parsePrefer } from '../../../wire/prefer.ts'
import { expectIds, expectItems, expectStatus, fail, idTextsOf, skip } from '../expect.ts'
import { queryOf } from '../filtered.ts'
import type { CheckResponse } from '../message.ts'
import { absentName } from '../path.ts'
import { defineRules } from '../rule.ts'
import { samplesOf } from './filtered-lists.ts'

/** Rules about preferences of a list. */
export const totalRules = defineRules(['items'], {
  'count-exact': {
    text:
      'With "Prefer: count=exact" a list has "X-Total-Count", the number of items on all pages, ' +
      '"Preference-Applied" and "Vary: Prefer".',
    async run(collection) {
      const { send, path, items } = collection
      const headers = { prefer: 'count=exact' }
      const ask = async (query: string) => send('GET', `${path}?${query}`, { headers })
      expectTotal(await ask('limit=1'), items.length)
      for (const sample of samplesOf(collection).slice(0, 3)) {
        const query = queryOf([sample])
        const count = await send('GET', `${path}/count?${query}`)
        if (count.status !== 200) skip('The server does not support "count".')
        expectTotal(await ask(`${query}&limit=1`), Number(Object(count.json).count))
      }
    },
  },
  'prefer-ignored': {
    text: 'A list ignores a preference that it does not know.',
    async run({ send, path, items }) {
      for (const prefer of [absentName, 'count=planned', 'count', 'max-affected=0']) {
        const response = await send('GET', path, { headers: { prefer } })
        expectStatus(response, 200)
        const given = expectItems(response)
        expectIds(response, idTextsOf(items.slice(0, given.length)), given)
        if (response.headers['preference-applied'] !== undefined)
          fail(response, 'The response has "Preference-Applied".')
      }
    },
  },
})

// A server may leave out the total, if it does not claim to apply the preference.
function expectTotal(response: CheckResponse, length: number): void {
  expectStatus(response, 200)
  const { 'x-total-count': total, 'preference-applied': applied, vary = '' } = response.headers
  if (total === undefined && applied === undefined) skip('The server counts no list.')
  if (total !== `${length}`)
    fail(response, `"X-Total-Count" is ${total ?? 'missing'}, not ${length}.`)
  if (parsePrefer(applied ?? '').get('count') !== 'exact')
    fail(response, `"Preference-Applied" is ${applied ?? 'missing'}, not count=exact.`)
  if (!vary.split(',').some((name) => ['*', 'prefer'].includes(name.trim().toLowerCase())))
    fail(response, '"Vary" does not name Prefer.')
}

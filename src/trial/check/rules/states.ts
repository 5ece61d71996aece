import { isSame } from '../../../convention/value.ts'
import type { CheckedCollection } from '../collection.ts'
import {
  type CheckResponse,
  expect,
  fail,
  listMember,
  skip,
  skipUnsupported,
  stringsIn,
} from '../message.ts'
import { defineRules, expectUnchanged, postItem, prepareBulk, writableOf } from '../rule.ts'

type States = NonNullable<CheckedCollection['states']>

/** Rules about the states that OPTIONS names. */
export const stateRules = defineRules(['write', 'states'], {
  'state-initial': {
    text: 'A new item begins in the first state: POST with another one gives 422.',
    send: async (collection) => {
      const { field, initial, moves } = statesOf(collection)
      const states = Object.keys(moves).filter((state) => state !== initial)
      const body = await writableOf(collection).draft()
      return states.map((state) => ({
        request: 'POST {writable}',
        body: { ...body, [field]: state },
      }))
    },
    expect: 'validation_failed',
    none: 'There is only one state.',
  },
  'state-default': {
    text: 'POST without a state gives an item in the first one.',
    async run(collection) {
      const { field, initial } = statesOf(collection)
      const { path, draft } = writableOf(collection)
      const { [field]: _, ...body } = await draft()
      const response = await collection.send('POST', path, { body })
      expect.supported(response, 201)
      expect.fields(response, expect.item(response, 201), { [field]: initial })
    },
  },
  'state-move': {
    text: 'PATCH to a state that follows gives 200 with the item in that state.',
    async run(collection) {
      const { field, initial, moves } = statesOf(collection)
      const [next = skip('No state follows the first one.')] = moves[initial] ?? []
      const { send } = collection
      const { path } = await postItem(collection)
      for (const state of [next, next]) {
        const response = await send('PATCH', path, { body: { [field]: state } })
        expect.supported(response, 200)
        expect.fields(response, expect.item(response), { [field]: state })
      }
    },
  },
  'state-refused': {
    text:
      'PUT and PATCH to a state that does not follow give 409 with the states that do as ' +
      '"allowed", and change nothing.',
    async run(collection) {
      const states = statesOf(collection)
      const { field } = states
      const { item, path } = await postItem(collection)
      const body = { ...(await writableOf(collection).draft()), [field]: refusedState(states) }
      for (const [method, sent] of [
        ['PUT', body],
        ['PATCH', { [field]: body[field] }],
      ] as const)
        expectRefused(await collection.send(method, path, { body: sent }), states)
      await expectUnchanged(collection, [item])
    },
  },
})

/** Rules about the states of several items at once. They need a collection of the check. */
export const bulkStateRules = defineRules(['write', 'own', 'states'], {
  'bulk-state-refused': {
    text: 'A bulk with a state that does not follow gives 409, and changes no item.',
    async run(collection) {
      const states = statesOf(collection)
      const { items, bodies, path } = await prepareBulk(collection, 2)
      const [first, second] = bodies
      const body = [first, { ...second, [states.field]: refusedState(states) }]
      expectRefused(await collection.send('PUT', path, { body }), states)
      await expectUnchanged(collection, items)
    },
  },
})

function statesOf({ states }: CheckedCollection): States {
  return states ?? skip('OPTIONS names no states.')
}

function refusedState({ initial, moves }: States): string {
  const follows = [initial, ...(moves[initial] ?? [])]
  const refused = Object.keys(moves).find((state) => !follows.includes(state))
  return refused ?? skip('Every state follows the first one.')
}

function expectRefused(response: CheckResponse, { field, initial, moves }: States): void {
  skipUnsupported(response)
  expect.problem(response, 'conflict')
  const issue = listMember(response.json, 'issues').find((member) =>
    `${Reflect.get(Object(member), 'pointer')}`.endsWith(`/${field}`),
  )
  const allowed = stringsIn(issue, 'allowed')
  const expected = moves[initial] ?? []
  if (!isSame(allowed?.toSorted(), expected.toSorted()))
    fail(response, `No issue of "${field}" has the states ${expected.join(', ')} as "allowed".`)
}

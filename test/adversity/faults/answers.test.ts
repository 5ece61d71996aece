import { problem } from 'nounful'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import {
  type OperationKind,
  operationKinds,
  operations,
} from '../../../src/convention/operations.ts'
import { failing, handled, hostileProxy, poisoned, revoked } from '../../support/oddities.ts'
import { calmAdapter, doors, secret, strike, World, watchProcess } from '../../support/world.ts'

// Without middleware, only the core sees the results of the adapter.
const whole = new World({ isBare: true })
// `first`, `last` and `count` are derived.
const { first, last, count, ...others } = calmAdapter
const derived = new World({ adapter: others, isBare: true })
const strays = watchProcess()
afterEach(async () => {
  await new Promise(setImmediate)
  expect(strays.splice(0)).toEqual([])
})
afterAll(async () => {
  await whole.close()
  await derived.close()
})

const note = { id: 'n1', text: 'of n1' }
const other = { id: 'n2', text: 'of n2' }
const fault = '500 internal_error'

type Verdicts = Partial<Record<OperationKind, string>>

const nothing: Verdicts = {
  read: '404 not_found',
  update: '404 not_found',
  patch: '404 not_found',
  delete: '404 not_found',
  first: '404 empty_collection',
  last: '404 empty_collection',
}
const anItem: Verdicts = {
  read: '200',
  update: '200',
  delete: '200',
  first: '200',
  last: '200',
  create: '201',
}
const another: Verdicts = { first: '200', last: '200', create: '201' }
const aNumber: Verdicts = { count: '200', deleteAll: '200', deleteMany: '200' }

class Row {
  readonly id = 'n1'
  readonly text = 'of n1'
}

/** The results of an adapter by name, with the verdicts where they are allowed; else a fault. */
const answers: Readonly<Record<string, readonly [make: () => unknown, right?: Verdicts]>> = {
  undefined: [() => undefined, nothing],
  null: [() => null, nothing],
  false: [() => false],
  true: [() => true],
  '0': [() => 0, aNumber],
  '3': [() => 3, aNumber],
  '-0': [() => -0, aNumber],
  '-1': [() => -1],
  '1.5': [() => 1.5],
  NaN: [() => Number.NaN],
  Infinity: [() => Number.POSITIVE_INFINITY],
  '2 ** 53': [() => 2 ** 53],
  '3n': [() => 3n],
  'a Number': [() => new Number(3)],
  'a text': [() => secret],
  'an empty text': [() => ''],
  'the text 3': [() => '3'],
  'a symbol': [() => Symbol(secret)],
  'a function': [() => failing],
  'an empty array': [() => [], { list: '200' }],
  'an array of undefined': [() => [undefined]],
  'an array of null': [() => [note, null], { updateMany: '404 not_found' }],
  'an array with a hole': [() => Object.assign([note], { 2: other })],
  'an array with a hole at its end': [
    () => Object.assign([note], { length: 2 }),
    { updateMany: '404 not_found' },
  ],
  'an array of arrays': [() => [[note, other]]],
  'an array of texts': [() => ['n1', 'n2']],
  'an array of items': [() => [note, other], { list: '200', updateMany: '200' }],
  'items in another order': [() => [other, note], { list: '200' }],
  'too many items': [() => [note, other, note], { list: '200' }],
  'too few items': [() => [note], { list: '200' }],
  'an item twice': [() => [note, note], { list: '200' }],
  'a null among items': [() => [null, other], { updateMany: '404 not_found' }],
  'an array of poisoned items': [() => [poisoned(), poisoned()]],
  'an array that throws': [() => Object.defineProperty([note, other], 1, { get: failing })],
  'an array of hostile proxies': [() => [hostileProxy(), hostileProxy()]],
  'a hostile proxy of an array': [() => hostileProxy([note, other])],
  'a revoked proxy of an array': [() => revoked([note, other])],
  'an array of promises': [() => [Promise.resolve(note), Promise.resolve(other)]],
  'an array-like': [() => ({ 0: note, 1: other, length: 2 })],
  'a typed array': [() => new Uint8Array(2)],
  'a Set': [() => new Set([note, other])],
  'a Map': [() => new Map([['n1', note]])],
  'an iterator': [() => [note, other].values()],
  'a generator': [
    function* () {
      yield* [note, other]
    },
  ],
  'rows beside a count': [() => ({ rows: [note, other], count: 2 })],
  'an empty object': [() => ({})],
  'an object without a prototype': [() => Object.assign(Object.create(null), note), anItem],
  'an item of a class': [() => new Row(), anItem],
  'a frozen item': [() => Object.freeze({ ...note }), anItem],
  'another item': [() => other, another],
  'an item with an inherited id': [() => Object.create(note)],
  // The core compares ids as texts: a client would not find the item again.
  'an item whose id is a number': [() => ({ ...note, id: 7 }), { first: '200', last: '200' }],
  'an item in an array': [() => [note], { list: '200' }],
  'a hostile proxy': [() => hostileProxy(note)],
  'a revoked proxy': [() => revoked(note)],
  'a poisoned item': [poisoned],
  'a Date': [() => new Date(0)],
  'an invalid Date': [() => new Date(Number.NaN)],
  'a RegExp': [() => /n1/],
  'a Buffer': [() => Buffer.from(secret)],
  'an Error': [() => new Error(secret)],
  'a problem': [() => problem('not_found', secret)],
  'a Response': [() => new Response(secret)],
  'an outcome': [() => ({ gives: 'item', item: note })],
  'a promise of a fault': [() => handled(Promise.reject(new Error(secret)))],
  ...Object.fromEntries(
    oddIds().map(([name, id]) => [
      `an item with the id ${name}`,
      // No path reaches it, and it fails no list.
      [
        () => ({ ...note, id }),
        typeof id === 'string' ? { first: '200', last: '200' } : {},
      ] as const,
    ]),
  ),
}

function oddIds(): readonly (readonly [name: string, id: unknown])[] {
  const values = [
    undefined,
    null,
    true,
    Number.NaN,
    3n,
    '',
    '.',
    '..',
    'first',
    'count',
    ['n1'],
    {},
  ]
  const named = values.map(
    (id) => [typeof id === 'object' ? JSON.stringify(id) : `${id}`, id] as const,
  )
  return [
    ...named,
    ['NUL', 'n\0'],
    ['CR LF', 'n1\r\nSet-Cookie: a=b'],
    ['half a pair', '\ud800'],
    ['of 256 characters', 'x'.repeat(256)],
    ['as text of its own', { toString: () => 'n1' }],
    ['a symbol', Symbol('n1')],
  ]
}

const promised = (value: unknown) => async () => {
  await new Promise(setImmediate)
  return value
}

for (const door of doors) {
  describe(`what an adapter gives, over ${door}`, () => {
    for (const [name, [make, right = {}]] of Object.entries(answers)) {
      test(`${name} is taken where it is right only`, async () => {
        for (const kind of operationKinds) {
          const verdict = right[kind] ?? fault
          await strike(whole, { door, kind, fault: make, verdict })
          await strike(whole, { door, kind, fault: () => promised(make())(), verdict })
        }
      })
    }
  })

  describe(`what list gives, over ${door}`, () => {
    for (const [name, [make, right = {}]] of Object.entries(answers)) {
      test(`${name} is no answer to derive from`, async () => {
        for (const kind of ['first', 'last', 'count'] as const) {
          const isEmpty = name === 'an empty array' && kind !== 'count'
          const sound = isEmpty ? '404 empty_collection' : '200'
          const verdict = right.list === undefined ? fault : sound
          await strike(derived, { door, kind, point: 'list', fault: make, verdict })
        }
      })
    }
  })
}

test('every kind is asked', () => {
  expect(Object.keys(operations).sort()).toEqual([...operationKinds].sort())
})

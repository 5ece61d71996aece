import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { OperationKind } from '../../../src/convention/operations.ts'
import { failing, hostileProxy, poisoned, revoked } from '../../support/oddities.ts'
import {
  calm,
  type Door,
  doors,
  type Reply,
  secret,
  strike,
  World,
  watchProcess,
} from '../../support/world.ts'

const schema = z.strictObject({
  id: z.string(),
  text: z.string(),
  any: z.unknown().optional(),
  child: z.strictObject({ name: z.string() }).optional(),
  children: z.array(z.strictObject({ name: z.string() })).optional(),
})
const world = new World({ declaration: { schema } })
const strays = watchProcess()
afterEach(async () => {
  await new Promise(setImmediate)
  expect(strays.splice(0)).toEqual([])
})
afterAll(() => world.close())

/** How each kind that gives items gives one that holds something more. */
const givers: Partial<Record<OperationKind, (item: object) => unknown>> = {
  list: (item) => [{ id: 'n0', text: 'whole' }, item],
  create: (item) => item,
  updateMany: (item) => [item, { id: 'n2', text: 'whole' }],
  read: (item) => item,
  update: (item) => item,
  delete: (item) => item,
  first: (item) => item,
  last: (item) => item,
}

const kinds = Object.keys(givers) as OperationKind[]

interface Given {
  readonly door: Door
  readonly make: () => object
  /** The kinds that fail. Default: none. */
  readonly failing?: readonly OperationKind[]
}

// The item of a deletion is gone: no value in it makes the response fail.
const judging = kinds.filter((kind) => kind !== 'delete')
const writing: readonly OperationKind[] = ['create', 'update', 'updateMany']

/** The verdict of each kind when the adapter returns this item. */
async function answersTo({ door, make, failing: broken = [] }: Given): Promise<Reply[]> {
  const replies: Reply[] = []
  for (const kind of kinds) {
    const fault = () => givers[kind]?.(make())
    const verdict = broken.includes(kind) ? '500 internal_error' : calm[kind][1]
    replies.push(await strike(world, { door, kind, fault, verdict }))
  }
  return replies
}

function itemIn({ text }: Reply): unknown {
  const body = JSON.parse(text)
  return Array.isArray(body) ? body.find(({ id }) => id === 'n1') : body
}

function nested(levels: number): object {
  let value = {}
  for (let level = 0; level < levels; level++) value = level % 2 ? { value } : [value]
  return value
}

function circle(): object {
  const value: Record<string, unknown> = {}
  value.value = [value]
  return value
}

/** Values without a JSON form, or with a wrong one. */
const unwritable: Readonly<Record<string, () => unknown>> = {
  'a bigint': () => 3n,
  NaN: () => Number.NaN,
  Infinity: () => Number.POSITIVE_INFINITY,
  '-Infinity': () => Number.NEGATIVE_INFINITY,
  'a function': () => failing,
  'a class': () => class Secret {},
  'a symbol': () => Symbol(secret),
  'a Map': () => new Map([[secret, secret]]),
  'a Set': () => new Set([secret]),
  'a WeakMap': () => new WeakMap(),
  'a Promise': () => Promise.resolve(secret),
  'a RegExp': () => /secret/,
  'an Error': () => new Error(secret),
  'a Buffer': () => Buffer.from(secret),
  'an ArrayBuffer': () => new ArrayBuffer(8),
  'a typed array': () => new Float64Array(2),
  'a DataView': () => new DataView(new ArrayBuffer(8)),
  'a Number': () => new Number(3),
  'an invalid Date': () => new Date(Number.NaN),
  'something that holds itself': circle,
  '20,000 levels': () => nested(20_000),
  'a toJSON that throws': () => ({ toJSON: failing }),
  'a toJSON that gives nothing': () => ({ toJSON: () => undefined }),
  'a toJSON that gives a bigint': () => ({ toJSON: () => 3n }),
  'a toJSON that gives NaN': () => ({ toJSON: () => Number.NaN }),
  'a toJSON that gives a function': () => ({ toJSON: () => failing }),
  'a getter that throws': () => Object.defineProperty({}, 'a', { enumerable: true, get: failing }),
  'poisoned members': poisoned,
  'a hostile proxy': () => hostileProxy(),
  'a revoked proxy': () => revoked(),
  'a revoked proxy of an array': () => revoked([]),
  'an array with a hole': () => Object.assign([1], { 2: 3 }),
  'an array of undefined': () => [undefined],
  'an array of NaN': () => [Number.NaN],
  'a bigint far inside': () => ({ a: [{ b: [3n] }] }),
}

/** Values, and their JSON form. */
const written: Readonly<Record<string, readonly [make: () => unknown, written: unknown]>> = {
  undefined: [() => undefined, undefined],
  'undefined in an object': [() => ({ a: undefined, b: 1 }), { b: 1 }],
  null: [() => null, null],
  'a Date': [() => new Date(0), '1970-01-01T00:00:00.000Z'],
  'a Date far off': [() => new Date(8.64e15), '+275760-09-13T00:00:00.000Z'],
  'Dates in an array': [() => [new Date(1)], ['1970-01-01T00:00:00.001Z']],
  '-0': [() => -0, 0],
  '1e308': [() => 1e308, 1e308],
  'half a pair': [() => '\ud800', '\ud800'],
  NUL: [() => '\0', '\0'],
  'line separators': [() => '\u2028\u2029', '\u2028\u2029'],
  'an empty object': [() => ({}), {}],
  'an object without a prototype': [() => Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
  'a text called then': [() => JSON.parse('{"then":"later"}'), JSON.parse('{"then":"later"}')],
  'a text called toJSON': [() => ({ toJSON: 'no' }), { toJSON: 'no' }],
  'an own __proto__': [
    () => JSON.parse('{"__proto__":{"a":1}}'),
    JSON.parse('{"__proto__":{"a":1}}'),
  ],
  'what toJSON gives': [() => ({ toJSON: () => ({ a: [1] }) }), { a: [1] }],
  'a hundred levels': [() => nested(100), nested(100)],
}

for (const door of doors) {
  describe(`an item that holds, over ${door},`, () => {
    for (const [name, make] of Object.entries(unwritable)) {
      test(`${name} is a fault`, async () => {
        const item = () => ({ id: 'n1', text: 'x', any: make() })
        await answersTo({ door, make: item, failing: judging })
      })

      test(`${name} deep inside is a fault`, async () => {
        const item = () => ({ id: 'n1', text: 'x', any: { in: [make()] } })
        await answersTo({ door, make: item, failing: judging })
      })

      test(`${name} in a field nobody declared is none`, async () => {
        const item = () => ({ id: 'n1', text: 'x', undeclared: make() })
        for (const reply of await answersTo({ door, make: item })) {
          expect(itemIn(reply)).toEqual({ id: 'n1', text: 'x' })
        }
      })
    }

    test.skipIf(door === 'handle')('what throws when it is written is a fault', async () => {
      const make = () => {
        let reads = 0
        const get = () => (reads++ === 0 ? 'x' : failing())
        return Object.defineProperty({ id: 'n1' }, 'text', { enumerable: true, get })
      }
      await answersTo({ door, make, failing: kinds })
    })

    test('less than was declared is a fault of a write', async () => {
      for (const make of [() => ({ id: 'n1' }), () => ({ id: 'n1', text: undefined })]) {
        for (const reply of await answersTo({ door, make, failing: writing }))
          if (reply.status === 200) expect(itemIn(reply)).toEqual({ id: 'n1', text: null })
      }
      for (const child of [{}, { nam: 'x' }]) {
        const make = () => ({ id: 'n1', text: 'x', children: [{ name: 'y' }, child] })
        for (const reply of await answersTo({ door, make, failing: writing }))
          if (reply.status === 200)
            expect(itemIn(reply)).toEqual({ id: 'n1', text: 'x', children: [{ name: 'y' }, {}] })
      }
    })

    for (const [name, [make, value]] of Object.entries(written)) {
      test(`${name} is written as it is`, async () => {
        const item = () => ({ id: 'n1', text: 'x', any: make() })
        for (const reply of await answersTo({ door, make: item })) {
          const any = value === undefined ? {} : { any: value }
          expect(itemIn(reply)).toStrictEqual({ id: 'n1', text: 'x', ...any })
          expect(reply.text.isWellFormed()).toBe(true)
        }
      })
    }
  })

  describe(`a field nobody declared, over ${door},`, () => {
    const declared = {
      id: 'n1',
      text: 'x',
      child: { name: 'c' },
      children: [{ name: 'd' }, { name: 'e' }],
    }
    const more = { password_hash: secret, [secret]: 1, toString: secret, constructor: { secret } }
    const child = { ...declared.child, ...more }
    const items: Readonly<Record<string, () => object>> = {
      'of an item': () => ({ ...declared, ...more }),
      'before the others': () => ({ ...more, ...declared }),
      'in an object': () => ({ ...declared, child }),
      'in an array': () => ({
        ...declared,
        children: [child, { name: 'e' }].with(0, { name: 'd', ...more }),
      }),
      'called __proto__': () => ({ ...declared, ...JSON.parse(`{"__proto__":{"a":"${secret}"}}`) }),
      'that throws': () =>
        Object.defineProperty({ ...declared }, 'a', { enumerable: true, get: failing }),
      'that is inherited': () => Object.assign(Object.create(more), declared),
      'declared, but inherited': () =>
        Object.assign(Object.create({ any: { secret } }), { ...declared, ...more }),
      'that is a symbol': () => ({ ...declared, [Symbol(secret)]: secret }),
      'of what toJSON gives': () => ({ id: 'n1', toJSON: () => ({ ...declared, ...more }) }),
    }
    for (const [name, make] of Object.entries(items)) {
      test(`${name} stays here`, async () => {
        for (const reply of await answersTo({ door, make })) {
          expect(itemIn(reply)).toEqual(declared)
        }
      })
    }
  })
}

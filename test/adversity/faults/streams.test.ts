import { Readable } from 'node:stream'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import type { OperationKind } from '../../../src/convention/operations.ts'
import { failing, hostileProxy, poisoned, revoked, thenable } from '../../support/oddities.ts'
import { until } from '../../support/streams.ts'
import {
  calm,
  calmAdapter,
  doors,
  secret,
  strike,
  verdictOf,
  World,
  watchProcess,
} from '../../support/world.ts'

const { first, last, count, ...others } = calmAdapter
const world = new World({ adapter: others })
const strays = watchProcess()
afterEach(async () => {
  await new Promise(setImmediate)
  expect(strays.splice(0)).toEqual([])
})
afterAll(() => world.close())

const note = { id: 'n1', text: 'of n1' }

/** Something to go through, made of its parts. */
const iterable = (iterator: unknown) => ({ [Symbol.asyncIterator]: () => iterator })
const steps = (...all: unknown[]) => iterable({ next: () => all.shift() })

async function* generate(...parts: readonly unknown[]): AsyncGenerator<unknown> {
  for (const part of parts) yield typeof part === 'function' ? part() : part
}

/** Lists that fail before their first item. */
const faulty: Readonly<Record<string, () => unknown>> = {
  'throws at once': () => generate(failing),
  'gives nothing as an item': () => generate(undefined),
  'gives null': () => generate(null),
  'gives a text': () => generate(secret),
  'gives an item without an id': () => generate({ text: secret }),
  'gives a poisoned item': () => generate(poisoned()),
  'gives a hostile proxy': () => generate(hostileProxy()),
  'gives a revoked proxy': () => generate(revoked()),
  'gives an array of nothing': () => generate([undefined]),
  'gives an array in an array': () => generate([[note]]),
  'gives a list in a list': () => generate(generate(note)),
  'gives a generator': () => generate([note].values()),
  'gives a promise that fails': () => generate(() => Promise.reject(new Error(secret))),
  'makes no iterator': () => iterable(undefined),
  'makes a text of an iterator': () => iterable(secret),
  'throws for an iterator': () => ({ [Symbol.asyncIterator]: failing }),
  'makes a promise of an iterator': () => iterable(Promise.resolve(generate(note))),
  'makes a poisoned iterator': () => iterable(poisoned()),
  'makes a hostile proxy': () => iterable(hostileProxy()),
  'has no next': () => iterable({}),
  'has a next that is none': () => iterable({ next: secret }),
  'has a next that throws': () => iterable({ next: failing }),
  'has a next that gives nothing': () => iterable({ next: () => undefined }),
  'has a next that gives a text': () => steps(secret),
  'has a next that promises null': () => steps(Promise.resolve(null)),
  'has a next that is rejected': () => steps(Promise.reject(new Error(secret))),
  'has a next that throws in then': () => steps(thenable(failing)),
  'has a next that cannot be looked at': () => steps(poisoned()),
  'has a value that throws': () =>
    steps(Object.defineProperty({ done: false }, 'value', { get: failing })),
  'has a done that throws': () =>
    steps(Object.defineProperty({ value: note }, 'done', { get: failing })),
  'is a hostile proxy of a list': () => hostileProxy(generate(note)),
  'is a stream that is destroyed': () => Readable.from([note]).destroy(new Error(secret)),
  'is a stream of bytes': () => Readable.from([Buffer.from(secret)]),
  'is a locked stream': () => {
    const stream = new ReadableStream()
    stream.getReader()
    return stream
  },
  'is a stream that fails': () =>
    new ReadableStream({ pull: (controller) => controller.error(secret) }),
}

/** Lists that are odd, and yet lists. */
const sound: Readonly<Record<string, () => unknown>> = {
  'whose next is synchronous': () => steps({ done: false, value: note }, { done: true }),
  'whose next gives thenables': () =>
    steps(
      thenable((resolve) => resolve({ value: note })),
      { done: 1 },
    ),
  'without a return': () => iterable({ next: nextOf(note) }),
  'whose return is none': () => iterable({ next: nextOf(note), return: undefined }),
  'that gives a value at its end': () => steps({ value: note }, { done: true, value: secret }),
  'that gives empty arrays': () => generate([], [note], []),
}

function nextOf(...items: readonly unknown[]): () => unknown {
  const rest = [...items]
  return () => (rest.length === 0 ? { done: true } : { done: false, value: rest.shift() })
}

/** Ways to end badly when given up. */
const ends: Readonly<Record<string, () => unknown>> = {
  throws: failing,
  'is rejected': () => Promise.reject(new Error(secret)),
  'gives nothing': () => undefined,
  'gives a text': () => secret,
  'throws in then': () => thenable(failing),
  'cannot be looked at': poisoned,
}

for (const door of doors) {
  const list = { door, kind: 'list', point: 'list' } as const

  describe(`a list, over ${door},`, () => {
    for (const [name, fault] of Object.entries(faulty)) {
      test(`that ${name} is 500`, async () => {
        for (const kind of ['list', 'first', 'last', 'count'] as const) {
          await strike(world, { ...list, kind, fault, verdict: '500 internal_error' })
        }
      })
    }

    for (const [name, fault] of Object.entries(sound)) {
      test(`${name} is one`, async () => {
        const { text } = await strike(world, { ...list, fault, verdict: '200' })
        expect(JSON.parse(text)).toEqual([note])
      })
    }

    for (const [name, end] of Object.entries(ends)) {
      const fault = () => iterable({ next: () => ({ done: false, value: note }), return: end })

      test(`whose return ${name} is 500`, async () => {
        for (const kind of ['first', 'last'] as const) {
          await strike(world, { ...list, kind, fault, verdict: '500 internal_error' })
        }
      })

      test(`whose return ${name} is told after HEAD`, async () => {
        world.calm()
        world.arm('list', fault)
        expect(await world.ask(door, ['HEAD', '/notes'])).toMatchObject({ status: 200, text: '' })
        await until(() => world.told.length > 0)
        expect(verdictOf(await world.ask(door, calm.list[0]))).toBe('200')
        expect(world.told).toHaveLength(1)
      })
    }
  })

  describe(`a list that fails late, over ${door},`, () => {
    const many = Array.from({ length: 3000 }, (_, at) => ({ id: `n${at}`, text: 'x' }))
    const late: Readonly<Record<string, readonly unknown[]>> = {
      throws: [failing],
      'gives garbage': [secret],
      'gives undefined': [undefined],
      'gives garbage in an array': [[note, secret]],
      'gives what JSON does not know': [{ ...note, rank: 3n }],
      'gives what is poisoned': [poisoned()],
      'gives what holds itself': [[note, circle()]],
    }
    for (const [name, parts] of Object.entries(late)) {
      test(`${name}: it is cut off`, async () => {
        world.calm()
        world.arm('list', () => generate(...many, ...parts, note))
        const reply = await world.ask(door, calm.list[0])
        expect([reply.status, reply.isCut]).toEqual([200, true])
        expect(JSON.stringify(reply)).not.toContain(secret)
        await until(() => world.told.length > 0)
        expect(world.told).toHaveLength(1)
        world.calm()
        expect(verdictOf(await world.ask(door, calm.list[0]))).toBe('200')
      })
    }

    test('counts as a fault when it is counted', async () => {
      const fault = () => generate(...many, failing)
      await strike(world, { ...list, kind: 'count', fault, verdict: '500 internal_error' })
    })
  })
}

function circle(): object {
  const value: Record<string, unknown> = { ...note }
  value.text = value
  return value
}

test('an endless list is closed when left', async () => {
  let isClosed = false
  world.calm()
  world.arm('list', async function* () {
    try {
      for (;;) yield note
    } finally {
      isClosed = true
    }
  })
  const connection = await world.connect()
  void world.ask('node', calm.list[0])
  await until(() => world.asked.length > 0)
  connection.destroy()
  await until(() => isClosed)
  world.calm()
  expect(verdictOf(await world.ask('node', calm.list[0]))).toBe('200')
})

test.for(['first', 'last'] as const)(
  '%s takes one item and closes',
  async (kind: OperationKind) => {
    const given: string[] = []
    world.calm()
    world.arm('list', async function* () {
      try {
        for (;;) {
          given.push('item')
          yield note
        }
      } finally {
        given.push('end')
      }
    })
    expect(verdictOf(await world.ask('handle', calm[kind][0]))).toBe('200')
    expect(given).toEqual(['item', 'end'])
  },
)

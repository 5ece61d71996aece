import { afterAll, afterEach, describe, expect, test } from 'vitest'
import {
  failing,
  handled,
  hanging,
  hostileProxy,
  poisoned,
  revoked,
  thenable,
  thrown,
} from '../../support/oddities.ts'
import { calm, doors, secret, strike, verdictOf, World, watchProcess } from '../../support/world.ts'

const world = new World()
const worlds: World[] = [world]
const strays = watchProcess()
afterEach(async () => {
  await new Promise(setImmediate)
  expect(strays.splice(0)).toEqual([])
})
afterAll(async () => {
  for (const each of worlds) await each.close()
})

const writes = ['create', 'update', 'updateMany'] as const
const issue = { message: 'is wrong' }

/** Invalid results of a validator. */
const garbage: Readonly<Record<string, () => unknown>> = {
  nothing: () => undefined,
  null: () => null,
  'a text': () => secret,
  true: () => true,
  'an empty object': () => ({}),
  'a text for a value': () => ({ value: secret }),
  'null for a value': () => ({ value: null }),
  'an array for a value': () => ({ value: [secret] }),
  'a function for a value': () => ({ value: failing }),
  'a text for issues': () => ({ issues: secret }),
  'a number for issues': () => ({ issues: 1 }),
  'an object for issues': () => ({ issues: { 0: issue } }),
  'true for issues': () => ({ issues: true }),
  'issues that are nothing': () => ({ issues: [undefined] }),
  'issues that are null': () => ({ issues: [null] }),
  'issues that are poisoned': () => ({ issues: [poisoned()] }),
  'issues that are hostile': () => ({ issues: [hostileProxy()] }),
  'issues that are revoked': () => ({ issues: revoked([]) }),
  'what is poisoned': poisoned,
  'what is hostile': () => hostileProxy(),
  'what throws for issues': () => Object.defineProperty({}, 'issues', { get: failing }),
  'what throws for a value': () => Object.defineProperty({}, 'value', { get: failing }),
  'a value that throws': () => ({ value: hostileProxy() }),
  'a path that throws': () => ({
    issues: [Object.defineProperty({ ...issue }, 'path', { get: failing })],
  }),
  'a path that is none': () => ({ issues: [{ ...issue, path: 7 }] }),
  'a path of nothing': () => ({ issues: [{ ...issue, path: [null] }] }),
  'a key that throws': () => ({
    issues: [{ ...issue, path: [Object.defineProperty({}, 'key', { get: failing })] }],
  }),
  'a message that throws': () => ({
    issues: [Object.defineProperty({}, 'message', { get: failing })],
  }),
  'a message that is a symbol': () => ({ issues: [{ message: Symbol('s') }] }),
  'a message with no text': () => ({ issues: [{ message: { toString: failing } }] }),
  'a thenable that throws': () => thenable(failing),
  'a promise of nothing': async () => undefined,
}

/** Issues that are odd, and yet issues. */
const odd: Readonly<Record<string, readonly [issues: () => unknown, told: object]>> = {
  'without any': [() => [], { code: 'invalid' }],
  'with a deep path': [
    () => [{ ...issue, path: ['a', 0, { key: 'b/c~d' }] }],
    { pointer: '/a/0/b~1c~0d' },
  ],
  'with a symbol in the path': [() => [{ ...issue, path: [Symbol('s')] }], { message: 'is wrong' }],
  'with half a pair in the path': [() => [{ ...issue, path: ['\ud800'] }], { message: 'is wrong' }],
  'with a path of a thousand': [
    () => [{ ...issue, path: Array(1000).fill('x') }],
    { message: 'is wrong' },
  ],
  'with no message': [() => [{ path: ['text'] }], { pointer: '/text' }],
  'with a number for a message': [() => [{ message: 7 }], { message: '7' }],
  'with a long message': [
    () => [{ message: 'x'.repeat(100_000) }],
    { message: `${'x'.repeat(512)}…` },
  ],
  'with CR LF in the message': [() => [{ message: 'a\r\nb' }], { message: 'a\r\nb' }],
  'with a number for a code': [() => [{ ...issue, code: 7 }], { code: 'invalid' }],
  'with more than they have': [
    () => [{ ...issue, input: secret, cause: 3n, stack: secret }],
    { message: 'is wrong' },
  ],
  'by the thousand': [() => Array(10_000).fill(issue), { message: 'is wrong' }],
}

for (const door of doors) {
  describe(`a validator, over ${door},`, () => {
    for (const [name, make] of Object.entries(thrown)) {
      test(`that throws ${name} is a fault`, async () => {
        for (const kind of writes) {
          const fault = () => {
            throw make()
          }
          const strikes = {
            door,
            kind,
            point: 'schema',
            verdict: '500 internal_error',
            asked: [],
          } as const
          await strike(world, { ...strikes, fault })
          await strike(world, { ...strikes, fault: async () => fault() })
        }
      })
    }

    for (const [name, fault] of Object.entries(garbage)) {
      test(`that answers ${name} is a fault`, async () => {
        for (const kind of writes) {
          const verdict = '500 internal_error'
          await strike(world, { door, kind, point: 'schema', fault, times: 9, verdict, asked: [] })
        }
      })
    }

    for (const [name, [issues, told]] of Object.entries(odd)) {
      test(`may answer issues ${name}`, async () => {
        for (const kind of writes) {
          const fault = () => ({ issues: issues() })
          const verdict = '422 validation_failed'
          const { text } = await strike(world, {
            door,
            kind,
            point: 'schema',
            fault,
            times: 9,
            verdict,
            asked: [],
          })
          const body = JSON.parse(text)
          const { pointer, ...rest } = { pointer: undefined, ...told }
          expect(body.issues[0]).toMatchObject(rest)
          if (pointer !== undefined)
            expect(body.issues[0].pointer).toMatch(new RegExp(`${pointer}$`))
          expect(body.issues.length).toBeLessThanOrEqual(50)
          expect(text.length).toBeLessThan(65_536)
        }
      })
    }
  })
}

describe('an id schema', () => {
  /** Behaviours of an id schema: an id that it cannot judge is a fault, never an item. */
  // biome-ignore format: a row stays a line
  const schemas: readonly (readonly [
    name: string,
    validate: (id: unknown) => unknown,
    verdict: string,
  ])[] = [
    ['throws',                       failing,                                  '500 internal_error'],
    ['is asynchronous',              async (value) => ({ value }),             '500 internal_error'],
    ['is rejected',                  () => handled(Promise.reject(secret)),    '500 internal_error'],
    ['fails later',                  async () => failing(),                    '500 internal_error'],
    ['hangs',                        hanging,                                  '500 internal_error'],
    ['gives a thenable',             () => thenable(failing),                  '500 internal_error'],
    ['answers nothing',              () => undefined,                          '500 internal_error'],
    ['answers what throws',          () => Object.defineProperty({}, 'issues', { get: failing }), '500 internal_error'],
    ['answers what is hostile',      () => hostileProxy(),                     '500 internal_error'],
    ['gives what has no text',       () => ({ value: poisoned() }),            '404 not_found'],
    ['gives nothing',                () => ({}),                               '404 not_found'],
    ['gives another id',             () => ({ value: 'n2' }),                  '404 not_found'],
    ['refuses without a reason',     () => ({ issues: [] }),                   '404 not_found'],
    ['gives an object',              () => ({ value: { toString: () => 'n1' } }), '404 not_found'],
  ]
  for (const [name, validate, verdict] of schemas) {
    test(`that ${name} is ${verdict}`, async () => {
      const id = { '~standard': { version: 1, vendor: 'test', validate } }
      const odd = new World({ declaration: { id } })
      worlds.push(odd)
      for (const door of doors) {
        odd.calm()
        const reply = await odd.ask(door, calm.read[0])
        expect(verdictOf(reply)).toBe(verdict)
        expect(JSON.stringify(reply)).not.toContain(secret)
        expect([odd.told.length, odd.asked]).toEqual([verdict.startsWith('5') ? 1 : 0, []])
        expect(verdictOf(await odd.ask(door, calm.count[0]))).toBe('200')
      }
    })
  }
})

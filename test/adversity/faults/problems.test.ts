import { problem } from 'nounful'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { type ProblemCode, problemStatuses, statuses } from '../../../src/convention/operations.ts'
import { branded, failing, hostileProxy, poisoned, revoked } from '../../support/oddities.ts'
import {
  doors,
  type Point,
  type Reply,
  secret,
  strike,
  World,
  watchProcess,
} from '../../support/world.ts'

const world = new World()
const strays = watchProcess()
afterEach(async () => {
  await new Promise(setImmediate)
  expect(strays.splice(0)).toEqual([])
})
afterAll(() => world.close())

const issue = { pointer: '/text', code: 'x', message: 'is wrong' }
const points: readonly Point[] = ['context', 'middleware', 'read']

/** Every response has one of the twelve statuses, the right type, and headers of one line each. */
function expectWellFormed({ status, headers, text }: Reply): void {
  const body = JSON.parse(text)
  expect(statuses).toContain(status)
  expect(body).toMatchObject({ status, type: 'about:blank', message: body.detail })
  expect(body.code in problemStatuses).toBe(true)
  expect(headers['content-type']).toBe('application/problem+json')
  for (const value of Object.values(headers)) expect(value).toMatch(/^[ -~]*$/)
  expect(Object.keys(headers).join()).not.toMatch(/cookie/i)
  expect(text.length).toBeLessThan(65_536)
  expect(body.issues?.length ?? 0).toBeLessThanOrEqual(50)
  expect(body.allowed?.length ?? 0).toBeLessThanOrEqual(50)
}

/** Members of a wrong type. `status`: the problem's own, or 500 where it cannot be written. */
const members: Readonly<Record<string, readonly [members: object, status?: 500]>> = {
  'issues that are no array': [{ issues: secret }, 500],
  'issues that are an object': [{ issues: { 0: issue, length: 1 } }, 500],
  'issues that are true': [{ issues: true }, 500],
  'issues that are revoked': [{ issues: revoked([]) }, 500],
  'issues that are hostile': [{ issues: hostileProxy([]) }, 500],
  'an issue that is nothing': [{ issues: [undefined] }, 500],
  'an issue that is null': [{ issues: [null] }, 500],
  'an issue that is poisoned': [{ issues: [poisoned()] }, 500],
  'an issue that is hostile': [{ issues: [hostileProxy()] }, 500],
  'an issue with a bigint': [{ issues: [{ ...issue, allowed: 3n }] }, 500],
  'an issue that throws': [{ issues: [{ ...issue, toJSON: failing }] }, 500],
  'an issue with a circle': [{ issues: [circle()] }, 500],
  'an issue with no text': [{ issues: [{ ...issue, message: { toString: failing } }] }, 500],
  'a symbol for a message': [{ issues: [{ ...issue, message: Symbol('x') }] }],
  'a symbol for a pointer': [{ issues: [{ ...issue, pointer: Symbol('x') }] }],
  'issues by the thousand': [{ issues: Array(10_000).fill(issue) }],
  'long issues': [{ issues: Array(50).fill({ ...issue, code: 'x'.repeat(10_000) }) }],
  'allowed that is no array': [{ allowed: 7 }, 500],
  'allowed of anything': [{ allowed: [undefined, 7, {}, []] }],
  'allowed without text': [{ allowed: [Object.create(null)] }, 500],
  'allowed by the thousand': [{ allowed: Array(10_000).fill('x'.repeat(1000)) }],
  'supported that is hostile': [{ supported: hostileProxy([]) }, 500],
  'allow with CR LF': [{ allow: 'GET\r\nSet-Cookie: a=b' }],
  'allow that is none': [{ allow: ['GET'] }],
  'allow with no text': [{ allow: { toString: failing } }],
  'allow beyond Latin-1': [{ allow: 'GET, 😀' }],
  'a challenge with CR LF': [{ challenge: 'Bearer\r\nSet-Cookie: a=b' }],
  'a challenge with NUL': [{ challenge: 'Bearer\0' }],
  'a challenge beyond Latin-1': [{ challenge: 'Bearer realm="😀"' }],
  'a challenge that is none': [{ challenge: poisoned() }],
  'an empty challenge': [{ challenge: '' }],
  ...Object.fromEntries(
    [
      Number.NaN,
      -1,
      Infinity,
      1e300,
      '7',
      '7\r\nSet-Cookie: a=b',
      new Date(),
      null,
      3n,
      Symbol('x'),
      {},
      [],
      poisoned(),
      hostileProxy(),
      failing,
    ].map((retryAfter, at) => [`retryAfter number ${at}`, [{ retryAfter }]]),
  ),
  'members that throw': [Object.defineProperty({}, 'issues', { get: failing }), 500],
  'a cause that is hostile': [{ cause: hostileProxy() }],
}

function circle(): object {
  const made: Record<string, unknown> = { ...issue }
  made.circle = made
  return made
}

const codes: readonly ProblemCode[] = [
  'conflict',
  'method_not_allowed',
  'unauthenticated',
  'rate_limited',
  'unavailable',
  'internal_error',
]

for (const door of doors) {
  describe(`a problem, over ${door}, with`, () => {
    for (const [name, [given, status]] of Object.entries(members)) {
      test(`${name} is a problem`, async () => {
        for (const code of codes) {
          // A 5xx response has the title only, so its members cannot be wrong.
          const isTold = problemStatuses[code] < 500
          const known = status === undefined || !isTold ? code : 'internal_error'
          const verdict = `${problemStatuses[known]} ${known}`
          for (const point of points) {
            const fault = () => {
              throw branded({ code, message: 'no', members: given })
            }
            const asked = point === 'read' ? (['read'] as const) : []
            const reply = await strike(world, { door, kind: 'read', point, fault, verdict, asked })
            expectWellFormed(reply)
            if (code === 'rate_limited' && known === code) {
              expect(reply.headers['retry-after']).toMatch(/^\d{1,16}$/)
            }
          }
        }
      })
    }

    test('a detail of any kind is a problem', async () => {
      const details = [
        undefined,
        null,
        7,
        {},
        Symbol('x'),
        '',
        '\r\n',
        '\ud800',
        'x'.repeat(100_000),
        'a\0b',
      ]
      for (const detail of details) {
        const fault = () => {
          throw branded({ code: 'conflict', message: detail, members: {} })
        }
        expectWellFormed(
          await strike(world, { door, kind: 'read', fault, verdict: '409 conflict' }),
        )
      }
    })

    test('a code of another kind is a fault', async () => {
      const codes = [['conflict'], { toString: () => 'conflict' }, new String('conflict')]
      for (const code of codes) {
        const fault = () => {
          throw branded({ code, message: secret, members: {} })
        }
        const verdict = '500 internal_error'
        expectWellFormed(await strike(world, { door, kind: 'read', fault, verdict }))
      }
    })
  })
}

test('what is no code is refused at once', () => {
  for (const code of ['teapot', '__proto__', 'toString', '', 418, null, undefined, Symbol('x')]) {
    expect(() => problem(code as ProblemCode)).toThrow(TypeError)
  }
})

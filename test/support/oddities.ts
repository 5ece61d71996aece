import { secret } from './world.ts'

/** Values to throw, by name; made anew each time. */
export const thrown: Readonly<Record<string, () => unknown>> = {
  'an Error': () => new Error(secret),
  undefined: () => undefined,
  null: () => null,
  'a text': () => secret,
  'an empty text': () => '',
  'a number': () => 404,
  NaN: () => Number.NaN,
  'a bigint': () => 404n,
  'a boolean': () => false,
  'a symbol': () => Symbol(secret),
  'a function': () => () => secret,
  'a class': () => class Secret {},
  'an array': () => [secret],
  'a Map': () => new Map([[secret, secret]]),
  'a frozen object': () => Object.freeze({ message: secret }),
  'a promise that fails': () => handled(Promise.reject(new Error(secret))),
  'a thenable': () => thenable((resolve) => resolve({ id: 'n1' })),
  'an object without a prototype': () => Object.assign(Object.create(null), { message: secret }),
  'an object of poisoned members': poisoned,
  'a proxy that throws on everything': hostileProxy,
  'a revoked proxy': revoked,
  'an error that is its own cause': () => {
    const error = new Error(secret)
    error.cause = error
    return error
  },
  'an AggregateError': () => new AggregateError([new Error(secret), undefined], secret),
  'a stack that overflows': () => caught(overflow),
  'an error with status 404': () => Object.assign(new Error(secret), { status: 404 }),
  'an error with statusCode 401': () =>
    Object.assign(new Error(secret), { statusCode: 401, expose: true }),
  'an error with status 200': () => Object.assign(new Error(secret), { status: 200 }),
  'a code without the brand': () => ({
    name: 'ProblemError',
    code: 'not_found',
    status: 404,
    message: secret,
    members: {},
  }),
  'a Response': () => new Response(secret, { status: 404 }),
  'an outcome': () => ({ gives: 'item', item: { id: 'n1' } }),
  ...Object.fromEntries(
    ['teapot', '__proto__', 'constructor', 'toString', '', 404, undefined, null, Symbol('x')].map(
      (code) => [
        `the brand with the code ${String(code)}`,
        () => branded({ code, status: 404, message: secret }),
      ],
    ),
  ),
  'the brand with members missing': () => branded({ code: 'not_found', message: secret }),
  'the brand with no text': () =>
    branded({ code: 'not_found', message: { toString: failing }, members: {} }),
  'the brand with a code that changes': () => {
    let reads = 0
    return branded({
      get code() {
        return reads++ === 0 ? 'not_found' : 'teapot'
      },
      message: secret,
      members: {},
    })
  },
}

/** The behaviour of a thenable. */
export type Then = (resolve: (value: unknown) => void, reject: (error: unknown) => void) => unknown

/** An object that is taken for a promise. */
export function thenable(then: Then): object {
  return Object.defineProperty({}, 'then', { value: then })
}

/** Problems with a status of their own: it is the table's that counts. */
export const ownStatuses: readonly unknown[] = [418, 200, 302, 0, 204, 500, '404', Number.NaN, null]

/** Something with the brand of problems that `problem` has not made. */
export function branded(members: object): unknown {
  const made = Object.create(Error.prototype, Object.getOwnPropertyDescriptors(members))
  Object.defineProperty(made, Symbol.for('nounful.problem'), { value: true })
  return made
}

/** A promise whose rejection counts as handled. */
export function handled<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => undefined)
  return promise
}

/** Throws. */
export function failing(): never {
  throw new Error(secret)
}

/** Never comes to anything. */
export function hanging(): Promise<never> {
  return new Promise(() => undefined)
}

/** An object none of whose members can be looked at. */
export function poisoned(): object {
  const names = ['id', 'message', 'stack', 'name', 'status', 'statusCode', 'code', 'cause', 'then']
  const keys = [...names, 'toString', 'toJSON', 'members', Symbol.for('nounful.problem')]
  const members = keys.map((key) => [key, { enumerable: true, get: failing }] as const)
  const symbols = [Symbol.toPrimitive, Symbol.toStringTag, Symbol.iterator, Symbol.asyncIterator]
  const others = symbols.map((key) => [key, { get: failing }] as const)
  return Object.defineProperties({}, Object.fromEntries([...members, ...others]))
}

/** A proxy that throws on every access. */
export function hostileProxy(target: object = {}): object {
  const traps = Object.getOwnPropertyNames(Reflect).map((trap) => [trap, failing])
  return new Proxy(target, Object.fromEntries(traps))
}

/** A proxy behind which there is nothing any more. */
export function revoked(target: object = {}): object {
  const { proxy, revoke } = Proxy.revocable(target, {})
  revoke()
  return proxy
}

function overflow(): number {
  return overflow() + 1
}

function caught(fail: () => unknown): unknown {
  try {
    return fail()
  } catch (error) {
    return error
  }
}

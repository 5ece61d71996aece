import type { Answered } from '../model/answered.ts'
import { settle } from '../model/awaitable.ts'
import type { ProblemCode } from '../model/convention.ts'
import type { HttpResponse } from '../model/http.ts'
import { fieldOf } from '../model/operation.ts'
import { isCode } from '../model/problem.ts'
import type { Registry } from '../model/registry.ts'
import type { RequestedOperation } from './operation.ts'
import type { About } from './refuse.ts'

/** What an observer wants to know of an exchange. */
interface Observed extends About {
  /** `undefined` where nobody wanted to know then. */
  readonly begun: number | undefined
  readonly operation: RequestedOperation | undefined
}

/** What of a channel of `node:diagnostics_channel` is used. */
interface Channel {
  readonly hasSubscribers: boolean
  publish(message: unknown): void
}

const name = 'nounful:answer'
let found: { readonly channel: Channel | undefined } | undefined

/** Tells whether anybody wants to know what requests come to. */
export function isObserved({ onAnswer }: Registry): boolean {
  found ??= { channel: findChannel() }
  return onAnswer !== undefined || found.channel?.hasSubscribers === true
}

/** Tells observers what a request came to; nothing where there are none. A listener that fails must not take the answer with it. */
export function tell(
  about: Observed,
  response: Pick<HttpResponse, 'status' | 'body' | 'problem'>,
  isWhole: boolean,
): void {
  const { registry, begun } = about
  // Who has begun to listen in the meantime would be told a duration that is none.
  if (begun === undefined || !isObserved(registry)) return
  const duration = performance.now() - begun
  const answered = Object.freeze(answeredOf(about, response, { duration, isWhole }))
  if (found?.channel?.hasSubscribers) found.channel.publish(answered)
  settle(
    () => registry.onAnswer?.(answered),
    () => undefined,
    (failure) => console.error('The answer listener failed:', failure),
  )
}

// RFC 9110 §9.1, RFC 5789. Anybody may make up more.
const methods: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'CONNECT',
  'OPTIONS',
  'TRACE',
  'PATCH',
])

function answeredOf(
  { request, operation }: Observed,
  { status, body, problem }: Pick<HttpResponse, 'status' | 'body' | 'problem'>,
  { duration, isWhole }: Pick<Answered, 'duration' | 'isWhole'>,
): Answered {
  const { method } = request
  // What was given up since nobody waits for it: no fault, and nobody is told of one. A signal is dear where nobody has asked for it.
  const isLeft = status >= 500 && request.signal?.aborted === true
  return {
    kind: operation?.kind,
    method: methods.has(method) ? method : undefined,
    template: operation?.template,
    version: operation?.version,
    status,
    code: isLeft ? undefined : (problem ?? (status >= 400 ? codeOf(body) : undefined)),
    duration,
    // A list that nobody wanted more of than its head is not broken.
    isWhole: !isLeft && (isWhole || method === 'HEAD'),
  }
}

function codeOf(body: unknown): ProblemCode | undefined {
  const code: unknown = fieldOf(Object(body), 'code')
  return isCode(code) ? code : undefined
}

// Runtimes without it have no other way to tell that they lack it.
function findChannel(): Channel | undefined {
  const runtime: unknown = Reflect.get(globalThis, 'process')
  const find: unknown = Reflect.get(Object(runtime), 'getBuiltinModule')
  const diagnostics: unknown =
    typeof find === 'function' ? find.call(runtime, 'node:diagnostics_channel') : undefined
  const open: unknown = Reflect.get(Object(diagnostics), 'channel')
  return typeof open === 'function' ? open(name) : undefined
}

import type { Answered } from '../model/answered.ts'
import { settle } from '../model/awaitable.ts'
import { operations, type ProblemCode } from '../model/convention.ts'
import type { HttpResponse } from '../model/http.ts'
import { fieldOf } from '../model/operation.ts'
import { isCode } from '../model/problem.ts'
import type { Registry } from '../model/registry.ts'
import type { RequestedOperation } from './operation.ts'
import type { About } from './refuse.ts'

/** What an observer wants to know of an exchange. */
interface Observed extends About {
  readonly begun: number
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
  const { registry } = about
  if (!isObserved(registry)) return
  const answered = answeredOf(about, response, isWhole)
  if (found?.channel?.hasSubscribers) found.channel.publish(answered)
  settle(
    () => registry.onAnswer?.(answered),
    () => undefined,
    (failure) => console.error('The answer listener failed:', failure),
  )
}

const methods: ReadonlySet<string> = new Set([
  ...Object.values(operations).map(({ method }) => method),
  'HEAD',
  'OPTIONS',
])

function answeredOf(
  { request, operation, begun }: Observed,
  { status, body, problem }: Pick<HttpResponse, 'status' | 'body' | 'problem'>,
  isWhole: boolean,
): Answered {
  return {
    kind: operation?.kind,
    method: methods.has(request.method) ? request.method : undefined,
    template: operation?.template,
    version: operation?.version,
    status,
    code: status >= 400 ? (problem ?? codeOf(body)) : undefined,
    // Somebody may have begun to listen in the meantime.
    duration: begun === 0 ? 0 : performance.now() - begun,
    isWhole,
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

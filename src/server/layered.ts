import { isPending } from '../model/awaitable.ts'
import { statuses } from '../model/convention.ts'
import type { HttpResponse } from '../model/http.ts'
import { type Answer, type Layer, throughLayers } from '../model/layer.ts'
import type { Registry } from '../model/registry.ts'
import { targetOf } from '../wire/request.ts'
import { Exchange } from './exchange.ts'
import { asItIs, drop } from './handle.ts'
import { refuse } from './refuse.ts'

/**
 * Puts layers around what answers, and holds them to what answers promise: one of the twelve statuses, headers that a message can
 * hold, in time.
 *
 * @throws {TypeError} When a layer gives something else.
 */
export function layered(layers: readonly Layer[], answer: Answer, registry: Registry): Answer {
  return (request) => {
    const exchange = new Exchange(request, registry)
    // What they hand on has its own clock.
    const answerThrough = throughLayers(
      layers,
      (asked) => exchange.elsewhere(answer(asked)),
      (asked) => targetOf(asked, registry),
    )
    const response = answerThrough(request)
    if (!isPending(response)) return checkAnswer(response)
    return exchange.inTime(response, {
      make: checkAnswer,
      failed: (error) => {
        throw error
      },
      late: (problem) => {
        const refused = refuse(problem, exchange)
        exchange.end(refused)
        return refused
      },
      drop,
      deliver: asItIs,
    })
  }
}

// How a message is framed is the door's to say: a length that is wrong would make of one answer two.
const framing: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
// RFC 9110 §5.1, §5.5
const nameSyntax = /^[!#$%&'*+.^_`|~\w-]+$/
const valueSyntax = /^[\t -~\x80-\xff]*$/

function checkAnswer(response: HttpResponse): HttpResponse {
  try {
    return checked(response)
  } catch (error) {
    // A list that has begun would never be closed.
    drop(Object(response))
    throw error
  }
}

function checked(response: HttpResponse): HttpResponse {
  const { status, headers } = Object(response)
  if (!statuses.includes(status)) throw breach(`the status ${String(status)}`)
  if (!isPlain(headers)) throw breach('no plain object of headers')
  const fields = Object.entries(headers).map(([name, value]) => {
    if (typeof value === 'string' && nameSyntax.test(name) && valueSyntax.test(value)) {
      return [name.toLowerCase(), value] as const
    }
    throw breach(`a header ${JSON.stringify(name)} that no message can hold`)
  })
  const kept = fields.filter(([name]) => !framing.has(name))
  return { ...response, headers: Object.fromEntries(kept) }
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

function breach(gave: string): TypeError {
  return new TypeError(
    `A layer gave ${gave}: return what answer() gave, or { status, headers, body } with one of the twelve statuses.`,
  )
}

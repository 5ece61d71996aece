import { isPending, whenReady } from '../model/awaitable.ts'
import { statuses } from '../model/convention.ts'
import type { HttpRequest, HttpResponse } from '../model/http.ts'
import type { Addressed, Answer, Layer } from '../model/layer.ts'
import type { Registry } from '../model/registry.ts'
import { targetOf } from '../wire/request.ts'
import { drop } from './handle.ts'
import { Lifetime } from './lifetime/lifetime.ts'
import { refuse } from './lifetime/refuse.ts'

/**
 * Puts layers around what answers; the first is the outermost. Each is held to what answers promise: one of the twelve statuses,
 * headers that a message can hold, in time. What a layer does else is refused, and the answer passes the layers outside it.
 */
export function layered(layers: readonly Layer[], answer: Answer, registry: Registry): Answer {
  return layers.reduceRight<Answer>((inner, layer) => around(layer, inner, registry), answer)
}

function around(layer: Layer, inner: Answer, registry: Registry): Answer {
  return (request) => {
    const lifetime = new Lifetime(request, registry)
    let given: HttpResponse | undefined
    // What is inside has its own clock.
    const answer: Answer = (asked) =>
      whenReady(lifetime.elsewhere(inner(asked)), (response) => {
        given = response
        return response
      })
    const failed = (error: unknown): HttpResponse => {
      // A list that has begun would never be closed.
      if (given) drop(given)
      const refused = refuse(error, lifetime)
      lifetime.end(refused)
      return refused
    }
    try {
      const response = layer(request, answer, addressedBy(request, registry))
      return isPending(response)
        ? lifetime.inTime(response, { make: checked, failed, drop })
        : checked(response)
    } catch (error) {
      return failed(error)
    }
  }
}

function addressedBy(request: HttpRequest, registry: Registry): Addressed {
  return {
    get target() {
      return targetOf(request, registry)
    },
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

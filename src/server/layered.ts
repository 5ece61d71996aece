import type {
  Addressed,
  Answer,
  HttpRequest,
  HttpResponse,
  Layer,
} from '../contract/resource/http.ts'
import type { Registry } from '../contract/resource/registry.ts'
import { isPending, whenReady } from '../convention/awaitable.ts'
import { statuses } from '../convention/operations.ts'
import { targetOf } from '../wire/request.ts'
import { isPlain } from './checks/value.ts'
import { Lifetime } from './lifetime/lifetime.ts'
import { refuse } from './lifetime/refuse.ts'
import { drop } from './lifetime/stream.ts'

/**
 * Puts layers around the handler; the first is the outermost. Each layer must respond with one of
 * the twelve statuses and with headers that a message can hold, before its deadline. The core
 * replaces any other response, and the outer layers get the replacement.
 */
export function layered(layers: readonly Layer[], answer: Answer, registry: Registry): Answer {
  return layers.reduceRight<Answer>((inner, layer) => around(layer, inner, registry), answer)
}

function around(layer: Layer, inner: Answer, registry: Registry): Answer {
  return (request) => {
    const lifetime = new Lifetime(request, registry)
    let innerResponse: HttpResponse | undefined
    // The inner layers have deadlines of their own.
    const answer: Answer = (innerRequest) =>
      whenReady(lifetime.elsewhere(inner(innerRequest)), (response) => {
        innerResponse = response
        return response
      })
    const failed = (error: unknown): HttpResponse => {
      // Otherwise a list that has begun would stay open.
      if (innerResponse) drop(innerResponse)
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

// The door frames messages: a wrong length would turn one response into two.
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
  if (!statuses.includes(status)) throw layerError(`the status ${String(status)}`)
  if (Object(headers) !== headers || !isPlain(headers))
    throw layerError('no plain object of headers')
  const fields = Object.entries(headers).map(([name, value]) => {
    if (typeof value === 'string' && nameSyntax.test(name) && valueSyntax.test(value)) {
      return [name.toLowerCase(), value] as const
    }
    throw layerError(`a header ${JSON.stringify(name)} that no message can hold`)
  })
  const safeFields = fields.filter(([name]) => !framing.has(name))
  return { ...response, headers: Object.fromEntries(safeFields) }
}

function layerError(gave: string): TypeError {
  return new TypeError(
    `A layer returned ${gave}: return the result of answer(), or ` +
      '{ status, headers, body } with one of the twelve statuses.',
  )
}

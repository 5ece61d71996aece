import type { HttpRequest, Layer } from '../contract/resource/http.ts'
import { type Awaitable, maxTimer, within } from '../convention/awaitable.ts'
import { checkFunction, checkOptions } from '../convention/declaration.ts'
import { problem } from '../convention/problem.ts'
import { jsonType } from '../wire/body.ts'
import { documentAt, pathOf } from '../wire/document.ts'
import { checkNumber } from './number.ts'

/** Options of {@link health}. */
export interface HealthOptions {
  /**
   * Tries what the service needs, with a short query such as `select 1`. If it throws or rejects,
   * the response is 503 `unavailable`. Requests share a check that is running, and its result for a
   * second. Default: a service that responds is healthy.
   */
  readonly check?: () => Awaitable<unknown>
  /**
   * Milliseconds that `check` may take; then the response is 503. Write less than the load balancer
   * waits. Default 5,000.
   */
  readonly timeout?: number
}

const optionNames: Record<keyof HealthOptions, true> = { check: true, timeout: true }

/**
 * Makes a layer that answers `GET /health` of a load balancer: 200 `{ "status": "ok" }`, never from
 * a cache. Put it before layers that authorize.
 *
 * @param path As the load balancer writes it, without the prefix of a host. No noun may have it.
 * @throws {TypeError} For an invalid path or option.
 */
export function health(path = '/health', options: HealthOptions = {}): Layer {
  checkOptions('health()', options, optionNames)
  const { check, timeout = 5000 } = options
  checkNumber('"timeout" of health()', timeout, { least: 1, most: maxTimer, what: 'milliseconds' })
  if (check !== undefined) checkFunction('"check" of health()', check, '() => registry.ready()')
  const layer = documentAt(path, () => ({
    type: jsonType,
    body: { status: 'ok' },
    headers: { 'cache-control': 'no-store' },
  }))
  if (check === undefined) return layer
  const sharedCheck = shareResult(check, timeout)
  return async (request, answer, addressed) => {
    const isAsked = pathOf(request) === path && ['GET', 'HEAD'].includes(request.method)
    if (isAsked) await requireHealth(sharedCheck, timeout, request)
    return layer(request, answer, addressed)
  }
}

// Anyone may ask, so requests never add up to many checks.
const freshTime = 1000

// Runs one check at a time, and keeps its result for a second. It gives up a check that hangs.
function shareResult(check: () => Awaitable<unknown>, timeout: number): () => Promise<unknown> {
  let result: Promise<unknown> | undefined
  let staleAt = 0
  return () => {
    if (result !== undefined && performance.now() < staleAt) return result
    const current = Promise.resolve().then(check)
    result = current
    staleAt = performance.now() + timeout
    const keep = () => {
      if (result === current) staleAt = performance.now() + freshTime
    }
    current.then(keep, keep)
    return current
  }
}

async function requireHealth(
  check: () => Promise<unknown>,
  timeout: number,
  { isAttended }: HttpRequest,
): Promise<void> {
  const throwTimeout = (): never => {
    throw new DOMException(`The check took more than ${timeout} ms`, 'TimeoutError')
  }
  try {
    await within(check(), timeout, { isAttended, late: throwTimeout })
  } catch (cause) {
    throw problem('unavailable', 'The service cannot work now', { cause, retryAfter: 5 })
  }
}

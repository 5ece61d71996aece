import type { Awaitable } from '../model/awaitable.ts'
import { checkFunction, checkOptions } from '../model/declared.ts'
import type { Layer } from '../model/http.ts'
import { problem } from '../model/problem.ts'
import { jsonType } from '../wire/body.ts'
import { documentAt, pathOf } from '../wire/document.ts'

/** Options of {@link health}. */
export interface HealthOptions {
  /**
   * Tries what the service needs, with a short query. If it throws or rejects, the response is 503
   * `unavailable`. Default: a service that responds is healthy.
   */
  readonly check?: () => Awaitable<unknown>
}

const known: Record<keyof HealthOptions, true> = { check: true }

/**
 * Makes a layer that answers `GET /health` of a load balancer: 200 `{ "status": "ok" }`, never from
 * a cache. Put it before layers that authorize.
 *
 * @param path As the load balancer writes it, without the prefix of a host. No noun may have it.
 * @throws {TypeError} For an invalid path or option.
 */
export function health(path = '/health', options: HealthOptions = {}): Layer {
  checkOptions('health()', options, known)
  const { check } = options
  if (check !== undefined) checkFunction('"check" of health()', check, '() => registry.ready()')
  const layer = documentAt(path, () => ({
    type: jsonType,
    body: { status: 'ok' },
    headers: { 'cache-control': 'no-store' },
  }))
  if (check === undefined) return layer
  return async (request, answer, addressed) => {
    const isAsked = pathOf(request) === path && ['GET', 'HEAD'].includes(request.method)
    if (isAsked) await tried(check)
    return layer(request, answer, addressed)
  }
}

async function tried(check: () => Awaitable<unknown>): Promise<void> {
  try {
    await check()
  } catch (cause) {
    throw problem('unavailable', 'The service cannot work now', { cause, retryAfter: 5 })
  }
}

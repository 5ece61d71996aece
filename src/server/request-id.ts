import { isPromise } from '../model/awaitable.ts'
import type { HttpRequest } from '../model/http.ts'
import type { Registry } from '../model/registry.ts'

// Made only when something has gone wrong, and then the same for all who tell of it.
const known = new WeakMap<HttpRequest, string>()

/** Gives the id under which a request is known to its client and to `onError`: the registry's, or a random one. */
export function requestIdFor(request: HttpRequest, registry: Registry): string {
  let id = known.get(request)
  if (id === undefined) {
    id = givenBy(registry, request) ?? crypto.randomUUID()
    known.set(request, id)
  }
  return id
}

// What has gone wrong already matters more than a name for it.
function givenBy({ requestId }: Registry, request: HttpRequest): string | undefined {
  try {
    const id: unknown = requestId?.(request)
    if (isPromise(id)) id.then(undefined, () => undefined)
    return typeof id === 'string' && /^[!-~]{1,128}$/.test(id) ? id : undefined
  } catch {
    return undefined
  }
}

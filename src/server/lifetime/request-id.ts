import { isPromise } from '../../model/awaitable.ts'
import type { HttpRequest } from '../../model/http.ts'
import type { Registry } from '../../model/registry.ts'

// The core makes one only after an error. Log and response then tell the same.
const known = new WeakMap<HttpRequest, string>()

/** Returns the id of a request for its client and `onError`: the registry's, or a random one. */
export function requestIdFor(request: HttpRequest, registry: Registry): string {
  let id = known.get(request)
  if (id === undefined) {
    id = givenBy(registry, request) ?? crypto.randomUUID()
    known.set(request, id)
  }
  return id
}

// A failing `requestId` must not hide the error that it names.
function givenBy({ requestId }: Registry, request: HttpRequest): string | undefined {
  try {
    const id: unknown = requestId?.(request)
    if (isPromise(id)) id.then(undefined, () => undefined)
    return typeof id === 'string' && /^[!-~]{1,128}$/.test(id) ? id : undefined
  } catch {
    return undefined
  }
}

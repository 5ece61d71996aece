import {
  type HttpRequest,
  type HttpResponse,
  withOwnMembers,
} from '../../contract/resource/http.ts'
import type { Operation } from '../../contract/resource/operation.ts'
import type { Registry } from '../../contract/resource/registry.ts'
import { forbiddenText } from '../../contract/values/words.ts'
import { isPending, settle } from '../../convention/awaitable.ts'
import { problemStatuses } from '../../convention/operations.ts'
import { isProblem, type ProblemError, problem, toProblem } from '../../convention/problem.ts'
import { details } from '../../convention/problems.ts'
import { StoredValueError } from '../../convention/stored-value.ts'
import { fieldOf } from '../../convention/value.ts'
import { addEndHeadersToProblem } from '../../wire/deprecation.ts'
import { formatProblem } from '../../wire/problem.ts'

/** A request and its registry. The operation is undefined until the core knows it. */
export interface About<Known extends Operation | undefined = Operation | undefined> {
  readonly request: HttpRequest
  readonly operation: Known
  readonly registry: Registry
  /** The deadline has passed, and the client has its response. Default: false. */
  readonly isOver?: boolean
  /** The operation, once the core knows it. */
  readonly named?: { readonly collection: { readonly deprecation: unknown } } | undefined
}

/**
 * Makes the response of an error: a problem as it is, any other error as `internal_error`.
 * Gives the cause of a 5xx to `onError`.
 */
export function refuse(error: unknown, about: About): HttpResponse {
  const response = responseOf(error, about)
  const { named } = about
  const isLasting = named !== undefined && named.collection.deprecation === undefined
  return isLasting ? response : addEndHeadersToProblem(response, about)
}

function responseOf(error: unknown, about: About): HttpResponse {
  const { registry, request } = about
  try {
    const refused = specific(toProblem(error), about)
    if (problemStatuses[refused.code] < 500) return formatProblem(refused, registry)
    const response = formatProblem(refused, registry, requestIdFor(request, registry))
    if (about.isOver !== true && !isLeaving(error, request)) report(error, about)
    return response
  } catch (failure) {
    // The members of such a problem break their types, so it cannot be written.
    report(failure, about)
    return formatProblem(problem('internal_error'), registry, requestIdFor(request, registry))
  }
}

// Says what is forbidden, where the author of the problem does not.
function specific(error: ProblemError, { operation }: About): ProblemError {
  const isPlain = error.code === 'forbidden' && error.message === details.forbidden
  return operation === undefined || !isPlain
    ? error
    : problem('forbidden', forbiddenText(operation), error.members)
}

/** Gives an error to `onError`. A listener that fails changes no response. */
export function report(error: unknown, { request, operation, registry }: About): void {
  settle(
    () => {
      const requestId = requestIdFor(request, registry)
      return registry.onError(error, { request: withOwnMembers(request), operation, requestId })
    },
    () => undefined,
    (failure) => console.error('The error listener failed:', failure),
  )
}

// The fields of stored items that `onError` knows already, by resource.
const reported = new WeakMap<Registry, Set<string>>()

/** A stored item that is about to leave. */
interface StoredItem {
  /** The name of its resource. */
  readonly name: string
  readonly item: object
}

/**
 * Tells `onError` of a field that is stored with a fault, with the error that says which: once for
 * all items of a resource, since a whole table can lack a value.
 */
export function reportStored(
  about: About,
  [field, cause]: readonly [field: string, cause: unknown],
  { name, item }: StoredItem,
): void {
  const { registry } = about
  const reportedFields = reported.get(registry) ?? new Set()
  reported.set(registry, reportedFields)
  const key = JSON.stringify([name, field])
  if (reportedFields.has(key)) return
  reportedFields.add(key)
  const id: unknown = fieldOf(item, 'id')
  report(new StoredValueError({ resource: name, id, field }, cause), about)
}

// The client has gone, and the adapter gave its work up: no error.
function isLeaving(error: unknown, { signal }: HttpRequest): boolean {
  if (signal?.aborted !== true) return false
  if (error === signal.reason || (isProblem(error) && error.code === 'unavailable')) return true
  try {
    return Reflect.get(Object(error), 'name') === 'AbortError'
  } catch {
    return false
  }
}

// The core makes one after an error, and for observers. Log and response then tell the same.
const requestIds = new WeakMap<HttpRequest, string>()

/** Returns the id of a request for its client and observers: the registry's, or a random one. */
export function requestIdFor(request: HttpRequest, registry: Registry): string {
  let id = requestIds.get(request)
  if (id === undefined) {
    id = registryIdFor(registry, request) ?? crypto.randomUUID()
    requestIds.set(request, id)
  }
  return id
}

// A failing `requestId` must not hide the error that it names.
function registryIdFor({ requestId }: Registry, request: HttpRequest): string | undefined {
  try {
    const id: unknown = requestId?.(request)
    if (isPending(id)) id.then(undefined, () => undefined)
    return typeof id === 'string' && /^[!-~]{1,128}$/.test(id) ? id : undefined
  } catch {
    return undefined
  }
}

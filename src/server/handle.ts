import type { Api } from '../contract/resource/api.ts'
import {
  type HttpHeaders,
  type HttpRequest,
  type HttpResponse,
  withOwnMembers,
} from '../contract/resource/http.ts'
import type { Registry } from '../contract/resource/registry.ts'
import { needsReveal } from '../contract/resource/resource.ts'
import { type Awaitable, isPending, whenReady } from '../convention/awaitable.ts'
import { isConditional } from '../convention/kinds.ts'
import type { OperationKind } from '../convention/operations.ts'
import { ProblemError } from '../convention/problem.ts'
import { ChunkedList } from '../convention/stream.ts'
import { addEndHeaders } from '../wire/deprecation.ts'
import { findRequestTarget } from '../wire/path.ts'
import { formatResponse } from '../wire/response.ts'
import { describe, describeApi } from './describe.ts'
import { type FlowStep, flow } from './flow.ts'
import { answerHome } from './home.ts'
import { Lifetime } from './lifetime/lifetime.ts'
import { refuse } from './lifetime/refuse.ts'
import { Body, begin, drop } from './lifetime/stream.ts'
import type { Plan } from './plan.ts'
import { around } from './steps/around.ts'
import { authorize } from './steps/authorize.ts'
import { callAdapter, changeOne, deleteRuled } from './steps/call-adapter.ts'
import { change, replaceMany, replaceStored } from './steps/change.ts'
import { count, deleteAll, deleteMany, readEnd } from './steps/collection.ts'
import { create, findReplay } from './steps/create.ts'
import { notingAbsence, orCreate } from './steps/create-absent.ts'
import { draftAbsent } from './steps/draft-absent.ts'
import { draftReferences } from './steps/draft-references.ts'
import { conflictingLast, dryRunView } from './steps/dry-run-view.ts'
import { findParents } from './steps/find-parents.ts'
import { findRelated } from './steps/find-related.ts'
import { include } from './steps/include.ts'
import { judgeQuery } from './steps/judge-query.ts'
import { list } from './steps/list.ts'
import { readBody } from './steps/read-body.ts'
import { findReferences, findReferencesAfterRule } from './steps/references.ts'
import { screen } from './steps/screen.ts'
import { takeStoredForm } from './steps/stored-form.ts'
import { understand } from './steps/understand.ts'
import type { Task } from './task.ts'

/** The kinds that do more than to call the adapter's method and to check its result. */
const steps: ReadonlyMap<OperationKind, FlowStep<Task>> = new Map([
  ['list', list],
  ['create', create],
  ['updateMany', replaceMany],
  ['patchMany', change],
  ['patch', change],
  ['deleteAll', deleteAll],
  ['deleteMany', deleteMany],
  ['first', readEnd],
  ['last', readEnd],
  ['count', count],
])

// A replacement needs no stored field if its client sees every field.
function stepOf({ kind, row, isGuarded, isMerging, isRuled }: Plan): FlowStep<Task> {
  if (isRuled && kind === 'delete') return deleteRuled
  const plainStep = steps.get(kind) ?? (row.conditions.length > 0 ? changeOne : callAdapter)
  const step = isGuarded && row.method === 'PUT' ? replaceStored : plainStep
  if (!isMerging || step === change) return step
  return (task) => (task.plan.isMerging ? change(task) : step(task))
}

/**
 * Composes the way of a request through a plan. Each line is a step, in the order of the checks
 * (docs/requests.md, C5.3); a step with nothing to do is left out.
 */
function wayOf(plan: Plan, registry: Registry, request: 'any' | 'bare'): Task['way'] {
  const { resource, creation, isRevealing } = plan
  const { context, scope } = registry
  const needsCaller =
    isRevealing || context !== undefined || scope !== undefined || needsReveal(resource, registry)
  const way = flow(
    [
      needsCaller && authorize, //                                401, 403
      ...stepsOf(plan, registry, request === 'bare' ? 'none' : 'sent'),
    ],
    follow,
  )
  if (creation === undefined) return way
  return orCreate({
    replace: way,
    replaceAgain: flow(stepsOf(plan, registry, 'read'), follow),
    create: flow(stepsOf(creation, registry, 'replacement'), follow),
  })
}

// Whether the body is still as sent, its drafts are read, or they are those of a replacement; with
// 'none', there is neither a body nor a query.
type DraftState = 'sent' | 'read' | 'replacement' | 'none'

function stepsOf(
  plan: Plan,
  registry: Registry,
  drafts: DraftState,
): readonly (FlowStep<Task> | false)[] {
  const { kind, body, isMerging, isRelating, parents, references, resource } = plan
  const { adapter, creation } = plan
  const { middleware } = registry
  const isWrite = body !== undefined
  const isRepeatable = isConditional(kind, 'key')
  const isIncluding = !isWrite && references.length > 0
  const noting = creation === undefined ? (step: FlowStep<Task>) => step : notingAbsence
  const isView = isWrite && resource.view !== undefined
  const step = isView ? conflictingLast(stepOf(plan)) : stepOf(plan)
  const write = [step, isView && dryRunView]
  const read = [
    !isWrite && drafts !== 'none' && judgeQuery, //             400: parameters, cursor, body
    isWrite && drafts === 'sent' && readBody, //                400, 422: parameters; body to drafts
    drafts === 'replacement' && draftAbsent, //                 409, 422: the draft of a new item
    adapter.storedForm !== undefined && takeStoredForm, //      values as the storage holds them
  ]
  const work = [
    parents.length > 0 && findParents, //                       404 parent_not_found
    isRelating && findRelated, //                               400: conditions to ids
    isRepeatable && findReplay, //                              400, 409, 422: by the key
    isMerging && references.length > 0 && noting(draftReferences), // 404, 409, 422
    isWrite && // 403, 422 reference_not_found
      references.length > 0 &&
      noting(plan.isRuled ? findReferencesAfterRule(flow(write, follow)) : findReferences),
    noting(step), //                                            403, 404, 409: outcome
    isView && dryRunView, //                                    422: a dry run of a view
    isIncluding && include, //                                  included
  ]
  return [
    ...(middleware.length > 0
      ? [around(middleware, flow(read, follow), flow(work, follow)), isIncluding && include]
      : [...read, ...work]),
    screen, //                                                  only declared fields leave
  ]
}

// A client can go only while a step waits.
function follow({ lifetime }: Task): void {
  lifetime.follow()
}

/**
 * Answers a request of plain values: `handle({ method: 'GET', url: '/v1/employees/7' }, registry)`
 * → `{ status: 200, headers, body: { id: '7', … } }`.
 *
 * Never throws. Returns the response itself, and no promise, where the validators, the middleware
 * and the adapters do. Header names may have any case. `body` is a value for `JSON.stringify`, or
 * an async iterable of the items of a list that the adapter streams; `undefined` after HEAD.
 */
export function handle<Asked extends HttpRequest>(
  request: NoInfer<Asked>,
  registry: Registry<Api, Asked>,
): Awaitable<HttpResponse> {
  // The type of the request is the one that the registry's context takes.
  const lifetime = new Lifetime(withLowerCase(request), registry as Registry)
  const response = answer(lifetime)
  return request.method === 'HEAD' ? whenReady(response, withoutBody) : response
}

/** Answers as {@link handle}, but HEAD as GET: a door measures the body before it drops it. */
export function answer(lifetime: Lifetime): Awaitable<HttpResponse> {
  const { request } = lifetime
  try {
    // The Node door makes a signal only once something is pending.
    if (request.isAttended !== true && 'signal' in request) lifetime.followAborted()
    if (request.method === 'OPTIONS') return answerOptions(lifetime)
    const task = understand(lifetime, wayOf)
    if (task instanceof ProblemError) return answerUnnamed(task, lifetime)
    lifetime.operation = task.operation
    lifetime.named = { kind: task.plan.kind, collection: task.target.collection }
    const result = task.way(task)
    if (result instanceof Promise) return inTime(result, responseTo, lifetime)
    const response = responseTo(result, lifetime)
    if (response instanceof Promise) {
      lifetime.follow()
      return inTime(response, (begun) => begun, lifetime)
    }
    // No list that streams: it comes with a promise.
    lifetime.end(response)
    return response
  } catch (error) {
    return endLifetime(refuse(error, lifetime), lifetime)
  }
}

function answerOptions(lifetime: Lifetime): Awaitable<HttpResponse> {
  const { request, registry } = lifetime
  if (request.url === '*') return endLifetime(describeApi(registry), lifetime)
  const match = findRequestTarget(request, registry)
  return match instanceof ProblemError
    ? answerUnnamed(match, lifetime)
    : endLifetime(describe(match.target, request, registry), lifetime)
}

// Only a path that names no resource can be that of a home document: others pay nothing for it.
function answerUnnamed(fault: ProblemError, lifetime: Lifetime): Awaitable<HttpResponse> {
  const home = fault.code === 'method_not_allowed' ? undefined : answerHome(lifetime)
  const response = home ?? refuse(fault, lifetime)
  return isPending(response)
    ? inTime(response, (home) => home, lifetime)
    : endLifetime(response, lifetime)
}

// Writes the outcome as a response. A list that streams has given its first part by then.
function responseTo(
  result: Task | ProblemError,
  lifetime: Lifetime,
): HttpResponse | Promise<HttpResponse> {
  if (result instanceof ProblemError) return refuse(result, lifetime)
  const { plan, target, operation, conditions, outcome, replayed, sentQuery } = result
  const { request, registry } = lifetime
  const { base = '' } = request
  const { isCounted } = conditions
  const { isDryRun } = operation
  const query = sentQuery ?? operation.query
  const isReplayed = replayed !== undefined
  const details = { kind: plan.kind, target, query, base, isCounted, isDryRun, isReplayed }
  const plain = formatResponse(outcome, details)
  const { deprecation } = target.collection
  const response =
    deprecation === undefined
      ? plain
      : addEndHeaders(plain, deprecation, { request, registry, target })
  const { body } = response
  return body instanceof ChunkedList
    ? begin(body, lifetime).then((begun) => ({ ...response, body: begun }))
    : response
}

function inTime<Value>(
  promise: PromiseLike<Value>,
  make: (value: Value, lifetime: Lifetime) => Awaitable<HttpResponse>,
  lifetime: Lifetime,
): Promise<HttpResponse> {
  return lifetime.inTime(promise, {
    make: (arrived) => make(arrived, lifetime),
    failed: (error) => refuse(error, lifetime),
    done: (response) => endLifetime(response, lifetime),
    drop,
  })
}

// A list that streams ends its lifetime itself.
function endLifetime(response: HttpResponse, lifetime: Lifetime): HttpResponse {
  if (!(response.body instanceof Body)) lifetime.end(response)
  return response
}

function withoutBody(full: HttpResponse): Awaitable<HttpResponse> {
  const head = { ...full, body: undefined }
  return full.body instanceof Body ? full.body.close().then(() => head) : head
}

// Doors give lower-case names. A request that you write by hand may have any case.
function withLowerCase(request: HttpRequest): HttpRequest {
  const { headers = noHeaders } = request
  for (const name in headers) {
    if (!/[A-Z]/.test(name)) continue
    const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
    return { ...withOwnMembers(request), headers: Object.fromEntries(entries) }
  }
  return request
}

const noHeaders: HttpHeaders = Object.freeze({})

import { defineRegistry, handle } from '../index.ts'
import type { Api } from '../model/api.ts'
import { bind } from '../model/binding.ts'
import { type CheckName, checkFor, checks } from '../model/checks.ts'
import {
  type OperationKind,
  operationKinds,
  operations,
  type ProblemCode,
} from '../model/convention.ts'
import { isRecord } from '../model/declared.ts'
import type { HttpRequest, HttpResponse } from '../model/http.ts'
import type { Operation } from '../model/operation.ts'
import { isProblem } from '../model/problem.ts'
import type { Registry } from '../model/registry.ts'
import { type ParsedCall, parseRequest } from '../wire/request.ts'
import { isRegistry, type Source } from './load.ts'

/** What a check says of a request: it lets it pass, decides the answer, cannot be told without running it, or is not reached. */
type State = 'passed' | 'decides' | 'depends' | 'not reached'

/** A check, and what it says. */
export interface Explained {
  readonly name: CheckName
  readonly state: State
  /** The rule in words. */
  readonly rule: string
  /** Of `depends`: what would be asked of whom. */
  readonly asks?: string
}

/** How a request is understood. */
export interface Explanation {
  /** `undefined` when it names no operation. */
  readonly call: ParsedCall | undefined
  readonly checks: readonly Explained[]
  /** The answer; `undefined` when it is for the storage to give. */
  readonly answer: HttpResponse | undefined
  /** What went wrong within a schema, where something did. */
  readonly error: unknown
}

/**
 * Tells how a request is understood and which check decides its answer. Nothing of the adapters, the context and the
 * middleware is called; schemas are, since they are the contract.
 */
export async function explain(request: HttpRequest, source: Source): Promise<Explanation> {
  const dry = dryRun(source)
  // HEAD is answered as GET is, but for the body, which says why.
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const answer = await handle({ ...request, method }, dry.registry)
  const call = callOf(request, dry.registry)
  const [asked] = dry.asked
  const deciding = asked === undefined ? decidedBy(answer) : undefined
  const verdicts = new Map<CheckName, State>()
  const asks = asksOf({ source, call, asked, request })
  let isOver = false
  for (const { name } of checks) {
    verdicts.set(name, stateOf({ name, isOver, deciding, asks }))
    isOver ||= name === deciding
  }
  return {
    call,
    checks: checks.map(({ name, rule }) =>
      toExplained(name, rule, { state: verdicts.get(name), asks }),
    ),
    answer: asked === undefined ? answer : undefined,
    error: asked === undefined ? dry.errors[0] : undefined,
  }
}

function toExplained(
  name: CheckName,
  rule: string,
  { state = 'passed', asks }: { readonly state: State | undefined; readonly asks: Asks },
): Explained {
  const question = asks.get(name)
  return state === 'depends' && question !== undefined
    ? { name, state, rule, asks: question }
    : { name, state, rule }
}

interface DryRun {
  readonly registry: Registry
  /** The operations that would have been asked of adapters; the first one ends the run. */
  readonly asked: Operation[]
  readonly errors: unknown[]
}

// The registry as it is, with nobody behind it: whatever is asked of an adapter is noted, and not answered.
function dryRun(source: Source): DryRun {
  const asked: Operation[] = []
  const errors: unknown[] = []
  const probe = (operation: Operation): never => {
    asked.push(operation)
    throw new Error('Nothing is asked of the storage here.')
  }
  const base = isRegistry(source) ? source : withoutAdapters(source)
  const bindings = base.bindings.map(({ resource, adapter }) => {
    const kinds = operationKinds.filter((kind) => typeof adapter[kind] === 'function')
    return bind(resource, Object.fromEntries(kinds.map((kind) => [kind, probe])))
  })
  const registry: Registry = {
    ...base,
    bindings,
    context: undefined,
    middleware: [],
    onError: (error) => void errors.push(error),
  }
  return { registry, asked, errors }
}

function withoutAdapters(api: Api): Registry {
  const nothing = Object.fromEntries(operationKinds.map((kind) => [kind, () => null]))
  const adapters = Object.fromEntries([...api.resources.keys()].map((name) => [name, nothing]))
  // Of several versions none is the one that is meant without saying so.
  const options = api.versions.size > 1 ? { defaultVersion: false as const } : {}
  return defineRegistry(api, options).adapters(adapters as never)
}

function callOf(request: HttpRequest, registry: Registry): ParsedCall | undefined {
  try {
    return parseRequest(request, registry)
  } catch (error) {
    if (isProblem(error)) return undefined
    throw error
  }
}

function decidedBy({ status, body }: HttpResponse): CheckName | undefined {
  if (status < 400 || !isRecord(body)) return undefined
  // What handle answers is a problem of ours.
  return checkFor(body.code as ProblemCode).name
}

type Asks = ReadonlyMap<CheckName, string>

interface About {
  readonly source: Source
  readonly call: ParsedCall | undefined
  readonly asked: Operation | undefined
  readonly request: HttpRequest
}

// The checks that only the storage can decide.
function storageChecks(kind: OperationKind): readonly CheckName[] {
  const { safe, absent } = operations[kind]
  return [...(absent ? (['item'] as const) : []), ...(safe ? [] : (['conflict'] as const))]
}

// By check, what cannot be told without asking somebody.
function asksOf({ source, call, asked, request }: About): Asks {
  const asks = new Map<CheckName, string>()
  if (call === undefined || request.method === 'OPTIONS') return asks
  const guards = guardsOf(source)
  if (guards !== undefined) asks.set('authorization', guards)
  if (asked === undefined) return asks
  const { collection, parents, id } = call.target
  const { name } = collection.resource
  if (parents.length > 0) {
    const path = collection.ancestors.map(
      ({ resource }, depth) => `${resource.name} ${JSON.stringify(parents[depth])}`,
    )
    asks.set('parent', `whether there is ${path.join(', and in it ')}`)
  }
  const thing = id === undefined ? `the items of ${name}` : `${name} ${JSON.stringify(id)}`
  for (const check of storageChecks(call.kind))
    asks.set(
      check,
      check === 'item'
        ? `whether ${thing} can be found there`
        : `whether anything stored stands against "${call.kind}"`,
    )
  asks.set('answer', `"${call.kind}" of the adapter of ${name}`)
  return asks
}

function guardsOf(source: Source): string | undefined {
  if (!isRegistry(source)) return 'whoever serves the api: this is the contract alone'
  const { context, middleware } = source
  const guards = [
    ...(context === undefined ? [] : ['the context']),
    ...(middleware.length === 0 ? [] : [`${middleware.length} middleware`]),
  ]
  return guards.length === 0 ? undefined : guards.join(' and ')
}

interface Standing {
  readonly name: CheckName
  readonly isOver: boolean
  readonly deciding: CheckName | undefined
  readonly asks: Asks
}

function stateOf({ name, isOver, deciding, asks }: Standing): State {
  if (isOver) return 'not reached'
  if (name === deciding) return 'decides'
  return asks.has(name) ? 'depends' : 'passed'
}

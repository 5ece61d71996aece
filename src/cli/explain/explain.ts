import { ownerFieldsOf } from '../../contract/resource/resource.ts'
import { type CheckName, checkFor, checks } from '../../convention/checks.ts'
import { bodyOf } from '../../convention/kinds.ts'
import { isRecord } from '../../convention/value.ts'
import { type HttpRequest, type HttpResponse, operations, type ProblemCode } from '../../index.ts'
import type { ParsedCall } from '../../wire/request.ts'
import { isRegistry, type Source } from '../load.ts'
import { type ExplainedBody, explainBody, methodsOf } from './effects.ts'
import { referencedIn } from './references.ts'
import { type Run, type RunResponse, runRequest } from './run.ts'

/**
 * The result of a check. `depends`: the result depends on code that `explain` does not run.
 * `not reached`: an earlier check decides the response.
 */
type State = 'passed' | 'decides' | 'depends' | 'not reached'

/** A check, with its result. Its members are public: `--json` prints them. */
export interface ExplainedCheck {
  readonly name: CheckName
  readonly state: State
  /** The rule in words. */
  readonly rule: string
  /** The question that decides a check which `depends`. */
  readonly asks?: string
}

/** How nounful understands a request. */
export interface Explanation extends RunResponse {
  /** `undefined` when the request names no operation. */
  readonly call: ParsedCall | undefined
  /** `undefined` when the operation takes no body. */
  readonly body: ExplainedBody | undefined
  readonly checks: readonly ExplainedCheck[]
}

/**
 * Explains how nounful understands a request, and which check decides the response. Calls the
 * schemas of the contract, but no adapter, context, `.scope()`, `.reveal()` or middleware.
 */
export async function explain(request: HttpRequest, source: Source): Promise<Explanation> {
  const run = await runRequest(request, source)
  const { call, response, error } = run
  const deciding = response && decidingCheck(response)
  const guards = guardsOf(source, call)
  const questions = new Map<CheckName, string>([
    ...(call && guards !== undefined ? [['authorization', guards] as const] : []),
    ...(call ? questionsFor(call, run) : []),
  ])
  let isDecided = false
  const explained = checks.map(({ name, rule }): ExplainedCheck => {
    const asks = questions.get(name)
    if (isDecided) return { name, state: 'not reached', rule }
    isDecided = name === deciding
    if (isDecided) return { name, state: 'decides', rule }
    return asks === undefined
      ? { name, state: 'passed', rule }
      : { name, state: 'depends', rule, asks }
  })
  return { call, body: call && explainBody(call, run.body), checks: explained, response, error }
}

function decidingCheck({ status, body }: HttpResponse): CheckName | undefined {
  if (status < 400 || !isRecord(body)) return undefined
  // Every error response of `handle` is a problem with a known code.
  return checkFor(body.code as ProblemCode).name
}

type Question = readonly [check: CheckName, asks: string]

// Returns the questions that the storage answers, if the run has reached an adapter.
function questionsFor(
  call: ParsedCall,
  { body, registry: { bindings }, operation }: Run,
): readonly Question[] {
  if (operation === undefined) return []
  const { kind, target, parameters, conditions } = call
  const { collection, parents, id } = target
  const { name, base, view } = collection.resource
  const { safe, absent } = operations[kind]
  const items = id === undefined ? `the items of ${name}` : `${name} ${JSON.stringify(id)}`
  const referenced = operations[kind].takes === 'nothing' ? [] : referencedIn(body, target)
  const ofBody = [
    // A view makes a new item before it calls the adapter, but another one of the stored item.
    ...(view !== undefined && bodyOf(kind) && operation.kind !== 'create'
      ? [`whether ${base.name} takes the values`]
      : []),
    ...(bodyOf(kind)?.isPatch ? [`whether ${items} with the patch would be valid`] : []),
    ...(referenced.length > 0 ? [`whether the client may read ${referenced.join(', ')}`] : []),
  ]
  const path = collection.ancestors.map(
    ({ resource }, depth) => `${resource.name} ${JSON.stringify(parents[depth])}`,
  )
  const methods = methodsOf(call, bindings[collection.place]?.adapter ?? {}, body)
  const isDryRun = parameters.dry_run === true
  const permission = isDryRun
    ? `${items} agree with the conditions`
    : conditions.key === undefined
      ? `the storage allows "${kind}"`
      : `the storage allows "${kind}", and an item that the key made before is as sent`
  const questions: readonly (readonly [isOpen: boolean, ...Question])[] = [
    [ofBody.length > 0, 'body', ofBody.join(', and ')],
    [parents.length > 0, 'parent', `whether ${path.join(', and in it ')} exists`],
    [absent !== undefined, 'item', `whether the storage has ${items}`],
    [!safe && (!isDryRun || absent !== undefined), 'conflict', `whether ${permission}`],
    [methods !== '', 'answer', `${methods} of the adapter of ${base.name}`],
  ]
  return questions.flatMap(([isOpen, ...question]) => (isOpen ? [question] : []))
}

function guardsOf(source: Source, call: ParsedCall | undefined): string | undefined {
  if (!isRegistry(source)) return 'the server: the module exports only a contract'
  const { context, middleware } = source
  const restricted = call?.target.collection.resource.restricted ?? []
  const owners = call ? ownerFieldsOf(call.target.collection.resource) : []
  const guards = [
    ...(context === undefined ? [] : ['the context']),
    ...(owners.length === 0 ? [] : [`the caller's ${owners.join(' and ')}`]),
    ...(restricted.length === 0 ? [] : [`the right to see ${restricted.join(' and ')}`]),
    ...(middleware.length === 0 ? [] : [`${middleware.length} middleware`]),
  ]
  return guards.length === 0 ? undefined : guards.join(' and ')
}

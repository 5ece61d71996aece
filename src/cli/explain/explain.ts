import { ownerFieldsOf } from '../../contract/resource/resource.ts'
import { type CheckName, checkFor, checks } from '../../convention/checks.ts'
import { bodyOf, creatingKindOf, ruleNameOf } from '../../convention/kinds.ts'
import { isRecord } from '../../convention/value.ts'
import { type HttpRequest, type OperationKind, operations, type ProblemCode } from '../../index.ts'
import type { ParsedCall } from '../../wire/request.ts'
import { isRegistry, type Source } from '../load.ts'
import { isOwn } from './recording.ts'
import { isLookUp, type Run, runRequest } from './run.ts'

/** A check, with its result. Its members are public: `--json` prints them. */
export interface ExplainedCheck {
  readonly name: CheckName
  /**
   * `depends`: the result depends on code that `explain` does not run. `not reached`: an earlier
   * check decides the response.
   */
  readonly state: 'passed' | 'decides' | 'depends' | 'not reached'
  /** The rule in words. */
  readonly rule: string
  /** The question that decides a check which `depends`. */
  readonly asks?: string
}

/** How nounful understands a request. */
export interface Explanation extends Run {
  readonly checks: readonly ExplainedCheck[]
}

/**
 * Explains how nounful understands a request, and which check decides the response. Calls the
 * schemas of the contract, but no adapter, context, `.scope()`, `.reveal()` or middleware.
 */
export async function explain(request: HttpRequest, source: Source): Promise<Explanation> {
  const run = await runRequest(request, source)
  const { call, response } = run
  const deciding = isRecord(response?.body) && response.status >= 400 ? response.body.code : ''
  // Every error response of `handle` is a problem with a known code.
  const decidingName = deciding === '' ? undefined : checkFor(deciding as ProblemCode).name
  const questions = call === undefined ? {} : questionsFor(call, run, source)
  let isDecided = false
  // Most resources have no rules.
  const applicable = checks.filter(({ name }) => name !== 'rule' || questions.rule !== undefined)
  const explained = applicable.map(({ name, rule }): ExplainedCheck => {
    if (name === decidingName) {
      isDecided = true
      return { name, state: 'decides', rule }
    }
    const asks = questions[name]
    // The core looks for parents before the base of a view judges a body.
    if (asks && (!isDecided || name === 'parent')) return { name, state: 'depends', rule, asks }
    return { name, state: isDecided ? 'not reached' : 'passed', rule }
  })
  return { ...run, checks: explained }
}

type Questions = { readonly [Name in CheckName]?: string | false }

// The guards decide each request, the storage only one that reaches it.
function questionsFor(call: ParsedCall, run: Run, source: Source): Questions {
  const { calls, response, body } = run
  const { kind, target, parameters, conditions } = call
  const { collection, parents, id } = target
  const { name, base, view } = collection.resource
  const authorization = guardsOf(source, call)
  const last = calls.at(-1)
  if (last === undefined) return { authorization }
  const { safe, absent } = operations[kind]
  const items = id === undefined ? `the items of ${name}` : `${name} ${JSON.stringify(id)}`
  const referenced = referencedIn(calls, call)
  const reading = referenced.length > 0 && `whether the client may read ${referenced.join(', ')}`
  const nested = collection.ancestors.map(
    ({ resource }, depth) => `${resource.name} ${JSON.stringify(parents[depth])}`,
  )
  const parent = nested.length > 0 && `whether ${nested.join(', and in it ')} exists`
  if (response !== undefined) return { authorization, body: reading, parent }
  const judged = [
    // A view makes a new item before it calls the adapter, but another one of the stored item.
    view && bodyOf(kind) && kind !== 'create' && `whether ${base.name} takes the values`,
    bodyOf(kind)?.isPatch && `whether ${items} with the patch would be valid`,
    reading,
  ]
  const isDryRun = parameters.dry_run === true
  const ofKey = conditions.key !== undefined && ', and an item that the key made before is as sent'
  const permission = isDryRun
    ? `${items} agree with the conditions`
    : `the storage allows "${kind}"${ofKey || ''}`
  return {
    authorization,
    body: judged.filter(Boolean).join(', and '),
    parent,
    item: absent !== undefined && `whether the storage has ${items}${creationIn(call)}`,
    ...ruleOf(call, source),
    conflict:
      !safe && (!isDryRun || absent !== undefined) && `whether ${permission}${moveIn(call, body)}`,
    answer: answerOf(calls, last, call),
  }
}

// The related items that filters select come before the list.
function answerOf(calls: Run['calls'], last: Run['calls'][number], call: ParsedCall): string {
  const lookUps = calls.filter((adapterCall) => isLookUp(adapterCall, call))
  const names = [...new Set([...lookUps, last])].map(
    ({ method, operation: { resource } }) => `"${method}" of ${resource.base.name}`,
  )
  return `what ${names.join(' and ')} ${names.length > 1 ? 'return' : 'returns'}`
}

// An item that does not exist is no fault, unless the client names its tag.
function creationKindOf({ kind, target, conditions }: ParsedCall): OperationKind | undefined {
  const { putCreates } = target.collection.resource
  return putCreates && conditions.ifMatch === undefined ? creatingKindOf(kind) : undefined
}

function creationIn(call: ParsedCall): string {
  return creationKindOf(call) === undefined ? '' : ': else the PUT creates it, with 201'
}

function ruleOf(call: ParsedCall, source: Source): Questions {
  const { name } = call.target.collection.resource.base
  const rules = isRegistry(source) ? source.rules.get(name) : undefined
  const kinds = [call.kind, creationKindOf(call)]
  const names = kinds.flatMap((kind) => (kind === undefined ? [] : (ruleNameOf(kind) ?? [])))
  const written = names
    .filter((ruleName) => rules?.[ruleName] !== undefined)
    .map((ruleName) => `the rule "${ruleName}" of ${name}`)
  return written.length === 0 ? {} : { rule: `what ${written.join(' or ')} returns` }
}

// A new item has the first state, which the schema of a body judges.
function moveIn({ kind, target }: ParsedCall, body: unknown): string {
  const { states } = target.collection.resource
  if (states === undefined || bodyOf(kind) === undefined || operations[kind].method === 'POST')
    return ''
  const values = [body].flat().map((item) => (isRecord(item) ? item[states.field] : undefined))
  const names = [...new Set(values)].filter((value) => value !== undefined)
  const written = names.map((value) => JSON.stringify(value)).join(', ')
  return written && `, and ${states.field} may move to ${written}`
}

// Returns the items that a body names, as the core looks for them: `companies "7"`, each once.
function referencedIn(calls: Run['calls'], call: ParsedCall): readonly string[] {
  const parents = call.target.collection.ancestors.map(({ path }) => path)
  const names = calls
    .filter(({ operation }) => !isOwn(operation, call) && !parents.includes(operation.path))
    .filter((adapterCall) => !isLookUp(adapterCall, call))
    .flatMap(({ operation: { resource, id, query } }) => {
      const ids = id === undefined ? (query.where[0]?.values ?? []) : [id]
      return ids.map((value) => `${resource.name} ${JSON.stringify(value)}`)
    })
  return [...new Set(names)]
}

function guardsOf(source: Source, { target }: ParsedCall): string {
  if (!isRegistry(source)) return 'the server: the module exports only a contract'
  const { resource } = target.collection
  const { context, middleware } = source
  const [owners, restricted] = [ownerFieldsOf(resource), resource.restricted]
  const guards = [
    context !== undefined && 'the context',
    owners.length > 0 && `the caller's ${owners.join(' and ')}`,
    restricted.length > 0 && `the right to see ${restricted.join(' and ')}`,
    middleware.length > 0 && `${middleware.length} middleware`,
  ]
  return guards.filter(Boolean).join(' and ')
}

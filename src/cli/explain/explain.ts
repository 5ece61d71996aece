import { ownerFieldsOf } from '../../contract/resource/resource.ts'
import { type CheckName, checkFor, checks } from '../../convention/checks.ts'
import { bodyOf, creatingKindOf, ruleNameOf } from '../../convention/kinds.ts'
import { type HttpRequest, operations } from '../../index.ts'
import { parseProblem } from '../../wire/problem.ts'
import type { ParsedCall } from '../../wire/request.ts'
import type { Source } from '../load.ts'
import { isOwn, type Run, runRequest } from './run.ts'

/** How nounful understands a request. */
export interface Explanation extends Run {
  /** Those that decide the response, or may, in their order. */
  readonly checks: readonly ExplainedCheck[]
}

/** A check of a request. Its members are public: `--json` prints them. */
interface ExplainedCheck {
  readonly name: CheckName
  /** The rule in words. */
  readonly rule: string
  /** `depends`: the result depends on code that `explain` does not run. */
  readonly state: 'decides' | 'depends'
  /** The code on which the result `depends`. */
  readonly asks?: string
}

/**
 * Explains how nounful understands a request, and which check decides the response. Calls the
 * schemas of the contract, but no adapter, context, `.scope()`, `.reveal()` or middleware.
 */
export async function explain(request: HttpRequest, source: Source): Promise<Explanation> {
  const run = await runRequest(request, source)
  const problem = run.response && parseProblem(run.response)
  const deciding = problem ? checks.indexOf(checkFor(problem.code)) : checks.length
  const open = run.call ? openChecks(run.call, run) : {}
  const explained = checks.flatMap((check, index): readonly ExplainedCheck[] => {
    if (index === deciding) return [{ ...check, state: 'decides' }]
    const asks = open[check.name]
    // The core looks for parents before the base of a view judges a body.
    const isReached = index < deciding || check.name === 'parent'
    return asks && isReached ? [{ ...check, state: 'depends', asks }] : []
  })
  return { ...run, checks: explained }
}

type Questions = { readonly [Name in CheckName]?: string | false | undefined }

// The guards decide each request, the storage only one that reaches it.
function openChecks(call: ParsedCall, { calls, response, registry }: Run): Questions {
  const { kind, parameters } = call
  const { ancestors, resource } = call.target.collection
  const { safe, absent } = operations[kind]
  const { context, middleware, rules } = registry
  const body = bodyOf(kind)
  const [storage, isOpen] = ['the storage', response === undefined]
  const fields = [...ownerFieldsOf(resource), ...resource.restricted]
  const guards = [context ? 'the context' : [], fields, middleware.map(() => 'a middleware')].flat()
  const parents = ancestors.map(({ path }) => path)
  const others = calls.filter(({ operation }) => !isOwn(operation, call))
  const isReferring = body && others.some(({ operation }) => !parents.includes(operation.path))
  // A view makes a new item before it calls the adapter, but another one of the stored item.
  const isJudged = body?.isPatch || (body && resource.view && kind !== 'create')
  const names = kindsOf(call).map(ruleNameOf)
  const ruleNames = names.filter((name) => name && rules.get(resource.base.name)?.[name])
  return {
    authorization: guards.join(', '),
    body: (isReferring || (isOpen && isJudged)) && storage,
    parent: calls.length > 0 && ancestors.length > 0 && storage,
    item: isOpen && absent !== undefined && storage,
    rule: isOpen && ruleNames.join(' or '),
    conflict: isOpen && !safe && (!parameters.dry_run || absent !== undefined) && storage,
    answer: isOpen && storage,
  }
}

/**
 * Returns the kinds of an operation: a PUT may also create an item that does not exist, unless the
 * client names its tag.
 */
export function kindsOf({ kind, target, conditions }: ParsedCall): readonly ParsedCall['kind'][] {
  const { putCreates } = target.collection.resource
  const creating = putCreates && conditions.ifMatch === undefined && creatingKindOf(kind)
  return creating ? [kind, creating] : [kind]
}

import { escapeControls } from '../../convention/escape.ts'
import type { Condition } from '../../convention/filter-operators.ts'
import { bodyOf } from '../../convention/kinds.ts'
import { type HttpRequest, operations } from '../../index.ts'
import { formatColumns } from '../../trial/check/print.ts'
import { parseProblem } from '../../wire/problem.ts'
import type { ParsedCall } from '../../wire/request.ts'
import { endMembersOf } from '../routes.ts'
import { type Explanation, kindsOf } from './explain.ts'
import type { Run } from './run.ts'

/** Writes an explanation as text: the response, the request, then the checks that decide. */
export function formatExplanation(request: HttpRequest, explanation: Explanation): string {
  const { operation, checks, answer, error } = explanationData(request, explanation)
  const { status: success, ...members } = operation ?? {}
  const { status = success, headers } = answer ?? {}
  const problem = answer ? parseProblem(answer) : undefined
  const issues = problem?.members.issues ?? []
  const sentences = [
    `The response is ${status}${problem ? ` ${problem.code}: ${problem.message}` : ''}`,
    headers?.allow ? `Allow: ${headers.allow}` : [],
    checks.some(({ state }) => state === 'depends') ? 'A check below may give another' : [],
    error ? `A schema throws: ${error}` : [],
  ]
  const response = sentences.flat().map((text) => text.replace(/([^.?!])$/, '$1.'))
  const refusals = issues.map(({ pointer = '', parameter = pointer, code, message, allowed }) => {
    const hint = allowed?.length ? ` Allowed: ${allowed.join(' ')}` : ''
    return [parameter, `${code}: ${message}${hint}`]
  })
  const asked = Object.entries(members).map(([name, value]) => [name, formatValue(value)])
  const calling = explanation.calls.map((call) => ['call', formatCall(call)])
  const deciding = checks.map(({ name, rule, state, asks }) => {
    return [name, `${asks === undefined ? state : `${state} on ${asks}`}: ${rule}`]
  })
  const blocks = [refusals, [...asked.filter(([, text]) => text), ...calling], deciding]
    .filter((block) => block.length > 0)
    .map((rows) => formatColumns(rows.map((row) => row.map(escapeControls))).replace(/^/gm, '  '))
  const lines = [`${request.method} ${request.url}`, response.join(' ')].map(escapeControls)
  return [...lines, ...blocks].join('\n\n')
}

/** Returns an explanation as data for `--json`. Its members are public. */
export function explanationData(request: HttpRequest, explanation: Explanation) {
  const { call, calls, checks, response, errors } = explanation
  return {
    request,
    operation: call ? membersOf(call) : null,
    calls: calls.map(({ method, operation: { resource, id, scope, query } }) => {
      return { resource: resource.name, method, id, scope, where: query.where }
    }),
    checks,
    answer: response ?? null,
    error: errors.map(String)[0],
  }
}

function membersOf(call: ParsedCall): Readonly<Record<string, unknown>> {
  const { kind, target, parameters, conditions } = call
  const { collection, id } = target
  const { where, sort, ...others } = parameters
  const statuses = parameters.dry_run ? [200] : kindsOf(call).map((each) => operations[each].status)
  return {
    status: statuses.join(' or '),
    operation: kind,
    resource: collection.resource.name,
    collection: `/${collection.version}${collection.path}`,
    id,
    where: where?.map(formatCondition).join(', and '),
    sort: sort?.map(({ field, direction }) => `${field} ${direction}`).join(', '),
    ...others,
    ...conditions,
    body: bodyOf(kind)?.types.join(' or '),
    ...endMembersOf(collection),
  }
}

// Writes a call of an adapter: `read of employees "8" where company_id in "7"`.
function formatCall({ method, operation }: Run['calls'][number]): string {
  const { resource, id, scope, query } = operation
  const owners = Object.entries(scope).map(([key, owner]) => `${key} in ${JSON.stringify(owner)}`)
  const conditions = [...owners, ...query.where.map(formatCondition)].join(', and ')
  const items = [JSON.stringify(id), conditions && `where ${conditions}`].filter(Boolean)
  return [`${method} of ${resource.name}`, ...items].join(' ')
}

function formatCondition({ field, is, values }: Condition): string {
  return [field, is, values.map((value) => JSON.stringify(value)).join(' or ')].join(' ').trimEnd()
}

// A member of the operation that is missing has no text.
function formatValue(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value ?? undefined) ?? '')
}

import type { HttpRequest } from '../../contract/resource/http.ts'
import { escapeControls } from '../../convention/escape.ts'
import { operations } from '../../convention/operations.ts'
import { isRecord } from '../../convention/value.ts'
import { formatColumns, paint, type Style } from '../../trial/check/print.ts'
import type { ParsedCall } from '../../wire/request.ts'
import { type ExplainedFilter, explainFilters } from '../filters.ts'
import { endMembersOf } from '../routes.ts'
import { effectsOfEnd } from './effects.ts'
import type { ExplainedCheck, Explanation } from './explain.ts'
import { explainReferences } from './references.ts'
import type { RunResponse } from './run.ts'

/** Writes an explanation as text. */
export function formatExplanation(request: HttpRequest, explanation: Explanation): string {
  const { call, body, checks } = explanation
  const lines = [escapeControls(`${request.method} ${request.url}`), '']
  if (call) {
    const rows = [
      ...Object.entries(summaryOf(call)),
      ...filterRows(filtersIn(call)),
      ...(body === undefined ? [] : [['body', body.types.join(' or ')]]),
      ...(body?.effects ?? []).map((effect) => ['effect', effect]),
      ...effectsOfEnd(call).map((effect) => ['effect', effect]),
      ...explainReferences(call).map(({ means }) => ['reference', means]),
    ]
    lines.push(formatColumns(rows.map((row) => row.map(escapeControls))).replace(/^/gm, '  '), '')
  }
  const width = Math.max(...checks.map(({ name }) => name.length))
  for (const check of checks) lines.push(`  ${check.name.padEnd(width)}  ${formatState(check)}`)
  lines.push('', conclusionOf(explanation))
  return lines.join('\n')
}

/** Returns an explanation as data for `--json`. */
export function explanationData(request: HttpRequest, explanation: Explanation): object {
  const { method, url, headers } = request
  const { call, body, checks } = explanation
  return {
    request: { method, url, headers },
    operation: call === undefined ? null : { ...dataOf(call), ...(body && { body }) },
    checks,
    ...outcomeData(explanation),
  }
}

function outcomeData({ response, error }: RunResponse): object {
  return { answer: response ?? null, ...(error === undefined ? {} : { error: String(error) }) }
}

function dataOf(call: ParsedCall): object {
  const references = explainReferences(call)
  const filters = filterData(filtersIn(call))
  return {
    ...summaryOf(call),
    ...filters,
    ...(references.length > 0 && { references }),
    ...(call.target.collection.deprecation && endMembersOf(call.target.collection)),
  }
}

function filtersIn({ parameters, target }: ParsedCall): readonly ExplainedFilter[] {
  return explainFilters(parameters.where ?? [], target.collection.resource)
}

function filterData(filters: readonly ExplainedFilter[]): object {
  return filters.length === 0 ? {} : { filters }
}

// The filters of a field follow each other. The last one also shows the other filters of the field.
function filterRows(filters: readonly ExplainedFilter[]): readonly (readonly string[])[] {
  return filters.flatMap(({ means, type, allowed = [], filters: names }, index) => {
    const values = allowed.length === 0 ? '' : `: ${allowed.join(', ')}`
    const row = ['filter', `${means} (${type}${values})`]
    const isLast = filters[index + 1]?.filters[0] !== names[0]
    return isLast ? [row, ['', `takes ${names.join(' ')}`]] : [row]
  })
}

function summaryOf(call: ParsedCall): Readonly<Record<string, string>> {
  const { kind, target, parameters, conditions } = call
  const { collection, parents, id } = target
  const { parameters: names, owners } = collection
  const scope = owners.map((name) => `${name} = ${JSON.stringify(parents[names.indexOf(name)])}`)
  const values = Object.entries({ ...parameters, ...conditions }).filter(
    ([name, value]) => value !== undefined && name !== 'where',
  )
  return {
    operation: kind,
    resource: collection.resource.name,
    collection: `/${collection.version}${collection.path}`,
    ...(scope.length === 0 ? {} : { scope: scope.join(', ') }),
    ...(id === undefined ? {} : { id: JSON.stringify(id) }),
    ...Object.fromEntries(
      values.map(([name, value]) =>
        name === 'isCounted'
          ? ['prefer', 'count=exact']
          : [name, name === 'sort' ? formatOrder(value) : JSON.stringify(value)],
      ),
    ),
  }
}

function formatOrder(sort: unknown): string {
  return Array.isArray(sort)
    ? sort.map(({ field, direction }) => `${field} ${direction}`).join(', ')
    : ''
}

function formatState({ state, asks, rule }: ExplainedCheck): string {
  if (state === 'depends') return `${paint('yellow', 'depends')} on ${escapeControls(`${asks}`)}`
  if (state === 'decides') return `${paint('red', 'decides')}: ${rule}`
  return paint(styles[state], state === 'passed' ? 'passed' : '-')
}

const styles: Readonly<Record<'passed' | 'not reached', Style>> = {
  passed: 'green',
  'not reached': 'dim',
}

function conclusionOf({ call, checks, response, error }: Explanation): string {
  const guard = checks.find(({ name, state }) => name === 'authorization' && state === 'depends')
  const proviso =
    guard === undefined ? '' : ' Authorization comes first, and may give another response.'
  if (response === undefined) {
    const isDryRun = call?.parameters.dry_run === true
    const status = call === undefined || isDryRun ? 200 : operations[call.kind].status
    return (
      `No check rejects the request. The response is ${status} from the adapter, ` +
      `or a problem of the checks that depend on it.${proviso}`
    )
  }
  const { status, body, headers } = response
  const allow = headers.allow === undefined ? '' : ` (Allow: ${headers.allow})`
  if (status < 400) return `The response is ${status}${allow}. The adapter is not called.${proviso}`
  const { code, message } = isRecord(body) ? body : {}
  const cause = error === undefined ? '' : ` A schema throws: ${escapeControls(String(error))}.`
  const problem = escapeControls(`${status} ${code}: ${message}${allow}`)
  return `The response is ${problem}.${cause}${proviso}${formatIssues(body)}`
}

function formatIssues(body: unknown): string {
  const issues = isRecord(body) && Array.isArray(body.issues) ? body.issues : []
  return issues
    .filter(isRecord)
    .map(({ pointer, parameter, code, message, allowed }) => {
      const line = escapeControls(`  ${pointer ?? parameter} ${code}: ${message}`)
      return `\n${line}${formatAllowed(allowed)}`
    })
    .join('')
}

function formatAllowed(allowed: unknown): string {
  const names = Array.isArray(allowed) ? allowed.map(String) : []
  return names.length === 0 ? '' : `\n${escapeControls(`    allowed: ${names.join(' ')}`)}`
}

import { formatColumns, inert, paint, type Style } from '../check/print.ts'
import { operations } from '../model/convention.ts'
import { isRecord } from '../model/declared.ts'
import type { HttpRequest } from '../model/http.ts'
import type { ParsedCall } from '../wire/request.ts'
import type { Explained, Explanation } from './explain.ts'

/** Writes an explanation for people. */
export function formatExplanation(
  request: HttpRequest,
  { call, checks, answer, error }: Explanation,
): string {
  const lines = [inert(`${request.method} ${request.url}`), '']
  if (call) {
    const summary = Object.entries(summaryOf(call)).map((line) => line.map(inert))
    lines.push(indented(formatColumns(summary)), '')
  }
  const width = Math.max(...checks.map(({ name }) => name.length))
  for (const check of checks) lines.push(`  ${check.name.padEnd(width)}  ${formatState(check)}`)
  lines.push('', conclusionOf({ call, checks, answer, error }))
  return lines.join('\n')
}

/** An explanation as data. */
export function dataOf(request: HttpRequest, { call, checks, answer, error }: Explanation): object {
  const { method, url, headers } = request
  return {
    request: { method, url, headers },
    operation: call === undefined ? null : summaryOf(call),
    checks,
    answer: answer ?? null,
    ...(error === undefined ? {} : { error: String(error) }),
  }
}

function summaryOf({
  kind,
  target,
  parameters,
  conditions,
}: ParsedCall): Readonly<Record<string, string>> {
  const { collection, parents, id } = target
  const scope = collection.parameters.map(
    (name, place) => `${name} = ${JSON.stringify(parents[place])}`,
  )
  const asked = Object.entries({ ...parameters, ...conditions }).filter(
    ([, value]) => value !== undefined,
  )
  return {
    operation: kind,
    resource: collection.resource.name,
    collection: `/${collection.version}${collection.path}`,
    ...(scope.length === 0 ? {} : { scope: scope.join(', ') }),
    ...(id === undefined ? {} : { id: JSON.stringify(id) }),
    ...Object.fromEntries(
      asked.map(([name, value]) => [
        name,
        name === 'sort' ? formatOrder(value) : JSON.stringify(value),
      ]),
    ),
  }
}

function formatOrder(sort: unknown): string {
  return Array.isArray(sort)
    ? sort.map(({ field, direction }) => `${field} ${direction}`).join(', ')
    : ''
}

function formatState({ state, asks, rule }: Explained): string {
  if (state === 'depends') return `${paint('yellow', 'depends')} on ${inert(`${asks}`)}`
  if (state === 'decides') return `${paint('red', 'decides')}: ${rule}`
  return paint(styles[state], state === 'passed' ? 'passed' : '-')
}

const styles: Readonly<Record<'passed' | 'not reached', Style>> = {
  passed: 'green',
  'not reached': 'dim',
}

function conclusionOf({ call, checks, answer, error }: Explanation): string {
  const guard = checks.find(({ name, state }) => name === 'authorization' && state === 'depends')
  const proviso = guard === undefined ? '' : ' Authorization comes first, and may answer otherwise.'
  if (answer === undefined) {
    const status = call === undefined ? '' : ` ${operations[call.kind].status}`
    return `Nothing stands against it: it is for the storage to answer${status}, or a problem of the checks that depend on it.${proviso}`
  }
  const { status, body, headers } = answer
  const allow = headers.allow === undefined ? '' : ` (Allow: ${headers.allow})`
  if (status < 400) return `Answered ${status}${allow}, without asking the storage.${proviso}`
  const { code, message } = isRecord(body) ? body : {}
  const cause = error === undefined ? '' : ` A schema throws: ${inert(String(error))}.`
  const told = inert(`${status} ${code}: ${message}${allow}`)
  return `Answered ${told}.${cause}${proviso}${formatIssues(body)}`
}

function formatIssues(body: unknown): string {
  const issues = isRecord(body) && Array.isArray(body.issues) ? body.issues : []
  const lines = issues
    .filter(isRecord)
    .map(({ pointer, parameter, code, message }) =>
      inert(`  ${pointer ?? parameter} ${code}: ${message}`),
    )
    .map((line) => `\n${line}`)
  return lines.join('')
}

function indented(text: string): string {
  return text.replace(/^/gm, '  ')
}

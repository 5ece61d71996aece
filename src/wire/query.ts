import { type ParameterName, parameterNames, parameters } from '../model/convention.ts'
import type { SortField } from '../model/operation.ts'
import { parameterIssue, problemOfQuery } from './parameter-issue.ts'
import {
  noParameters,
  type ParameterRules,
  type Parameters,
  type Reading,
  readParameter,
} from './parameters.ts'
import { decodePercent } from './percent.ts'
import { formatSort, joinSorts } from './sort.ts'

/** Parameters to write. Each sort field is a value, or text already: `-birthdate`. */
export type WrittenParameters = Omit<Parameters, 'sort'> & {
  readonly sort?: readonly (SortField | string)[] | undefined
}

// A client reads no more of them, and each may be as long as a query.
const maxIssues = 50

/**
 * Reads `q=ann&sort=name,-birthdate&limit=20`. The inverse of {@link formatQuery}.
 * An empty `q` or `sort` counts as absent; `+` is a space. The values of a repeated `sort` make one
 * list. The grammar is flat: `sort[]` is another name.
 *
 * @param search Percent-encoded, without the `?`.
 * @throws {ProblemError} The code of the first fault, all of them in `issues`:
 *   `bad_percent_encoding`, `unknown_parameter` (with the `allowed` ones), `repeated_parameter`,
 *   `bad_parameter`, `sort_invalid`, `sort_unknown_field`, `sort_duplicate_field`.
 * @see docs/requests.md, "Reading"
 */
export function parseQuery(search: string, rules: ParameterRules): Parameters {
  if (search === '') return noParameters
  const texts: Texts = Object.create(null)
  const reading: Reading = { rules, issues: [] }
  const { issues } = reading
  for (let start = 0; start < search.length && issues.length < maxIssues; start++) {
    if (search[start] === '&') continue
    const mark = search.indexOf('&', start)
    const end = mark < 0 ? search.length : mark
    readPair(search.slice(start, end), texts, reading)
    start = end
  }
  const values: Record<string, unknown> = { ...noParameters }
  for (const name of parameterNames) {
    const text = texts[name]
    if (text !== undefined) values[name] = readParameter(name, text, reading)
  }
  if (issues.length > 0) throw problemOfQuery(issues)
  return values
}

type Texts = { [Name in ParameterName]?: string }

function readPair(pair: string, texts: Texts, { rules, issues }: Reading): void {
  const equals = pair.indexOf('=')
  const written = equals < 0 ? pair : pair.slice(0, equals)
  const name = isTaken(written, rules) ? written : decodeForm(written)
  if (!isTaken(name, rules)) {
    issues.push(parameterIssue('unknown_parameter', name, 'is not taken here', rules.takes))
    return
  }
  const text = equals < 0 ? '' : decodeForm(pair.slice(equals + 1))
  const before = texts[name]
  if (before === undefined) texts[name] = text
  else if (parameters[name].type === 'fields') texts[name] = joinSorts(before, text)
  else issues.push(parameterIssue('repeated_parameter', name, 'is given more than once'))
}

function isTaken(name: string, { takes }: ParameterRules): name is ParameterName {
  const known: readonly string[] = takes
  return known.includes(name)
}

/**
 * Writes parameters, without the `?`; `''` when there are none. The inverse of {@link parseQuery}.
 * A lone surrogate, which no URL can hold, becomes U+FFFD.
 */
export function formatQuery(written: WrittenParameters): string {
  let search = ''
  for (const name of parameterNames) {
    const value = Object.hasOwn(written, name) ? written[name] : undefined
    if (value === undefined) continue
    const text = typeof value === 'object' ? formatSort(value) : `${value}`
    search += `${search && '&'}${name}=${encode(text)}`
  }
  return search
}

// A comma needs no escape (RFC 3986 §3.4), and reads better without.
function encode(text: string): string {
  if (/^[\w.~,-]*$/.test(text)) return text
  return encodeURIComponent(text.toWellFormed()).replaceAll('%2C', ',')
}

function decodeForm(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  return spaced.includes('%') ? decodePercent(spaced, 'query') : spaced
}

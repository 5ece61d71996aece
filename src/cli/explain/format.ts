import type { Resource } from '../../contract/resource/resource.ts'
import { mergePatch, takesField } from '../../contract/values/patch.ts'
import { escapeControls } from '../../convention/escape.ts'
import type { Comparison, Condition } from '../../convention/filter-operators.ts'
import { bodyOf } from '../../convention/kinds.ts'
import { isRecord } from '../../convention/value.ts'
import { type HttpRequest, operations } from '../../index.ts'
import { formatColumns, paint } from '../../trial/check/print.ts'
import type { ParsedCall } from '../../wire/request.ts'
import { endMembersOf } from '../routes.ts'
import type { ExplainedCheck, Explanation } from './explain.ts'
import { isLookUp } from './run.ts'

/** Writes an explanation as text: the response, the request, then the checks that decide. */
export function formatExplanation(request: HttpRequest, explanation: Explanation): string {
  const { call, checks, body, calls } = explanation
  const rows = call === undefined ? [] : rowsOf(call, body, calls)
  const deciding = checks.filter(({ state }) => state === 'decides' || state === 'depends')
  const blocks = [
    escapeControls(`${request.method} ${request.url}`),
    responseOf(explanation),
    ...[rows, deciding.map(rowOfCheck)]
      .filter((block) => block.length > 0)
      .map((block) => formatColumns(block).replace(/^/gm, '  ')),
  ]
  return blocks.join('\n\n')
}

/** Returns an explanation as data for `--json`. */
export function explanationData(request: HttpRequest, explanation: Explanation): object {
  const { method, url, headers } = request
  const { call, body, checks, calls, response, error } = explanation
  const types = call && bodyOf(call.kind)?.types
  return {
    request: { method, url, headers },
    operation:
      call === undefined
        ? null
        : {
            ...summaryOf(call),
            ...(types && { body: { types, effects: effectsOf(call, body) } }),
            ...(call.target.collection.deprecation && endMembersOf(call.target.collection)),
          },
    calls: calls.map(({ method, operation: { resource, id, scope } }) => {
      return { resource: resource.name, method, id, scope }
    }),
    checks,
    answer: response ?? null,
    ...(error === undefined ? {} : { error: String(error) }),
  }
}

function summaryOf(call: ParsedCall): Readonly<Record<string, string>> {
  const { kind, target, parameters, conditions } = call
  const { collection, parents, id } = target
  // The other parents are no fields of the item.
  const scope = collection.owners.map((field) => {
    return `${field} = ${JSON.stringify(parents[collection.parameters.indexOf(field)])}`
  })
  const { isCounted, ...otherConditions } = conditions
  const values = Object.entries({ ...parameters, ...otherConditions }).filter(
    ([, value]) => value !== undefined,
  )
  return {
    operation: kind,
    resource: collection.resource.name,
    collection: `/${collection.version}${collection.path}`,
    ...(scope.length > 0 && { scope: scope.join(', ') }),
    ...(id !== undefined && { id: JSON.stringify(id) }),
    ...Object.fromEntries(values.map(([name, value]) => [name, textOf(name, value)])),
    ...(isCounted && { prefer: 'count=exact' }),
  }
}

function textOf(name: string, value: unknown): string {
  if (name === 'where' && Array.isArray(value)) return value.map(explainCondition).join(', and ')
  return name === 'sort' && Array.isArray(value)
    ? value.map(({ field, direction }) => `${field} ${direction}`).join(', ')
    : JSON.stringify(value)
}

function rowsOf(call: ParsedCall, body: unknown, calls: readonly AdapterCall[]): string[][] {
  const { deprecation, successor } = call.target.collection
  const { deprecated, sunset } = deprecation ?? {}
  const until = sunset ? `, and its sunset on ${sunset}` : ''
  const to = successor ? `: use /${successor.version}${successor.path}` : ''
  const end = `the response announces its deprecation on ${deprecated}${until}${to}`
  return [
    ...Object.entries(summaryOf(call)),
    ...(bodyOf(call.kind) ? [['body', bodyOf(call.kind)?.types.join(' or ') ?? '']] : []),
    ...effectsOf(call, body).map((effect) => ['effect', effect]),
    ...(deprecation ? [['effect', end]] : []),
    ...calls.map((adapterCall) => {
      const { method, operation } = adapterCall
      const { resource, id, query } = operation
      const words = isLookUp(adapterCall, call)
        ? `where ${textOf('where', query.where)}`
        : (JSON.stringify(id) ?? joinedText(query))
      return ['call', `${method} of ${resource.name} ${words}`.trimEnd()]
    }),
  ].map((row) => row.map(escapeControls))
}

// The storage joins the related items, and no list looks them up.
function joinedText({ related = [] }: AdapterCall['operation']['query']): string {
  const joins = related.map(({ as, where }) => `${as} where ${textOf('where', where)}`)
  return joins.length === 0 ? '' : `joined to ${joins.join(', and ')}`
}

/** Returns what a body does to the stored fields. */
function effectsOf({ kind, target, parameters }: ParsedCall, body: unknown): string[] {
  const { resource } = target.collection
  const items = [body].flat().filter(isRecord)
  const isPatch = bodyOf(kind)?.isPatch === true
  const patched = items
    .flatMap((item) => Object.entries(item))
    .map(([field, value]) => {
      return `${effectOf(field, value, resource)} ${field}`
    })
  const isReplacing = operations[kind].method === 'PUT'
  const omitted = resource.keep.filter((field) => items.some((item) => !Object.hasOwn(item, field)))
  return [
    ...(isPatch ? new Set(patched) : []),
    ...(isReplacing && omitted.length > 0 ? [`keeps the stored ${omitted.join(', ')}`] : []),
    ...(parameters.dry_run ? ['stores nothing: the response shows the result'] : []),
  ]
}

function effectOf(field: string, value: unknown, { update, readOnly }: Resource): string {
  if (field === 'id' || readOnly.includes(field)) return 'compares'
  if (!takesField(update, field)) return 'names no field of an update:'
  if (isRecord(value)) return 'merges into'
  if (value !== null) return 'replaces'
  return Object.hasOwn(mergePatch({}, { [field]: null }, update), field)
    ? 'stores null in'
    : 'removes'
}

function rowOfCheck({ name, state, asks, rule }: ExplainedCheck): string[] {
  const isDeciding = state === 'decides'
  const text = isDeciding
    ? `${paint('red', 'decides')}: ${rule}`
    : `${paint('yellow', 'depends')} on ${asks}`
  return [name, isDeciding ? text : escapeControls(text)]
}

function responseOf({ call, checks, calls, response, error }: Explanation): string {
  const open = checks.filter(({ state }) => state === 'depends')
  const isGuarded = open.some(({ name }) => name === 'authorization')
  const isOther = response !== undefined && open.some(({ name }) => name !== 'authorization')
  const proviso =
    (isGuarded ? ' Authorization comes first, and may give another response.' : '') +
    (isOther ? ' A check that depends on the storage may give another.' : '')
  if (response === undefined) {
    const status = call && !call.parameters.dry_run ? operations[call.kind].status : 200
    return `The response is ${status}, unless a check below finds a problem.${proviso}`
  }
  const { status, body, headers } = response
  const allow = headers.allow === undefined ? '' : ` (Allow: ${headers.allow})`
  const calling = calls.length === 0 ? ' The adapter is not called.' : ''
  // Every other request without an operation is refused, or asks for `Allow`.
  const home = call === undefined && allow === '' ? ', the home document' : ''
  if (status < 400) return `The response is ${status}${home}${allow}.${calling}${proviso}`
  const { code, message, issues = [] } = isRecord(body) ? body : {}
  const cause = error === undefined ? '' : ` A schema throws: ${String(error)}.`
  const lines = [issues]
    .flat()
    .filter(isRecord)
    .flatMap(({ pointer, parameter, code, message, allowed }) => [
      `  ${pointer ?? parameter} ${code}: ${message}`,
      ...(Array.isArray(allowed) && allowed.length > 0
        ? [`    allowed: ${allowed.join(' ')}`]
        : []),
    ])
  const problem = `${status} ${code}: ${message}`.replace(/\.$/, '')
  const first = `The response is ${problem}${allow}.${cause}${proviso}`
  return [first, ...lines].map(escapeControls).join('\n')
}

/** Returns the items that meet a condition, as a sentence: `age is present and more than 7`. */
function explainCondition(condition: Condition): string {
  return sentences[condition.is](condition)
}

type AdapterCall = Explanation['calls'][number]

type Sentence = (condition: Condition) => string

const sentences: { readonly [Is in Comparison]: Sentence } = {
  in: ({ field, values }) =>
    values.length === 0 ? 'no item: the value is no id' : `${field} is ${formatValues(values)}`,
  notIn: ({ field, values }) => `${field} is missing, or not ${formatValues(values)}`,
  inOrMissing: ({ field, values }) => `${field} is missing, or ${formatValues(values)}`,
  missing: ({ field }) => `${field} is missing or null`,
  present: ({ field }) => `${field} is neither missing nor null`,
  gt: rangeSentence('more than', 'after'),
  gte: rangeSentence('at least', 'at or after'),
  lt: rangeSentence('less than', 'before'),
  lte: rangeSentence('at most', 'at or before'),
  contains: textSentence('contains'),
  startsWith: textSentence('starts with'),
  endsWith: textSentence('ends with'),
  has: ({ field, values }) => `${field} is a list with ${formatValues(values)}`,
}

function rangeSentence(ofNumbers: string, ofOthers: string): Sentence {
  return ({ field, values, type }) => {
    const comparison = type === 'number' || type === 'integer' ? ofNumbers : ofOthers
    const order = type === 'text' ? ' by code point' : ''
    return `${field} is present and ${comparison} ${formatValues(values)}${order}`
  }
}

function textSentence(verb: string): Sentence {
  return ({ field, values }) => `${field} ${verb} ${formatValues(values)} in any case`
}

function formatValues(values: Condition['values']): string {
  const texts = values.map((value) => JSON.stringify(value))
  const more = texts.length > maxValues ? [`${texts.length - maxValues} more`] : []
  const entries = [...texts.slice(0, maxValues), ...more]
  return entries.length < 2
    ? entries.join('')
    : `${entries.slice(0, -1).join(', ')} or ${entries.at(-1)}`
}

const maxValues = 5

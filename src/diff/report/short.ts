import type { Json } from '../../contract/schema/schema.ts'
import { isJsonObject } from '../../sets/canonical.ts'
import type { WitnessExchange } from '../change.ts'
import type { Finding } from '../fingerprint.ts'
import { ruleOf } from '../rules.ts'

const maxText = 40
const shownText = 4
const maxElements = 8
const shownElements = 2
const maxAll = 400

/** Writes a JSON value in one line, long texts and lists shortened with their length. */
export function shortJson(value: Json): string {
  const text = written(value)
  return text.length <= maxAll ? text : `${cut(text, maxAll)}… (${text.length})`
}

function written(value: Json): string {
  if (typeof value === 'string') return writtenText(value)
  if (Array.isArray(value)) {
    const isLong = value.length > maxElements
    const elements = (isLong ? value.slice(0, shownElements) : value).map(written)
    return `[${[...elements, ...(isLong ? [`… (${value.length})`] : [])].join(',')}]`
  }
  if (!isJsonObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([name, member]) => `${writtenText(name)}:${written(member)}`,
  )
  return `{${members.join(',')}}`
}

function writtenText(text: string): string {
  const length = [...text].length
  if (length <= maxText) return JSON.stringify(text)
  return `${JSON.stringify(cut(text, shownText)).slice(0, -1)}… (${length})"`
}

function cut(text: string, length: number): string {
  return [...text].slice(0, length).join('')
}

const lacking: ReadonlySet<string> = new Set(['item-field-removed', 'item-field-renamed'])
const losing: ReadonlySet<string> = new Set([
  'request-field-removed',
  'request-field-renamed',
  'field-deprecated-removed',
  'client-id-refused',
])
const erasing: ReadonlySet<string> = new Set(['update-field-added', 'keep-removed'])

/** Returns the words before the witness of a finding. */
export function wordsOfWitness({ rule, witness }: Finding): string {
  if (lacking.has(rule)) return 'an answer that lacks the field now:'
  if (witness?.answer !== undefined) return 'an answer that the old contract excluded:'
  if (erasing.has(rule)) return 'erases the field now:'
  if (losing.has(rule)) return 'was fine, is refused or loses a value now:'
  const isRequest = ruleOf(rule)?.direction !== 'answer' && rule !== 'default-version-changed'
  return isRequest ? 'was fine, is refused now:' : 'is answered otherwise now:'
}

/** Says a finding: its message, the reason for its verdict, the exchange that shows it. */
export function sentencesOf(
  finding: Finding,
  write: (foreign: string) => string = (foreign) => foreign,
): readonly string[] {
  const { message, because, witness } = finding
  return [
    write(message),
    ...(because === undefined ? [] : [`because ${write(because)}`]),
    ...(witness ? [`${wordsOfWitness(finding)} ${write(formatExchange(witness))}`] : []),
  ]
}

/** Writes an exchange in one line: `PUT /v1/employees/7  {"name":"aaaa… (61)"}`. */
export function formatExchange({ method, target, ...exchange }: WitnessExchange): string {
  const { header, body, answer, note } = exchange
  return [
    `${method} ${target}`,
    ...(header === undefined ? [] : [header]),
    ...(body === undefined ? [] : [shortJson(body)]),
    ...(answer === undefined ? [] : [`→ ${shortJson(answer)}`]),
    ...(note === undefined ? [] : [`(${note})`]),
  ].join('  ')
}

/**
 * Writes a foreign text as code, so that Markdown neither formats it nor mentions a user: in a
 * fence that the text does not have, in one line, and with the bars of a table escaped.
 */
export function codeSpan(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|')
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  const space = line.startsWith('`') || line.endsWith('`') ? ' ' : ''
  return line === '' ? '` `' : `${fence}${space}${line}${space}${fence}`
}

import type { CallerResponse } from './exchange.ts'

/** A text to replace, with its placeholder. */
export type Replacement = readonly [text: string, placeholder: string]

/** A response without what differs from request to request. */
export interface CanonicalResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

// Headers that tell the time, the connection or the request.
const volatile: ReadonlySet<string> = new Set([
  'date',
  'age',
  'expires',
  'connection',
  'keep-alive',
  'x-request-id',
  'request-id',
  'traceparent',
  'server-timing',
  'transfer-encoding',
])

const moment = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)/g
const requestId = /("request_?id":\s*)"[^"]*"/gi

/** Fields whose values differ without a cause. */
export interface MaskedFields {
  readonly fields: readonly string[]
  /** Tells a value, as JSON, that can differ each time. */
  readonly isMasked: (json: string) => boolean
}

/** The parts of a response that differ without a cause. */
interface Masks {
  readonly replacements: readonly Replacement[]
  readonly masked?: MaskedFields | undefined
}

/** Replaces ids, moments, request ids and masked fields of a response by placeholders. */
export function canonicalOf(
  { status, headers, text }: CallerResponse,
  { replacements, masked }: Masks,
): CanonicalResponse {
  const chances: string[] = []
  const maskedText = masked === undefined ? text : mask(text, masked, chances)
  const maskedHeader = (value: string): string =>
    chances.reduce((left, chance) => left.replaceAll(chance, '<chance>'), value)
  const known = new Map(replacements)
  const others = replacements.filter(([text]) => !isUuid.test(text))
  const write = (value: string): string =>
    others
      .reduce(
        (left, one) => replaceId(left, one),
        value.replace(uuids, (found) => known.get(found) ?? found),
      )
      .replace(moment, '<moment>')
      .replace(requestId, '$1"<request>"')
  const kept = Object.entries(headers)
    .filter(([name]) => !volatile.has(name))
    .map(([name, value]) => [name, write(maskedHeader(value))] as const)
  const sorted = kept.sort(([one], [other]) => (one < other ? -1 : 1))
  return { status, headers: Object.fromEntries(sorted), text: write(maskedText) }
}

// Random texts and clocks. A short number can count the writes of all callers.
const chance = /^(?:"[\w+/=.:-]{16,}"|\d{10,}(?:\.\d+)?)$/

/** Masks the fields that a server sets by chance or by a clock. */
export function maskChances(fields: readonly string[]): MaskedFields | undefined {
  return fields.length === 0 ? undefined : { fields, isMasked: (json) => chance.test(json) }
}

function mask(text: string, { fields, isMasked }: MaskedFields, chances: string[]): string {
  if (fields.length === 0) return text
  const names = fields.map((field) => JSON.stringify(field).replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const members = new RegExp(`(${names.join('|')}):\\s*("(?:[^"\\\\]|\\\\.)*"|[\\w.+-]+)`, 'g')
  return text.replace(members, (member: string, name: string, json: string) => {
    if (!isMasked(json)) return member
    if (json.startsWith('"') && json.length > 2) chances.push(json.slice(1, -1))
    return `${name}:"<chance>"`
  })
}

const uuids = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi
const isUuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

// A number can stand anywhere by chance, so it counts as an id only where an id can stand.
function replaceId(value: string, [text, placeholder]: Replacement): string {
  if (!/^\d+$/.test(text)) {
    const encoded = encodeURIComponent(text)
    const replaced = replaceText(value, text, placeholder)
    return encoded === text ? replaced : replaceText(replaced, encoded, placeholder)
  }
  return value.replace(/\d+/g, (digits, start: number) =>
    digits === text && isIdAt(value, start, start + digits.length) ? placeholder : digits,
  )
}

// `/7`, `/7?`, `"id":7,`, `"7"` and the escaped `"7\"`. The longest text before an id has 5
// characters.
function isIdAt(value: string, start: number, end: number): boolean {
  const [before, after] = [value.slice(Math.max(0, start - 5), start), value.slice(end, end + 2)]
  return idEnds.some(([head, tail]) => head.test(before) && tail.test(after))
}

const idEnds = [
  [/\/$/, /^(?:[/?"#>]|$)/],
  [/id":\s?$/, /^\s?[,}]/],
  [/"$/, /^\\?"/],
  // "must be 7, as in the path"
  [/ be $/, /^, /],
] as const

// `order-2` is no part of `order-25`.
function replaceText(value: string, text: string, placeholder: string): string {
  if (!/\d$/.test(text)) return value.replaceAll(text, placeholder)
  const [first = '', ...rest] = value.split(text)
  return rest.reduce(
    (left, right) => left + (/^\d/.test(right) ? text : placeholder) + right,
    first,
  )
}

/** Returns the names of what differs: `status`, `body`, or the name of a header. */
export function differencesOf(one: CanonicalResponse, other: CanonicalResponse): readonly string[] {
  const names = new Set([...Object.keys(one.headers), ...Object.keys(other.headers)])
  const headers = [...names].filter((name) => one.headers[name] !== other.headers[name])
  return [
    ...(one.status === other.status ? [] : ['status']),
    ...(one.text === other.text ? [] : ['body']),
    ...headers,
  ]
}

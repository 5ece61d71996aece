/** The callers of a proof: two who own items, one who sees everything, and one without headers. */
export type CallerName = 'alice' | 'bob' | 'everything' | 'nobody'

/** A request of a caller, without the caller's own headers. */
export interface CallerRequest {
  readonly method: string
  /** With the query, percent-encoded. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** A value to write as JSON; `undefined` for none. */
  readonly body?: unknown
}

/** A response as the proof compares it. */
export interface CallerResponse {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The text as JSON; `undefined` for other text. */
  readonly json: unknown
}

/** A request of a caller with its response. */
export interface Exchange {
  readonly caller: CallerName
  readonly request: CallerRequest
  readonly response: CallerResponse
}

/** Sends a request as a caller. */
export type SendAs = (caller: CallerName, request: CallerRequest) => Promise<CallerResponse>

/** Returns the value of a text as JSON; `undefined` for other text. */
export function readText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Something that a proof found. */
export interface IsolationFinding {
  readonly kind: 'differs' | 'changes' | 'taken' | 'counted' | 'cursor' | 'unseen' | 'hidden'
  /** The name of the collection. */
  readonly collection: string
  /** As a sentence. */
  readonly message: string
  /** The requests that show it. */
  readonly exchanges: readonly Exchange[]
}

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
interface MaskedFields {
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
    chances.reduce((result, chance) => result.replaceAll(chance, '<chance>'), value)
  const placeholders = new Map(replacements)
  const plainIds = replacements.filter(([text]) => !isUuid.test(text))
  const write = (value: string): string =>
    plainIds
      .reduce(
        (result, replacement) => replaceId(result, replacement),
        value.replace(uuids, (uuid) => placeholders.get(uuid) ?? uuid),
      )
      .replace(moment, '<moment>')
      .replace(requestId, '$1"<request>"')
  const entries = Object.entries(headers)
    .filter(([name]) => !volatile.has(name))
    .map(([name, value]) => [name, write(maskedHeader(value))] as const)
  return { status, headers: Object.fromEntries(entries), text: write(maskedText) }
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
  const [first = '', ...pieces] = value.split(text)
  return pieces.reduce(
    (result, piece) => result + (/^\d/.test(piece) ? text : placeholder) + piece,
    first,
  )
}

/** Returns the names of what differs: `status`, `body`, or the name of a header. */
export function differencesOf(
  before: CanonicalResponse,
  after: CanonicalResponse,
): readonly string[] {
  const names = new Set([...Object.keys(before.headers), ...Object.keys(after.headers)])
  const headers = [...names].filter((name) => before.headers[name] !== after.headers[name])
  return [
    ...(before.status === after.status ? [] : ['status']),
    ...(before.text === after.text ? [] : ['body']),
    ...headers,
  ]
}

/** Returns the names of what differs between two responses, without what differs by chance. */
export function differencesBetween(
  { response: before }: Exchange,
  { response: after }: Exchange,
  masked?: MaskedFields,
): readonly string[] {
  // Most texts are the same: no pattern has to go through them.
  const isSameText = before.text === after.text
  const canonical = (response: CallerResponse): CanonicalResponse =>
    canonicalOf(isSameText ? { ...response, text: '' } : response, { replacements: [], masked })
  return differencesOf(canonical(before), canonical(after))
}

/** A rule of isolation. */
export interface IsolationRule {
  /** A fact of at most eight words. */
  readonly name: string
  /** The requirement in words. */
  readonly rule: string
  /** The findings that break the rule. */
  readonly kinds: readonly IsolationFinding['kind'][]
}

/** The rules of isolation. */
export const isolationRules: readonly IsolationRule[] = [
  {
    name: 'callers see their own items',
    rule: 'Each caller reads and lists the items it created. A caller of everything sees them all.',
    kinds: ['unseen'],
  },
  {
    name: 'responses tell nothing of other callers',
    rule: 'A response is the same, byte for byte, with and without the items of another caller.',
    kinds: ['differs'],
  },
  {
    name: 'writes change nothing of other callers',
    rule: 'A write creates, changes and deletes no item of another caller.',
    kinds: ['changes'],
  },
  {
    name: 'cursors belong to their caller',
    rule: 'A list refuses the cursor of another caller.',
    kinds: ['cursor'],
  },
  {
    name: 'conflicts tell of no taken value',
    rule: 'No 409 depends on an item of another caller: unique values include the owner.',
    kinds: ['taken'],
  },
  {
    name: 'hidden fields stay hidden',
    rule: 'No response to a caller without the right depends on a restricted field.',
    kinds: ['hidden'],
  },
  {
    name: 'ids do not count up',
    rule: 'A new id does not tell how many items other callers create.',
    kinds: ['counted'],
  },
]

/** Returns a text with what its tokens hold in Base64, hexadecimal digits or percent escapes. */
export function textsWithin(text: string): string {
  const tokens = [...new Set(text.match(/[\w+/-]{8,}={0,2}/g) ?? [])]
  return [text, unescaped(text), ...tokens.flatMap((token) => [fromBase64(token), fromHex(token)])]
    .filter((form) => form !== undefined)
    .join('\n')
}

function unescaped(text: string): string {
  return text.replace(/%[\da-f]{2}/gi, (triple) =>
    String.fromCharCode(Number.parseInt(triple.slice(1), 16)),
  )
}

function fromBase64(token: string): string | undefined {
  // No Base64 has such a length, and an exception costs more than a decoding.
  if (token.length % 4 === 1) return undefined
  try {
    return atob(token.replaceAll('-', '+').replaceAll('_', '/'))
  } catch {
    return undefined
  }
}

function fromHex(token: string): string | undefined {
  if (!/^(?:[\da-f]{2})+$/i.test(token)) return undefined
  return token.replace(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16)))
}

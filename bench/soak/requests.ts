import { bytesOf } from './answers.ts'
import type { Random } from './random.ts'

/** A request as it goes over the wire. */
export interface Hostile {
  readonly bytes: string
  readonly isHead: boolean
  /** Whether the connection ends with its answer. */
  readonly isLast: boolean
}

/** Existing companies. Only their customers are ever written. */
export type Known = readonly string[]

const unreserved = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~']
const ascii = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at))
const strange = [
  'é',
  'ß',
  '漢',
  '🙂',
  '\u0000',
  '\u0007',
  '\u202e',
  '\ufeff',
  '\ud800',
  '"',
  '\\',
  '%',
]
const escapes = [
  '%00',
  '%2F',
  '%2e%2e',
  '%',
  '%zz',
  '%C0%AF',
  '%F0%9F%99%82',
  '%ED%A0%80',
  '%0d%0a',
]
const words = ['first', 'last', 'count', '..', '.', 'v1', 'v01', 'V1', 'constructor', '__proto__']
const nouns = ['employees', 'companies', 'customers', 'Employees', 'hasOwnProperty', 'admin', '']
const fields = ['name', 'birthdate', 'created_at', 'id', 'email', 'company_id', '__proto__', 'then']
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND']
const types = [
  'text/plain',
  'application/json',
  'application/xml',
  'multipart/form-data',
  'text/html',
]
const values = [
  '1',
  '-1',
  '1e999',
  '""',
  'null',
  'true',
  '[]',
  '{}',
  '"\\u0000"',
  '"\\ud800"',
  '0.1',
]

/** Makes a request of its class; `tag` is another text each time. */
type Make = (random: Random, tag: string, known: Known) => string | Hostile

const classes: readonly Make[] = [
  // Paths of anything.
  (random, tag) => {
    const parts = Array.from({ length: 1 + random.below(12) }, () => segment(random))
    return bytesOf(random.of(['GET', 'POST', 'PUT']), `/${parts.join('/')}/${tag}`)
  },
  // Ids that name nothing, read, replaced and deleted.
  (random, tag) => {
    const id = `${tag}${segment(random)}`.replaceAll('/', '')
    return withBody(random.of(['GET', 'PUT', 'DELETE']), `/v1/employees/${id}`, '{"name":"a"}')
  },
  // Parents that there are not, and too many of them.
  (random, tag) => {
    const depth = 1 + random.below(10)
    const pairs = Array.from({ length: depth }, () => `companies/${segment(random)}`)
    return bytesOf('GET', `/v1/${pairs.join('/')}/customers?limit=1&q=${tag}`)
  },
  // Sort fields, spelled in every way.
  (random, tag) => {
    const sort = Array.from({ length: 1 + random.below(12) }, () => sortField(random))
    return bytesOf(
      'GET',
      `/v1/employees?sort=${sort.join(random.of([',', ',', '%2C', ';']))}&q=${tag}`,
    )
  },
  // Parameters: unknown, repeated, out of range, broken.
  (random, tag) => {
    const pairs = Array.from({ length: 1 + random.below(8) }, () => parameter(random))
    return bytesOf(
      'GET',
      `/employees/${random.of(['', 'first', 'count'])}?q=${tag}&${pairs.join('&')}`,
    )
  },
  // Forged cursors.
  (random, tag) => {
    const cursor = Buffer.from(`${tag}${random.text(random.below(60), ascii)}`).toString(
      'base64url',
    )
    return bytesOf('GET', `/v1/employees?limit=2&after=${cursor}&sort=${random.of(fields)}`)
  },
  // Searches of many words.
  (random, tag) => {
    const q = Array.from({ length: random.below(40) }, () => random.of([...strange, 'a', 'ada']))
    const text = encodeURIComponent(q.join(' ').toWellFormed())
    return bytesOf('GET', `/v1/employees/count?q=${tag}+${text}`)
  },
  // Media types and codings.
  (random, tag, known) => {
    const parameters = ['', ';', '; charset=utf-8', '; charset="', `; a=${tag}`]
    const type = random.of(types) + random.of(parameters)
    const fields = { 'content-type': type, 'x-tag': tag, ...coding(random) }
    return bytesOf('POST', customersOf(random, known), { body: '{"name":"a"}', fields })
  },
  // Text that is almost JSON.
  (random, tag, known) => {
    const body = JSON.stringify({ name: tag, email: 'a@example.com', list: [1, 'b', null] })
    const at = random.below(body.length)
    const broken =
      body.slice(0, at) + random.of([...ascii, ...escapes]) + body.slice(at + random.below(3))
    return bytesOf('POST', customersOf(random, known), { body: broken })
  },
  // JSON of another shape than the schema allows.
  (random, tag, known) =>
    bytesOf('POST', customersOf(random, known), { body: json(random, tag, 0) }),
  // Keys that occur twice, are forbidden, or are too many; values too deep.
  (random, tag, known) => bytesOf('POST', customersOf(random, known), { body: keys(random, tag) }),
  // Bulks.
  (random, tag) => {
    const items = Array.from({ length: random.below(30) }, (_, at) => ({ id: `${tag}-${at >> 1}` }))
    const body = JSON.stringify(random.below(4) === 0 ? { items } : [...items, random.next()])
    return bytesOf('PUT', '/v1/employees', { body })
  },
  // Conditions, preferences, ranges, and fields that mean nothing.
  (random, tag) => {
    const fields = Object.fromEntries(
      Array.from({ length: 1 + random.below(6) }, () => [field(random), `${value(random)}${tag}`]),
    )
    return bytesOf(random.of(['GET', 'DELETE']), `/v1/companies/none-${tag}`, { fields })
  },
  // Methods of every kind on targets of every kind; HEAD and OPTIONS among them.
  (random, tag) => {
    const method = random.of(methods)
    const path = random.of(['/v1/employees/first', `/v1/employees/${tag}`, `/v2/${tag}`, `/${tag}`])
    return { bytes: bytesOf(method, path), isHead: method === 'HEAD', isLast: false }
  },
  // Bodies where none belongs, parameters where none do.
  (random, tag) =>
    bytesOf(random.of(['GET', 'DELETE']), `/v1/employees?${tag}=${random.next()}`, { body: tag }),
  // Valid requests, so that deletions find items.
  (random, tag, known) => {
    const path = customersOf(random, known)
    if (random.below(8) === 0) return bytesOf('DELETE', path)
    if (random.below(2) === 0) return bytesOf('GET', `${path}?limit=5&q=${tag}`)
    return bytesOf('POST', path, { body: JSON.stringify({ name: tag }) })
  },
]

// Each costs a connection.
const last: readonly Make[] = [
  (_, tag) => `GET /v1/employees/${tag} HTTP/1.1\r\n\r\n`,
  (_, tag) => `GET /v1/employees/${tag} HTTP/1.1\r\nHost: localhost\r\nHost: b\r\n\r\n`,
  (_, tag) => `GET /v1/employees/${tag} HTTP/2.0\r\nHost: localhost\r\n\r\n`,
  (_, tag) =>
    `GET /v1/employees/${tag} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\n\r\n`,
  (_, tag) => `GET /v1/employees/${tag} HTTP/1.1\r\nHost: localhost\r\nExpect: ${tag}\r\n\r\n`,
  (_, tag) =>
    `GET /v1/employees/${tag} HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
  (_, tag) => `GET /v1/employees/${tag}\u0001 HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  (_, tag) => `${tag.toUpperCase()} /v1/employees HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  (_, tag) => `CONNECT ${tag}.example:80 HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  (_, tag) => `POST /v1/employees HTTP/1.1\r\nHost: localhost\r\nContent-Length: -${tag}\r\n\r\n`,
]

/** Makes the next request. No two are the same, and another seed makes different ones. */
export function hostileRequest(random: Random, number: number, known: Known): Hostile {
  const isLast = random.below(100) === 0
  const tag = `t${number.toString(36)}x`
  const made = random.of(isLast ? last : classes)(random, tag, known)
  return typeof made === 'string' ? { bytes: made, isHead: false, isLast } : made
}

function withBody(method: string, path: string, body: string): string {
  return method === 'PUT' ? bytesOf(method, path, { body }) : bytesOf(method, path)
}

function customersOf(random: Random, known: Known): string {
  return `/v1/companies/${random.of(known)}/customers`
}

// No space, no control character, nothing beyond Latin-1: that is a request line of its own class.
function segment(random: Random): string {
  const kind = random.below(6)
  if (kind === 0) return random.of(words)
  if (kind === 1) return random.of(nouns)
  if (kind === 2) return random.of(escapes)
  if (kind === 3) return encodeURIComponent(random.of(strange).toWellFormed())
  return random.text(random.below(kind === 4 ? 12 : 400), unreserved)
}

function sortField(random: Random): string {
  const field = random.below(3) === 0 ? random.text(5, unreserved) : random.of(fields)
  return random.of(['', '-', '--', '+', '%20']) + field + random.of(['', '', ':desc', '%00'])
}

function parameter(random: Random): string {
  const name = random.of(['limit', 'after', 'sort', 'sort[]', 'Q', 'page', '__proto__', '%zz'])
  const values = [...escapes, '0', '-1', '1e3', '99999999999']
  return name + random.of(['=', '', '==']) + random.of(values)
}

function coding(random: Random): Record<string, string> {
  return random.below(2) === 0
    ? {}
    : { 'content-encoding': random.of(['gzip', 'br', 'identity', '']) }
}

function json(random: Random, tag: string, depth: number): string {
  if (depth > 5 || random.below(3) === 0) return random.of([...values, JSON.stringify(tag)])
  const members = Array.from({ length: random.below(6) }, () => json(random, tag, depth + 1))
  if (random.below(2) === 0) return `[${members.join(',')}]`
  return `{${members.map((member, at) => `"${random.of(fields)}${at}":${member}`).join(',')}}`
}

function keys(random: Random, tag: string): string {
  const kind = random.below(4)
  if (kind === 0) return `{"name":"${tag}","n\\u0061me":"${tag}"}`
  if (kind === 1) return `{"name":"${tag}","__proto__":{"polluted":true}}`
  const depth = 20 + random.below(60)
  if (kind === 2) return `{"${tag}":${'['.repeat(depth)}${']'.repeat(depth)}}`
  const many = Array.from({ length: random.below(300) }, (_, at) => `"${tag}${at}":${at}`)
  return `{${many.join(',')}}`
}

const fieldNames = ['If-Match', 'If-None-Match', 'Prefer', 'Range', 'Content-Range', 'Accept', 'TE']
const more = [
  'X-HTTP-Method-Override',
  'X-Forwarded-For',
  'Cookie',
  'Authorization',
  'Upgrade-Insecure',
]
const fieldValues = [
  '"',
  'W/"a"',
  '*',
  'max-affected=',
  'max-affected=-1;',
  'bytes=0-1,',
  ',,,',
  'é',
]

function field(random: Random): string {
  return random.of([...fieldNames, ...more])
}

function value(random: Random): string {
  return `${random.of(fieldValues)}${random.text(random.below(20), unreserved)}`
}

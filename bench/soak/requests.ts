import { bytesOf, type Request } from '../support/connection.ts'
import { randomNumbers } from '../support/figures.ts'

/** A request that a careful server refuses, or answers as any other. */
export interface HostileRequest extends Request {
  /** Whether the connection ends with its answer. */
  readonly isLast: boolean
}

/** Numbers, texts and choices as if by chance, the same for the same seed. */
export class Random {
  readonly #next: () => number

  constructor(seed: number) {
    this.#next = randomNumbers(seed)
  }

  /** A whole number from 0 to below a limit. */
  below(limit: number): number {
    return Math.floor((this.#next() / 2 ** 32) * limit)
  }

  /** One of several. */
  of<Value>(values: readonly Value[]): Value {
    const value = values[this.below(values.length)]
    if (value === undefined) throw new RangeError('There is nothing to choose from.')
    return value
  }

  /** Several of a kind, fewer than a limit. */
  list<Value>(limit: number, make: (place: number) => Value): Value[] {
    return Array.from({ length: this.below(limit) }, (_, place) => make(place))
  }

  /** A text of some of these characters. */
  text(length: number, characters: readonly string[]): string {
    return Array.from({ length }, () => this.of(characters)).join('')
  }
}

const host = 'Host: localhost'
const unreserved = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~']
const ascii = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at))
const strange = [...'éß漢🙂\u0000\u0007\u202e\ufeff"\\%', '\ud800']
const escapes = '%00 %2F %2e%2e % %zz %C0%AF %F0%9F%99%82 %ED%A0%80 %0d%0a'.split(' ')
const words = 'first last count .. . v1 v01 V1 constructor __proto__'.split(' ')
const nouns = [...'employees companies customers Employees hasOwnProperty admin'.split(' '), '']
const fields = 'name birthdate created_at id email company_id __proto__ then'.split(' ')
const methods = 'GET HEAD POST PUT DELETE PATCH OPTIONS TRACE PROPFIND'.split(' ')
const types = 'text/plain application/json application/xml multipart/form-data text/html'.split(' ')
const values = '1 -1 1e999 "" null true [] {} "\\u0000" "\\ud800" 0.1'.split(' ')
const fieldNames = (
  'If-Match If-None-Match Prefer Range Content-Range Accept TE X-HTTP-Method-Override ' +
  'X-Forwarded-For Cookie Authorization Upgrade-Insecure'
).split(' ')
const fieldValues = '" W/"a" * max-affected= max-affected=-1; bytes=0-1, ,,, é'.split(' ')

/** Makes a request of its class; `tag` is another text each time. */
type Make = (random: Random, tag: string, companies: readonly string[]) => string

const classes: readonly Make[] = [
  // Paths of anything.
  (random, tag) => {
    const segments = [segment(random), ...random.list(12, () => segment(random))]
    return bytesOf(random.of(['GET', 'POST', 'PUT']), `/${segments.join('/')}/${tag}`)
  },
  // Ids that name nothing, read, replaced and deleted.
  (random, tag) => {
    const path = `/v1/employees/${`${tag}${segment(random)}`.replaceAll('/', '')}`
    const method = random.of(['GET', 'PUT', 'DELETE'])
    return bytesOf(method, path, method === 'PUT' ? { body: '{"name":"a"}' } : {})
  },
  // Parents that there are not, and too many of them.
  (random, tag) => {
    const pairs = [1, ...random.list(10, () => 1)].map(() => `companies/${segment(random)}`)
    return bytesOf('GET', `/v1/${pairs.join('/')}/customers?limit=1&q=${tag}`)
  },
  // Sort fields, spelled in every way.
  (random, tag) => {
    const sort = [sortField(random), ...random.list(12, () => sortField(random))]
    const text = sort.join(random.of([',', ',', '%2C', ';']))
    return bytesOf('GET', `/v1/employees?sort=${text}&q=${tag}`)
  },
  // Parameters: unknown, repeated, out of range, broken.
  (random, tag) => {
    const pairs = [parameter(random), ...random.list(8, () => parameter(random))]
    const path = `/employees/${random.of(['', 'first', 'count'])}`
    return bytesOf('GET', `${path}?q=${tag}&${pairs.join('&')}`)
  },
  // Forged cursors.
  (random, tag) => {
    const text = `${tag}${random.text(random.below(60), ascii)}`
    const cursor = Buffer.from(text).toString('base64url')
    return bytesOf('GET', `/v1/employees?limit=2&after=${cursor}&sort=${random.of(fields)}`)
  },
  // Searches of many words.
  (random, tag) => {
    const q = random.list(40, () => random.of([...strange, 'a', 'ada'])).join(' ')
    return bytesOf('GET', `/v1/employees/count?q=${tag}+${encodeURIComponent(q.toWellFormed())}`)
  },
  // Media types and codings.
  (random, tag, companies) => {
    const parameters = ['', ';', '; charset=utf-8', '; charset="', `; a=${tag}`]
    const coding = { 'content-encoding': random.of(['gzip', 'br', 'identity', '']) }
    const type = random.of(types) + random.of(parameters)
    const fields = { 'content-type': type, 'x-tag': tag, ...(random.below(2) > 0 && coding) }
    return bytesOf('POST', customersOf(random, companies), { body: '{"name":"a"}', fields })
  },
  // Text that is almost JSON.
  (random, tag, companies) => {
    const body = JSON.stringify({ name: tag, email: 'a@example.com', list: [1, 'b', null] })
    const at = random.below(body.length)
    const tail = body.slice(at + random.below(3))
    const broken = body.slice(0, at) + random.of([...ascii, ...escapes]) + tail
    return bytesOf('POST', customersOf(random, companies), { body: broken })
  },
  // JSON of another shape than the schema allows.
  (random, tag, companies) =>
    bytesOf('POST', customersOf(random, companies), { body: json(random, tag, 0) }),
  // Keys that occur twice, are forbidden, or are too many; values too deep.
  (random, tag, companies) =>
    bytesOf('POST', customersOf(random, companies), { body: keys(random, tag) }),
  // Bulks.
  (random, tag) => {
    const items: unknown[] = random.list(30, (at) => ({ id: `${tag}-${at >> 1}` }))
    const body = JSON.stringify(random.below(4) === 0 ? { items } : [...items, random.below(9)])
    return bytesOf('PUT', '/v1/employees', { body })
  },
  // Conditions, preferences, ranges, and fields that mean nothing.
  (random, tag) => {
    const pairs = [1, ...random.list(6, () => 1)].map(() => {
      const value = random.of(fieldValues) + random.text(random.below(20), unreserved)
      return [random.of(fieldNames), `${value}${tag}`]
    })
    const method = random.of(['GET', 'DELETE'])
    return bytesOf(method, `/v1/companies/none-${tag}`, { fields: Object.fromEntries(pairs) })
  },
  // Methods of every kind on targets of every kind; HEAD and OPTIONS among them.
  (random, tag) => {
    const paths = ['/v1/employees/first', `/v1/employees/${tag}`, `/v2/${tag}`, `/${tag}`]
    return bytesOf(random.of(methods), random.of(paths))
  },
  // Bodies where none belongs, parameters where none do.
  (random, tag) => {
    const method = random.of(['GET', 'DELETE'])
    return bytesOf(method, `/v1/employees?${tag}=${random.below(99)}`, { body: tag })
  },
  // Valid requests, so that deletions find items.
  (random, tag, companies) => {
    const path = customersOf(random, companies)
    if (random.below(8) === 0) return bytesOf('DELETE', path)
    if (random.below(2) === 0) return bytesOf('GET', `${path}?limit=5&q=${tag}`)
    return bytesOf('POST', path, { body: JSON.stringify({ name: tag }) })
  },
]

// Each costs a connection.
const last: readonly ((tag: string) => readonly string[])[] = [
  (tag) => [`GET /v1/employees/${tag} HTTP/1.1`],
  (tag) => [`GET /v1/employees/${tag} HTTP/1.1`, host, 'Host: b'],
  (tag) => [`GET /v1/employees/${tag} HTTP/2.0`, host],
  (tag) => [`GET /v1/employees/${tag} HTTP/1.1`, host, 'Transfer-Encoding: gzip'],
  (tag) => [`GET /v1/employees/${tag} HTTP/1.1`, host, `Expect: ${tag}`],
  (tag) => [`GET /v1/employees/${tag} HTTP/1.1`, host, `X: ${'x'.repeat(20_000)}`],
  (tag) => [`GET /v1/employees/${tag}\u0001 HTTP/1.1`, host],
  (tag) => [`${tag.toUpperCase()} /v1/employees HTTP/1.1`, host],
  (tag) => [`CONNECT ${tag}.example:80 HTTP/1.1`, host],
  (tag) => ['POST /v1/employees HTTP/1.1', host, `Content-Length: -${tag}`],
]

/** Makes the next request. No two are the same, and another seed makes different ones. */
export function hostileRequest(
  random: Random,
  number: number,
  companies: readonly string[],
): HostileRequest {
  const isLast = random.below(100) === 0
  const tag = `t${number.toString(36)}x`
  const bytes = isLast
    ? `${random.of(last)(tag).join('\r\n')}\r\n\r\n`
    : random.of(classes)(random, tag, companies)
  return { bytes, isHead: bytes.startsWith('HEAD '), isLast }
}

function customersOf(random: Random, companies: readonly string[]): string {
  return `/v1/companies/${random.of(companies)}/customers`
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

function json(random: Random, tag: string, depth: number): string {
  if (depth > 5 || random.below(3) === 0) return random.of([...values, JSON.stringify(tag)])
  const members = random.list(6, () => json(random, tag, depth + 1))
  if (random.below(2) === 0) return `[${members.join(',')}]`
  return `{${members.map((member, at) => `"${random.of(fields)}${at}":${member}`).join(',')}}`
}

function keys(random: Random, tag: string): string {
  const depth = 20 + random.below(60)
  const many = random.list(300, (at) => `"${tag}${at}":${at}`)
  return random.of([
    `{"name":"${tag}","n\\u0061me":"${tag}"}`,
    `{"name":"${tag}","__proto__":{"polluted":true}}`,
    `{"${tag}":${'['.repeat(depth)}${']'.repeat(depth)}}`,
    `{${many.join(',')}}`,
  ])
}

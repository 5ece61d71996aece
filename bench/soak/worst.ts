import { bytesOf as formatRequest } from '../support/connection.ts'

/** The worst requests that the limits allow, by name. */
export function worstRequests(): ReadonlyMap<string, string> {
  const long = 1_048_000
  return new Map([
    ['nothing', bytesOf('GET', '/v1/employees/e-1')],
    ['1 MiB: 80,000 unknown keys', create({ name: 'a', ...manyKeys(80_000) })],
    ['1 MiB: 80,000 keys in a field', letter(manyKeys(80_000))],
    ['1 MiB: 4,900 keys', letter(manyKeys(4900, 'x'.repeat(200)))],
    ['1 MiB: 30 levels deep, wide', letter(deep(long))],
    ['1 MiB: 500,000 numbers', letter(Array.from({ length: 500_000 }, () => 1))],
    ['1 MiB: one string of escapes', letterText('\\u0041'.repeat(long / 6))],
    ['1 MiB: one string', letterText('a'.repeat(long))],
    ['1 MiB: one string, 3 bytes each', letterText('漢'.repeat(long / 3))],
    ['1 MiB: text that cannot be stored', letterText('\\u0000'.repeat(long / 6))],
    ['1 MiB: 69,000 of them', letter(Array.from({ length: 69_000 }, () => '\u0000\u0000'))],
    ['1 MiB: no JSON at its end', letterText(`${'a'.repeat(long)}"`)],
    ['1 MiB: one number', letterRaw(`"pages":${'1'.repeat(long)}`)],
    ['bulk of 1,000, right', bulk((at) => ({ name: `Ada ${at}`, birthdate: '1988-12-10' }))],
    ['bulk of 1,000, all wrong', bulk(() => ({ name: 7, birthdate: 'x', a: 1, b: 2 }))],
    ['bulk of 1,000, 1 MiB', bulk(() => ({ name: 'a'.repeat(900), birthdate: '1988-12-10' }))],
    ['bulk of 1,000, unknown', bulk((at) => ({ name: `a ${at}`, birthdate: '1988-12-10' }), 'x')],
    ['target of 4,096 bytes: segments', bytesOf('GET', `/v1${'/a'.repeat(2000)}`)],
    ['escapes', bytesOf('GET', `/v1/employees/${'%61'.repeat(1300)}`)],
    ['parameters', bytesOf('GET', `/v1/employees?${'a&'.repeat(2000)}`)],
    ['sort fields', bytesOf('GET', `/v1/employees?sort=${'name,'.repeat(800)}`)],
    ['q of 128 words, 10,000 items', bytesOf('GET', `/v1/sheets/count?q=${'e+'.repeat(127)}e`)],
    ['q of 1 word of 256, nothing found', bytesOf('GET', `/v1/sheets?q=${'the%20w'.repeat(36)}`)],
    ['q, the last item found', bytesOf('GET', '/v1/sheets/last?q=same+zzz')],
    ['sort by 8 fields, page of 10', sorted('limit=10')],
    ['sort by 8 fields, page of 1,000', sorted('limit=1000')],
    ['10,000 items at once', bytesOf('GET', '/v1/sheets')],
    ['50 MB, item by item', bytesOf('GET', '/v1/events')],
    ['cursor of 4,000 bytes', bytesOf('GET', `/v1/sheets?after=${'WyJh'.repeat(1000)}`)],
  ])
}

// Each is the only one of its connection, which ends with its answer.
function bytesOf(method: string, target: string, options: { readonly body?: string } = {}) {
  return formatRequest(method, target, { ...options, fields: { connection: 'close' } })
}

/** Returns another sort each turn, so that no cached order helps. */
export function sortsOf(turn: number): string {
  const columns = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  // Seven fields that say nothing, in another order and direction, and one that does.
  const turned = columns.map((_, at) => columns[(at + turn) % columns.length])
  const signs = (at: number): string => ((turn >> (at % 5)) & 1 ? '-' : '')
  return [...turned.map((column, at) => `${signs(at)}${column}`), 'h'].join(',')
}

/** Stands for {@link sortsOf} in a request. */
export const sortMark = 'SORT'

function sorted(page: string): string {
  return bytesOf('GET', `/v1/sheets?sort=${sortMark}&${page}`)
}

function create(item: object): string {
  return bytesOf('POST', '/v1/companies', { body: JSON.stringify(item) })
}

function letter(pages: unknown): string {
  return letterRaw(`"pages":${JSON.stringify(pages)}`)
}

function letterText(text: string): string {
  return letterRaw(`"text":"${text}"`)
}

function letterRaw(member: string): string {
  return bytesOf('POST', '/v1/letters', { body: `{${member}}` })
}

function manyKeys(count: number, value: unknown = 1): Record<string, unknown> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`k${at.toString(36)}`, value]),
  )
}

function deep(length: number): unknown {
  const one = JSON.parse(`${'['.repeat(29)}${']'.repeat(29)}`)
  return Array.from({ length: Math.floor(length / 59) }, () => one)
}

function bulk(item: (at: number) => object, prefix = 'e-'): string {
  const items = Array.from({ length: 1000 }, (_, at) => ({ id: `${prefix}${at + 1}`, ...item(at) }))
  return bytesOf('PUT', '/v1/employees', { body: JSON.stringify(items) })
}

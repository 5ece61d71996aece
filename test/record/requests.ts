import type { HttpRequest } from 'nounful'
import type { Random } from './random.ts'
import { dates, draftOf, moments, numbers, spoil, texts } from './values.ts'

/** What earlier responses of the same thousand tell. */
export interface Memory {
  readonly links: string[]
  readonly etags: string[]
}

interface Target {
  readonly version: string
  readonly noun: string
  readonly path: string
}

const encode = encodeURIComponent
const fields: Record<string, readonly string[]> = {
  teams: ['id', 'name', 'city'],
  'v1 players': ['id', 'name', 'team_id', 'number', 'active', 'city', 'revision'],
  'v2 players': [
    ...['id', 'full_name', 'team_id', 'shirt', 'rating', 'state', 'born', 'joined', 'captain'],
    ...['salary', 'tags', 'address', 'rival_id', 'tenant_id', 'revision'],
  ],
  specimens: ['id', 'name', 'note', 'rank', 'flag', 'data'],
}
const references = ['team', 'rival', 'team,rival', 'team_id', '', 'nounful_no']
const operators = [
  ...['', '', '', ':ne', ':null', ':gt', ':gte', ':lt', ':lte'],
  ...[':contains', ':startsWith', ':endsWith', ':nounful_no', ':'],
]

/** Makes the next request. */
export function requestOf(random: Random, memory: Memory): HttpRequest {
  const link = memory.links.at(-1)
  const authorization = callerOf(random)
  if (link !== undefined && random.chance(6)) {
    return { method: 'GET', url: tampered(random, link), headers: { authorization } }
  }
  const target = targetOf(random)
  const isWrite = random.chance(40)
  const request = isWrite ? writeTo(random, target) : readOf(random, target)
  const headers = {
    authorization,
    ...headersOf(random, memory, request.method),
    ...request.headers,
  }
  return { ...request, headers }
}

function callerOf(random: Random): string {
  if (random.chance(2)) return random.pick(['', 'Bearer nobody', 'Basic x'])
  return `Bearer ${random.pick(['ann', 'ann', 'amy', 'amy', 'bob', 'both', 'ops'])}`
}

function tampered(random: Random, link: string): string {
  if (random.chance(70)) return link
  return random.pick([
    `${link}x`,
    `${link}&sort=-id`,
    `${link}&q=a`,
    `${link}&limit=1`,
    `${link}&id=p1`,
  ])
}

function targetOf(random: Random): Target {
  const version = random.pick(['v1', 'v2', 'v2'])
  const team = random.pick(['t1', 't2', 't3', 't1x', 'first', 'nounful_no'])
  const nouns = ['teams', 'players', 'players', `teams/${team}/players`]
  const below = random.pick(version === 'v1' ? nouns : [...nouns, 'specimens', 'specimens'])
  const noun = below.split('/').at(-1) ?? below
  const path = `${random.chance(95) ? `/${version}` : ''}/${below}`
  return { version, noun, path: random.chance(96) ? path : misspelt(random, path) }
}

function misspelt(random: Random, path: string): string {
  const parts = [
    ...[path.toUpperCase(), path.replace('v1', 'v9'), path.replace('v2', 'v02'), `/${path}`],
    ...[path.slice(0, -1), `${path}s`, `${path}/x/y`, '/', '', '/v1', path.replace('t', '%74')],
    ...[`${path}/..`, `${path}/%2e`, path.replace('/v', '//v'), `${path}%`, `${path}%zz`],
  ]
  return random.pick(parts)
}

function idOf(random: Random, { noun }: Target): string {
  if (random.chance(8)) {
    return random.pick([
      ...['nounful_no', '0', '-1', 'null', '%00', '%ff', 'a%2Fb', '%20', '.', '..', '%2e%2e', 'é'],
      ...['x'.repeat(256), '%66irst', 'FIRST', 'p1.json', 'p1;x=1', '%70%31', '%25', 'p1/'],
    ])
  }
  if (noun === 'teams') return `t${random.pick(['1', '2', '3', `${random.below(30)}x`])}`
  if (noun === 'specimens') return `s${random.below(60)}${random.pick(['x', 'x', ''])}`
  return `p${1 + random.below(25)}`
}

function readOf(random: Random, target: Target): HttpRequest {
  const method = random.pick([
    ...['GET', 'GET', 'GET', 'GET', 'GET', 'GET', 'GET', 'GET', 'HEAD', 'OPTIONS'],
    ...(random.chance(10) ? ['TRACE', 'get', 'QUERY', 'PROPFIND', 'LOCK'] : []),
  ])
  const end = random.pick(['', '', '', '', '/first', '/last', '/count', `/${idOf(random, target)}`])
  const count = random.pick([0, 0, 1, 1, 1, 2, 2, 3, 4])
  const query = Array.from({ length: count }, () => parameterOf(random, target)).join('&')
  const slash = random.chance(2) ? '/' : ''
  return { method, url: `${target.path}${end}${slash}${query && `?${query}`}` }
}

function fieldOf(random: Random, { version, noun }: Target): string {
  if (random.chance(4)) return random.pick(['nounful_no', '__proto__', '', 'ID', 'constructor'])
  return random.pick(fields[`${version} ${noun}`] ?? fields[noun] ?? ['id'])
}

function textFor(random: Random, field: string): string {
  if (random.chance(10))
    return random.pick(['', 'null', 'true', '1', '01', 'zz', 'a,b', '%', 'TRUE'])
  if (field === 'born') return random.pick(dates)
  if (field === 'joined') return random.pick(moments)
  if (/^(?:shirt|number|rating|rank|salary)$/.test(field)) return `${random.pick(numbers)}`
  if (/^(?:active|captain|flag)$/.test(field)) return random.pick(['true', 'false'])
  if (field === 'state') return random.pick(['active', 'injured', 'left', 'LEFT'])
  if (field === 'team_id') return `t${1 + random.below(4)}`
  if (field === 'id') return `${random.pick(['p', 't', 's'])}${1 + random.below(12)}`
  const text = random.pick(texts)
  return random.pick([text, text, text.slice(0, 2), text.slice(-2), text.toUpperCase()])
}

function filterOf(random: Random, target: Target): string {
  const field = fieldOf(random, target)
  const operator = random.pick(operators)
  const value =
    operator === ':null' ? random.pick(['true', 'false', 'yes']) : textFor(random, field)
  const filter = `${field}${operator}=${encode(value)}`
  return random.chance(12)
    ? `${filter}&${field}${operator}=${encode(textFor(random, field))}`
    : filter
}

function parameterOf(random: Random, target: Target): string {
  const field = () => `${random.pick(['', '-'])}${fieldOf(random, target)}`
  const makers = [
    () => filterOf(random, target),
    () => filterOf(random, target),
    () => `sort=${random.pick([field(), `${field()},${field()}`, `${field()},id`])}`,
    () => `q=${encode(random.pick([...texts, 'a', 'A', '%', '_', ' ', 'nounful_no', 'lee ann']))}`,
    () => `fields=${random.pick([fieldOf(random, target), `id,${fieldOf(random, target)}`])}`,
    () =>
      `limit=${random.pick(['1', '2', '3', '5', '10', '1000', '0', '-1', 'a', '', '01', '1001'])}`,
    () => `limit=${1 + random.below(9)}`,
    () =>
      `limit=${1 + random.below(5)}&offset=${random.pick(['0', '1', '3', '10000', '10001', 'a'])}`,
    () => `include=${random.pick(references)}&limit=9`,
    () =>
      random.pick(['nounful_no=1', 'dry_run=true', 'LIMIT=1', 'limit[]=1', 'q=%', 'sort=', '&']),
    () => `after=${random.pick(['x', '', '%00', 'W10', 'eyJ9', 'bnVsbA'])}`,
  ]
  return random.pick(makers)()
}

function writeTo(random: Random, target: Target): HttpRequest {
  const item = `${target.path}/${idOf(random, target)}`
  const dry = random.chance(10) ? `?dry_run=${random.pick(['true', 'true', 'false', 'yes'])}` : ''
  const method = random.pick(['POST', 'POST', 'POST', 'PUT', 'PATCH', 'PATCH', 'DELETE', 'MANY'])
  if (method === 'DELETE') return removalOf(random, target.path, item)
  if (method === 'MANY') return bulkTo(random, target, dry)
  const url = `${method === 'POST' && random.chance(98) ? target.path : item}${dry}`
  return {
    method,
    url,
    ...bodyOf(random, method === 'PATCH' ? patchOf(random, target) : whole(random, target)),
  }
}

function removalOf(random: Random, path: string, item: string): HttpRequest {
  if (random.chance(88)) return { method: 'DELETE', url: item }
  const prefer = `max-affected=${random.pick(['0', '1', '3', '1000', 'a'])}`
  const query = random.pick(['', '', '', '?q=a', '?id=p1'])
  const headers = random.chance(70) ? { prefer } : {}
  return { method: 'DELETE', url: `${path}${query}`, headers }
}

function whole(random: Random, { version, noun }: Target): Record<string, unknown> {
  const body = draftOf(random, version, noun)
  return random.chance(20) ? spoil(random, body) : body
}

function patchOf(random: Random, { version, noun }: Target): Record<string, unknown> {
  const body = draftOf(random, version, noun)
  const entries = Object.entries(body).filter(([key]) => key !== 'id' && random.chance(40))
  const patch = Object.fromEntries(
    entries.map(([key, value]) => [key, random.chance(12) ? null : value]),
  )
  return random.chance(15) ? spoil(random, patch) : patch
}

function bulkTo(random: Random, target: Target, dry: string): HttpRequest {
  const method = random.pick(['POST', 'PUT', 'PATCH'])
  const items = Array.from({ length: random.below(4) }, () => {
    const body = method === 'PATCH' ? patchOf(random, target) : whole(random, target)
    const id = decodeURIComponent(idOf(random, target).replace(/%(?:00|ff|25|$)/g, ''))
    return method === 'POST' ? body : { ...body, id }
  })
  return { method, url: `${target.path}${dry}`, ...bodyOf(random, items) }
}

function bodyOf(random: Random, value: unknown): Pick<HttpRequest, 'body' | 'headers'> {
  const type = random.chance(95)
    ? 'application/json'
    : random.pick([
        'application/merge-patch+json',
        'text/plain',
        '',
        'application/json; charset=utf-16',
      ])
  const json = JSON.stringify(value)
  const broken = [
    '',
    '{',
    'null',
    '1',
    '"x"',
    `${json}}`,
    '{"a":1,"a":2}',
    '{"__proto__":1}',
    '[[]]',
  ]
  return {
    body: random.chance(96) ? json : random.pick(broken),
    headers: type === '' ? {} : { 'content-type': type },
  }
}

function headersOf(random: Random, { etags }: Memory, method: string): Record<string, string> {
  const tag = random.pick(['"1"', '*', 'W/"1"', '"x"', 'x', '', '"1", "2"', ...etags.slice(-5)])
  const headers = [
    () => ({ 'if-match': tag }),
    () => ({ 'if-none-match': tag }),
    () => ({ accept: random.pick(['application/json', 'text/csv', '*/*', 'text/html', '']) }),
    () => ({ prefer: random.pick(['count=exact', 'return=minimal', 'wait=1', 'count=planned']) }),
    () => ({ traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }),
    () => ({ range: 'bytes=0-1' }),
    () => ({ 'content-range': 'items 0-1/2' }),
    () => ({ 'idempotency-key': random.pick([`key-${random.below(20)}`, '', 'a b', '"quoted"']) }),
  ]
  const isKeyed = method === 'POST' && random.chance(12)
  const key = isKeyed ? { 'idempotency-key': `key-${random.below(20)}` } : {}
  return random.chance(15) ? random.pick(headers)() : key
}

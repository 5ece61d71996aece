import type { Random } from './random.ts'

/** The texts that stores order, fold, cut or escape differently, if they are wrong. */
export const texts = [
  ...['Ada', 'ada', 'Émile', 'émile', 'ß', 'SS', 'σ', 'Σ', '😀', '～', ' a', 'a b c', 'c b a'],
  ...['a%b', 'a_b', 'a\\b', "a'b", '10', '9', '1e3', 'null', 'true', '0', 'Z', 'z', 'é', 'x y'],
  ...['2020-01-01', '2020-01-01T00:00:00Z', 'Ida Lund', 'Ann Lee', 'Bo', 'x'.repeat(90)],
]
export const numbers = [0, 1, -1.5, 2, 10, 0.30000000000000004, 99.95, 7, 1000, -1000, 3.25]
export const dates = ['1990-01-01', '1815-12-10', '2024-02-29', '2000-06-15']
export const moments = ['2020-01-01T00:00:00Z', '2021-05-05T12:30:00.250Z', '1999-12-31T23:59:59Z']
const objects = [{ born: 1815, works: ['Notes', { year: 1843, read: null }] }, {}, { a: [] }]
const states = ['active', 'injured', 'left']
const maybe = (random: Random, value: unknown) => (random.chance(55) ? value : undefined)

type Draft = (random: Random) => Record<string, unknown>

/** The valid body of each resource, by the last noun of a path and the version. */
const drafts: Record<string, Draft> = {
  teams: (random) => ({
    id: random.chance(30) ? `t${random.below(30)}x` : undefined,
    name: `${random.pick(texts)} ${random.below(40)}`,
    city: random.pick([null, ...texts]),
  }),
  'v1 players': (random) => ({
    name: random.pick(texts),
    team_id: `t${1 + random.below(4)}`,
    number: random.pick([null, 1, 7, 10, 99]),
    active: random.chance(50),
    city: maybe(random, random.pick(texts)),
  }),
  'v2 players': (random) => ({
    full_name: random.pick(texts),
    team_id: `t${1 + random.below(4)}`,
    rival_id: maybe(random, `p${1 + random.below(12)}`),
    shirt: random.pick([null, 1, 7, 10, 99]),
    rating: maybe(random, random.pick(numbers)),
    state: random.pick(states),
    born: maybe(random, random.pick(dates)),
    joined: maybe(random, random.pick(moments)),
    captain: maybe(random, random.chance(50)),
    tags: maybe(random, [random.pick(texts).slice(0, 20), 'b'].slice(random.below(2))),
    address: maybe(random, { city: random.pick(texts), zip: maybe(random, '3000') }),
    salary: random.chance(10) ? random.pick(numbers) : undefined,
    tenant_id: random.chance(4) ? random.pick(['a', 'b']) : undefined,
  }),
  specimens: (random) => ({
    id: random.chance(60) ? `s${random.below(60)}x` : undefined,
    name: random.pick(['', ...texts]),
    note: maybe(random, random.pick(texts)),
    rank: maybe(random, random.pick(numbers)),
    flag: maybe(random, random.chance(50)),
    data: maybe(random, random.pick(objects)),
  }),
}

/** Returns the valid body for a collection: `v2 players` or, alike in both versions, `teams`. */
export function draftOf(random: Random, version: string, noun: string): Record<string, unknown> {
  const draft = drafts[`${version} ${noun}`] ?? drafts[noun]
  const body = draft?.(random) ?? {}
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
}

/** The values that no field, or only a field of another type, takes. */
const wrong = [
  null,
  '',
  'zz',
  1.5,
  -1,
  true,
  [],
  {},
  ['a', 1],
  '2020-13-45',
  'x'.repeat(300),
  '\u0007',
]

/** Returns a body with one fault, or at times with two. */
export function spoil(random: Random, body: Record<string, unknown>): Record<string, unknown> {
  const key = random.pick([...Object.keys(body), 'nounful_no', 'id', 'revision', 'tenant_id'])
  const { [key]: _, ...without } = body
  const spoilt = random.chance(30) ? without : { ...body, [key]: random.pick(wrong) }
  return random.chance(20) ? spoil(random, spoilt) : spoilt
}

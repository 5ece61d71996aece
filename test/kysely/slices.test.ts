import { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { Kysely, sql } from 'kysely'
import {
  defineApi,
  defineRegistry,
  defineResource,
  type Registry,
  type UncheckedAdapter,
} from 'nounful'
import { toFetchHandler } from 'nounful/fetch'
import { d1Dialect, kyselyAdapter, type Search, sqliteDialect } from 'nounful/kysely'
import { memoryAdapter } from 'nounful/memory'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { noQuery } from '../../src/contract/resource/operation.ts'
import { compareBy } from '../../src/contract/values/order.ts'
import { meeting } from '../../src/contract/values/search.ts'
import { d1Of } from '../support/d1.ts'
import { leastTime, slowness } from '../support/stops.ts'
import { anyOf, text } from '../support/texts.ts'

const Thing = z.object({
  id: z.string(),
  name: z.string(),
  note: z.string().optional(),
  rank: z.number().optional(),
  owner_id: z.string(),
})
type Thing = z.infer<typeof Thing>
const things = defineResource('things', {
  schema: Thing,
  sortable: ['name', 'note', 'rank'],
  searchable: ['name', 'note'],
})
const owners = defineResource('owners', { schema: z.object({ id: z.string() }) })
const api = defineApi({
  v1: { '/owners': owners, '/things': things, '/owners/:owner_id/things': things },
})

const columns = 'name text not null, note text, rank double, owner_id text not null'
const indexes = `create index by_name on things (name, id);
  create index by_owner on things (owner_id, name, id)`
const tables = {
  'with indexes': `create table things (id text primary key, ${columns}); ${indexes}`,
  'without indexes': `create table things (id text primary key, ${columns})`,
  'whose owner has an index alone': `create table things (id text primary key, ${columns});
    create index by_owner on things (owner_id)`,
  'with numbers of its own': `
    create table things (number integer primary key, id text unique not null, ${columns});
    create trigger numbering after insert on things when new.number is null or new.number > 0 begin
      update things set number = -9223372036854775808 + 1000000007 * new.number
        where number = new.number;
    end`,
  'with a column of that name': `
    create table things (rowid text default 'x', _ROWID_ text, id text primary key, ${columns})`,
  'without such numbers': `create table things (id text primary key, ${columns}) without rowid`,
  'that is a view': `create table stored (id text primary key, ${columns});
    create view things as select * from stored;
    create trigger storing instead of insert on things begin
      insert into stored values (new.id, new.name, new.note, new.rank, new.owner_id);
    end`,
}

const opened: DatabaseSync[] = []
afterEach(() => {
  for (const file of opened.splice(0)) file.close()
})

interface Opened {
  readonly registry: Registry
  readonly file: DatabaseSync
  readonly db: Kysely<unknown>
  /** The sent statements. */
  readonly sent: string[]
  /** Called after each statement. */
  watch: (statement: string) => void
}

function open(table: string, timeout?: number): Opened {
  const file = new DatabaseSync(':memory:')
  opened.push(file)
  file.exec(`create table owners (id text primary key); ${table}`)
  file.exec("insert into owners values ('o-1'), ('o-2'), ('o-3')")
  const sent: string[] = []
  const watched: Pick<Opened, 'watch'> = { watch: () => undefined }
  const db = new Kysely<unknown>({
    dialect: sqliteDialect(file),
    log: ({ query }) => {
      sent.push(query.sql)
      watched.watch(query.sql)
    },
  })
  const base = defineRegistry(api).onError(() => undefined)
  const registry = base.adapters({
    owners: kyselyAdapter(db, { table: 'owners' }),
    // A view has no key of its own.
    things: kyselyAdapter(db, { table: 'things', key: ['id'], ...(timeout && { timeout }) }),
  })
  return Object.assign(watched, { registry, file, db, sent })
}

function fill(file: DatabaseSync, items: readonly Thing[]): void {
  const insert = file.prepare(
    'insert into things (id, name, note, rank, owner_id) values (?, ?, ?, ?, ?)',
  )
  file.exec('begin')
  for (const { id, name, note, rank, owner_id } of items)
    insert.run(id, name, note ?? null, rank ?? null, owner_id)
  file.exec('commit')
}

/** Many rows. Longer names are slower to search. */
function fillMany(file: DatabaseSync, rows: number, length = 1): void {
  file.exec(`insert into things (id, name, rank, owner_id)
    with recursive number(i) as (select 1 union all select i + 1 from number where i < ${rows})
    select printf('%08x', i * 2654435761 % 4294967296),
      '${'Łódź '.repeat(length)}' || i, i, 'o-1' from number`)
}

async function get(registry: Registry, url: string, signal?: AbortSignal) {
  const request = new Request(`http://localhost${url}`, { ...(signal && { signal }) })
  const response = await toFetchHandler(registry)(request)
  const [, next] = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '') ?? []
  return { status: response.status, next, body: await response.text() }
}

const storable = text.filter((value) => value.length < 300 && !/[\0\ud800-\udfff]/u.test(value))
const thing = fc.record({
  name: storable,
  note: fc.option(storable, { nil: undefined }),
  rank: fc.option(fc.integer({ min: -9, max: 9 }), { nil: undefined }),
  owner_id: fc.constantFrom<string>('o-1', 'o-1', 'o-2'),
})
const items: readonly Thing[] = fc
  .sample(thing, { numRuns: 4500, seed: 7 })
  .map((item, place) => ({ id: `${(place * 7919) % 4500}`, ...item }))
  .concat([{ id: 'x', name: 'Straße', note: undefined, rank: 1, owner_id: 'o-3' }])
  .map((item) => JSON.parse(JSON.stringify(item)))

const query = fc.record({
  path: anyOf('things', 'things', 'owners/o-1/things', 'owners/o-3/things'),
  end: anyOf('', '', '', '/first', '/last', '/count'),
  q: fc.oneof(fc.constant(''), storable, anyOf('strasse', 'a b', 'nowhere to be found')),
  sort: anyOf('', 'name', '-name', 'note', '-note', 'rank', '-rank,name', 'note,-rank,-id'),
  limit: anyOf(1, 7, 60, 1000, undefined),
})

describe.each(Object.entries(tables))('a table %s', (_, table) => {
  test('responds as the memory does', { timeout: 60_000 }, async () => {
    const memory = defineRegistry(api).adapters({
      owners: memoryAdapter({ items: [{ id: 'o-1' }, { id: 'o-2' }, { id: 'o-3' }] }),
      things: memoryAdapter({ items }),
    })
    const { registry, file } = open(table)
    fill(file, items)
    await fc.assert(
      fc.asyncProperty(query, async ({ path, end, q, sort, limit }) => {
        const search = new URLSearchParams()
        if (q.trim() !== '' && !/\p{Cc}/u.test(q)) search.set('q', q)
        if (end !== '/count' && sort !== '') search.set('sort', sort)
        if (end === '' && limit !== undefined) search.set('limit', `${limit}`)
        let url: string | undefined = `/v1/${path}${end}?${search}`
        for (let pages = 0; url !== undefined && pages < 3; pages++) {
          const expected = await get(memory, url)
          expect([url, await get(registry, url)]).toEqual([url, expected])
          url = expected.next
        }
      }),
      { numRuns: 40, seed: 3 },
    )
  })
})

describe('a read of many items', () => {
  const slow = [
    '/v1/things?q=nowhere&limit=10',
    '/v1/things?q=nowhere&sort=-name&limit=10',
    '/v1/things?q=nowhere',
    '/v1/things?sort=-rank&limit=10',
    '/v1/things/first?q=nowhere&sort=rank',
    '/v1/things/last?q=nowhere',
    '/v1/things/count?q=nowhere',
    '/v1/owners/o-1/things?q=nowhere&limit=10',
    '/v1/owners/o-2/things?limit=10',
    '/v1/owners/o-1/things/count?q=nowhere',
  ]
  test.each(slow)('serves other requests meanwhile: %s', { timeout: 30_000 }, async (url) => {
    const { registry, file } = open(tables['whose owner has an index alone'])
    if (url.includes('q=')) fillMany(file, 50_000, 40)
    if (!url.includes('q=')) fillMany(file, 800_000)
    file.exec('drop index by_owner')
    let isDone = false
    const asked = get(registry, url).finally(() => {
      isDone = true
    })
    let answered = 0
    while (!isDone) {
      const { status } = await get(registry, '/v1/owners/o-1')
      if (status === 200 && !isDone) answered++
      await turn()
    }
    await asked
    // One other request may finish before the first statement begins.
    expect(answered).toBeGreaterThan(1)
  })

  const ranked = { field: 'rank', is: 'gte', values: [4000], type: 'number' } as const
  const named = { field: 'name', is: 'endsWith', values: ['99'], type: 'text' } as const
  const owned = { field: 'owner_id', is: 'in', values: ['o-1'], type: 'text' } as const
  test.each([
    ['without indexes', [ranked]],
    ['without indexes', [ranked, named]],
    ['with indexes', [owned, named]],
    ['with indexes', [named, ranked]],
  ] as const)('obeys its filters %s', async (table, where) => {
    const { file, db } = open(tables[table])
    fillMany(file, 6000)
    const adapter: UncheckedAdapter = kyselyAdapter<never>(db, { table: 'things' } as never)
    const ask = (kind: 'list' | 'count', query: object) =>
      adapter[kind]?.(
        {
          ...{ kind, resource: things, version: 'v1', path: '/things', scope: {} },
          ...{ parents: [] },
          ...{ id: undefined, item: undefined, items: undefined, ids: undefined },
          ...{ isDryRun: false, isDeprecated: false, maxAffected: undefined },
          ...{ ifRevision: undefined, signal: new AbortController().signal },
          query: { ...noQuery, ...query } as never,
        },
        undefined,
      )
    const sort = [{ field: 'name', direction: 'asc' }, ...noQuery.sort] as const
    const rows = file.prepare('select * from things').all() as unknown as Thing[]
    const expected = rows.filter(meeting(where)).sort(compareBy(sort))
    const found = (await ask('list', { where, sort, limit: 30 })) as Thing[]
    expect(found.map(({ id }) => id)).toEqual(expected.slice(0, 30).map(({ id }) => id))
    expect(await ask('count', { where, sort })).toBe(expected.length)
  })

  test('takes turns with other reads', { timeout: 30_000 }, async () => {
    const { registry, file } = open(tables['with indexes'])
    fillMany(file, 20_000, 40)
    let done = 0
    const asked = Array.from({ length: 5 }, () =>
      get(registry, '/v1/things/count?q=nowhere').finally(() => done++),
    )
    let turns = 0
    for (; done === 0; turns++) await turn()
    await Promise.all(asked)
    expect(turns).toBeGreaterThan(10)
  })

  test.each(['/v1/things/count?q=nowhere', '/v1/things?q=nowhere'])(
    'gives 503 at the deadline: %s',
    async (url) => {
      const { registry, file } = open(tables['with indexes'], 40)
      fillMany(file, 50_000, 40)
      expect(await get(registry, url)).toMatchObject({ status: 503 })
      expect(await get(registry, '/v1/things?limit=1')).toMatchObject({ status: 200 })
    },
  )

  test('ends when the client goes away', async () => {
    const { registry, file, sent } = open(tables['with indexes'])
    fillMany(file, 50_000, 40)
    const controller = new AbortController()
    const asked = get(registry, '/v1/things/count?q=nowhere', controller.signal)
    while (sent.length < 6) await turn()
    controller.abort()
    await asked.catch(() => undefined)
    await turn()
    const known = sent.length
    for (let turns = 0; turns < 50; turns++) await turn()
    expect(sent.length).toBe(known)
  })

  const changes = [
    ['are deleted', 'delete from things where rank < 4'],
    ['leave the scope', "update things set owner_id = 'o-2' where rank < 4"],
    ['get another place', 'update things set rank = rank + 1e6 where rank < 4'],
  ] as const
  test.each(changes)('misses no item when earlier items %s meanwhile', async (_, change) => {
    for (const after of [1, 2, 3, 4]) {
      const opened = open(tables['without indexes'])
      fillMany(opened.file, 9000)
      let chosen = 0
      opened.watch = (statement) => {
        if (statement.includes('json_each') && ++chosen === after) opened.file.exec(change)
      }
      const { body } = await get(opened.registry, '/v1/owners/o-1/things?sort=rank&limit=5')
      const found: Thing[] = JSON.parse(body)
      expect(found.map(({ rank }) => rank)).toEqual([4, 5, 6, 7, 8])
    }
  })

  test('ends although its items change all the time', async () => {
    const opened = open(tables['without indexes'])
    fillMany(opened.file, 9000)
    opened.watch = (statement) => {
      if (!statement.includes('json_each')) return
      opened.file.exec(
        'update things set rank = rank + 1e6 where rank = (select min(rank) from things)',
      )
    }
    const { status, body } = await get(opened.registry, '/v1/things?sort=rank&limit=5')
    expect([status, JSON.parse(body).length]).toEqual([200, 5])
  })
})

describe('rows of 1 MiB', () => {
  const tall = Object.entries(tables).filter(([name]) => /^with(?:out)? indexes$/.test(name))
  const urls = [
    '/v1/things?q=nowhere&limit=10',
    '/v1/things?q=nowhere&sort=name&limit=10',
    '/v1/things?sort=-rank&limit=10',
    '/v1/things/count?q=nowhere',
    '/v1/things',
  ]
  const timeout = 60_000
  test.each(tall)('stop the process for 50 ms at most: %s', { timeout }, async (_, table) => {
    const { registry, file } = open(table)
    fillMany(file, 3000)
    file.prepare('update things set note = ? where rowid % 50 = 0').run('n'.repeat(2 ** 20))
    await get(registry, '/v1/things?limit=1')
    for (const url of urls) {
      const longest = await leastTime(50, () => longestStop(() => drain(registry, url)))
      expect(longest, url).toBeLessThan(50 * slowness())
    }
  })
})

/** The longest time, in milliseconds, that the process does nothing else until a request ends. */
async function longestStop(ask: () => Promise<number>): Promise<number> {
  let isDone = false
  const status = ask().finally(() => {
    isDone = true
  })
  let longest = 0
  for (let since = performance.now(); !isDone; since = performance.now()) {
    await turn()
    longest = Math.max(longest, performance.now() - since)
  }
  expect(await status).toBe(200)
  return longest
}

describe('a page whose rows hold many bytes', () => {
  const notes = Object.entries(tables).filter(([name]) => !name.includes('view'))
  test.each(notes)('has the items of light rows: %s', async (_, table) => {
    const { registry, file, sent } = open(table)
    fillMany(file, 300)
    const ids = async (query: string) => {
      const { next, body } = await get(registry, `/v1/things?${query}`)
      return [next !== undefined, JSON.parse(body).map(({ id }: Thing) => id)]
    }
    const queries = [
      'limit=250',
      'sort=name&limit=250&offset=20',
      'sort=-rank&limit=40',
      'q=1&limit=99',
    ]
    const light = await Promise.all(queries.map(ids))
    file.exec("update things set note = printf('%.*c', 300000, 'n') where rank % 7 < 3")
    sent.length = 0
    for (const [index, query] of queries.entries()) expect(await ids(query)).toEqual(light[index])
    expect(sent.filter((statement) => statement.includes('octet_length')).length).toBeGreaterThan(4)
  })
})

/** Reads a response as a client does that keeps nothing of it. */
async function drain(registry: Registry, url: string): Promise<number> {
  const response = await toFetchHandler(registry)(new Request(`http://localhost${url}`))
  for await (const _ of response.body ?? []);
  return response.status
}

describe('one statement serves', () => {
  test.each([
    ['a page in the order of an index', 3000, '/v1/things?sort=name&limit=10'],
    ['the last item', 3000, '/v1/things/last'],
    [
      'a page of an owner in the order of an index',
      3000,
      '/v1/owners/o-1/things?sort=name&limit=9',
    ],
    ['a search that finds a page soon', 3000, '/v1/things?q=1&sort=name&limit=10'],
  ])('%s', async (_, rows, url) => {
    const { registry, file, sent } = open(tables['with indexes'])
    fillMany(file, rows)
    await get(registry, url)
    sent.length = 0
    await get(registry, url)
    expect(
      sent.filter((statement) => statement.includes('like') || statement.includes('order by')),
    ).toHaveLength(1)
    expect(sent.join('\n')).not.toContain('json_each')
  })

  test('a page that the first rows filled the last time, until they do not', async () => {
    const { registry, file, sent } = open(tables['with indexes'])
    fillMany(file, 9000)
    const counts = async (): Promise<number> => {
      sent.length = 0
      const { body } = await get(registry, '/v1/things?q=5&sort=name&limit=10')
      const names = file.prepare(`select name from things
        where name like '%5%' order by name limit 10`)
      expect(JSON.parse(body)).toMatchObject(names.all())
      return sent.filter((statement) => /^select count.* as count from/s.test(statement)).length
    }
    expect(await counts()).toBe(1)
    expect(await counts()).toBe(0)
    file.exec("update things set name = 'x' where rank > 60")
    expect(await counts()).toBe(1)
    expect(await counts()).toBe(1)
  })

  test('a search of your own', async () => {
    const { file, sent, db } = open(tables['with indexes'])
    fillMany(file, 3000)
    const search: Search = ({ q }) => sql<boolean>`rank = ${Number(q)}`
    const registry = defineRegistry(api).adapters({
      owners: memoryAdapter(),
      things: kyselyAdapter(db, { table: 'things', search }),
    })
    const { body } = await get(registry, '/v1/things?q=2999&sort=-rank')
    expect(JSON.parse(body)).toMatchObject([{ rank: 2999 }])
    expect((await get(registry, '/v1/things/count?q=7')).body).toBe('{"count":1}')
    expect(sent.join('\n')).not.toContain('explain')
  })

  test('a search on D1, which does not block the process', async () => {
    const { file } = open(tables['without indexes'])
    fillMany(file, 3000)
    const database = d1Of(file)
    const sent: string[] = []
    const prepare: typeof database.prepare = (statement) => {
      sent.push(statement)
      return database.prepare(statement)
    }
    const db = new Kysely<unknown>({ dialect: d1Dialect({ ...database, prepare }) })
    const registry = defineRegistry(api).adapters({
      owners: memoryAdapter(),
      things: kyselyAdapter(db, { table: 'things' }),
    })
    expect((await get(registry, '/v1/things/count?q=7')).status).toBe(200)
    expect((await get(registry, '/v1/things?q=299&sort=rank')).status).toBe(200)
    expect(sent.join('\n')).not.toContain('explain')
  })
})

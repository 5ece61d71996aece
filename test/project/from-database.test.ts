import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Kysely, sql } from 'kysely'
import type { Registry } from 'nounful'
import { serve } from 'nounful/node'
import { describe, expect, test } from 'vitest'
import { readCatalogue } from '../../src/kysely/catalogue.ts'
import { contractText, schemaText } from '../../src/project/contract-text.ts'
import type { ProjectFiles } from '../../src/project/files.ts'
import { modelOf } from '../../src/project/from-catalogue.ts'
import { projectOfDatabase } from '../../src/project/from-database.ts'
import { serviceText } from '../../src/project/registry-text.ts'
import { checkServer } from '../../src/trial/check/command.ts'
import { faultsOf } from '../support/compile.ts'
import { databaseOf, type Engine, has, type TestDatabase } from '../support/stores.ts'

const written: string[] = []
const encoding = { encoding: 'utf8' } as const
const root = fileURLToPath(new URL('../../', import.meta.url))

/** Returns the statements of a file, in the words of an engine. */
function statementsOf(world: string, engine: Engine): readonly string[] {
  const text = readFileSync(new URL(`worlds/${world}.sql`, import.meta.url), 'utf8')
  const words = {
    timestamp: { sqlite: 'datetime', postgres: 'timestamp', mariadb: 'datetime' },
    bytes: { sqlite: 'blob', postgres: 'bytea', mariadb: 'longblob' },
  }
  const worded = text
    .replaceAll('{timestamp}', words.timestamp[engine])
    .replaceAll('{bytes}', words.bytes[engine])
  const quoted = engine === 'mariadb' ? worded.replaceAll('"', '`') : worded
  return quoted.split(/;\n/).filter((statement) => statement.trim() !== '')
}

async function run(db: Kysely<unknown>, statements: readonly string[]): Promise<void> {
  for (const statement of statements)
    await sql
      .raw(statement)
      .execute(db)
      .catch((error: unknown) => {
        throw new Error(`${statement}\n${error}`)
      })
}

// MySQL in place of MariaDB, where its address is given.
const isMysql = process.env.TEST_MYSQL_URL !== undefined
const dialects = { sqlite: 'sqlite', postgres: 'postgres', mariadb: 'mysql' } as const

/** Writes the code of a project where the compiler finds the library. Returns its service. */
async function write(files: ProjectFiles, name: string) {
  const folder = `${root}test/.snippets/${name}`
  mkdirSync(folder, { recursive: true })
  const code = Object.entries(files).filter(([file]) => file.endsWith('.ts'))
  for (const [file, text] of code) writeFileSync(`${folder}/${file}`, text)
  written.push(...code.map(([file]) => `${folder}/${file}`))
  const service: { createRegistry(db: Kysely<unknown>): Registry } = await import(
    `${folder}/service.ts`
  )
  return service
}

/** Reads a database by its address. */
async function projectOf({ engine, url }: Pick<TestDatabase<unknown>, 'engine' | 'url'>) {
  const address = engine === 'sqlite' ? { engine, file: url } : { engine: dialects[engine], url }
  const project = await projectOfDatabase(address, `${root}test/.snippets/of-database`)
  if (typeof project === 'string') throw new Error(project)
  return project
}

function versionsIn(files: ProjectFiles): Readonly<Record<string, string>> {
  const { dependencies, devDependencies } = JSON.parse(files['package.json'] ?? '{}')
  return { ...dependencies, ...devDependencies }
}

/** Returns the versions that this package is tried with, of the packages of a project. */
function testedVersions(files: ProjectFiles): Readonly<Record<string, string>> {
  const library = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
  const versions = { ...library.devDependencies, nounful: library.version }
  const names = Object.keys(versionsIn(files))
  return Object.fromEntries(names.map((name) => [name, `^${versions[name]}`]))
}

const pairs = (table: string, key: string) =>
  `The table "${table}" is not served: its key (${key}) is not of one column.`
const chinook = [pairs('PlaylistTrack', 'PlaylistId, TrackId')]
const northwind = [
  pairs('customer_customer_demo', 'customer_id, customer_type_id'),
  pairs('employee_territories', 'employee_id, territory_id'),
  pairs('order_details', 'order_id, product_id'),
]
const filmPairs = [
  pairs('film_actor', 'actor_id, film_id'),
  pairs('film_category', 'film_id, category_id'),
]
const noId = 'is not served: it has no key, and no column "id", so no id names its rows.'
// A database counts the ids of some, so that the check can write.
const worlds = [
  { world: 'chinook', on: ['sqlite', 'postgres', 'mariadb'], notes: chinook },
  { world: 'northwind', on: ['sqlite', 'postgres', 'mariadb'], notes: northwind },
  {
    world: 'sakila-mysql',
    on: ['mariadb'],
    notes: [
      'The column "location" of "address" is left out: it is of type geometry, ' +
        'whose values are no text.',
      ...filmPairs,
      `The view "nicer_but_slower_film_list" ${noId}`,
      'POST is left out of addresses: a column without a field has no default.',
    ],
  },
  {
    world: 'sakila-postgres',
    on: ['postgres'],
    notes: [
      'The column "fulltext" of "film" is left out: it is of type tsvector, ' +
        'which a search uses and no client.',
      ...filmPairs,
      `The view "film_list" ${noId}`,
      pairs('payment', 'payment_date, payment_id'),
    ],
  },
] as const
const samples = {
  chinook: ['albums', 'artists', 'employees', 'tracks'],
  northwind: ['orders', 'territories'],
  'sakila-mysql': ['films', 'cities', 'customer-lists'],
  'sakila-postgres': ['films', 'cities', 'customer-lists'],
}

const runs = worlds.flatMap(({ on, ...row }) => on.map((engine) => ({ ...row, engine })))

/** Returns the rules that the collections break. */
async function brokenRules(registry: Registry, collections: readonly string[]) {
  const server = await serve(registry, { port: 0, log: false, hosts: '*' } as never)
  const options = {
    ...{ write: true, header: [], as: [], timeout: '10000', bytes: '16777216', time: '600000' },
    collection: collections.map((noun) => `/v1/${noun}`),
  }
  try {
    const report = await checkServer(server.url, options, () => undefined)
    const kept = report.verdicts.filter(({ verdict }) => verdict === 'kept')
    expect(kept.length).toBeGreaterThan(75)
    const broken = report.verdicts.filter(({ verdict }) => verdict === 'broken')
    return [...broken, ...report.left, ...report.unfinished]
  } finally {
    await server.close()
  }
}

describe.each(runs.filter(({ engine }) => has(engine)))('$world on $engine', (row) => {
  const { world, engine, notes } = row

  test('tables with a key of one column keep every rule', async () => {
    const { db, drop, url } = await databaseOf<unknown>(engine)
    try {
      await run(db, statementsOf(world, engine))
      const project = await projectOf({ engine, url })
      const service = await write(project.files, `${world}-${engine}`)
      const registry = service.createRegistry(db)
      await registry.ready()
      expect(project.notes).toEqual(notes)
      // The address may hold a password. The path of a SQLite file is in the code.
      if (engine !== 'sqlite') expect(Object.values(project.files).join()).not.toContain(url)
      expect(versionsIn(project.files)).toEqual(testedVersions(project.files))
      expect(await brokenRules(registry, samples[world])).toEqual([])
    } finally {
      await drop()
    }
  }, 120_000)
})

const columns: Readonly<Record<Engine, readonly (readonly [declared: string, field: string])[]>> = {
  sqlite: [
    ['text not null', 'required z.string()'],
    ['nvarchar(40)', 'required z.string().max(40).nullish()'],
    ['integer not null default 3', 'optional z.int()'],
    ['decimal(10, 2)', 'required z.number().nullish()'],
    ['boolean not null', 'required z.boolean()'],
    ['datetime not null default current_timestamp', 'refused z.iso.datetime({ offset: true })'],
    ['date not null', 'required z.iso.date()'],
    ['json not null', 'required z.json()'],
    ['blob', 'required z.base64().nullish()'],
    ['integer generated always as (1) stored', 'refused z.int().nullable()'],
  ],
  postgres: [
    ['citext not null', 'required z.string()'],
    ['varchar(40)', 'required z.string().max(40).nullish()'],
    ['char(2) not null', 'required z.string().max(2)'],
    ["mood not null default 'sad'", "optional z.enum(['sad', 'so so'])"],
    ['mood[]', "required z.array(z.enum(['sad', 'so so'])).nullish()"],
    ['integer[] not null', 'required z.array(z.int())'],
    ['jsonb', 'required z.json().nullish()'],
    ['numeric(10, 2) not null', 'required z.number()'],
    ['numeric(30, 2)', 'required z.string().regex(/^-?\\d+(\\.\\d{1,2})?$/).nullish()'],
    ['numeric not null', 'required z.string().regex(/^-?\\d+(\\.\\d+)?$/)'],
    ['bigint not null', 'required z.int()'],
    ['double precision', 'required z.number().nullish()'],
    ['timestamptz not null default now()', 'refused z.iso.datetime({ offset: true })'],
    ['timestamp', 'required z.iso.datetime({ offset: true }).nullish()'],
    ['time not null', 'required z.iso.time()'],
    ['uuid not null default gen_random_uuid()', 'optional z.uuid()'],
    ['bytea', 'required z.base64().nullish()'],
    ['bigserial', 'refused z.int()'],
    ['integer generated always as (1) stored', 'refused z.int().nullable()'],
    ['inet not null', 'required z.string()'],
  ],
  mariadb: [
    ['varchar(40)', 'required z.string().max(40).nullish()'],
    ['text not null', 'required z.string()'],
    ["enum('a', 'it''s') not null", "required z.enum(['a', \"it's\"])"],
    ["set('a', 'b')", "required z.array(z.enum(['a', 'b'])).nullish()"],
    ['tinyint(1) not null default 1', 'optional z.boolean()'],
    ['bigint unsigned not null', 'required z.int()'],
    ['decimal(10, 2) not null', 'required z.number()'],
    ['decimal(30, 2)', 'required z.string().regex(/^-?\\d+(\\.\\d{1,2})?$/).nullish()'],
    [
      'timestamp not null default current_timestamp on update current_timestamp',
      'refused z.iso.datetime({ offset: true })',
    ],
    ['uuid', 'required z.uuid().nullish()'],
    ['year', 'required z.int().nullish()'],
    ['json not null', 'required z.json()'],
    ['int as (1) stored', 'refused z.int().nullable()'],
  ],
}

describe.each((['sqlite', 'postgres', 'mariadb'] as const).filter(has))('on %s', (engine) => {
  const quote = engine === 'mariadb' ? '`' : '"'
  const name = (text: string) => quote + text + quote

  /** Returns the model of a database that statements make. */
  async function modelWith(...statements: readonly string[]) {
    const { db, drop } = await databaseOf<unknown>(engine)
    try {
      await run(db, statements)
      const { model, notes } = modelOf(await readCatalogue(db, dialects[engine]), 'odd')
      const files = { 'contract.ts': contractText(model), 'service.ts': serviceText(model) }
      const { createRegistry } = await write(files, `odd-${engine}-${written.length}`)
      await createRegistry(db).ready()
      return { model, notes }
    } finally {
      await drop()
    }
  }

  test('columns become fields', async () => {
    const known = columns[engine].filter(([declared]) => !isMysql || declared !== 'uuid')
    const rows = known.map(([declared], at) => `${name(`of ${at}`)} ${declared}`)
    const before = engine === 'postgres' ? ["create type mood as enum ('sad', 'so so')"] : []
    const citext = engine === 'postgres' ? ['create extension citext'] : []
    const { model } = await modelWith(
      ...[...before, ...citext],
      `create table notes (id integer primary key, ${rows.join(', ')})`,
    )
    const [, ...fields] = model.resources[0]?.fields ?? []
    expect(
      fields.map(({ type, isNullable, isOptional, inBody, column, name }) => {
        const suffix = isNullable ? (isOptional ? '.nullish()' : '.nullable()') : ''
        return [column, name, `${inBody} ${schemaText(type)}${suffix}`]
      }),
    ).toEqual(columns[engine].map(([, field], at) => [`of ${at}`, `of_${at}`, field]))
  })

  test('keys, names and foreign keys become ids, nouns and references', async () => {
    const { model, notes } = await modelWith(
      `create table ${name('User Groups')} (${name('Group')} varchar(9) not null primary key,
        id integer)`,
      `create table ${name('order')} (id integer primary key, ${name('limit')} integer unique,
        ${name('group')} varchar(9) references ${name('User Groups')} (${name('Group')}),
        ${name('group_item')} varchar(9) references ${name('User Groups')} (${name('Group')}),
        parent_id integer references ${name('order')} (id))`,
      `create table ${name('count')} (code varchar(9) not null unique, at varchar(9) not null)`,
      'create table logs (line varchar(9))',
      'create view seen as select id from logs_of where 1 = 0'.replace('logs_of', name('order')),
    )
    expect(notes).toEqual([
      'The table "logs" is not served: it has no key of one column, so no id names its rows.',
      'The field "limit" of orders is no filter: a parameter has this name.',
    ])
    const resources = new Map(model.resources.map((resource) => [resource.noun, resource]))
    expect([...resources.keys()].sort()).toEqual(['counts', 'orders', 'seens', 'user-groups'])
    const facts = (noun: string) => {
      const { table, id, key, offers, fields = [], references } = resources.get(noun) ?? {}
      const renamed = fields.flatMap(({ name, column }) => (column ? [`${name}: ${column}`] : []))
      return { table, id: id?.kind, key, offers, references, renamed }
    }
    expect(facts('user-groups')).toMatchObject({
      ...{ table: 'User Groups', id: 'text', renamed: ['id: Group', 'id_2: id'] },
    })
    expect(facts('counts')).toMatchObject({ table: 'count', renamed: ['id: code'] })
    expect(facts('seens')).toMatchObject({ key: ['id'], offers: ['list', 'read'] })
    expect(facts('orders').references).toEqual([
      { field: 'group', to: 'user-groups', as: 'user_group' },
      { field: 'group_item', to: 'user-groups', as: 'group_item_item' },
      { field: 'parent_id', to: 'orders' },
    ])
    expect(model.mounts.map(({ path }) => path).filter((path) => path.includes(':'))).toEqual([
      '/user-groups/:group/orders',
      '/orders/:parent_id/orders',
    ])
  })

  test.runIf(engine === 'sqlite')('columns without a type are read by their rows', async () => {
    const { model, notes } = await modelWith(
      'create table notes (id integer primary key, n, r, t)',
      "insert into notes values (1, 1, 1.5, 'a'), (2, null, 2, 3)",
      'create view totals as select max(id) as id, sum(r) as sum, max(t) as t from notes',
      'create table mixed (id primary key)',
      "insert into mixed values (1), ('1')",
      'create view lost as select id from nowhere',
    )
    expect(notes).toEqual([
      'The view "lost" is not served: no such table: main.nowhere.',
      'The table "mixed" is not served: its key "id" holds numbers and texts, ' +
        'which no path tells apart.',
    ])
    const kinds = model.resources.map(({ noun, id, fields }) => [
      ...[noun, id?.kind],
      ...fields.map(({ name, type }) => `${name}: ${type.kind}`),
    ])
    expect(kinds).toEqual([
      ['notes', 'counted', 'id: whole', 'n: whole', 'r: number', 't: text'],
      ['totals', 'counted', 'id: whole', 'sum: number', 't: text'],
    ])
  })

  test.runIf(engine === 'postgres')('lists of texts with an index are filters', async () => {
    const { model } = await modelWith(
      'create domain short as varchar(4)',
      `create table notes (id integer primary key, tags text[], rest text[], sizes int[],
        words varchar(9)[], part text[], short short[], "limit" text[])`,
      'create index on notes using gin (tags, words)',
      'create index on notes using gin (sizes, short)',
      'create index on notes using gin ("limit")',
      'create index on notes using gin (part) where id > 5',
      'create index on notes (rest)',
    )
    const [{ filterable, sortable } = { filterable: [], sortable: [] }] = model.resources
    expect([filterable, sortable]).toEqual([['tags', 'words'], []])
  })

  test.runIf(engine === 'postgres')('keys that no id fits are named', async () => {
    const { model, notes } = await modelWith(
      'create extension if not exists citext',
      'create table a (id citext primary key)',
      'create table b (id inet primary key)',
      'create table c (id integer primary key)',
      'create table d (n integer) inherits (c)',
    )
    expect(model.resources.map(({ noun }) => noun)).toEqual(['as'])
    expect(notes).toEqual([
      'The table "b" is not served: its key "id" is of type inet, and no path holds such an id.',
      'The table "c" is not served: tables that inherit from it may hold its ids again.',
      'The table "d" is not served: it has no key of one column, so no id names its rows.',
    ])
  })

  test.runIf(engine === 'postgres')('tables of every schema are served', async () => {
    const { model, notes } = await modelWith(
      'create schema hr',
      'create table users (id integer primary key)',
      'create table hr.users (id uuid primary key, boss integer references users)',
      'create table hr."a.b" (id integer primary key)',
      'create materialized view hr.counts as select 1 as n',
    )
    expect(notes).toEqual([
      'The table "hr.a.b" is not served: its name has a dot.',
      'The view "hr.counts" is not served: it has no key, and no column "id", ' +
        'so no id names its rows.',
    ])
    expect(model.mounts.map(({ path }) => path).sort()).toEqual([
      '/hr-users',
      '/users',
      '/users/:boss/hr-users',
    ])
  })
})

test('every file compiles without an edit', async () => {
  expect(await faultsOf(written, 'databases')).toBe('')
}, 120_000)

test('the tests of a project pass, and its database stays as it is', async () => {
  const { db, drop, url } = await databaseOf<unknown>('sqlite')
  try {
    await run(db, statementsOf('chinook', 'sqlite'))
    await sql`pragma wal_checkpoint(truncate)`.execute(db)
    const before = readFileSync(url)
    const { files } = await projectOf({ engine: 'sqlite', url })
    await write(files, 'own-tests')
    const words = ['--conditions=nounful:source', '--test', 'api.test.ts']
    const cwd = `${root}test/.snippets/own-tests`
    const env = { ...process.env, DATABASE_FILE: url }
    const { status, stdout } = spawnSync(process.execPath, words, { ...encoding, cwd, env })
    expect(status, stdout).toBe(0)
    expect(stdout).toContain('GET /v1/albums lists items')
    expect(readFileSync(url).equals(before)).toBe(true)
  } finally {
    await drop()
  }
}, 60_000)

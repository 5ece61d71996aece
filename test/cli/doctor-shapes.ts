import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { type Engine, engines } from '../support/stores.ts'

/** Statements of SQL. */
export type Statements = readonly string[]

/** A database, and a resource over it. */
export interface Shape {
  readonly name: string
  readonly on?: readonly Engine[]
  readonly setup: (engine: Engine) => Statements
  readonly paths?: readonly string[]
  readonly fields?: z.ZodRawShape
  readonly options?: object
  readonly adapter?: object
  /** What the last run still says, without a statement. Default: nothing. */
  readonly rest?: RegExp
}

const text = z.string()
/** A schema. MariaDB keeps it beside the database of the test. */
export const hr = `hr_${randomBytes(6).toString('hex')}`
// A text that an index holds on each engine.
const key = { sqlite: 'text', postgres: 'text', mariadb: 'varchar(100)' } as const
const moment = { sqlite: 'text', postgres: 'timestamptz', mariadb: 'datetime(6)' } as const

const quote = (engine: Engine, name: string) => (engine === 'mariadb' ? `\`${name}\`` : `"${name}"`)
const columnsOf = (engine: Engine, names: Statements) =>
  names.map((name) => `${quote(engine, name)} ${key[engine]} not null`).join(', ')
const notes = (engine: Engine, ...names: Statements) =>
  `create table notes (id ${key[engine]} not null primary key, ${columnsOf(engine, names)})`

const nested = { a_id: text, title: text }
const sorted = { sortable: ['title'], filterable: ['title'] }
const levels = ['/as/:a_id/bs/:b_id/notes', '/as/:a_id/bs/:b_id/cs/:c_id/notes'] as const

const softColumns: Readonly<Record<Engine, Statements>> = {
  sqlite: ['text', 'integer', 'timestamp'],
  postgres: ['timestamptz', 'timestamp', 'text', 'bigint'],
  mariadb: ['datetime', 'datetime(6)', 'timestamp(3) null default null', 'bigint'],
}
const soft = { softDelete: 'deleted at' }
const odd = 'Order of "words" `x`'

/** The databases that `doctor` examines. */
export const shapes: readonly Shape[] = [
  { name: 'no table', setup: () => [], fields: { ...nested, done: z.boolean() }, options: sorted },
  {
    name: 'no table, two nullable fields and a soft deletion',
    setup: () => [],
    fields: { title: text.nullable(), at: z.iso.datetime().nullable().optional() },
    options: { sortable: ['title', 'at'] },
    adapter: soft,
  },
  {
    name: 'no schema',
    on: ['postgres', 'mariadb'],
    setup: () => [],
    fields: nested,
    adapter: { table: `${hr}.notes` },
    options: sorted,
  },
  {
    name: 'a table of another schema',
    setup: (engine) => [
      engine === 'sqlite' ? `attach ':memory:' as ${hr}` : `create schema ${hr}`,
      `create table ${hr}.notes (id ${key[engine]} primary key, a_id ${key[engine]})`,
    ],
    paths: ['/notes', '/as/:a_id/notes'],
    fields: nested,
    options: sorted,
    adapter: { table: `${hr}.notes`, ...soft },
  },
  ...(['b_id', 'c_id'] as const).map(
    (parent, level): Shape => ({
      name: `items that hold ${parent} alone`,
      setup: (engine) => [notes(engine, parent, 'title')],
      paths: [levels[level] ?? ''],
      fields: { [parent]: text, title: text },
      options: sorted,
    }),
  ),
  {
    name: 'items that hold each parent of three',
    setup: (engine) => [notes(engine, 'a_id', 'b_id', 'c_id', 'title')],
    paths: ['/notes', ...levels],
    fields: { a_id: text, b_id: text, c_id: text, title: text },
    options: sorted,
  },
  {
    name: 'long columns for an index',
    on: ['mariadb'],
    setup: () => [
      `create table notes (id varchar(255) primary key, a_id varchar(255), b_id varchar(255),
        c_id varchar(255), title varchar(255))`,
      "insert into notes values ('1', 'a', 'b', 'c', 'd')",
    ],
    paths: ['/notes', ...levels],
    fields: { a_id: text, b_id: text, c_id: text, title: text },
    options: sorted,
    rest: /are too long for an index/,
  },
  {
    name: 'owners of a caller and of a path',
    setup: (engine) => [notes(engine, 'tenant', 'a_id', 'title')],
    paths: ['/notes', '/as/:a_id/notes'],
    fields: { tenant: text, ...nested },
    options: { ...sorted, ownedBy: ['tenant'] },
  },
  {
    name: 'owners in columns of any length',
    setup: (engine) => [
      `create table notes (id ${key[engine]} primary key, author text, title ${key[engine]})`,
    ],
    paths: ['/notes', '/as/:author/notes'],
    fields: { author: text, title: text },
    options: sorted,
  },
  ...engines.flatMap((engine) =>
    softColumns[engine].map(
      (column): Shape => ({
        name: `rows that are deleted by a ${column}`,
        on: [engine],
        setup: () => [
          `create table notes (id ${key[engine]} primary key, a_id ${key[engine]},
          title ${key[engine]}, ${quote(engine, 'deleted at')} ${column})`,
        ],
        paths: ['/notes', '/as/:a_id/notes'],
        fields: nested,
        options: sorted,
        adapter: soft,
      }),
    ),
  ),
  {
    name: 'a soft deletion without its column',
    setup: (engine) => [notes(engine, 'a_id', 'title')],
    fields: nested,
    options: sorted,
    adapter: soft,
  },
  {
    name: 'a soft deletion whose column is never empty',
    on: ['postgres', 'mariadb'],
    setup: (engine) => [
      `create table notes (id ${key[engine]} primary key, title ${key[engine]},
        ${quote(engine, 'deleted at')} ${moment[engine]} not null)`,
    ],
    fields: { title: text },
    adapter: soft,
  },
  {
    name: 'a soft deletion in a short column',
    on: ['postgres', 'mariadb'],
    setup: (engine) => [
      `create table notes (id ${key[engine]} primary key, title ${key[engine]},
        ${quote(engine, 'deleted at')} varchar(9))`,
    ],
    fields: { title: text },
    adapter: soft,
  },
  {
    name: 'an index of the rows that are not deleted',
    on: ['sqlite', 'postgres'],
    setup: () => [
      'create table notes (id text primary key, title text collate "C", "deleted at" text)'.replace(
        'collate "C"',
        '',
      ),
      'create index mine on notes (title) where "deleted at" is null',
      'create index notes_present_title_id on notes (title) where title is null',
    ],
    fields: { title: text },
    options: sorted,
    adapter: soft,
  },
  {
    name: 'names with spaces, quotes, and upper case',
    setup: (engine) => {
      const mine = engine === 'mariadb' ? `\`${odd.replaceAll('`', '``')}\`` : ''
      const column = mine || `"${odd.replaceAll('"', '""')}"`
      const [table, id, select] = ['My Notes', 'ID', 'Select'].map((name) => quote(engine, name))
      return [
        `create table ${table} (${id} ${key[engine]} primary key, ${column} ${key[engine]},
          ${select} ${key[engine]})`,
      ]
    },
    paths: ['/notes', '/as/:a_id/notes'],
    fields: { a_id: text, title: text },
    options: sorted,
    adapter: { table: 'My Notes', columns: { id: 'ID', a_id: odd, title: 'Select' } },
  },
  {
    name: 'reserved words',
    setup: (engine) => [
      `create table ${quote(engine, 'order')} (id ${key[engine]} primary key,
        ${columnsOf(engine, ['group', 'where'])})`,
    ],
    fields: { group: text, where: text, rank: z.int(), key: z.number().optional() },
    options: { sortable: ['group', 'where', 'rank'], filterable: ['key'] },
    adapter: { table: 'order' },
  },
  {
    name: 'long names, alike up to their ends',
    setup: () => [],
    fields: Object.fromEntries(
      ['one', 'two'].map((end) => [`${'a_column_with_a_long_name_'.repeat(2)}${end}`, text]),
    ),
    options: {
      sortable: ['one', 'two'].map((end) => `${'a_column_with_a_long_name_'.repeat(2)}${end}`),
    },
  },
  {
    name: 'a name of an index that is taken',
    setup: (engine) => [
      notes(engine, 'title', 'kind'),
      'create index notes_by_title_id on notes (kind)',
    ],
    fields: { title: text, kind: text },
    options: sorted,
  },
  {
    name: 'columns whose names differ by case',
    on: ['sqlite', 'mariadb'],
    setup: (engine) => [`create table notes (Id ${key[engine]} primary key, Title ${key[engine]})`],
    fields: { title: text },
    rest: /The table has "/,
  },
  {
    name: 'composite indexes',
    setup: (engine) => [
      notes(engine, 'a_id', 'title'),
      'create index mine on notes (a_id, title)',
      'create unique index yours on notes (title, a_id)',
    ],
    paths: ['/notes', '/as/:a_id/notes'],
    fields: nested,
    options: sorted,
  },
  {
    name: 'a view over a table',
    setup: (engine) => [
      notes(engine, 'a_id', 'title'),
      'create view shown as select id, a_id, title, title as label from notes',
    ],
    paths: ['/notes', '/as/:a_id/notes'],
    fields: { ...nested, label: text },
    options: { ...sorted, readOnly: ['label'], sortable: ['title', 'label'] },
    adapter: { table: 'shown', writeTo: 'notes' },
  },
  {
    name: 'a view whose owner is of another table',
    setup: (engine) => [
      notes(engine, 'b_id', 'title'),
      'create view shown as select id, b_id as a_id, title from notes',
    ],
    paths: ['/notes', '/as/:a_id/notes'],
    fields: nested,
    options: { ...sorted, readOnly: ['a_id'], without: ['create'] },
    adapter: { table: 'shown', writeTo: 'notes', onCreate: () => ({}) },
  },
  {
    name: 'a table below a view of somebody else',
    setup: (engine) => [
      notes(engine, 'a_id', 'title'),
      "create view theirs as select * from notes where title <> ''",
    ],
    paths: ['/notes', '/as/:a_id/notes'],
    fields: nested,
    options: sorted,
  },
  {
    name: 'rows with empty columns',
    setup: (engine) => [
      `create table notes (id ${key[engine]} primary key, a_id ${key[engine]},
        title ${key[engine]})`,
      "insert into notes (id, title) values ('1', 'a')",
    ],
    fields: nested,
    options: sorted,
    rest: /Rows have no value in "a_id"|is required/,
  },
  {
    name: 'rows that share an id',
    setup: (engine) => [
      `create table notes (id ${key[engine]}, title ${key[engine]})`,
      "insert into notes (id, title) values ('1', 'a'), ('1', 'b')",
    ],
    fields: { title: text },
    rest: /Rows share the values of \(id\)/,
  },
  {
    name: 'a table without a key',
    setup: () => ['create table notes (id text, title text)'],
    fields: { title: text },
    options: sorted,
  },
  {
    name: 'rows that are no numbers',
    on: ['postgres', 'mariadb'],
    setup: (engine) => [notes(engine, 'rank'), `insert into notes values ('1', 'high')`],
    fields: { rank: z.int() },
    rest: /Rows have other values in "rank"/,
  },
  {
    name: 'texts in columns of numbers that a view shows',
    on: ['sqlite', 'postgres'],
    setup: (engine) => [
      `create table notes (id ${key[engine]} primary key, price decimal(9, 2) not null)`,
      'create view theirs as select price from notes',
    ],
    fields: { price: text },
    options: { sortable: ['price'] },
    rest: /is text, but the column "price" holds numbers/,
  },
  {
    name: 'texts in columns of numbers',
    on: ['postgres', 'mariadb'],
    setup: (engine) => [
      `create table notes (id ${key[engine]} primary key, price decimal(9, 2))`,
      "insert into notes values ('1', 2)",
    ],
    fields: { price: text },
    options: { sortable: ['price'] },
  },
  {
    name: 'counted ids without a counter',
    on: ['postgres', 'mariadb'],
    setup: () => [
      'create table notes (id integer, title varchar(9))',
      'create unique index mine on notes (title, id)',
    ],
    fields: { id: z.int(), title: text },
    options: { id: z.coerce.number(), ids: 'counted' },
  },
  {
    name: 'long rows',
    on: ['postgres'],
    setup: (engine) => [
      notes(engine, 'title'),
      "insert into notes select '1', string_agg(md5(i::text), '') from generate_series(1, 900) i",
    ],
    fields: { title: text },
    options: sorted,
    rest: /Rows are too long/,
  },
  {
    name: 'fields that clients may leave out',
    setup: (engine) => [
      `create table notes (id ${key[engine]} primary key, title ${key[engine]} not null,
        extra ${key[engine]} not null)`,
    ],
    fields: { title: text.optional() },
    options: { create: z.object({}) },
  },
  {
    name: 'a unique key of all owners',
    setup: (engine) => [
      notes(engine, 'tenant', 'title'),
      'create unique index mine on notes (title)',
    ],
    fields: { tenant: text, title: text },
    options: { ownedBy: ['tenant'] },
    rest: /The unique key \(title\)/,
  },
  {
    name: 'foreign keys, checks, and computed columns',
    setup: (engine) =>
      [
        `create table parents (id ${key[engine]} primary key)`,
        `create table notes (id ${key[engine]} primary key, a_id ${key[engine]} references parents,
        title ${key[engine]} check (title <> ''),
        low ${key[engine]} generated always as (lower(title)) stored)`,
        ...(engine === 'mariadb'
          ? ['alter table notes add foreign key (a_id) references parents (id)']
          : []),
      ].map((line) => (engine === 'mariadb' ? line.replace(' references parents,', ',') : line)),
    paths: ['/notes', '/as/:a_id/notes'],
    fields: { ...nested, low: text },
    options: { ...sorted, readOnly: ['low'], sortable: ['title', 'a_id'] },
    rest: /./,
  },
  {
    name: 'a strict table',
    on: ['sqlite'],
    setup: () => ['create table notes (id text primary key) strict'],
    fields: { done: z.boolean(), list: z.array(text), rank: z.number(), title: text },
    options: sorted,
  },
  {
    name: 'columns that fold case',
    on: ['sqlite'],
    setup: () => [
      'create table notes (id text collate nocase primary key, title text collate nocase)',
    ],
    fields: { title: text },
    options: sorted,
    rest: /is required/,
  },
  {
    name: 'a table in partitions',
    on: ['postgres'],
    setup: () => [
      `create table notes (id text, a_id text, title text, primary key (id, a_id))
        partition by list (a_id)`,
      'create table one partition of notes default',
    ],
    paths: ['/as/:a_id/notes'],
    fields: nested,
    options: sorted,
  },
]

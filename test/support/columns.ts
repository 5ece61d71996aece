import fc from 'fast-check'
import { isHeld } from './held.ts'
import type { Engine } from './stores.ts'

/** The kinds of fields. */
export const kinds = ['text', 'number', 'boolean', 'json'] as const

/** One of them. */
export type Kind = (typeof kinds)[number]

/** A column, and what its field holds. */
interface SampleColumn {
  readonly name: string
  readonly kind: Kind
  /** As it stands in `create table`. */
  readonly declared: string
  /** The database writes its value in a form of its own, or rounds it. */
  readonly isRounded: boolean
}

/** A table with columns of every type that a field may have. */
export interface SampleTable {
  readonly id: string
  readonly columns: readonly SampleColumn[]
  /** Statements for after the table. */
  readonly prepare: readonly string[]
}

type Types = Readonly<Record<Kind, readonly string[]>>

const types: Readonly<Record<Engine, Types>> = {
  sqlite: {
    text: [
      ...['text', 'varchar(3)', 'date', 'datetime', 'time', 'uuid', '', 'any', 'timepoint'],
      ...['date text', 'text collate nocase', 'integer_text_date', 'uuid printed text'],
      "text default 'given'",
      'text check (length(?) < 4)',
      'text unique',
    ],
    number: [
      ...['integer', 'int', 'real', 'double', 'numeric', 'decimal(10, 2)', 'bigint', '', 'any'],
      ...['double int', 'string', "integer default 'none'", "numeric default '1e400'"],
      'integer default 9007199254740993',
    ],
    boolean: ['boolean', 'integer', '', 'any', "boolean default 'perhaps'", 'real'],
    json: [
      ...['json', 'jsonb', 'text', '', 'any', 'json text', "text default 'no json'"],
      ...["json default '{'", 'json default 10000000000000000', "json default x'00'"],
    ],
  },
  postgres: {
    text: [
      ...['text', 'varchar(3)', 'char(3)', 'date', 'time', 'timestamp', 'timestamptz', 'uuid'],
      ...['inet', 'money', 'interval', 'bit(3)', 'timetz', 'mood', 'word', 'short', 'name'],
      ...['"char"', 'xml', 'numrange', 'timestamp(0)', 'time(0)', 'text unique', 'varchar(3)[]'],
      "text default 'given'",
      'text check (length(?) < 4)',
    ],
    number: [
      ...['smallint', 'integer', 'bigint', 'real', 'double precision', 'numeric', 'numeric(5, 2)'],
      ...[
        'numeric(20, 0)',
        'percent',
        "numeric default 'NaN'",
        "double precision default 'infinity'",
      ],
      'bigint default 9007199254740993',
    ],
    boolean: ['boolean', 'integer', 'smallint', 'integer default 2'],
    json: ['json', 'jsonb', 'text', 'varchar(8)', "text default 'no json'"],
  },
  mariadb: {
    text: [
      ...[
        'text',
        'varchar(3)',
        'char(3)',
        'date',
        'time',
        'datetime',
        'datetime(6)',
        'timestamp(6) null',
      ],
      ...["enum('a', 'B', '2', '1')", "set('a', 'b')", 'tinytext', 'inet6', 'uuid'],
      ...['varchar(3) character set latin1', 'varchar(3) unique'],
      "varchar(9) default 'given'",
      'varchar(9) check (length(?) < 4)',
    ],
    number: [
      ...['tinyint', 'smallint', 'mediumint', 'integer', 'bigint', 'bigint unsigned', 'double'],
      ...['double(5, 2)', 'decimal(5, 2)', 'decimal(20, 0)', 'decimal(38, 18)', 'year'],
      ...['bit(8)', 'float', 'tinyint(1)'],
      'bigint default 9007199254740993',
    ],
    boolean: ['boolean', 'integer', 'tinyint(1)', 'bit(1)', 'tinyint default 2'],
    json: ['json', 'text', 'longtext', 'varchar(8)', "varchar(9) default 'no json'"],
  },
}

const before: Readonly<Record<Engine, readonly string[]>> = {
  sqlite: [],
  postgres: [
    "create type mood as enum ('a', 'B')",
    'create domain percent as numeric(5, 2) check (value < 100)',
    'create domain word as text check (length(value) < 4)',
    'create domain short as word',
  ],
  mariadb: [],
}

const rounding: Readonly<Record<Engine, RegExp>> = {
  sqlite: /^$ none/,
  postgres:
    /^(?:time|uuid|inet|money|interval|bit|name|"char"|real|numeric\(|percent|varchar\(3\)\[)/,
  mariadb: /^(?:time|datetime|set|inet6|uuid|float|double\(|decimal)/,
}

/** The columns of an engine: every kind of field in every type that may hold it. */
export function columnsOf(engine: Engine): SampleTable & { readonly begin: readonly string[] } {
  const columns = kinds.flatMap((kind) =>
    types[engine][kind].map((type, place): SampleColumn => {
      const name = `${kind}_${place}`
      return {
        name,
        kind,
        declared: type.replace('?', name),
        isRounded: rounding[engine].test(type),
      }
    }),
  )
  const id = engine === 'mariadb' ? `varchar(9) ${exact} primary key` : 'text primary key'
  return { id, columns, prepare: [], begin: before[engine] }
}

const exact = 'character set utf8mb4 collate utf8mb4_nopad_bin'

const texts = [
  ...[
    '',
    'a',
    'A',
    ' a',
    'a ',
    'abcd',
    'ab  ',
    'abc ',
    'é',
    '😀',
    '12',
    '0012',
    ' 12',
    '1e400',
    '1e5',
    '0x10',
  ],
  ...[
    '+1',
    '1.50',
    '-0',
    '.5',
    'NaN',
    'Infinity',
    'infinity',
    'null',
    'true',
    'now',
    'today',
    '{}',
    '"a"',
    '1',
    '2',
  ],
  ...[
    '2026-01-31',
    '2026-02-30',
    '0000-00-00',
    '10:00',
    '10:00:00',
    '24:00:00',
    '10:00:00.1234567',
  ],
  ...['2026-01-31T10:00:00Z', '2026-01-31T10:00:00.1234567+02:00', '9999-12-31T23:59:59.9999999Z'],
  ...[
    '9999-12-31T23:59:59-12:00',
    '0001-01-01T00:00:00+12:00',
    '2026-01-31 10:00:00',
    '1960-01-01T00:00:00Z',
  ],
  ...[
    '0190B6A3-1F5A-7C3E-8A36-0C5D2B9B6A11',
    '0190b6a3-1f5a-7c3e-8a36-0c5d2b9b6a11',
    '10.0.0.1/32',
    '::1',
    '1 day',
  ],
  ...[
    '$12',
    '101',
    '1',
    '\\x41',
    'B',
    'b,a',
    '<a/>',
    '[1,2)',
    '{a}',
    'a\u0300',
    'x'.repeat(70),
    'x'.repeat(300),
  ],
]
const numbers = [
  ...[
    0,
    -0,
    1,
    -1,
    2,
    99,
    127,
    128,
    1.5,
    0.1,
    0.1 + 0.2,
    1 / 3,
    2.675,
    99.999,
    1e15 + 0.3,
    2 ** 31,
    2 ** 53 - 1,
  ],
  ...[
    2 ** 53,
    2 ** 53 + 2,
    1e16,
    -1e16,
    2 ** 63,
    2 ** 64,
    1e19,
    1e21,
    1e22,
    1e23,
    1e38,
    1e39,
    1e300,
    5e-324,
    1e-300,
  ],
  ...[1.7976931348623157e308, 2155, 1901, 70, 123456789.123],
]

/** Values of a request for a field: of its kind, and odd ones. */
export function anyOfKind(kind: Kind): fc.Arbitrary<unknown> {
  if (kind === 'text') return fc.oneof(fc.constantFrom(...texts), fc.string({ maxLength: 5 }))
  if (kind === 'number') {
    const any = fc.double({ noNaN: true, noDefaultInfinity: true })
    return fc.oneof(fc.constantFrom(...numbers), any)
  }
  if (kind === 'boolean') return fc.boolean()
  const odd = [
    ...numbers,
    ...texts,
    null,
    true,
    {},
    [],
    { a: null },
    { b: 1, a: [1e23] },
    '\0',
    ['\ud800'],
  ]
  return fc.oneof(fc.constantFrom<unknown>(...odd), fc.jsonValue({ maxDepth: 2 }).filter(isHeld))
}

import { z } from 'zod'
import type { Engine } from './stores.ts'

/** A column, the kind of its field, and values that other programs may store in it. */
export interface Holding {
  readonly type: string
  readonly holds: 'text' | 'number' | 'boolean' | 'json' | 'base64'
  /** Its schema in a contract. */
  readonly schema: z.ZodType
  /** Expressions of SQL. */
  readonly stored: readonly string[]
}

const day = z.iso.date()
const moment = z.iso.datetime({ offset: true })
const clock = z.string().meta({ format: 'time' })
const number = z.number()
const boolean = z.boolean()
const text = z.string()
const base64 = z.base64()
const wholes = ['0', '7', '-7']
const flags = ['0', '1', '2', '-1']
const wides = ['9007199254740993', '9007199254740992', '-9007199254740993', '9223372036854775807']

type Row = readonly [
  type: string,
  holds: Holding['holds'],
  schema: z.ZodType,
  stored: readonly string[],
]

const floats = ['0', '0.1', '-1.5', '1e300', '5e-324']
const decimals = [
  '0',
  '0.1',
  '-1.5',
  '2.000000000000000000 / 3',
  '0.123456789012345678',
  '0.123456789012345679',
  '12345678901234567890.12',
  '0.000000000000000001',
]
const spans = ["'00:00:00'", "'10:00:00.5'", "'23:59:59.999999'"]
const days = ["'0001-01-01'", "'2026-01-31'", "'2024-02-29'", "'9999-12-31'"]
const moments = [
  "'0001-01-01 00:00:00'",
  "'2026-01-31 10:00:00.123456'",
  "'9999-12-31 23:59:59.999999'",
]
const beyond = [
  "'infinity'",
  "'-infinity'",
  "'0044-03-15 BC'",
  "'12026-03-15'",
  "'4714-11-24 BC'",
  "'0001-02-29 BC'",
]
const endless = ["'NaN'", "'Infinity'", "'-Infinity'"]
const zeros = ["'0000-00-00'", "'2026-00-10'", "'2026-01-00'", "'0000-02-01'"]

// biome-ignore format: rows
const rows: Readonly<Record<Engine, readonly Row[]>> = {
  sqlite: [
    ['date', 'text', day, days],
    ['text', 'text', moment, ["'2021-01-01 00:00:00'", "'2021-01-01T00:00:00Z'"]],
    ['real', 'number', number, [...floats, '9e999', '-9e999']],
    ['boolean', 'boolean', boolean, flags],
    ['integer', 'boolean', boolean, flags],
    ['real', 'boolean', boolean, flags],
    ['integer', 'text', text, [...wholes, ...wides, '-9223372036854775808']],
    ['numeric', 'text', text, ['0.1', '1.50', '-3', '9007199254740993']],
    ['real', 'text', text, ['0.1', '12.0', '-3.25', '1e5']],
    ['blob', 'base64', base64, ["x''", "x'00ff80'", "x'0a'"]],
    ['boolean', 'number', number, flags],
    ['integer', 'number', number, [...wholes, ...wides, '0.5']],
    ['numeric', 'number', number, [...floats, ...wides]],
  ],
  postgres: [
    ['date', 'text', day, [...days, ...beyond, "'5874897-12-31'"]],
    ['timestamp', 'text', moment, [...moments, ...beyond, "'294276-12-31 23:59:59.999999'"]],
    ['timestamptz', 'text', moment, [...moments, ...beyond].map((value) => `timestamptz ${value}`)],
    ['time', 'text', clock, [...spans, "'24:00:00'"]],
    ['double precision', 'number', number, [...floats, ...endless]],
    ['real', 'number', number, ['0.1', '3.4e38', ...endless]],
    ['numeric', 'number', number, [...decimals, ...endless]],
    ['numeric(38,18)', 'number', number, decimals],
    ['numeric(20,2)', 'number', number, ['999999999999999999.99', '999999999999999999.98', '0.10']],
    ['bigint', 'number', number, [...wholes, ...wides]],
    ['smallint', 'number', number, wholes],
    ['bigint', 'text', text, [...wholes, ...wides, '-9223372036854775808']],
    ['numeric(20,2)', 'text', text, ['999999999999999999.99', '999999999999999999.98', '0.10', '-7', "'NaN'"]],
    ['numeric', 'text', text, [...decimals, ...endless, '1e40', '1.50']],
    ['double precision', 'text', text, [...floats, ...endless]],
    ['real', 'text', text, ['0.1', '3.4e38', ...endless]],
    ['integer', 'text', text, wholes],
    ['bytea', 'base64', base64, ["''", "'\\x00ff80'", "'\\x0a'"]],
    ['boolean', 'boolean', boolean, ['false', 'true']], ['smallint', 'boolean', boolean, flags],
    ['integer', 'boolean', boolean, flags], ['bigint', 'boolean', boolean, flags],
    ['numeric', 'boolean', boolean, [...flags, '0.5']],
    ['double precision', 'boolean', boolean, flags], ['real', 'boolean', boolean, flags],
  ],
  mariadb: [
    ['date', 'text', day, [...days, ...zeros]],
    ['datetime(6)', 'text', moment, [...moments, ...zeros]],
    ['timestamp(6)', 'text', moment, ["'2026-01-31 10:00:00.5'", "'0000-00-00'"]],
    ['time(6)', 'text', clock, [...spans, "'24:00:00'", "'-01:00:00'", "'838:59:59'"]],
    ['double', 'number', number, floats],
    ['float', 'number', number, ['0', '0.1', '16777217', '3.4e38', '1e-40', '123456.789']],
    ['bigint', 'text', text, [...wholes, ...wides, '-9223372036854775808']],
    ['bigint unsigned', 'text', text, ['0', '18446744073709551615']],
    ['decimal(20,2)', 'text', text, ['999999999999999999.99', '999999999999999999.98', '0.10', '-7']],
    ['decimal(38,18)', 'text', text, decimals],
    ['double', 'text', text, floats],
    ['float', 'text', text, ['0', '0.1', '16777217']],
    ['int', 'text', text, wholes],
    ['blob', 'base64', base64, ["''", "x'00ff80'", "x'0a'"]],
    ['varbinary(3)', 'base64', base64, ["''", "x'00ff80'", "x'0a'"]],
    ['binary(3)', 'base64', base64, ["x'00ff80'", "x'0a0000'"]],
    ['float(7,2)', 'number', number, ['0', '0.1', '12345.67']],
    ['decimal(38,18)', 'number', number, decimals],
    ['decimal(20,2)', 'number', number, ['999999999999999999.99', '999999999999999999.98', '0.10']],
    ['bigint', 'number', number, [...wholes, ...wides]],
    ['bigint unsigned', 'number', number, ['0', '18446744073709551615', '18446744073709551614']],
    ['tinyint(1)', 'number', number, [...wholes, '1']],
    ['bit(8)', 'number', number, ["b'101'", "b'110001'", '255']],
    ['bit(64)', 'number', number, ["b'101'", '18446744073709551615', '18446744073709551614']],
    ['bit(1)', 'number', number, ['0', '1']],
    ['year', 'number', number, ['0', '1901', '2155']],
    ['int unsigned', 'number', number, ['0', '4294967295']],
    ['boolean', 'boolean', boolean, flags],
    ['tinyint unsigned', 'boolean', boolean, ['0', '1', '2']],
    ['integer', 'boolean', boolean, flags],
    ['bigint', 'boolean', boolean, flags],
    ['bit(1)', 'boolean', boolean, ['0', '1']],
    ['bit(8)', 'boolean', boolean, ['0', '1', '2']],
    ['decimal(5,2)', 'boolean', boolean, [...flags, '0.5']],
    ['double', 'boolean', boolean, flags],
    ['float', 'boolean', boolean, flags],
  ],
}

/** The columns of an engine, with values that a database holds. */
export function holdingsOf(engine: Engine): readonly Holding[] {
  return rows[engine].map(([type, holds, schema, stored]) => ({ type, holds, schema, stored }))
}

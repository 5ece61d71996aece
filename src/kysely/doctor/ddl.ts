import type { ResourceTable } from '../../contract/resource/adapter.ts'
import { fieldNamesOf } from '../../contract/schema/outline.ts'
import { requiredFieldsOf } from '../../contract/schema/required.ts'
import { bindField, bindFold } from '../bind.ts'
import {
  type DeclaredKind,
  noSurroundings,
  quoted,
  quotedTable,
  type Surroundings,
  type Words,
} from '../engine/declarations.ts'
import { type Column, isLongText } from '../engine/engine.ts'
import { mariaDbWords, mysqlWords } from '../engine/mysql-changes.ts'
import { postgresWords } from '../engine/postgres.ts'
import { sqliteWords } from '../engine/sqlite.ts'
import { type ColumnField, columnFieldsOf, foldsIn } from '../options.ts'
import { missingIndexes } from './column-advice.ts'
import { fixWriterIn, isSought, kindOf } from './fix.ts'

const wordsByDialect = {
  sqlite: sqliteWords,
  postgres: postgresWords,
  mysql: mysqlWords,
  mariadb: mariaDbWords,
} as const

/** A dialect of SQL that declares tables. */
export type DdlDialect = keyof typeof wordsByDialect

/** The names of the dialects. */
export const ddlDialects = Object.keys(wordsByDialect) as readonly DdlDialect[]

/**
 * Returns the statements that make the tables of resources: types, collations, keys, foreign keys
 * and indexes. A line that begins with `--` says what no statement does.
 *
 * @throws {TypeError} When a schema names no fields, and the layout neither.
 */
export function ddlOf(tables: readonly ResourceTable[], dialect: DdlDialect): readonly string[] {
  const plans = tables.map((table) => planOf(table, dialect))
  const byName = new Map(plans.map((plan) => [plan.resource.name, plan]))
  const ordered = inOrderOfReferences(plans)
  const declared = new Set<string>()
  const later: string[] = []
  const statements = ordered.flatMap((plan) => {
    declared.add(plan.resource.name)
    const keys = foreignKeysOf(plan, byName)
    const isInline = ({ to }: ForeignKeyPlan) => dialect === 'sqlite' || declared.has(to)
    for (const key of keys.filter((key) => !isInline(key)))
      later.push(`alter table ${quotedTable(plan.words, plan.table)} add ${key.constraint};`)
    return statementsOf(plan, keys, isInline)
  })
  return [...schemasOf(plans), ...statements, ...later]
}

type BoundField = ReturnType<typeof bindField>

interface TablePlan extends ResourceTable {
  readonly table: string
  readonly fields: readonly ColumnField[]
  readonly words: Words
  readonly dialect: DdlDialect
}

function planOf(source: ResourceTable, dialect: DdlDialect): TablePlan {
  const { layout, resource } = source
  const { table, writeTo } = layout
  const fields = columnFieldsOf(resource, layout)
  return { ...source, table: writeTo ?? table, fields, words: wordsByDialect[dialect], dialect }
}

function schemasOf(plans: readonly TablePlan[]): readonly string[] {
  const statements = plans.flatMap(({ table, words }) => {
    const [, schema] = table.split('.').reverse()
    const isNamed = schema !== undefined && words.hasSchemas
    return isNamed ? [`create schema if not exists ${quoted(words, schema)};`] : []
  })
  return [...new Set(statements)]
}

// A depth-first walk: a table comes after those that it references, but for a cycle.
function inOrderOfReferences(plans: readonly TablePlan[]): readonly TablePlan[] {
  const ordered = new Set<TablePlan>()
  const visited = new Set<TablePlan>()
  const visit = (plan: TablePlan): void => {
    if (visited.has(plan)) return
    visited.add(plan)
    const targets = new Set(plan.links.values())
    for (const target of plans) if (targets.has(target.resource.name)) visit(target)
    ordered.add(plan)
  }
  for (const plan of plans) visit(plan)
  return [...ordered]
}

interface ForeignKeyPlan {
  readonly field: string
  readonly to: string
  /** The kind of the referenced id, which the column has to share. */
  readonly kind: DeclaredKind
  readonly constraint: string
}

function foreignKeysOf(
  { links, fields, words }: TablePlan,
  plans: ReadonlyMap<string, TablePlan>,
): readonly ForeignKeyPlan[] {
  return [...links].flatMap(([name, to]) => {
    const field = fields.find((candidate) => candidate.name === name)
    const target = plans.get(to)
    const id = target?.fields.find((candidate) => candidate.name === 'id')
    // No column can be equal to one of another type.
    if (field === undefined || target === undefined || id === undefined) return []
    if (field.type !== id.type) return []
    const [column, key] = [field.column, id.column].map((column) => quoted(words, column))
    const table = quotedTable(words, target.table)
    const constraint = `foreign key (${column}) references ${table} (${key})`
    return [{ field: name, to, kind: kindOf(id, target.resource), constraint }]
  })
}

function statementsOf(
  plan: TablePlan,
  keys: readonly ForeignKeyPlan[],
  isInline: (key: ForeignKeyPlan) => boolean,
): readonly string[] {
  const { resource, layout, fields, words, table, mounts } = plan
  if (layout.writeTo !== undefined)
    return [`-- "${resource.name}" reads the view ${layout.table}: write it and ${table} yourself.`]
  const kinds = new Map(keys.map(({ field, kind }) => [field, kind]))
  const bound = boundFieldsOf(plan, kinds)
  const field = new Map(bound.map((field) => [field.name, field]))
  const folds = foldsOf(layout, field)
  const further = new Map(
    fields.map((field) => {
      return [field.name, { kind: kinds.get(field.name), suffix: clockOf(field, plan) }]
    }),
  )
  const primary = bound.flatMap(({ name, column }) => (name === 'id' ? column : []))
  const bytes = bytesOf([...bound, ...folds.values()], plan)
  const surroundings = { ...noSurroundings, primary: new Set(primary), bytes }
  const described = {
    columns: bound.map(({ stored }) => stored),
    keys: new Map([['primary key', primary]]),
  }
  const { softDelete, folded = {} } = layout
  const home = { table, resource, described, softDelete, folded, words, surroundings }
  const fixWriter = fixWriterIn(home)
  const constraints = keys.filter(isInline).map(({ constraint }) => constraint)
  const body = [...fixWriter.declareColumns(fields, further), ...constraints].join(',\n  ')
  const indexes = missingIndexes(
    { resource, fields: bound, field, folds, base: undefined, described },
    { fixWriter, mounts, links: keys.map((key) => key.field) },
  )
  return [
    `create table ${quotedTable(words, table)} (\n  ${body}\n);`,
    ...indexes.map(({ fix, message }) => fix?.statement ?? `-- ${message}`),
    ...unindexed(bound, resource),
  ]
}

function foldsOf({ folded = {} }: TablePlan['layout'], field: ReadonlyMap<string, BoundField>) {
  const entries = foldsIn(folded).flatMap(({ field: name, column, writes }) => {
    const base = field.get(name)
    if (base === undefined) return []
    return [[name, bindFold(base, { ...base.stored, name: column }, writes)] as const]
  })
  return new Map(entries)
}

// The moment of a write, as a default.
const clocks: Readonly<Record<DdlDialect, string>> = {
  sqlite: "(strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))",
  postgres: 'now()',
  mysql: 'current_timestamp(6)',
  mariadb: 'current_timestamp(6)',
}

// A required moment that no client sends: the database sets it.
function clockOf({ name, type, isMoment }: ColumnField, { resource, dialect }: TablePlan): string {
  const { create, schema, revision } = resource
  const sent = fieldNamesOf({ schema: create })
  const isSet = sent?.includes(name) === false && name !== revision
  const isRequired = requiredFieldsOf(schema)?.includes(name)
  return isMoment && type === 'text' && isSet && isRequired ? ` default ${clocks[dialect]}` : ''
}

function boundFieldsOf(
  { fields, resource, words }: TablePlan,
  kinds: ReadonlyMap<string, DeclaredKind>,
): readonly BoundField[] {
  const required = requiredFieldsOf(resource.schema) ?? []
  return fields.map((field) => {
    const kind = kinds.get(field.name) ?? kindOf(field, resource)
    const isNullable = field.isNullable || !required.includes(field.name)
    return bindField(field, columnOf(field, { type: words.types[kind], isNullable }))
  })
}

function unindexed(
  bound: readonly BoundField[],
  resource: ResourceTable['resource'],
): readonly string[] {
  return bound
    .filter(({ name, stored }) => isLongText(stored) && isSought(name, resource))
    .map(
      ({ name }) =>
        `-- No index holds "${name}", a text of any length: its schema needs .max(255) for one.`,
    )
}

// A text of 255 characters, and a number or a date.
const [textBytes, plainBytes] = [255 * 4, 8]

// MySQL alone counts the bytes of an index.
function bytesOf(bound: readonly BoundField[], { dialect }: TablePlan): Surroundings['bytes'] {
  if (dialect !== 'mysql' && dialect !== 'mariadb') return noSurroundings.bytes
  return new Map(
    bound.map(({ column, stored }) => [column, stored.kind === 'text' ? textBytes : plainBytes]),
  )
}

const kindsOfWords: Readonly<Record<string, 'json' | 'date' | 'timestamp' | 'uuid'>> = {
  json: 'json',
  jsonb: 'json',
  date: 'date',
  'datetime(6)': 'timestamp',
  timestamptz: 'timestamp',
  uuid: 'uuid',
}

/** Returns a column as the database will describe it, as far as indexes depend on that. */
function columnOf(
  { column: name }: ColumnField,
  { type, isNullable }: Pick<Column, 'type' | 'isNullable'>,
): Column {
  const base = {
    name,
    type,
    isNullable,
    origin: 'client',
    whenMissing: undefined,
    standard: undefined,
    isSteady: true,
    equality: 'exact',
    order: 'exact',
  } as const
  if (/^(?:double|real)/.test(type))
    return { ...base, kind: 'number', number: { precision: 'double' } }
  if (/^(?:bigint|integer)/.test(type))
    return { ...base, kind: 'number', number: { precision: 'whole', most: 2 ** 53 - 1 } }
  if (type === 'boolean') return { ...base, kind: 'boolean' }
  if (/^(?:bytea|\w*blob)/.test(type)) return { ...base, kind: 'binary' }
  const kind = kindsOfWords[type]
  return kind === undefined
    ? { ...base, kind: 'text', isLong: type === 'longtext' }
    : { ...base, kind }
}

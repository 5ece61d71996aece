import type { FilledProject } from './from-file.ts'
import type { ProjectField, ProjectModel, ProjectResource, ValueType } from './model.ts'

/** Writes `schema.sql`: a table of SQLite for each resource, and indexes of its references. */
export function tablesText({ resources }: ProjectModel): string {
  return resources.map((resource) => tableText(resource, resources)).join('\n')
}

function tableText(resource: ProjectResource, resources: readonly ProjectResource[]): string {
  const { table, fields, references, id } = resource
  const lines = fields.map((field) => {
    const name = sqlName(columnOf(field))
    if (field.name === 'id') return `  ${name} ${idColumns[id.kind]}`
    const target = references.find((reference) => reference.field === field.name)?.to
    const parent = resources.find(({ noun }) => noun === target)
    const type = parent === undefined ? columnType(field.type) : referenceColumns[parent.id.kind]
    const required = field.isNullable || field.isOptional ? '' : ' not null'
    const reference = parent === undefined ? '' : ` references ${sqlName(parent.table)} (id)`
    return `  ${name} ${type}${required}${reference}`
  })
  const indexes = references.map(({ field }) => {
    const column = columnOf(fields.find(({ name }) => name === field) ?? { name: field })
    const name = sqlName(`${table}_by_${column}`)
    return `create index ${name} on ${sqlName(table)} (${sqlName(column)}, id);\n`
  })
  return `create table ${sqlName(table)} (\n${lines.join(',\n')}\n);\n${indexes.join('')}`
}

function columnOf({ name, column = name }: Pick<ProjectField, 'name' | 'column'>): string {
  return column
}

const idColumns: Readonly<Record<ProjectResource['id']['kind'], string>> = {
  counted: 'integer primary key autoincrement',
  number: 'real primary key not null',
  text: 'text primary key not null',
  uuid: 'text primary key not null',
  mixed: 'text primary key not null',
}

const referenceColumns: Readonly<Record<ProjectResource['id']['kind'], string>> = {
  ...{ counted: 'integer', number: 'real', text: 'text', uuid: 'text', mixed: 'text' },
}

function columnType({ kind }: ValueType): string {
  if (kind === 'whole') return 'integer'
  if (kind === 'number') return 'real'
  if (kind === 'boolean') return 'boolean'
  return kind === 'object' || kind === 'array' || kind === 'list' ? 'json' : 'text'
}

// Names that stand in SQL without quotes in no database.
const reservedWords = new Set(
  (
    'add all alter analyze and any array as asc asymmetric authorization autoincrement begin ' +
    'between binary both by case cast check collate column commit constraint create cross ' +
    'current current_date current_time current_timestamp current_user database default ' +
    'deferrable delete desc describe distinct do drop else end escape except exists explain ' +
    'false fetch for foreign from full grant group groups having if ignore in index inner insert ' +
    'intersect interval into is isnull join key keys lateral leading left like limit localtime ' +
    'lock match natural not notnull nothing null of offset on only or order outer over primary ' +
    'range rank read references regexp release rename replace returning right rollback row rows ' +
    'schema select session_user set show some system table then to trailing transaction trigger ' +
    'true union unique update usage user using values view when where window with write'
  ).split(' '),
)

/** Returns a name as SQL takes it: `posts`, `"order"`. */
function sqlName(name: string): string {
  const isPlain = /^[a-z_][a-z0-9_]*$/i.test(name) && !reservedWords.has(name.toLowerCase())
  return isPlain ? name : `"${name.replaceAll('"', '""')}"`
}

/** Rows of one statement: SQLite reads each statement whole. */
const rowsOfStatement = 200

/** Writes `data.sql`: the rows of each table. */
export function rowsText({ model, items }: FilledProject): string {
  return model.resources
    .flatMap((resource) => {
      const rows = (items.get(resource.noun) ?? []).map((item) => rowText(item, resource))
      const columns = resource.fields.map((field) => sqlName(columnOf(field))).join(', ')
      const start = `insert into ${sqlName(resource.table)} (${columns}) values\n`
      const count = Math.ceil(rows.length / rowsOfStatement)
      return Array.from({ length: count }, (_, place) => {
        const slice = rows.slice(place * rowsOfStatement, (place + 1) * rowsOfStatement)
        return `${start}${slice.join(',\n')};\n`
      })
    })
    .join('')
}

function rowText(item: object, { fields }: ProjectResource): string {
  const values = fields.map(({ name, type }) =>
    sqlValue(Object.hasOwn(item, name) ? Reflect.get(item, name) : null, type),
  )
  return `  (${values.join(', ')})`
}

function sqlValue(value: unknown, { kind }: ValueType): string {
  if (value === null || value === undefined) return 'null'
  if (kind === 'union' || typeof value === 'object') return sqlText(JSON.stringify(value))
  return typeof value === 'string' ? sqlText(value) : String(value)
}

// SQLite reads a statement up to its first NUL.
function sqlText(text: string): string {
  const pieces = text.split('\0').map((piece) => `'${piece.replaceAll("'", "''")}'`)
  return pieces.join(' || char(0) || ')
}

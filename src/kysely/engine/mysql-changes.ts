import { sql } from 'kysely'
import {
  type ChangedTable,
  type ColumnChanges,
  collatedType,
  columnSuffix,
  type DeclaredKind,
  declaredType,
  emptyIn,
  type Fix,
  indexName,
  lengthOf,
  meetingIn,
  quoted,
  type Surroundings,
  textTypes,
  type Words,
} from './declarations.ts'
import type { Column, Session } from './engine.ts'

/** The words of MySQL in statements that declare columns. */
export const mysqlWords: Words = {
  types: {
    ...textTypes,
    key: 'varchar(255)',
    text: 'longtext',
    number: 'double',
    integer: 'bigint',
    date: 'date',
    time: 'varchar(255)',
    'date-time': 'datetime(6)',
    uuid: 'varchar(255)',
    bytes: 'longblob',
  },
  counted: 'bigint auto_increment',
  collated: ' character set utf8mb4 collate utf8mb4_0900_bin',
  collatedIndex: '',
  quote: '`',
  hasSchemas: true,
  quotesDefaults: false,
  // MySQL takes no default of a long text, and fills rows with '' without one.
  foldSuffix: 'not null',
  fold: (text, folding = 'utf8mb4_unicode_520_ci') =>
    `upper(lower(${text} collate ${folding})) collate utf8mb4_bin`,
  isOther: (a, b) => `not (${a} <=> ${b})`,
  indexes: { isPartial: false, collatesOwners: false, isQualified: false, sorted: 'by' },
}

/** The words of MariaDB in statements that declare columns. */
export const mariaDbWords: Words = {
  ...mysqlWords,
  collated: ' character set utf8mb4 collate utf8mb4_nopad_bin',
  quotesDefaults: true,
}

/** Returns the words of MySQL, or of MariaDB, in statements that declare columns. */
export async function wordsOfMysql(database: Session): Promise<Words> {
  const { rows } = await sql<{ version: string }>`select version() as version`.execute(database)
  return rows[0]?.version?.includes('MariaDB') ? mariaDbWords : mysqlWords
}

/**
 * Returns the statements that change columns. MySQL declares the whole column again, with what
 * earlier statements change.
 */
export function changesInMysql(changed: ChangedTable): ColumnChanges {
  const { words, name, table, surroundings, pending } = changed
  const { fixed, indexes, primary } = surroundings
  const modify = (column: Column) => declareAgain(changed, column)
  const retype = (column: Column, kind: DeclaredKind): Fix | undefined => {
    const type = words.types[kind]
    const isIndexed = indexes.some((index) => index.some((entry) => entry.column === column.name))
    if (fixed.has(column.name) || (isIndexed && /text$|blob$|^json$/.test(type))) return undefined
    const isShort = type.startsWith('varchar')
    const long = `is not null and char_length(${quoted(words, column.name)}) > 255`
    const obstacle = meetingIn(table, column.name, isShort ? long : 'is not null')
    pending.set(column.name, { type, isCollated: true, ...(isShort && { obstacle }) })
    const statement = modify({ ...column, standard: undefined })
    return type.endsWith('text') ? { statement } : { statement, obstacle }
  }
  return {
    retype,
    shorten: (column) => retype(column, 'key'),
    collate(column) {
      const isFixed = fixed.has(column.name) || column.origin === 'computed'
      if (isFixed || !isRoomy(column, surroundings)) return undefined
      pending.set(column.name, { ...pending.get(column.name), isCollated: true })
      return { statement: modify(column) }
    },
    require(column, isRequired) {
      const isFixed = fixed.has(column.name) || primary.has(column.name)
      if (column.origin === 'generated' || isFixed) return undefined
      const statement = modify({ ...column, isNullable: !isRequired })
      return isRequired ? { statement, obstacle: emptyIn(table, column.name) } : { statement }
    },
    dropDefault: ({ name: column }) => ({
      statement: `alter table ${name} alter column ${quoted(words, column)} drop default;`,
    }),
    count: (column) => countInMysql(changed, column),
  }
}

function declareAgain(changed: ChangedTable, column: Column): string {
  const { words, name, surroundings, pending } = changed
  const { type = declaredType(column), isCollated = false } = pending.get(column.name) ?? {}
  const collation = isCollated ? undefined : surroundings.collations.get(column.name)
  const [set] = collation?.split('_') ?? []
  const isKept = collation !== undefined && /text|char|enum|set/.test(type)
  const declared = isKept
    ? `${type} character set ${set} collate ${collation}`
    : collatedType(words, type)
  const suffix = columnSuffix(column, words)
  return `alter table ${name} modify ${quoted(words, column.name)} ${declared}${suffix};`
}

function countInMysql({ words, name, table, surroundings }: ChangedTable, column: Column) {
  const { fixed, indexes, names } = surroundings
  if (fixed.has(column.name)) return undefined
  const type = /int$/.test(column.type) ? declaredType(column) : 'bigint'
  const quotedName = quoted(words, column.name)
  // The counted column begins an index.
  const index = quoted(words, indexName([table.replace(/^.*\./, ''), 'by', column.name], names))
  const isLed = indexes.some(([first]) => first?.column === column.name)
  const suffix = isLed ? '' : `, add index ${index} (${quotedName})`
  return {
    statement: `alter table ${name} modify ${quotedName} ${type} auto_increment${suffix};`,
    obstacle: emptyIn(table, column.name),
  }
}

// InnoDB holds so many bytes of an index.
const maxIndexBytes = 3072

// A letter may take four bytes after the change.
const mostCharacters = 16_000

function isRoomy(column: Column, around: Surroundings): boolean {
  const { name, type } = column
  const length = lengthOf(column) ?? 0
  const { indexes, bytes } = around
  if (type.endsWith('char') && length > mostCharacters) return false
  return indexes
    .filter((index) => index.some(({ column }) => column === name))
    .every((index) => {
      const sizes = index.map(({ column }) =>
        column === name ? length * 4 : (bytes.get(column) ?? 0),
      )
      return sizes.reduce((sum, size) => sum + size, 0) <= maxIndexBytes
    })
}

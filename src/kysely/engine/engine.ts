import type {
  CompiledQuery,
  DatabaseConnection,
  DialectAdapter,
  Expression,
  Kysely,
  QueryResult,
} from 'kysely'
import type { Scalar } from '../../contract/resource/operation.ts'

/** A part of a statement. */
export type Sql = Expression<unknown>

/** A Kysely instance, as the adapter uses it. */
export type Database = Pick<Kysely<unknown>, 'getExecutor' | 'connection'>

/** A database or one of its connections, to send statements through. */
export type Session = Pick<Database, 'getExecutor'>

/** A column as its database declares it, and as its field uses it. */
export type Column =
  | TextColumn
  | NumberColumn
  | DigitsColumn
  | BooleanColumn
  | PlainColumn
  | BinaryColumn
  | ListColumn
  | EnumColumn
  | OtherColumn

/** The kinds of columns that engines treat differently. */
export type ColumnKind = Column['kind']

interface ColumnBase<Kind extends string> {
  readonly kind: Kind
  readonly name: string
  /** The database's name of the type, for messages and casts. */
  readonly type: string
  /** The type as MySQL declares it: `varchar(40)`. */
  readonly declared?: string
  readonly isNullable: boolean
  /** Who sets it: the client, else a default or a sequence; `computed`: the database alone. */
  readonly origin: 'client' | 'generated' | 'computed'
  /** The expression of the default in an update of a column that requires a value. */
  readonly whenMissing: Sql | undefined
  /** The expression of the default in an insert, or `undefined`. */
  readonly standard: string | undefined
  /** Every fitting value comes back unchanged. */
  readonly isSteady: boolean
  /** `exact`: identical texts are equal. `wide`: others too. `guarded`: it rejects unlike texts. */
  readonly equality: 'exact' | 'wide' | 'guarded'
  /** A text compares with texts of the same collation only. Default: with all texts. */
  readonly collation?: string | null | undefined
  /** `exact`: the column sorts in the order of the convention. */
  readonly order: 'exact' | 'other'
  /** A pg_trgm index of PostgreSQL holds the trigrams of the case-folded texts. Default: false. */
  readonly hasTrigrams?: boolean
  /** A column of SQLite, which holds values of any type. Default: values of its own type only. */
  readonly loose?: Loose
}

interface Loose {
  /** It stores text of digits as a number, or as a double. */
  readonly affinity: 'numeric' | 'real' | 'none'
  /** SQLite's own clock writes to the column, in the form `2021-01-01 00:00:00`. */
  readonly isClock: boolean
}

interface Texts {
  /** The most characters. Default: any number. */
  readonly length?: number | undefined
  /** The characters that the column cannot hold. The engine rejects comparisons with them. */
  readonly lacks?: RegExp | undefined
}

interface TextColumn extends ColumnBase<'text'>, Texts {
  /** A sort without an index compares a part of the value only. Default: false. */
  readonly isLong?: boolean
}

interface NumberColumn extends ColumnBase<'number'> {
  readonly number: NumberForm
  /** A text field cannot hold the digits of its numbers: bits. Default: false. */
  readonly hasNoText?: boolean
}

/** The numbers of a text field. */
type DigitsColumn = ColumnBase<'digits'> & Pick<NumberColumn, 'number'>

/** Booleans, and the numbers that it holds too. */
type BooleanColumn = ColumnBase<'boolean'> & Pick<OtherColumn, 'number'>

/** A column without members of its own. SQLite has one without a type: `any`. */
type PlainColumn = ColumnBase<'json' | 'date' | 'time' | 'timestamp' | 'uuid' | 'any'>

/** Bytes, read and written as hexadecimal digits. */
interface BinaryColumn extends ColumnBase<'binary'> {
  /** The number of bytes of each value. The database pads shorter ones. Default: any number. */
  readonly size?: number | undefined
}

/** A list of values, read as JSON: an array of PostgreSQL, a SET of MySQL. */
interface ListColumn extends ColumnBase<'list'>, Texts {
  readonly element: Column
  /** An index finds the arrays with an element. Default: false. */
  readonly hasArrayIndex?: boolean
}

interface EnumColumn extends ColumnBase<'enum'>, Texts {
  /** The only allowed texts. */
  readonly allowed: readonly string[]
}

/** A column whose values are read and written as the text of the database. */
interface OtherColumn extends ColumnBase<'other'>, Texts {
  /** The numbers that its text means: money. Default: none. */
  readonly number?: NumberForm
}

/** The numbers of a column. */
export type NumberForm =
  /** Without fraction, at most `most`. */
  | {
      readonly precision: 'whole'
      readonly most: number
      /** The database rejects a comparison with a greater number. Default: with none. */
      readonly limit?: bigint
    }
  | ExactNumbers
  /** `double`: 64 bits. `single`: 32, read as shortest digits. `widened`: 32, compared as 64. */
  | {
      readonly precision: 'double' | 'single' | 'widened'
      readonly scale?: number | undefined
    }

interface ExactNumbers {
  readonly precision: 'exact'
  /** The digits after the decimal point that the type declares. Default: any number. */
  readonly scale?: number | undefined
  /** The most digits before the decimal point. Default: any number. */
  readonly integers?: number | undefined
  /** The database compares exactly with a number, and with 64 bits with a text. Default: false. */
  readonly comparesNumbers?: boolean
}

/** Tells whether a sort without an index compares a part of the column's texts only. */
export function isLongText(column: Column): boolean {
  return column.kind === 'text' && column.isLong === true
}

/** Returns the form of a column's numbers; `undefined` for a column without numbers. */
export function numbersOf(column: Column): NumberForm | undefined {
  return 'number' in column ? column.number : undefined
}

/** Returns the digits after the point that the type of a column declares. */
export function scaleOf(column: Column): number | undefined {
  const form = numbersOf(column)
  return form !== undefined && form.precision !== 'whole' ? form.scale : undefined
}

/** How a kind of column is read and written. */
export interface SqlForm {
  read?(column: Column): Sql
  write?(column: Column, value: Sql): Sql
}

/** The forms of an engine. */
export type FormsByKind = { readonly [Kind in ColumnKind]?: SqlForm }

/** A foreign key. */
export interface ForeignKey {
  readonly columns: readonly string[]
  /** The referenced table, with its schema. */
  readonly table: readonly string[]
  /** The referenced columns, in the same order. */
  readonly keys: readonly string[]
}

/** A statement that writes. */
export type WriteKind = 'insert' | 'update' | 'delete'

/** The description of a table by its database. */
export interface TableDescription {
  /** A table that accepts a unique key: no view, foreign, virtual or inherited table. */
  readonly isTable: boolean
  readonly columns: readonly Column[]
  /** The columns of each unique key, by its name in errors. */
  readonly keys: ReadonlyMap<string, readonly string[]>
  /** The columns of each unique key of some rows: `… where deleted_at is null`. */
  readonly partialKeys: readonly (readonly string[])[]
  readonly references: readonly ForeignKey[]
  /** Triggers may change a write. */
  readonly hasTriggers: boolean
  /** The start and hint of a statement whose sort compares more of long values. Default: none. */
  readonly longSort?: { readonly start: Sql; readonly hint: Sql }
  /** The supported statements. A view may support none. */
  readonly supports: Readonly<Record<WriteKind, boolean>>
  /** The statements that can return the written rows. */
  readonly returns: Readonly<Record<WriteKind, boolean>>
  /** SQLite has `octet_length`, as it does from version 3.43 on. */
  readonly hasOctetLength?: boolean
  /** The function or collation that folds case in all of Unicode. `undefined`: ASCII only. */
  readonly folding: string | undefined
}

/** A column of an index. */
export interface IndexColumn {
  readonly column: string
  /** The index sorts the column by code point. */
  readonly isExact: boolean
}

/** A word to search for. */
interface Word {
  /** The word as {@link Engine.fold} returns it. */
  readonly word: Sql
  /** The word as a pattern of LIKE, with `!` before special characters. */
  readonly pattern: Sql
  /** The letters of {@link Engine.lettersFor}. */
  readonly letters: string
  readonly place: TextPlace
}

/** A place in a text. */
export type TextPlace = 'anywhere' | 'start' | 'end'

/** A text, a number or a boolean. */
export type PresentScalar = NonNullable<Scalar>

/** A dialect of Kysely, as an engine knows its own. */
interface DialectSample {
  readonly adapter: DialectAdapter
  /** The condition that a column `a` is 1, as the dialect writes it: `"a" = ?`. */
  readonly comparison: string
}

/** How an engine performs several statements: all of them or none. */
type Transactions =
  | { readonly kind: 'statement'; readonly begin: string }
  /** It has no transactions, but its connections run several statements in one. */
  | BatchTransactions

/** The batches of an engine without transactions. */
export interface BatchTransactions {
  readonly kind: 'batch'
  /** Returns a statement that fails unless the last one changed a number of items: `= 1`. */
  guard(condition: string): string
  /** Tells whether a guard failed. */
  isGuarded(error: unknown): boolean
}

/** The reads of an engine whose statements block the process, so that long ones take slices. */
export interface SliceReads {
  /** The milliseconds that a statement may take. */
  readonly milliseconds: number
  /** The bytes of rows that a statement may read. It takes a few milliseconds for them. */
  readonly bytes: number
  /** Returns the statement that explains the plan of another one. */
  explain(statement: string): string
  /** Returns the plan that such a statement gave. */
  planIn(rows: readonly Row[]): QueryPlan
  /** Returns the column of row numbers. `undefined` for a table or view without them. */
  rowKey(database: Session, table: string, columns: readonly Column[]): Promise<Sql | undefined>
}

/** The plan of a statement that selects rows. */
export interface QueryPlan {
  /** An index gives the rows in their order. */
  readonly isOrdered: boolean
  /** The indexes hold all values that the statement reads. */
  readonly isCovered: boolean
  /** The columns by which an index finds rows, with the sign of the comparison: `name>?`. */
  readonly terms: ReadonlySet<string>
}

/** One database engine: the parts in which engines differ. */
export interface Engine {
  /** The name in messages. */
  readonly name: string
  /** Tells whether a dialect is of this engine. */
  speaks(dialect: DialectSample): boolean
  /** Default: the dialect begins a transaction. */
  readonly transactions?: Transactions
  /** A statement ends before it returns. Default: a deadline may end it. */
  readonly endsAtOnce?: boolean
  /** Runs a statement at once; `undefined` where it has to wait. Default: every one waits. */
  runAtOnce?(session: Session, query: CompiledQuery): QueryResult<Row> | undefined
  /** Lets a session run statements at once, if this connection is the dialect's own. */
  allowRuns?(session: Session, connection: DatabaseConnection): void
  /** Default: statements do not block the process. */
  readonly slices?: SliceReads
  /** The most parameters of a statement that inserts. */
  readonly maxParameters: number
  /** The most values of a list that are a parameter each, where the engine has `listed`. */
  readonly maxListed: number
  /** Names of columns that differ by case alone are one name. */
  readonly foldsNames: boolean
  /** Compares `(a, b) > (1, 2)` by the index on both. */
  readonly comparesRows: boolean
  /** Returns the state of a row, for an engine without locks: the text of all these columns. */
  rowState?(columns: readonly string[]): Sql
  /** Locks the items that a transaction reads. */
  readonly locking: Sql
  /** A deletion counts its rows in one statement, or a transaction. Default: it selects ids. */
  readonly counting?: 'statement' | 'transaction'
  /** Stands for a value that the database generates. */
  readonly unset: Sql
  /** Returns a column, from 0, of `(values …) as "=rows"`. Default: no update takes such rows. */
  rowColumn?(index: number): Sql
  describe(database: Session, table: string): Promise<TableDescription | undefined>
  /** Returns the condition that a text has more characters than allowed, or a control character. */
  isOddText(text: Sql, most: number): Sql
  /** Returns a column as results have it: text for dates and JSON, and JSON for lists. */
  readable(column: Column): Sql
  /** Returns a value as the engine writes it to a column or compares it with one. */
  writable(column: Column, value: Sql): Sql
  /** Returns a column that sorts in the convention's order. */
  ordered(column: Column): Sql
  /** Returns a column's text for an exact comparison. Some columns do not compare exactly. */
  exact(column: Column): Sql
  /** Returns a column of numbers as doubles. */
  double(column: Column): Sql
  /** Returns the key of the moment in a column of text, as `momentKey` does. */
  momentKey(column: Column): Sql
  /** Returns the values of a long JSON list. Default: the engine takes any number of parameters. */
  listed?(list: Sql, make: (value: Sql) => Sql): Sql
  /** Looks into lists of JSON: that of a column, if it holds JSON, for an element of another. */
  readonly lists: {
    in(column: Column): Sql | undefined
    has(list: Sql, sought: Sql): Sql
    /** As `has`, in a form that an index of the column serves; `undefined` where none does. */
    hasTexts?(column: Column, sought: Sql): Sql | undefined
    /** The other list of `has` may have several elements. Default: it has one. */
    readonly hasAny?: true
    /** Returns the texts of a list as rows to select from: their column is `value`. */
    texts(list: Sql): Sql
  }
  /** Returns a text of a JSON list with the type of a column. Default: the text itself. */
  fromList?(column: Column, text: Sql): Sql
  /** Returns a column for `order by`, with missing values last, or first when it descends. */
  sorted(ordered: Sql, direction: 'asc' | 'desc', isNullable: boolean): Sql
  /** Returns the condition that a column's text has a word at a place, ignoring case. */
  contains(column: Column, word: Word, folding: string | undefined): Sql
  /** Returns a word as {@link Engine.contains} searches for it. */
  fold(word: string, folding: string | undefined): string
  /** Returns the letters that change the statement of a search, since engines confuse some. */
  lettersFor(word: string): string
  /** Tells whether a column can hold a value or a list. Some engines reject a search for others. */
  canHold(column: Column, value: unknown): boolean
  /** Returns a text with the scale of a column of digits; `undefined` for one that changes. */
  digits(column: Column, text: string): string | undefined
  /** Tells whether a text is a date or time that RFC 3339 cannot write: `infinity`, `24:00:00`. */
  hasOwnForm(column: Column, text: string): boolean
  /** Tells whether a column may return a value. Some engines compare with no other values. */
  mayGive(column: Column, value: PresentScalar): boolean
  /** Encodes a timestamp (RFC 3339), a boolean, a list or another value for the driver. */
  encode(column: Column, value: unknown): unknown
  /** Returns the failure that an error reports, and `undefined` for an unknown one. */
  failureOf(error: object): DatabaseFailure | undefined
}

/** A row of a result, as a plain object. */
export type Row = Readonly<Record<string, unknown>>

/** A failure for an item's values. */
export type ConstraintKind = 'unique' | 'reference' | 'required' | 'value'

/** A failure of the database for another reason than an item's values. */
export type OperationalKind =
  /** The database rolled the operation back. The next attempt may succeed. */
  | 'retry'
  /** Another transaction holds a lock, and the database does not wait for it. */
  | 'locked'
  /** The database is unreachable or rejects writes. */
  | 'unavailable'
  /** The operation took too long. */
  | 'timeout'
  /** The database user lacks the privilege. */
  | 'denied'
  /** The view does not support the statement. */
  | 'unsupported'
  /** The table differs from its look-up. */
  | 'changed'

/** A failure in the terms of all databases. */
export interface DatabaseFailure {
  readonly kind: ConstraintKind | OperationalKind
  /** The columns with an issue, if the engine names them. */
  readonly columns?: readonly string[]
  /** True: another item references this one. False: the reverse. Default: unknown. */
  readonly isReferred?: boolean | undefined
  /** The name of the constraint, if the engine names it instead. */
  readonly key?: string | undefined
}

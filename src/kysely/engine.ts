import type { Expression, QueryExecutor, RawBuilder } from 'kysely'
import type { Scalar } from '../model/operation.ts'
import type { DatabaseFailure } from './failure.ts'

/** A part of a statement. */
export type Sql = Expression<unknown>

/** Something statements are sent through: a database, or one of its connections. */
export interface Session {
  getExecutor(): QueryExecutor
}

/** One connection of a database. */
export interface SessionWithTransactions extends Session {
  startTransaction(): Command<Transaction>
}

interface Transaction extends Session {
  commit(): Command<void>
  rollback(): Command<void>
}

interface Command<Result> {
  execute(): Promise<Result>
}

/** A Kysely instance, as an adapter uses it. */
export interface Database extends Session {
  connection(): {
    execute<Result>(
      callback: (session: SessionWithTransactions) => Promise<Result>,
    ): Promise<Result>
  }
}

/** What a column holds, as far as engines differ in it. */
export type Family =
  | 'text'
  | 'number'
  /** Numbers whose field is text. */
  | 'digits'
  | 'boolean'
  | 'json'
  | 'date'
  | 'time'
  | 'timestamp'
  | 'uuid'
  /** Bytes: read and written as hexadecimal digits. */
  | 'binary'
  /** SQLite's column without a type. */
  | 'any'
  | 'other'

/** A column as its database declares it. */
export interface Column {
  readonly name: string
  readonly family: Family
  /** The type as the database calls it, for messages and casts. */
  readonly type: string
  readonly isNullable: boolean
  /** The database gives it a value of its own: a default, a sequence. */
  readonly isGenerated: boolean
  /** The database makes every value of it, and takes none. */
  readonly isComputed: boolean
  /** What gives a column its default in an update, where it must have a value. */
  readonly whenMissing: Sql | undefined
  /** Of a number: no fraction, and no more than that. */
  readonly isWhole: boolean
  readonly most: number
  /** It holds values of any type, whatever its own is: SQLite's. Default: false. */
  readonly isLoose?: boolean
  /** Its numbers have 64 bits, and are read as the nearest. Default: they are exact. */
  readonly isDouble?: boolean
  /** Its numbers have 32 bits, and are read and compared with 64. Default: false. */
  readonly isSingle?: boolean
  /** It makes a number of text that looks like one: SQLite's columns of most types. Default: false. */
  readonly isNumeric?: boolean
  /** Of a decimal: the most digits after the point. Default: any number. */
  readonly scale?: number | undefined
  /** SQLite itself writes moments to it, in a form of its own: `2021-01-01 00:00:00`. Default: false. */
  readonly isClock?: boolean
  /** Gives back every value that fits as it was. */
  readonly isSteady: boolean
  /** What it is given where an insert says nothing, as an expression; `undefined` for nothing. */
  readonly standard: string | undefined
  /** The most characters of a text, or bytes. Default: any number. */
  readonly length?: number | undefined
  /** The only texts that it holds. Default: any. */
  readonly allowed?: readonly string[] | undefined
  /** Its texts are equal when they are the same, and never else. */
  readonly equalsExactly: boolean
  /** Its values are in the order of the convention. */
  readonly ordersExactly: boolean
  /** Its values may be longer than what the engine looks at when it sorts without an index. */
  readonly isLong: boolean
  /** An index holds the trigrams of its texts, their case folded: PostgreSQL's pg_trgm. Default: false. */
  readonly hasTrigrams?: boolean
  /** Characters that it cannot hold; `undefined` for none. The engine refuses to compare it with them. */
  readonly lacks?: RegExp | undefined
}

/** A foreign key. */
export interface ForeignKey {
  readonly columns: readonly string[]
  /** The table it refers to, with its schema. */
  readonly table: readonly string[]
  /** The columns of that table, in the same order. */
  readonly keys: readonly string[]
}

/** A statement that writes. */
export type WriteKind = 'insert' | 'update' | 'delete'

/** What a database says of a table. */
export interface TableDescription {
  /** A unique key can be added to it: it is no view, no foreign or virtual table, and no table has been derived from it. */
  readonly isTable: boolean
  readonly columns: readonly Column[]
  /** The columns of a unique key, by the name that errors call it. */
  readonly keys: ReadonlyMap<string, readonly string[]>
  readonly references: readonly ForeignKey[]
  /** Triggers may change what is written. */
  readonly hasTriggers: boolean
  /** What makes a sort look at more of its values: what the statement begins with, and what follows its `select`. */
  readonly longSort: { readonly start: Sql; readonly hint: Sql }
  /** The statements that it takes: a view may take none. */
  readonly supports: Readonly<Record<WriteKind, boolean>>
  /** The statements that can answer with what they wrote. */
  readonly returns: Readonly<Record<WriteKind, boolean>>
  /** Case is folded for all of Unicode by this, or not beyond ASCII where it is missing. */
  readonly folding: string | undefined
}

/** A word to be looked for. */
interface Word {
  /** As {@link Engine.fold} gives it. */
  readonly word: Sql
  /** It as a pattern of LIKE, `!` before what is meant as it is. */
  readonly pattern: Sql
  /** Those of {@link Engine.lettersFor}. */
  readonly letters: string
}

/** A text, a number or a boolean. */
export type PresentScalar = NonNullable<Scalar>

/** One database engine: what it does differently from the others. */
export interface Engine {
  /** Runs in this process: statements block, and cannot be cancelled. Default: false. */
  readonly isEmbedded?: boolean
  /** Has no transactions, but takes several statements at once, to be done all or none. Default: false. */
  readonly hasBatches?: boolean
  /** Compares `(a, b) > (1, 2)` by the index on both. */
  readonly comparesRows: boolean
  /** Finds the two ranges of an index in `a > 1 or a = 1 and b > 2` by itself. */
  readonly findsRanges: boolean
  /** What keeps the items that a transaction has read from being changed by others. */
  readonly locking: Sql
  /** What is written for a value that the database is to make. */
  readonly unset: Sql
  describe(database: Session, table: string): Promise<TableDescription | undefined>
  /** Begins a transaction that is going to write. Default: as the dialect begins one. */
  readonly begin?: RawBuilder<never>
  /** A column, as it is read from a result: text for dates and JSON. */
  readable(column: Column): Sql
  /** A value, as it is written to a column or compared with it. */
  writable(column: Column, value: Sql): Sql
  /** A column, so that its order is the convention's. */
  ordered(column: Column): Sql
  /** A column's text in an expression that compares it exactly, where the column itself does not. */
  exact(column: Column): Sql
  /** The place of a column in an order, with missing values last, or first where it descends. */
  sorted(ordered: Sql, direction: 'asc' | 'desc', isNullable: boolean): Sql
  /** Whether a column's text holds a word, ignoring case. */
  contains(column: Column, word: Word, folding: string | undefined): Sql
  /** A word as {@link Engine.contains} looks for it. */
  fold(word: string, folding: string | undefined): string
  /**
   * The letters that make a word another to look for: those a text may hold in the place of a part of it that the engine does not know
   * to be the same, and those of its own that the engine takes for others.
   */
  lettersFor(word: string): string
  /** Whether a column of this type can hold a value: some engines refuse even to look for one that it cannot. */
  canHold(column: Column, value: unknown): boolean
  /**
   * Whether a text is a date, a time or a timestamp of the column that RFC 3339 cannot write: `infinity`, `24:00:00`, `0000-00-00`.
   * The adapter reads it as the text that the database takes back.
   */
  hasOwnForm(column: Column, text: string): boolean
  /** Whether a column of this type may give a value, by whomever it was written: some engines refuse even to compare one that it cannot. */
  mayGive(column: Column, value: PresentScalar): boolean
  /** A timestamp (RFC 3339), a boolean or any other value, as the driver takes it. */
  encode(column: Column, value: unknown): unknown
  failureOf(error: object): DatabaseFailure | undefined
}

/** What a statement gave, as plain objects. */
export type Row = Readonly<Record<string, unknown>>

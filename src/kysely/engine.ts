import type { Expression, QueryExecutor, RawBuilder } from 'kysely'
import type { Scalar } from '../model/operation.ts'

/** A part of a statement. */
export type Sql = Expression<unknown>

/** Something statements are sent through: a database, or one of its connections. */
export interface Session {
  getExecutor(): QueryExecutor
}

/** A Kysely instance, as an adapter uses it. */
export interface Database extends Session {
  connection(): {
    execute<Result>(callback: (session: Session) => Promise<Result>): Promise<Result>
  }
}

/** What a column holds, as far as engines differ in it. */
export type Family =
  | 'text'
  | 'number'
  | 'boolean'
  | 'json'
  | 'date'
  | 'time'
  | 'timestamp'
  | 'uuid'
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
  /** It makes a number of text that looks like one: SQLite's columns of most types. Default: false. */
  readonly isNumeric?: boolean
  /** Gives back every value that fits as it was. */
  readonly isSteady: boolean
  /** What it is given where an insert says nothing, as an expression; `undefined` for nothing. */
  readonly standard: string | undefined
  /** The most characters of a text. Default: any number. */
  readonly length?: number | undefined
  /** The only texts that it holds. Default: any. */
  readonly allowed?: readonly string[] | undefined
  /** Its texts are equal when they are the same, and never else. */
  readonly equalsExactly: boolean
  /** Its values are in the order of the convention. */
  readonly ordersExactly: boolean
  /** Its values may be longer than what the engine looks at when it sorts without an index. */
  readonly isLong: boolean
  /** Characters that it cannot hold; `undefined` for none. The engine refuses to compare it with them. */
  readonly lacks?: RegExp | undefined
}

/** A foreign key. */
export interface Reference {
  readonly columns: readonly string[]
  /** The table it refers to, with its schema. */
  readonly table: readonly string[]
  /** The columns of that table, in the same order. */
  readonly keys: readonly string[]
}

/** What a database says of a table. */
export interface Described {
  readonly columns: readonly Column[]
  /** The columns of a unique key, by the name that errors call it. */
  readonly keys: ReadonlyMap<string, readonly string[]>
  readonly references: readonly Reference[]
  /** Triggers may change what is written. */
  readonly hasTriggers: boolean
  /** What makes a sort look at more of its values: what the statement begins with, and what follows its `select`. */
  readonly longSort: { readonly start: Sql; readonly hint: Sql }
  /** The statements that can answer with what they wrote. */
  readonly returns: Readonly<Record<'insert' | 'update' | 'delete', boolean>>
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

/** What went wrong in a database, whatever it calls it; `undefined` where that is unknown. */
export type Fault =
  | {
      readonly kind: 'unique' | 'reference' | 'required' | 'value'
      /** The columns at fault, where the engine tells. */
      readonly columns: readonly string[]
      /** Of a reference: the table that refers. */
      readonly table?: string | undefined
      /** The constraint, where it tells that instead. */
      readonly key?: string | undefined
    }
  | { readonly kind: Hindrance }

/**
 * What is nobody's fault: `again`, rolled back as if it had not been, so that it may succeed when it is done again; `away`, the
 * database is not there, or does not take writes; `late`, it took too long.
 */
export type Hindrance = 'again' | 'away' | 'late'

/** Tells whether something was hindered, and not refused. */
export function isHindrance(kind: Fault['kind']): kind is Hindrance {
  return kind === 'again' || kind === 'away' || kind === 'late'
}

/** A text, a number or a boolean. */
export type Given = NonNullable<Scalar>

/** One database engine: what it does differently from the others. */
export interface Engine {
  /** Runs in this process: statements block, and cannot be cancelled. */
  readonly isEmbedded: boolean
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
  describe(database: Session, table: string): Promise<Described | undefined>
  /** Begins a transaction that is going to write. */
  readonly begin: RawBuilder<never>
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
  /** Whether a column of this type may give a value, by whomever it was written: some engines refuse even to compare one that it cannot. */
  mayGive(column: Column, value: Given): boolean
  /** A timestamp (RFC 3339), a boolean or any other value, as the driver takes it. */
  encode(column: Column, value: unknown): unknown
  faultOf(error: object): Fault | undefined
}

/** What a statement gave, as plain objects. */
export type Row = Readonly<Record<string, unknown>>

export { kyselyAdapter } from './kysely/adapter.ts'
export { type D1Database, type D1Result, type D1Statement, d1Dialect } from './kysely/d1.ts'
export {
  type SqliteDatabase,
  type SqliteStatement,
  type SqliteValue,
  sqliteDialect,
} from './kysely/dialect.ts'
export { type ColumnOptions, type FieldType, type Naming, snakeCase } from './kysely/field.ts'
export type { DatabaseSource, KyselyOptions, Search, SearchTerms } from './kysely/options.ts'

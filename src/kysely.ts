export { kyselyAdapter } from './kysely/adapter.ts'
export {
  type SqliteDatabase,
  type SqliteStatement,
  type SqliteValue,
  sqliteDialect,
} from './kysely/dialect.ts'
export type { ColumnOptions, FieldType } from './kysely/field.ts'
export type { KyselyOptions, Search, SearchTerms } from './kysely/options.ts'

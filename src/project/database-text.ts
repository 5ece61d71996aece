/** The database of a project. */
interface DatabaseChoice {
  /** A service with tenants may take PostgreSQL, and begins without rows. */
  readonly kind: 'file' | 'tenants' | 'tenants on PostgreSQL'
}

/** Writes `database.ts`. */
export function databaseText({ kind }: DatabaseChoice): string {
  if (kind === 'file') return `${fileImports}\n${filledFile}\n${reader}`
  if (kind === 'tenants') return `${fileImports}\n${emptyFile('export ')}\n${reader}`
  return `${postgresImports}\n${postgres}\n${emptyFile('')}\n${reader}`
}

const fileImports = `import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import { sqliteDialect } from 'nounful/kysely'
`

const postgresImports = `// PostgreSQL where an address says so, else a SQLite file.
${fileImports.replace('{ Kysely }', '{ Kysely, PostgresDialect }')}import { Pool } from 'pg'
`

const filledFile = `/** Opens a file. A new one gets the tables of schema.sql, and the rows. */
export function openDatabase(path: string): Kysely<unknown> {
  const file = new DatabaseSync(path, { enableForeignKeyConstraints: false, timeout: 5000 })
  file.exec('pragma journal_mode = wal')
  file.exec('begin immediate')
  const isNew = file.prepare('select name from sqlite_schema').get() === undefined
  if (isNew) for (const name of ['schema.sql', 'data.sql']) file.exec(textOf(name))
  file.exec('commit')
  file.exec('pragma foreign_keys = on')
  return new Kysely<unknown>({ dialect: sqliteDialect(file) })
}
`

function emptyFile(exported: 'export ' | ''): string {
  const [name, comment] =
    exported === ''
      ? ['openFile', '']
      : ['openDatabase', '/** Opens a file, and creates tables. */\n']
  return `${comment}${exported}function ${name}(path: string): Kysely<unknown> {
  const file = new DatabaseSync(path, { timeout: 5000 })
  file.exec(\`pragma journal_mode = wal; begin immediate; \${textOf('schema.sql')} commit\`)
  return new Kysely<unknown>({ dialect: sqliteDialect(file) })
}
`
}

const postgres = `/** Opens \`postgres://…\`, or a file by its path, and creates missing tables. */
export async function openDatabase(address: string): Promise<Kysely<unknown>> {
  return /^postgres(?:ql)?:/.test(address) ? openPostgres(address) : openFile(address)
}

async function openPostgres(connectionString: string): Promise<Kysely<unknown>> {
  const pool = new Pool({ connectionString, max: 10 })
  // Several servers may start at once: the lock lets one after the other create the tables.
  const tables = textOf('schema.postgres.sql')
  await pool.query(\`begin; select pg_advisory_xact_lock(1); \${tables} commit\`)
  return new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
}
`

const reader = `function textOf(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8')
}
`

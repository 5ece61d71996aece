import { basename, relative, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, MysqlDialect, PostgresDialect } from 'kysely'
import { readCatalogue } from '../kysely/catalogue.ts'
import { sqliteDialect } from '../kysely.ts'
import type { DatabaseAddress } from './address.ts'
import { literal } from './code.ts'
import { contractText } from './contract-text.ts'
import {
  compilerText,
  type PackageVersions,
  type ProjectFiles,
  packageText,
  serverText,
} from './files.ts'
import { modelOf } from './from-catalogue.ts'
import type { ProjectModel } from './model.ts'
import { serviceText } from './registry-text.ts'

/** A project on a database that exists. */
export interface DatabaseProject {
  readonly files: ProjectFiles
  /** Sentences about what the contract does not serve. */
  readonly notes: readonly string[]
  /** What to run before the project starts. */
  readonly steps: readonly string[]
}

/**
 * Reads the catalogue of a database, and writes a project that serves it. Changes nothing in the
 * database. Returns a sentence instead if the database cannot be read, or has nothing to serve.
 *
 * @param folder The folder of the project, whose name is its title.
 */
export async function projectOfDatabase(
  address: DatabaseAddress,
  folder: string,
): Promise<DatabaseProject | string> {
  const place = placeOf(address)
  let database: Kysely<unknown> | undefined
  try {
    database = await openDatabase(address)
    const { model, notes } = modelOf(
      await readCatalogue(database, address.engine),
      basename(folder),
    )
    if (model.resources.length === 0)
      return [`${place} has no table that a contract can serve.`, ...notes].join('\n')
    if (address.engine !== 'sqlite')
      return { files: databaseFiles(model, address), notes, steps: ['export DATABASE_URL=…'] }
    const file = relative(resolve(folder), resolve(address.file))
    return { files: databaseFiles(model, { ...address, file }), notes, steps: [] }
  } catch (error) {
    return `${place} cannot be read: ${reasonOf(error)}.`
  } finally {
    await database?.destroy().catch(() => undefined)
  }
}

// Without the password.
function placeOf(address: DatabaseAddress): string {
  if (address.engine === 'sqlite') return relative('', resolve(address.file))
  if (!URL.canParse(address.url)) return 'The database'
  const { protocol, host, pathname } = new URL(address.url)
  return `${protocol}//${host}${pathname}`
}

function reasonOf(error: unknown): string {
  const { message, code } = Object(error)
  const isMissing = code === 'ERR_MODULE_NOT_FOUND'
  const [, name = ''] = /'([^']+)'/.exec(String(message)) ?? []
  if (isMissing) return `the package "${name}" is not installed: npm install ${name}`
  return String(message || code || error).replace(/\.$/, '')
}

const patience = 5000

async function openDatabase(address: DatabaseAddress): Promise<Kysely<unknown>> {
  if (address.engine === 'sqlite') {
    const file = new DatabaseSync(address.file, { readOnly: true, timeout: patience })
    return new Kysely<unknown>({ dialect: sqliteDialect(file) })
  }
  return address.engine === 'postgres' ? openPostgres(address.url) : openMysql(address.url)
}

async function openPostgres(connectionString: string): Promise<Kysely<unknown>> {
  const { default: pg } = await import('pg')
  class Client extends pg.Client {
    constructor(options?: ConstructorParameters<typeof pg.Client>[0]) {
      super(options)
      // Without a listener, a broken connection ends the process.
      this.on('error', () => undefined)
    }
  }
  const pool = new pg.Pool({
    ...{ connectionString, Client, max: 1, connectionTimeoutMillis: patience },
    options: '-c default_transaction_read_only=on',
  })
  pool.on('error', () => undefined)
  return new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
}

async function openMysql(uri: string): Promise<Kysely<unknown>> {
  const { createPool } = await import('mysql2')
  if (/^\/?$/.test(new URL(uri).pathname)) throw new TypeError('its address names no database')
  const pool = createPool({ uri, connectionLimit: 1, connectTimeout: patience })
  pool.on('connection', (connection) => {
    connection.on('error', () => undefined)
    connection.query('set session transaction read only', () => undefined)
  })
  return new Kysely<unknown>({ dialect: new MysqlDialect({ pool }) })
}

const drivers: Readonly<Record<DatabaseAddress['engine'], PackageVersions>> = {
  sqlite: {},
  postgres: { dependencies: { pg: '^8.23.1' }, devDependencies: { '@types/pg': '^8.23.1' } },
  mysql: { dependencies: { mysql2: '^3.24.5' } },
}

function databaseFiles(model: ProjectModel, address: DatabaseAddress): ProjectFiles {
  return {
    'package.json': packageText(model, drivers[address.engine]),
    'tsconfig.json': compilerText(),
    '.gitignore': 'node_modules\n.env\n',
    'README.md': readmeText(model, address),
    'contract.ts': contractText(model),
    'database.ts': databaseTexts[address.engine](address),
    'service.ts': serviceText(model),
    'registry.ts': registryText(),
    'server.ts': serverText(model),
    'api.test.ts': testText(),
  }
}

const databaseTexts = {
  sqlite: (address: DatabaseAddress) => `import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import { sqliteDialect } from 'nounful/kysely'

/** Opens the database file. */
export function openDatabase(): Kysely<unknown> {
  const path = process.env.DATABASE_FILE ?? ${literal('file' in address ? address.file : '')}
  const file = new DatabaseSync(path, { timeout: 5000 })
  return new Kysely<unknown>({ dialect: sqliteDialect(file) })
}
`,
  postgres: () => `import { Kysely, PostgresDialect } from 'kysely'
import pg, { type ClientConfig } from 'pg'

// The pool listens to idle connections only: without this, a broken busy one ends the process.
class Client extends pg.Client {
  constructor(config?: ClientConfig) {
    super(config)
    this.on('error', ({ message }) => console.error('A connection was lost:', message))
  }
}

/** Opens the database of DATABASE_URL. */
export function openDatabase(): Kysely<unknown> {
  const connectionString = process.env.DATABASE_URL
  if (connectionString === undefined) throw new Error('Set DATABASE_URL to the database.')
  const limits = { max: 10, connectionTimeoutMillis: 3000, keepAlive: true }
  const pool = new pg.Pool({ connectionString, ...limits, Client })
  pool.on('error', () => undefined) // the client logs it
  return new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
}
`,
  mysql: () => `import { Kysely, MysqlDialect } from 'kysely'
import { createConnection, createPool } from 'mysql2'

/** Opens the database of DATABASE_URL. */
export function openDatabase(): Kysely<unknown> {
  const uri = process.env.DATABASE_URL
  if (uri === undefined) throw new Error('Set DATABASE_URL to the database.')
  const pool = createPool({ uri, charset: 'utf8mb4', connectionLimit: 10, connectTimeout: 3000 })
  // Without this, a broken connection ends the process.
  pool.on('connection', (connection) => connection.on('error', console.error))
  return new Kysely<unknown>({
    dialect: new MysqlDialect({ pool, controlConnection: createConnection }),
  })
}
`,
} as const

function registryText(): string {
  return `import { openDatabase } from './database.ts'
import { createRegistry } from './service.ts'

/** The database of the service. */
export const db = openDatabase()

/** The service itself. The server and \`npx nounful\` use it. */
export const registry = createRegistry(db)
`
}

// It changes nothing: the database may be one that people use.
function testText(): string {
  return `import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { handle } from 'nounful'
import { api } from './contract.ts'
import { db, registry } from './registry.ts'

after(() => db.destroy())

test('the tables fit the contract', () => registry.ready())

for (const { path, parameters } of api.collections) {
  if (parameters.length > 0) continue
  test(\`GET /v1\${path} lists items\`, async () => {
    const { status } = await handle({ method: 'GET', url: \`/v1\${path}?limit=10\` }, registry)
    assert.equal(status, 200)
  })
}
`
}

function readmeText({ title, mounts }: ProjectModel, { engine }: DatabaseAddress): string {
  const [first] = mounts
  const address = engine === 'sqlite' ? '' : '    export DATABASE_URL=…   # the address\n'
  return `# ${title}

${address}    npm install
    npm run dev     # http://127.0.0.1:3000/ shows the explorer
    npm test        # compares the tables with the contract, and reads every collection

    curl 'http://127.0.0.1:3000/v1${first?.path ?? '/'}'
    npx nounful routes
    npx nounful doctor   # what the tables lack, with the statement that corrects it

contract.ts is a start, made of the catalogue of the database. Everybody who reaches the server can
read and write what it declares: take out what they must not, or add owners and rights.
`
}

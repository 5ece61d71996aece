import { contractText } from './contract-text.ts'
import { databaseText } from './database-text.ts'
import type { FilledProject } from './from-file.ts'
import { identityFiles } from './identity-text.ts'
import type { ProjectModel } from './model.ts'
import { operationFiles } from './operation-text.ts'
import { serviceText } from './registry-text.ts'
import { rowsText, tablesText } from './tables-text.ts'

/** The files of a project by name, with their text. */
export type ProjectFiles = Readonly<Record<string, string>>

/** The versions of packages that a project depends on, as in `package.json`. */
const packages = {
  nounful: '^0.1.0',
  kysely: '^0.29.9',
  zod: '^4.6.7',
  '@types/node': '^24.19.2',
  typescript: '^6.0.3',
} as const

/** Further ones of a service with tenants. */
const servicePackages = { jose: '^6.2.18', pg: '^8.23.1', '@types/pg': '^8.23.1' } as const

/** Writes the files of a project on a SQLite file. */
export function projectFiles(project: FilledProject): ProjectFiles {
  const { model } = project
  return {
    ...commonFiles(model),
    'README.md': readmeText(model),
    'schema.sql': tablesText(model, 'sqlite'),
    'data.sql': rowsText(project),
    'database.ts': databaseText({ kind: 'file' }),
    'service.ts': serviceText(model),
    'registry.ts': registryText(),
    'server.ts': serverText(model),
    'api.test.ts': testText(),
  }
}

/** Writes the files of a service with tenants, on a SQLite file or also on PostgreSQL. */
export function tenantFiles(model: ProjectModel, database: 'sqlite' | 'postgres'): ProjectFiles {
  const { jose, pg, '@types/pg': types } = servicePackages
  const hasPostgres = database === 'postgres'
  const kind = hasPostgres ? 'tenants on PostgreSQL' : 'tenants'
  return {
    ...commonFiles(model, {
      dependencies: hasPostgres ? { jose, pg } : { jose },
      devDependencies: hasPostgres ? { '@types/pg': types } : {},
    }),
    'README.md': tenantReadme(model, hasPostgres),
    'schema.sql': tablesText(model, 'sqlite'),
    ...(hasPostgres ? { 'schema.postgres.sql': tablesText(model, 'postgres') } : {}),
    'database.ts': databaseText({ kind }),
    ...identityFiles,
    ...operationFiles(model),
  }
}

function commonFiles(model: ProjectModel, further: PackageVersions = {}): ProjectFiles {
  return {
    'package.json': packageText(model, further),
    'tsconfig.json': compilerText(),
    '.gitignore': 'node_modules\ndata.sqlite*\n',
    'contract.ts': contractText(model),
  }
}

/** Packages with their versions, as in `package.json`. */
export interface PackageVersions {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** Writes `package.json`, with further packages. */
export function packageText({ title }: ProjectModel, further: PackageVersions = {}): string {
  const { nounful, kysely, zod, ...development } = packages
  const run = 'node --disable-warning=ExperimentalWarning'
  return jsonText({
    name: title,
    version: '0.1.0',
    private: true,
    type: 'module',
    engines: { node: '>=22.18' },
    scripts: {
      dev: `${run} --watch server.ts`,
      start: `${run} server.ts`,
      test: `${run} --test api.test.ts`,
      check: 'tsc',
    },
    dependencies: { kysely, nounful, ...further.dependencies, zod },
    devDependencies: { ...further.devDependencies, ...development },
  })
}

/** Writes `tsconfig.json`. */
export function compilerText(): string {
  return jsonText({
    compilerOptions: {
      ...{ target: 'es2024', module: 'nodenext', strict: true, noEmit: true, types: ['node'] },
      ...{ verbatimModuleSyntax: true, erasableSyntaxOnly: true, skipLibCheck: true },
      ...{ allowImportingTsExtensions: true, noUncheckedIndexedAccess: true },
    },
    include: ['*.ts'],
  })
}

function jsonText(value: object): string {
  const text = JSON.stringify(value, undefined, 2)
  // Short lists stand on one line.
  return `${text.replace(/\[\s+("[^"]*")\s+\]/g, '[$1]')}\n`
}

function registryText(): string {
  return `import { openDatabase } from './database.ts'
import { createRegistry } from './service.ts'

/** The database of the service: a file, which the first start creates. */
export const db = openDatabase(process.env.DATABASE_FILE ?? 'data.sqlite')

/** The service itself. The server and \`npx nounful\` use it. */
export const registry = createRegistry(db)
`
}

/** Writes `server.ts`. */
export function serverText({ title }: ProjectModel): string {
  return `import { explorer } from 'nounful/explorer'
import { serve } from 'nounful/node'
import { openApiAt } from 'nounful/openapi'
import { db, registry } from './registry.ts'

const title = '${title}'

// The explorer answers browsers, at every path of the API.
await serve(registry, {
  port: Number(process.env.PORT ?? 3000),
  layers: [
    openApiAt('/openapi.json', registry, { info: { title, version: '1.0.0' } }),
    explorer(registry, { title }),
  ],
  log: console.log,
  stopOn: ['SIGTERM', 'SIGINT'],
  onStop: () => db.destroy(),
})
`
}

function testText(): string {
  return `import { execFile } from 'node:child_process'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { serve } from 'nounful/node'
import { openDatabase } from './database.ts'
import { createRegistry } from './service.ts'

// A database of its own: the file of the service stays as it is.
const db = openDatabase(':memory:')
const registry = createRegistry(db)
after(() => db.destroy())

test('the tables fit the contract', () => registry.ready())

test('the API keeps every rule of the convention', async () => {
  const server = await serve(registry, { port: 0, log: false })
  const program = new URL('dist/cli.js', import.meta.resolve('nounful/package.json'))
  try {
    await promisify(execFile)(process.execPath, [
      fileURLToPath(program),
      'check',
      server.url,
      '--write',
    ])
  } finally {
    await server.close()
  }
})
`
}

function readmeText({ title, mounts }: ProjectModel): string {
  const [first] = mounts
  return `# ${title}

    npm install
    npm run dev     # http://127.0.0.1:3000/ shows the explorer
    npm test        # checks the tables, and every rule of the API

| file | holds |
|---|---|
| contract.ts | the resources, their fields and paths |
| schema.sql, data.sql | the tables and rows of a new database |
| database.ts | the database file |
| service.ts | the tables of the resources |
| registry.ts | the service, for the server and for \`npx nounful\` |
| server.ts | the server |
| api.test.ts | the tests |

    curl 'http://127.0.0.1:3000/v1${first?.path ?? '/'}'
    npx nounful routes
    npx nounful doctor

To change a field, change it in contract.ts and in the table. \`npx nounful doctor\` tells what
differs, with the statement that corrects it. Delete data.sqlite to begin again.
`
}

function tenantReadme({ title }: ProjectModel, hasPostgres: boolean): string {
  return `# ${title}

    npm install
    npm run dev     # prints two tokens; http://127.0.0.1:3000/ shows the explorer
    npm test        # tokens, roles, limits, and the proof that no tenant notices another

| file | holds |
|---|---|
| contract.ts | the resources, their fields, paths and owners |
| schema.sql${hasPostgres ? ', schema.postgres.sql' : ''} | the tables |
| database.ts | opens the database, and creates missing tables |
| callers.ts | reads the token of a request: who calls, of which tenant, in which role |
| login.ts | the keys of your identity provider, or keys for development |
| rights.ts | the operations of each role, and the limit of requests |
| service.ts | the contract with its tables, and the scope of a caller |
| observe.ts | the log, the ids of requests, and /metrics |
| registry.ts, server.ts | the service, and its server |
| api.test.ts | the tests |
| Dockerfile | the image |

| variable | default | meaning |
|---|---|---|
| JWKS_URL | none: keys of the process | the key set of your identity provider |
| JWT_ISSUER, JWT_AUDIENCE | https://login.example, api | the claims iss and aud of a token |
| DATABASE_URL | data.sqlite | a file${hasPostgres ? ', or postgres://…' : ''} |
| HOST, PORT | 127.0.0.1, 3000 | the address |
| HOSTS | all but on a loopback address | names of hosts, with commas |
| ORIGINS | none | origins of pages that may use the API, with commas |
| REQUESTS_PER_MINUTE | 600 | of one caller, on one server |

With NODE_ENV=production the service does not start without JWKS_URL. A token has the claims sub,
role (reader, member, admin) and tenant_id. The role operator has no tenant, and sees them all.
Let your proxy forward neither /metrics nor the explorer, if they are not for everyone.
`
}

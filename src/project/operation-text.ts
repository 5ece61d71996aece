import type { ProjectModel } from './model.ts'
import { adapterLines } from './registry-text.ts'

/** Writes the files that run a service with tenants: its registry, its server and its tests. */
export function operationFiles({ title, resources }: ProjectModel) {
  const adapters = resources.flatMap((resource) => adapterLines(resource, '      ')).join('\n')
  return {
    'service.ts': serviceText.replace('ADAPTERS', adapters),
    'observe.ts': observeText,
    'registry.ts': registryText,
    'server.ts': serverText.replace('TITLE', title),
    'api.test.ts': testText,
    Dockerfile: dockerText,
    '.dockerignore': 'node_modules\ndata.sqlite*\n.git\n',
  }
}

const serviceText = `// The service: the contract with its tables, and who reaches which items.
import type { Kysely } from 'kysely'
import { defineRegistry, everything } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { type Caller, callerOf, type Issuer } from './callers.ts'
import { api } from './contract.ts'
import { idOf, onAnswer, onError } from './observe.ts'
import { byRole, type Context, rateLimit } from './rights.ts'

/** Binds the contract to a database, for the callers whose tokens an issuer has made. */
export function createRegistry(db: Kysely<unknown>, issuer: Issuer, perMinute = 600) {
  const limit = rateLimit(perMinute)
  return defineRegistry(api, { requestId: idOf })
    .onAnswer(onAnswer)
    .onError(onError)
    .context(async (request): Promise<Context> => {
      const caller = await callerOf(request, issuer)
      limit(caller)
      return { caller }
    })
    .scope(({ caller }) => scopeOf(caller))
    .use(byRole)
    .adapters({
ADAPTERS
    })
}

function scopeOf(caller: Caller) {
  return caller.role === 'operator' ? everything : { tenant_id: caller.tenant_id }
}
`

const serverText = `// The server: HTTP around the service.
import { explorer } from 'nounful/explorer'
import { cors, health } from 'nounful/layers'
import { serve } from 'nounful/node'
import { openApiAt } from 'nounful/openapi'
import { metricsAt } from './observe.ts'
import { db, login, registry } from './registry.ts'

const { HOST = '127.0.0.1', PORT = '3000', ORIGINS = '', HOSTS = '' } = process.env
const listOf = (text: string) => text.split(',').filter((word) => word !== '')
const title = 'TITLE'

const server = await serve(registry, {
  host: HOST,
  hosts: HOSTS === '' ? undefined : listOf(HOSTS),
  port: Number(PORT),
  layers: [
    cors({ origins: listOf(ORIGINS) }),
    health('/health', { check: () => registry.ready() }),
    metricsAt('/metrics'),
    openApiAt('/openapi.json', registry, {
      info: { title, version: '1.0.0' },
    }),
    explorer(registry, { title }),
  ],
  log: console.log,
  // Open requests end first, then the database is closed.
  stopOn: ['SIGTERM', 'SIGINT'],
  onStop: () => db.destroy(),
})

if (login !== undefined) {
  const [ann, bob] = await Promise.all([
    login.tokenOf({ sub: 'ann', tenant_id: 'acme', role: 'admin' }),
    login.tokenOf({ sub: 'bob', tenant_id: 'globex', role: 'admin' }),
  ])
  console.log(\`
Tokens for development, of two tenants, for an hour:

ann=\${ann}
bob=\${bob}

curl -H "authorization: Bearer $ann" \${server.url}/v1/projects\`)
}
`

const observeText = `// What operators see: a line for each response and error, and metrics.
import type { Answered, HttpRequest, Layer } from 'nounful'

const write = (line: object): void => console.log(JSON.stringify(line))

/** Returns the id of a request: of the proxy in front, where it sends one. */
export function idOf({ headers }: HttpRequest): string {
  const id = String(headers?.['x-request-id'] ?? '')
  return /^[\\w-]{8,64}$/.test(id) ? id : crypto.randomUUID()
}

/** Logs and counts a response. The line has no query, header or body, which may hold secrets. */
export function onAnswer(answered: Answered): void {
  const { id, method = '', template = '', status, code, duration } = answered
  if (process.env.LOG !== 'off')
    write({ level: 'info', request_id: id, method, template, status, code, duration })
  const labels = \`method="\${method}",path="\${template}",status="\${status}"\`
  const { count, seconds } = counts.get(labels) ?? { count: 0, seconds: 0 }
  counts.set(labels, { count: count + 1, seconds: seconds + duration / 1000 })
}

const counts = new Map<string, { readonly count: number; readonly seconds: number }>()

/** Writes the cause of a 500 or 503, whose client sees the same id. */
export function onError(error: unknown, { requestId }: { readonly requestId?: string }): void {
  const text = error instanceof Error ? error.stack : String(error)
  write({ level: 'error', request_id: requestId, error: text })
}

/** Serves the numbers in the text format of Prometheus. Let no proxy forward this path. */
export function metricsAt(path: string): Layer {
  const headers = {
    'content-type': 'text/plain; version=0.0.4',
    'cache-control': 'no-store',
  }
  return (request, answer) => {
    if (request.method !== 'GET' || request.url !== path) return answer(request)
    const types = ['http_requests_total', 'http_request_seconds_total'].map(
      (name) => \`# TYPE \${name} counter\`,
    )
    const lines = [...counts].flatMap(([labels, { count, seconds }]) => [
      \`http_requests_total{\${labels}} \${count}\`,
      \`http_request_seconds_total{\${labels}} \${seconds.toFixed(6)}\`,
    ])
    return {
      status: 200,
      headers,
      body: [...types, ...lines, ''].join('\\n'),
    }
  }
}
`

const registryText = `// The service of the environment: the server and \`npx nounful\` take it.
import { openDatabase } from './database.ts'
import { localIssuer, remoteIssuer } from './login.ts'
import { createRegistry } from './service.ts'

const { DATABASE_URL = 'data.sqlite', NODE_ENV, REQUESTS_PER_MINUTE = '600' } = process.env

const remote = remoteIssuer()
if (remote === undefined && NODE_ENV === 'production')
  throw new Error('Set JWKS_URL to the key set of your identity provider.')
const local = await localIssuer()

/** Makes tokens in development; \`undefined\` with an identity provider. */
export const login = remote === undefined ? local : undefined
export const db = await openDatabase(DATABASE_URL)
export const registry = createRegistry(db, remote ?? local, Number(REQUESTS_PER_MINUTE))
`

const testText = `// The tests: tokens, roles, a limit, every rule, and the proof of isolation.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { handle } from 'nounful'
import { isolationOf } from 'nounful/conformance'
import { serve } from 'nounful/node'
import { openDatabase } from './database.ts'
import { localIssuer } from './login.ts'
import { createRegistry } from './service.ts'

process.env.LOG = 'off'
const login = await localIssuer()
// A database of its own: the one of the service stays as it is.
const db = await openDatabase(process.env.TEST_DATABASE_URL ?? ':memory:')
const registry = createRegistry(db, login, Number.POSITIVE_INFINITY)
after(() => db.destroy())

const tokens = {
  none: '',
  forged: 'a.b.c',
  ann: await login.tokenOf({ sub: 'ann', tenant_id: 'acme', role: 'admin' }),
  bob: await login.tokenOf({ sub: 'bob', tenant_id: 'globex', role: 'admin' }),
  rob: await login.tokenOf({ sub: 'rob', tenant_id: 'acme', role: 'reader' }),
  operator: await login.tokenOf({ sub: 'ops', role: 'operator' }),
}
type CallerName = keyof typeof tokens

async function statusOf(line: string, caller: CallerName, service = registry): Promise<number> {
  const [method = '', url = ''] = line.split(' ')
  const authorization = \`Bearer \${tokens[caller]}\`
  const headers = { authorization, 'content-type': 'application/json' }
  const body = method === 'POST' ? { body: { name: 'Roof', due_on: null } } : {}
  const { status } = await handle({ method, url, headers, ...body }, service)
  return status
}

test('the tables fit the contract', () => registry.ready())

const rows: readonly (readonly [line: string, caller: CallerName, status: number])[] = [
  ['GET /v1/projects', 'none', 401],
  ['GET /v1/projects', 'forged', 401],
  ['GET /v1/projects', 'rob', 200],
  ['POST /v1/projects', 'rob', 403],
  ['POST /v1/projects', 'ann', 201],
  ['DELETE /v1/projects', 'rob', 403],
  ['DELETE /v1/projects', 'ann', 200],
]
for (const [line, caller, status] of rows) {
  test(\`\${line} by \${caller} is \${status}\`, async () => {
    assert.equal(await statusOf(line, caller), status)
  })
}

test('one request too many in a minute is 429', async () => {
  const limited = createRegistry(db, login, 1)
  assert.equal(await statusOf('GET /v1/projects', 'ann', limited), 200)
  assert.equal(await statusOf('GET /v1/projects', 'ann', limited), 429)
  assert.equal(await statusOf('GET /v1/projects', 'bob', limited), 200)
})

test('the API keeps every rule of the convention', async () => {
  // The check copies items that are there.
  await statusOf('POST /v1/projects', 'ann')
  const server = await serve(registry, { port: 0, log: false })
  const program = new URL('dist/cli.js', import.meta.resolve('nounful/package.json'))
  const header = \`authorization: Bearer \${tokens.ann}\`
  const words = [fileURLToPath(program), 'check', server.url, '--write', '--header', header]
  try {
    await promisify(execFile)(process.execPath, words)
  } finally {
    await server.close()
  }
})

const headerOf = (caller: CallerName) => ({ authorization: \`Bearer \${tokens[caller]}\` })
const as = [headerOf('ann'), headerOf('bob')] as const
for (const check of isolationOf(registry, { as, everything: headerOf('operator') }))
  test(check.name, () => check.run())
`

const dockerText = `# The service as an image. Mount a volume at /data, or set DATABASE_URL.
FROM node:24-slim
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev && mkdir /data && chown node /data
COPY . .
USER node
ENV NODE_ENV=production HOST=0.0.0.0 DATABASE_URL=/data/data.sqlite
EXPOSE 3000
CMD ["node", "--disable-warning=ExperimentalWarning", "server.ts"]
`

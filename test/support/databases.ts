import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { type Daemon, type DaemonPlan, discard, newHome, runAs, startDaemon } from './daemon.ts'

/** A database server of one's own, on a Unix socket in a folder of its own. */
export interface DatabaseServer extends Daemon {
  /** For `pg.Pool`, or mysql2's `createPool`; the user may do anything. Stays after `restart`. */
  readonly url: string
}

/** How careful a server is. */
export interface ServerOptions {
  /**
   * Whether a commit survives a crash of the machine, not of the server alone. That costs time.
   * Default: true.
   */
  readonly durable?: boolean
}

/** Engines that have a server. */
export const servedEngines = ['postgres', 'mariadb'] as const

/** One of them. */
export type ServedEngine = (typeof servedEngines)[number]

/** The programs that each needs, and the package to name where they are missing. */
export const software = {
  postgres: { name: 'PostgreSQL', package: 'postgresql', programs: ['postgres', 'initdb'] },
  mariadb: {
    name: 'MariaDB',
    package: 'mariadb-server',
    programs: ['mariadbd', 'mariadb-install-db'],
  },
} as const

/** Why an engine's server cannot be started, or undefined if it can. */
export function whyNot(engine: ServedEngine): string | undefined {
  const { name, programs } = software[engine]
  return programs.every((program) => find(program)) ? undefined : `${name} is not installed`
}

/** Starts one; undefined when it is not installed, as {@link whyNot} tells. */
export async function startServer(
  engine: ServedEngine,
  options: ServerOptions = {},
): Promise<DatabaseServer | undefined> {
  return engine === 'postgres' ? startPostgres(options) : startMariaDb(options)
}

/** A private PostgreSQL; user `postgres`, UTF-8. */
export async function startPostgres({
  durable = true,
}: ServerOptions = {}): Promise<DatabaseServer | undefined> {
  if (whyNot('postgres')) return undefined
  const home = newHome('postgres')
  const url = `postgresql://postgres@localhost:5432/postgres?host=${home}`
  const data = join(home, 'data')
  const install = `-D ${data} -U postgres -A trust -E UTF8 --locale=${locale()} --no-sync`
  const settings = {
    listen_addresses: '',
    unix_socket_directories: home,
    max_connections: 200,
    ...(!durable && { fsync: 'off', full_page_writes: 'off' }),
  }
  return startInstalled(url, [find('initdb'), ...install.split(' ')], {
    home,
    user: 'postgres',
    command: [
      find('postgres'),
      ...['-D', data, '-p', '5432'],
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    ready: async () => {
      const client = new pg.Client(url).on('error', () => undefined)
      await client.connect()
      await client.end()
    },
    shutDown: 'SIGINT',
    abandon: 'SIGQUIT',
  })
}

/** A private MariaDB; user `root`, utf8mb4, and else as it comes. */
export async function startMariaDb({
  durable = true,
}: ServerOptions = {}): Promise<DatabaseServer | undefined> {
  if (whyNot('mariadb')) return undefined
  const home = newHome('mysql')
  const socket = join(home, 'socket')
  const url = `mysql://root@localhost/mysql?socketPath=${socket}`
  // It makes a redo log of 96 MiB otherwise.
  const common = ['--no-defaults', `--datadir=${join(home, 'data')}`, '--innodb-log-file-size=16M']
  const install = ['--auth-root-authentication-method=normal', '--skip-test-db']
  return startInstalled(url, [find('mariadb-install-db'), ...common, ...install], {
    home,
    user: 'mysql',
    command: [
      find('mariadbd'),
      ...common,
      `--socket=${socket}`,
      `--pid-file=${join(home, 'pid')}`,
      '--skip-networking',
      '--max-connections=200',
      '--character-set-server=utf8mb4',
      // 2: a commit is with the operating system, yet maybe not on the disk.
      ...(durable ? [] : ['--innodb-flush-log-at-trx-commit=2', '--innodb-flush-method=nosync']),
    ],
    ready: async () => {
      const connection = await mysql.createConnection(url)
      await connection.end()
    },
    shutDown: 'SIGTERM',
    abandon: 'SIGKILL',
  })
}

async function startInstalled(
  url: string,
  install: readonly string[],
  plan: DaemonPlan,
): Promise<DatabaseServer> {
  try {
    await runAs(plan.user, plan.home, install)
  } catch (error) {
    discard(plan.home)
    throw error
  }
  return Object.assign(await startDaemon(plan), { url })
}

/** Returns the path of a program, or ''. Debian keeps most of PostgreSQL's outside the PATH. */
function find(program: string): string {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).map(Number) : []
  const newest = versions.sort((a, b) => b - a).map((version) => join(debian, `${version}`, 'bin'))
  const path = process.env.PATH?.split(delimiter) ?? []
  const folders = [...newest, ...path, '/usr/sbin']
  const folder = folders.find((folder) => existsSync(join(folder, program)))
  return folder ? join(folder, program) : ''
}

function locale(): string {
  const known = execFileSync('locale', ['-a'], { encoding: 'utf8' })
  return /^en_US\.utf-?8$/im.test(known) ? 'en_US.UTF-8' : 'C.UTF-8'
}

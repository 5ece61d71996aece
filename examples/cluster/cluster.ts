import { execFileSync } from 'node:child_process'
import { chownSync, cpSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import mysql from 'mysql2/promise'
import { type Child, find, type Ids, idsOfDatabases, start, until } from './child.ts'
import { database, type Number3, numbers, ports, users } from './places.ts'

/** A node of the database. */
export interface Node {
  readonly number: Number3
  child: Child
}

/** The path of the library that makes MariaDB a cluster. */
export function findGalera(): string | undefined {
  const folders = ['/usr/lib/galera', '/usr/lib64/galera-4', '/usr/lib/galera-4']
  return folders.map((folder) => join(folder, 'libgalera_smm.so')).find((path) => existsSync(path))
}

/** Starts three nodes: the first by itself, and the rest copy everything from it. */
export async function startCluster(folder: string): Promise<readonly Node[]> {
  const ids = idsOfDatabases()
  install(folder, ids)
  const nodes: Node[] = []
  for (const number of numbers) {
    const node = { number, child: startNode(folder, number, nodes.length === 0) }
    nodes.push(node)
    await untilTogether(nodes)
    if (nodes.length === 1) await prepare(node)
  }
  return nodes
}

/** Starts an ended node again; it copies the missed writes from another. */
export function restart(folder: string, node: Node): void {
  node.child = startNode(folder, node.number, false)
}

/** Queries a node itself, past the balancer. */
export async function askNode(number: Number3, query: string): Promise<readonly unknown[][]> {
  const connection = await mysql.createConnection({
    host: '127.0.0.1',
    port: ports.node(number),
    user: 'root',
    connectTimeout: 2000,
  })
  try {
    const [rows] = await connection.query({ sql: query, rowsAsArray: true, timeout: 30_000 })
    return Array.isArray(rows) ? rows.filter((row) => Array.isArray(row)) : []
  } finally {
    connection.destroy()
  }
}

/** Waits until nodes know and have caught up with one another, and take statements. */
export async function untilTogether(nodes: readonly Node[]): Promise<void> {
  const query = `select variable_value from information_schema.global_status
    where variable_name in ('wsrep_cluster_size', 'wsrep_local_state_comment')
    order by variable_name`
  for (const { number, child } of nodes) {
    await until(child, async () => {
      const [size, state] = (await askNode(number, query)).flat()
      return Number(size) === nodes.length && state === 'Synced'
    })
  }
}

function install(folder: string, ids: Ids): void {
  const [first = '', ...others] = numbers.map((number) => homeOf(folder, number))
  mkdirSync(first)
  if (ids.uid !== undefined && ids.gid !== undefined) chownSync(first, ids.uid, ids.gid)
  const options = ['--no-defaults', `--datadir=${first}/data`, '--innodb-log-file-size=16M']
  const without = ['--auth-root-authentication-method=normal', '--skip-test-db']
  const stdio = ['ignore', 'ignore', 'inherit'] as const
  const command = find('mariadb-install-db') ?? ''
  execFileSync(command, [...options, ...without], { ...ids, cwd: first, stdio: [...stdio] })
  for (const home of others) {
    cpSync(first, home, { recursive: true })
    // Root copies; the copies belong to who runs the databases.
    if (ids.uid !== undefined) execFileSync('chown', ['-R', `${ids.uid}:${ids.gid}`, home])
  }
}

async function prepare({ number }: Node): Promise<void> {
  const statements = [
    `create database ${database} character set utf8mb4`,
    `create user ${users.check}@'127.0.0.1'`,
    `create user ${users.service}@'127.0.0.1'`,
    `grant all on ${database}.* to ${users.service}@'127.0.0.1'`,
  ]
  for (const statement of statements) await askNode(number, statement)
}

function startNode(folder: string, number: Number3, isFirst: boolean): Child {
  const home = homeOf(folder, number)
  return start({
    name: `node-${number}`,
    folder: home,
    ids: idsOfDatabases(),
    command: [
      find('mariadbd') ?? '',
      '--no-defaults',
      ...serverOptions(home, number),
      ...clusterOptions(number),
      ...(isFirst ? ['--wsrep-new-cluster'] : []),
    ],
  })
}

function serverOptions(home: string, number: Number3): readonly string[] {
  return [
    `--datadir=${home}/data`,
    `--socket=${home}/socket`,
    `--pid-file=${home}/pid`,
    '--bind-address=127.0.0.1',
    `--port=${ports.node(number)}`,
    '--skip-name-resolve',
    '--character-set-server=utf8mb4',
    '--innodb-log-file-size=16M',
    '--innodb-buffer-pool-size=64M',
  ]
}

/** How long nodes wait for one another before they go on without. */
const patience = [
  'evs.keepalive_period=PT0.5S',
  'evs.inactive_check_period=PT0.25S',
  // After this silence the other nodes go on without it. Default 5 seconds.
  'evs.suspect_timeout=PT2S',
  // Silent for so long, and it is out even if they do not agree. Default 15 seconds.
  'evs.inactive_timeout=PT6S',
  'evs.install_timeout=PT6S',
]

// A read (1), a change or delete (2) and an insert (4) first apply all acknowledged writes.
const syncWait = process.env.SYNC_WAIT ?? '7'

function clusterOptions(number: Number3): readonly string[] {
  const members = numbers.map((member) => `127.0.0.1:${ports.group(member)}`)
  const provider = [
    `base_host=127.0.0.1`,
    `base_port=${ports.group(number)}`,
    `gmcast.listen_addr=tcp://127.0.0.1:${ports.group(number)}`,
    `ist.recv_addr=127.0.0.1:${ports.missed(number)}`,
    'gcache.size=64M',
    ...patience,
  ]
  return [
    '--wsrep-on=ON',
    `--wsrep-provider=${findGalera()}`,
    `--wsrep-provider-options=${provider.join(';')}`,
    '--wsrep-cluster-name=companies',
    `--wsrep-cluster-address=gcomm://${members.join(',')}`,
    `--wsrep-node-name=node-${number}`,
    `--wsrep-node-address=127.0.0.1:${ports.group(number)}`,
    `--wsrep-node-incoming-address=127.0.0.1:${ports.node(number)}`,
    '--wsrep-sst-method=rsync',
    `--wsrep-sst-receive-address=127.0.0.1:${ports.everything(number)}`,
    // A node that gives another a full copy stands still meanwhile, and tells the balancer.
    '--wsrep-sst-donor-rejects-queries=ON',
    // Required: rows are replicated, not statements, and locks of counters must not conflict.
    '--binlog-format=ROW',
    '--default-storage-engine=InnoDB',
    '--innodb-autoinc-lock-mode=2',
    `--wsrep-sync-wait=${syncWait}`,
  ]
}

function homeOf(folder: string, number: Number3): string {
  return join(folder, `node-${number}`)
}

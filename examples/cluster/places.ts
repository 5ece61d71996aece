/** How many processes there are, and how many nodes of the database. */
export const count = 3

/** Their numbers. */
export const numbers = [1, 2, 3] as const

/** One of them. */
export type Number3 = (typeof numbers)[number]

const base = Number(process.env.CLUSTER_PORT ?? 21_000)

/** The ports, all on 127.0.0.1 and below the range that systems choose from. */
export const ports = {
  /** The service's port for clients; the balancer forwards to a process. */
  service: base,
  /** A process of the service. */
  process: (number: Number3) => base + 10 + number,
  /** The database of a process; the balancer forwards to a node. */
  database: (number: Number3) => base + 20 + number,
  /** A node: for clients, for other nodes, for missed writes, for a full copy. */
  node: (number: Number3) => base + 30 + number,
  group: (number: Number3) => base + 40 + number,
  missed: (number: Number3) => base + 50 + number,
  everything: (number: Number3) => base + 60 + number,
}

/** The user of the service, and that of the health checks; both may come from this machine only. */
export const users = { service: 'service', check: 'checker' } as const

/** The name of the database. */
export const database = 'companies'

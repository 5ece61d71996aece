/** What requests come in by. */
export type Door = 'node' | 'fetch'

/** One that is compared. */
export interface Contender {
  /** As the tables have it. */
  readonly name: string
  /** Its file in `contenders/`. */
  readonly file: string
  readonly doors: readonly Door[]
  /** Its packages, whose versions are told. */
  readonly packages: readonly string[]
  /** It holds every answer back for some milliseconds, and so is never busy. */
  readonly dawdles?: true
}

/** Those that requests can come in to by a door. */
export function behind(door: Door, all: readonly Contender[]): readonly Contender[] {
  return all.filter(({ doors }) => doors.includes(door))
}

const both: readonly Door[] = ['node', 'fetch']
const node: readonly Door[] = ['node']

/** The yardstick, and a second copy of it: what its ratio is away from 1 is noise. */
export const bare: Contender = { name: 'bare', file: 'bare', doors: both, packages: [] }
export const bareAgain: Contender = { ...bare, name: 'bare again' }

/** The same by hand, with a tick of Node's kept, as ours do. */
export const bareKept: Contender = {
  name: 'bare, a tick kept',
  file: 'bare-kept',
  doors: node,
  packages: [],
}

/** Our own, by name: they are what bounds are about, and send the very headers that are sent by hand. */
export const ours: readonly string[] = ['nounful', 'nounful, serve']

/** Ours first, then peers. */
export const contenders: readonly Contender[] = [
  bare,
  bareAgain,
  bareKept,
  { name: 'nounful', file: 'nounful', doors: both, packages: [] },
  { name: 'nounful, serve', file: 'nounful-serve', doors: node, packages: [] },
  { name: 'fastify', file: 'fastify', doors: node, packages: ['fastify'] },
  { name: 'polka', file: 'polka', doors: node, packages: ['polka'] },
  { name: 'hono', file: 'hono', doors: both, packages: ['hono', '@hono/node-server'] },
  { name: 'h3', file: 'h3', doors: both, packages: ['h3'] },
  { name: 'elysia', file: 'elysia', doors: both, packages: ['elysia', '@elysiajs/node'] },
  { name: 'express', file: 'express', doors: node, packages: ['express'] },
  { name: 'koa', file: 'koa', doors: node, packages: ['koa', '@koa/router'] },
  {
    name: 'feathers',
    file: 'feathers',
    doors: node,
    packages: ['@feathersjs/feathers', '@feathersjs/koa'],
  },
  {
    name: 'itty-router',
    file: 'itty',
    doors: both,
    packages: ['itty-router', '@whatwg-node/server'],
  },
  { name: 'oRPC', file: 'orpc', doors: both, packages: ['@orpc/server', '@orpc/openapi'] },
  {
    name: 'json-server',
    file: 'json-server',
    doors: node,
    packages: ['json-server'],
    dawdles: true,
  },
]

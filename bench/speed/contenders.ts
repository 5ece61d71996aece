/** The levels that compare whole servers. */
export type Door = 'pipeline' | 'loopback' | 'fetch'

/** One of the servers that the bench compares. */
export interface Contender {
  /** Its name in the tables. */
  readonly name: string
  /** Its file in `contenders/`. */
  readonly file: string
  readonly doors: readonly Door[]
  /** Its packages; the page tells their versions. */
  readonly packages: readonly string[]
}

/** The contenders of one level. */
export function behind(door: Door, all: readonly Contender[]): readonly Contender[] {
  return all.filter(({ doors }) => doors.includes(door))
}

const node: readonly Door[] = ['pipeline', 'loopback']
const every: readonly Door[] = [...node, 'fetch']

/** The yardstick. */
export const bare: Contender = { name: 'bare', file: 'bare', doors: every, packages: [] }
/** A second copy of the yardstick, the control: its ratio would be 1 without noise. */
export const bareAgain: Contender = { ...bare, name: 'bare again' }

/** The contenders that have goals. They send the very headers that bare sends. */
export const ours: readonly string[] = ['nounful', 'nounful, serve']

/** The yardstick and its control, nounful, then peers. */
export const contenders: readonly Contender[] = [
  bare,
  bareAgain,
  { name: 'nounful', file: 'nounful', doors: every, packages: [] },
  { name: 'nounful, serve', file: 'nounful-serve', doors: node, packages: [] },
  { name: 'fastify', file: 'fastify', doors: node, packages: ['fastify'] },
  { name: 'polka', file: 'polka', doors: ['pipeline'], packages: ['polka'] },
  { name: 'hono', file: 'hono', doors: every, packages: ['hono', '@hono/node-server'] },
  { name: 'h3', file: 'h3', doors: ['pipeline', 'fetch'], packages: ['h3'] },
  { name: 'elysia', file: 'elysia', doors: ['fetch'], packages: ['elysia'] },
  { name: 'express', file: 'express', doors: node, packages: ['express'] },
]

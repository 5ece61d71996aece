import { boundOf } from './bounds.ts'
import { start } from './child.ts'
import type { Effort } from './effort.ts'
import type { Table } from './figures.ts'
import { figureOf } from './times.ts'

const library = (door: string): string => new URL(`../../dist/${door}.js`, import.meta.url).pathname
const [server, memory, client] = [
  'nounful: main, node and fetch doors',
  'nounful: main, fetch and memory doors',
  'nounful/client',
]
const doors = (...names: readonly string[]): string =>
  names.map((door) => `export * as ${door} from '${library(door)}'`).join('\n')

/** The bundles, by their name in the table. */
const bundled: Readonly<Record<string, string>> = {
  [server]: doors('index', 'node', 'fetch'),
  [memory]: doors('index', 'fetch', 'memory'),
  [client]: `export { createClient } from '${library('client')}'`,
  polka: "export { default } from 'polka'",
  'hono, the core': "export { Hono } from 'hono'",
  hono: "export { Hono } from 'hono'\nexport { serve } from '@hono/node-server'",
  h3: "export { H3, serve } from 'h3'",
  koa: "export { default } from 'koa'\nexport { default as Router } from '@koa/router'",
  elysia: "export { Elysia } from 'elysia'",
  fastify: "export { default } from 'fastify'",
  express: "export { default } from 'express'",
}
/** In kB. */
const most = { [memory]: 34, [client]: 4 }

/** Measures bundles, minified and gzipped. */
export async function sizes(effort: Effort): Promise<Table> {
  const child = start({ ...effort, file: 'inside/sizes.mjs', about: [] })
  const asked = child.ask<Record<string, number>>('sizes', bundled)
  const found = new Map(Object.entries(await asked.finally(() => child.end())))
  return {
    level: 'start',
    title: 'to send, of a bundle',
    unit: 'kB',
    cases: ['gzipped'],
    rows: [...found].map(([contender, size]) => ({
      contender,
      figures: { gzipped: figureOf([size]) },
    })),
    notes: [
      'Minified by esbuild with all imports but Node’s own, and gzipped; 1 kB is 1,000 bytes.',
    ],
    bounds: Object.entries(most).map(([name, limit]) => {
      const size = figureOf([found.get(name) ?? Number.NaN])
      return boundOf(`${name}, gzipped, kB`, size, { sense: 'at most', limit })
    }),
  }
}

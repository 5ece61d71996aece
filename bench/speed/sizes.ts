import { boundOf } from './bounds.ts'
import { start } from './child.ts'
import type { Effort } from './effort.ts'
import type { Table } from './figures.ts'
import { figureOf } from './times.ts'

const library = (door: string): string => new URL(`../../dist/${door}.js`, import.meta.url).pathname
const doors = (...names: readonly string[]): string =>
  names.map((door) => `export * as ${door} from '${library(door)}'`).join('\n')
const memory = 'nounful: main, fetch and memory doors'
const client = 'nounful/client'

/** The code of each bundle, by its name in the table. */
const bundles: Readonly<Record<string, string>> = {
  'nounful: main, node and fetch doors': doors('index', 'node', 'fetch'),
  [memory]: doors('index', 'fetch', 'memory'),
  [client]: `export { createClient } from '${library('client')}'`,
  polka: "export { default } from 'polka'",
  'hono, the core': "export { Hono } from 'hono'",
  hono: "export { Hono } from 'hono'\nexport { serve } from '@hono/node-server'",
  h3: "export { H3, serve } from 'h3'",
  elysia: "export { Elysia } from 'elysia'",
  fastify: "export { default } from 'fastify'",
  express: "export { default } from 'express'",
}
/** In kB. */
const limits = { [memory]: 34, [client]: 4 }

/** Measures the sizes of bundles. */
export async function sizes(effort: Effort): Promise<Table> {
  const child = start({ ...effort, file: 'inside/sizes.mjs', about: [] })
  const kilobytes = await child
    .ask<Readonly<Record<string, number>>>('sizes', bundles)
    .finally(() => child.end())
  const sizeOf = (name: string) => figureOf([kilobytes[name] ?? Number.NaN])
  return {
    level: 'start',
    title: 'to send, of a bundle',
    unit: 'kB',
    cases: ['gzipped'],
    rows: Object.keys(bundles).map((name) => ({
      contender: name,
      figures: { gzipped: sizeOf(name) },
    })),
    notes: [
      'Minified by esbuild with all imports but Node’s own, and gzipped; 1 kB is 1,000 bytes.',
    ],
    bounds: Object.entries(limits).map(([name, limit]) =>
      boundOf(`${name}, gzipped, kB`, sizeOf(name), { sense: 'at most', limit }),
    ),
  }
}

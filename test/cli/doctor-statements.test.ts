import { type Kysely, sql } from 'kysely'
import { defineApi, defineRegistry, defineResource, everything } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { examineStorage, formatCheckups } from '../../src/cli/doctor.ts'
import { databaseOf, engines, has } from '../support/stores.ts'
import { hr, type Shape, type Statements, shapes } from './doctor-shapes.ts'

const text = z.string()
const parents = ['as', 'bs', 'cs'] as const

function registryOf(db: Kysely<unknown>, shape: Shape) {
  const { fields = {}, paths = ['/notes'], options = {}, adapter = {} } = shape
  const schema = z.object({ id: text, ...fields })
  const { readOnly }: { readonly readOnly?: Statements } = options
  const hidden = Object.fromEntries([...(readOnly ?? []), 'id'].map((name) => [name, true]))
  const create = readOnly === undefined ? {} : { create: schema.omit(hidden as never) }
  const resource = defineResource('notes', { schema, ...create, ...options } as never)
  const isOwned = Object.hasOwn(options, 'ownedBy')
  const owned = isOwned ? { ownedBy: [] } : {}
  const others = parents.map((name) =>
    defineResource(name, {
      schema: z.object({ id: text, a_id: text, b_id: text }).partial({ a_id: true, b_id: true }),
      ...owned,
    } as never),
  )
  const above = { '/as': others[0], '/as/:a_id/bs': others[1], '/as/:a_id/bs/:b_id/cs': others[2] }
  const mounted = Object.fromEntries(paths.map((path) => [path, resource]))
  const api = defineApi({ v1: { ...above, ...mounted } } as never)
  const memories = Object.fromEntries(parents.map((name) => [name, memoryAdapter()]))
  const stored = kyselyAdapter(db, { table: 'notes', ...adapter } as never)
  const registry = defineRegistry(api)
  const scoped = isOwned ? registry.scope((() => everything) as never) : registry
  return scoped.adapters({ ...memories, notes: stored } as never)
}

async function run(db: Kysely<unknown>, statement: string) {
  await sql
    .raw(statement)
    .execute(db)
    .catch((error: unknown) => {
      throw new Error(`${statement}\n${error}`)
    })
}

describe.each(engines.filter(has))('%s', (engine) => {
  const rows = shapes.filter(({ on = engines }) => on.includes(engine))
  test.each(rows)('each statement runs, and none comes again: $name', async (shape) => {
    const { db, drop } = await databaseOf<unknown>(engine)
    for (const statement of shape.setup(engine)) await run(db, statement)
    const registry = registryOf(db, shape)
    const fix = async () => {
      const checkups = await examineStorage(registry)
      const found = checkups.flatMap(({ mismatches, advice }) => [...mismatches, ...advice])
      const statements = found.flatMap(({ fix }) => fix ?? [])
      for (const statement of statements) await run(db, statement)
      const isFit = checkups.every(({ state }) => state !== 'mismatches')
      const messages = found.map(({ message }) => message)
      return { isFit, statements, messages, text: formatCheckups(checkups) }
    }
    try {
      // Mismatches come before advice.
      for (let round = 0; round < 4; round++) {
        const { isFit, statements } = await fix()
        if (isFit || statements.length === 0) break
      }
      const { statements, messages, text: last } = await fix()
      expect(statements, last).toEqual([])
      const { rest = /^$/ } = shape
      // SQLite changes no column, and the last is about a path.
      const isSilent = (message: string) =>
        (engine === 'sqlite' && /is required, but|POST without it/.test(message)) ||
        message.startsWith('DELETE')
      const others = messages.filter((message) => !rest.test(message) && !isSilent(message))
      expect(others, last).toEqual([])
      if (shape.rest !== undefined)
        expect(messages.filter((message) => rest.test(message))).not.toEqual([])
    } finally {
      if (engine === 'mariadb') await sql.raw(`drop schema if exists ${hr}`).execute(db)
      await drop()
    }
  })
})

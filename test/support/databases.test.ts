import { existsSync } from 'node:fs'
import { Kysely, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { servedEngines, startServer, whyNot } from './databases.ts'
import { databaseOf, dialectOf, engines, has } from './stores.ts'

interface Tables {
  notes: { text: string }
}

describe.each(servedEngines)('a server of %s', { timeout: 30_000 }, (engine) => {
  test.skipIf(whyNot(engine))('keeps what is committed when it is killed', async () => {
    const server = await startServer(engine)
    if (!server) throw new Error('not installed')
    const { pid, url } = server
    const home = url.replace(/.*(host|socketPath)=/, '').replace(/\/socket$/, '')
    const open = () => new Kysely<Tables>({ dialect: dialectOf(engine, url) })
    const before = open()
    await sql`create table notes (text varchar(20))`.execute(before)
    await before.insertInto('notes').values({ text: 'kept' }).execute()
    await server.kill()
    await expect(before.selectFrom('notes').selectAll().execute()).rejects.toThrow()
    await server.restart()
    expect(server.pid).not.toBe(pid)
    const after = open()
    expect(await after.selectFrom('notes').selectAll().execute()).toEqual([{ text: 'kept' }])
    await Promise.all([before.destroy(), after.destroy()])
    await server.stop()
    expect(existsSync(home)).toBe(false)
  })
})

describe.each(engines)('a database of %s', { timeout: 30_000 }, (engine) => {
  test.skipIf(!has(engine))('is empty, and nobody else’s', async () => {
    const [one, other] = await Promise.all([databaseOf<Tables>(engine), databaseOf<Tables>(engine)])
    for (const { db } of [one, other]) {
      expect(await db.introspection.getTables()).toEqual([])
      await db.schema.createTable('notes').addColumn('text', 'varchar(20)').execute()
    }
    await one.db.insertInto('notes').values({ text: 'Grüße 🎈' }).execute()
    expect(await one.db.selectFrom('notes').selectAll().execute()).toEqual([{ text: 'Grüße 🎈' }])
    expect(await other.db.selectFrom('notes').selectAll().execute()).toEqual([])
    await Promise.all([one.drop(), other.drop()])
  })
})

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Kysely, sql } from 'kysely'
import { defineApi, defineRegistry, defineResource, handle } from 'nounful'
import { kyselyAdapter, sqliteDialect } from 'nounful/kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'

const Note = z.object({ id: z.string(), text: z.string() })
const notes = defineResource('notes', { schema: Note })
const api = defineApi({ v1: { '/notes': notes } })
const headers = { 'content-type': 'application/json' }
const long = 5000

describe('a SQLite file that another connection has locked', () => {
  let home: string
  let path: string
  let other: DatabaseSync
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'nounful-locks-'))
    path = join(home, 'data.sqlite')
    other = new DatabaseSync(path)
    other.exec('pragma journal_mode = wal; create table notes (id text primary key, text text)')
    other.exec("insert into notes values ('1', 'a')")
  })
  afterEach(() => {
    other.close()
    rmSync(home, { recursive: true })
  })
  const stored = () => other.prepare('select text from notes order by id').all().map(Object.values)
  const open = ({ timeout = long, wait = long } = {}) => {
    const file = new DatabaseSync(path, { timeout: wait })
    const db = new Kysely<unknown>({ dialect: sqliteDialect(file) })
    const registry = defineRegistry(api)
      .onError(() => undefined)
      .adapters({ notes: kyselyAdapter(db, { table: 'notes', timeout }) })
    const ask = async (method: string, url: string, body?: object, signal?: AbortSignal) => {
      const request = { method, url, headers, body: body && JSON.stringify(body), signal }
      return (await handle(request, registry)).status
    }
    return { db, file, ask }
  }
  const changed = { id: '1', text: 'x' }

  test.each([
    ['a write', 'PUT', '/v1/notes/1', changed],
    ['a bulk', 'PUT', '/v1/notes', [changed]],
  ])('lets %s wait, and other requests pass', async (_, method, url, body) => {
    const { ask } = open()
    other.exec('begin immediate')
    const start = performance.now()
    let isDone = false
    const asked = ask(method, url, body).finally(() => (isDone = true))
    for (let reads = 0; reads < 20; reads++) {
      expect(await ask('GET', '/v1/notes/1')).toBe(200)
      await pause(5)
    }
    // A busy timeout of SQLite's own would have kept the process that long.
    expect(performance.now() - start).toBeLessThan(long)
    expect(isDone).toBe(false)
    other.exec('commit')
    expect(await asked).toBe(200)
    expect(stored()).toEqual([['x']])
  })

  test.each([
    ['a write', 'PUT', '/v1/notes/1', changed],
    ['a bulk', 'PUT', '/v1/notes', [changed]],
  ])('is answered 503 to %s in time', async (_, method, url, body) => {
    const timeout = 1500
    const { ask } = open({ timeout })
    other.exec('begin immediate')
    const start = performance.now()
    expect(await ask(method, url, body)).toBe(503)
    expect(performance.now() - start).toBeGreaterThan(timeout - 1)
    expect(performance.now() - start).toBeLessThan(timeout + 1000)
    other.exec('commit')
    await pause(100)
    expect(stored()).toEqual([['a']])
    expect(await ask(method, url, body)).toBe(200)
  })

  test('delays no operation of an absent client', async () => {
    const { ask } = open()
    other.exec('begin immediate')
    const client = new AbortController()
    const start = performance.now()
    const asked = ask('PUT', '/v1/notes/1', changed, client.signal)
    await pause(50)
    client.abort()
    await asked
    expect(performance.now() - start).toBeLessThan(long)
    other.exec('commit')
    await pause(200)
    expect(stored()).toEqual([['a']])
  })

  test.each(['wal', 'delete'])(
    'delays a read, the first one included, in journal mode %s',
    async (mode) => {
      other.exec(`pragma journal_mode = ${mode}; pragma locking_mode = exclusive; begin exclusive`)
      other.exec("update notes set text = 'b'")
      const { ask } = open()
      const asked = ask('GET', '/v1/notes/1')
      await pause(100)
      other.exec('commit; pragma locking_mode = normal; select * from notes')
      expect(await asked).toBe(200)
      other.exec('begin exclusive')
      const again = ask('GET', '/v1/notes/1')
      await pause(100)
      other.exec('commit')
      expect(await again).toBe(200)
    },
  )

  test.each([
    ['a statement', (db: Kysely<unknown>) => sql`update notes set text = 'x'`.execute(db)],
    [
      'a transaction',
      (db: Kysely<unknown>) =>
        db.transaction().execute(async (transaction) => {
          await sql`select * from notes`.execute(transaction)
          await sql`update notes set text = 'x'`.execute(transaction)
        }),
    ],
  ])('is waited for by %s of your own as long as its busy timeout', async (_, act) => {
    other.exec('begin immediate')
    await expect(act(open({ wait: 0 }).db)).rejects.toThrow('database is locked')
    await expect(act(open({ wait: 50 }).db)).rejects.toThrow('database is locked')
    const { db } = open()
    const start = performance.now()
    const done = act(db)
    await pause(50)
    expect(performance.now() - start).toBeLessThan(long)
    other.exec("update notes set text = 'b'; commit")
    await done
    expect(stored()).toEqual([['x']])
  })

  test('delays no operation if no wait helps', async () => {
    const { db } = open()
    const start = performance.now()
    const done = db.connection().execute(async (connection) => {
      await sql`begin`.execute(connection)
      await sql`select * from notes`.execute(connection)
      other.exec("update notes set text = 'b'")
      await sql`update notes set text = 'x'`.execute(connection).finally(() => {
        return sql`rollback`.execute(connection)
      })
    })
    await expect(done).rejects.toThrow('database is locked')
    expect(performance.now() - start).toBeLessThan(long)
  })

  test('has every write of a hundred writers once', { timeout: 120_000 }, async () => {
    const rounds = 4
    const program = new URL('../support/sqlite-writer.ts', import.meta.url).pathname
    const runs = await Promise.all(
      ['a', 'b', 'c', 'd'].map((writer) =>
        promisify(execFile)(process.execPath, [
          ...['--conditions=nounful:source', '--disable-warning=ExperimentalWarning'],
          ...[program, path, writer, `${rounds}`],
        ]),
      ),
    )
    const told = runs.map(({ stdout }) => JSON.parse(stdout))
    const count = (status: string) =>
      told.reduce((sum, { statuses }) => sum + (statuses[status] ?? 0), 0)
    const all = 100 * rounds
    expect([
      count('POST 201') + count('POST 503'),
      count('PUT 200') + count('PUT 404') + count('PUT 503'),
    ]).toEqual([all, all])
    const texts = stored().map(([text]) => text)
    expect(texts.filter((text) => text !== 'a')).toHaveLength(count('POST 201'))
    expect(texts.filter((text) => text === 'changed')).toHaveLength(count('PUT 200'))
    expect(Math.max(...told.map(({ longest }) => longest))).toBeLessThan(long)
  })
})

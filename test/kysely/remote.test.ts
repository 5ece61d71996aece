import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { Kysely } from 'kysely'
import { defineApi, defineRegistry, defineResource, handle } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Delay, remoteDialect } from '../support/remote.ts'

const Note = z.object({ id: z.string(), text: z.string() })
const notes = defineResource('notes', { schema: Note })
const api = defineApi({ v1: { '/notes': notes } })
const timeout = 300
const never = new Promise<never>(() => undefined)

describe('SQLite behind a service', () => {
  let home: string
  let file: DatabaseSync
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'nounful-remote-'))
    file = new DatabaseSync(join(home, 'data.sqlite'))
    file.exec('pragma journal_mode = wal; create table notes (id text primary key, text unique)')
    file.exec("insert into notes values ('1', 'a'), ('2', 'b'), ('3', 'c')")
  })
  afterEach(() => {
    file.close()
    rmSync(home, { recursive: true })
  })
  const stored = () => file.prepare('select text from notes order by id').all().map(Object.values)
  const open = (delay?: Delay) => {
    const db = new Kysely<unknown>({ dialect: remoteDialect(join(home, 'data.sqlite'), delay) })
    const registry = defineRegistry(api)
      .onError(() => undefined)
      .adapters({ notes: kyselyAdapter(db, { table: 'notes', timeout }) })
    return async (method: string, url: string, body?: object, headers = {}) => {
      const all = { 'content-type': 'application/json', ...headers }
      const request = { method, url, headers: all, body: body && JSON.stringify(body) }
      return (await handle(request, registry)).status
    }
  }
  const bulk = [
    { id: '1', text: 'x' },
    { id: '2', text: 'c' },
  ]

  test('writes a bulk whole or not at all', async () => {
    const ask = open()
    expect(await ask('PUT', '/v1/notes', bulk)).toBe(409)
    expect(stored()).toEqual([['a'], ['b'], ['c']])
    expect(await ask('PUT', '/v1/notes', [bulk[0] ?? {}])).toBe(200)
    expect(stored()).toEqual([['x'], ['b'], ['c']])
    expect(await ask('DELETE', '/v1/notes', undefined, { prefer: 'max-affected=2' })).toBe(409)
    expect(stored()).toEqual([['x'], ['b'], ['c']])
  })

  test.each(['select', 'update', 'begin', 'commit'])(
    'that stands still at a %s gives 503 in time',
    async (word) => {
      const ask = open((statement) => (statement.startsWith(word) ? never : pause(0)))
      const start = performance.now()
      expect(await ask('PUT', '/v1/notes', [bulk[0] ?? {}])).toBe(503)
      expect(performance.now() - start).toBeLessThan(timeout + 700)
      expect(stored()).toEqual([['a'], ['b'], ['c']])
    },
  )

  test('waits for a lock as long as an operation may take', async () => {
    const ask = open()
    file.exec('begin immediate')
    expect(await ask('PUT', '/v1/notes', [bulk[0] ?? {}])).toBe(503)
    expect(await ask('PUT', '/v1/notes/1', bulk[0])).toBe(503)
    const asked = [ask('PUT', '/v1/notes', [bulk[0] ?? {}]), ask('GET', '/v1/notes/1')]
    expect(await asked[1]).toBe(200)
    file.exec('commit')
    expect(await asked[0]).toBe(200)
    expect(stored()).toEqual([['x'], ['b'], ['c']])
  })

  test('commits nothing after a 503', async () => {
    let tell = (): void => undefined
    const late = new Promise<void>((resolve) => (tell = resolve))
    const ask = open((statement) => (statement.startsWith('update') ? late : pause(0)))
    expect(await ask('PUT', '/v1/notes', [bulk[0] ?? {}])).toBe(503)
    tell()
    await pause(50)
    expect(stored()).toEqual([['a'], ['b'], ['c']])
    expect(await ask('PUT', '/v1/notes/1', bulk[0])).toBe(200)
  })
})

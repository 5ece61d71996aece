import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { Kysely } from 'kysely'
import { defineApi, defineRegistry, defineResource, handle } from 'nounful'
import { kyselyAdapter, sqliteDialect } from 'nounful/kysely'
import { z } from 'zod'

// One of several processes that write to one file: prints statuses, and turns of its event loop.

const [, , path = '', writer = '', rounds = ''] = process.argv
const writers = 25

const Note = z.object({ id: z.string(), text: z.string() })
const notes = defineResource('notes', { schema: Note })
const file = new DatabaseSync(path, { timeout: 5000 })
const db = new Kysely<unknown>({ dialect: sqliteDialect(file) })
const registry = defineRegistry(defineApi({ v1: { '/notes': notes } }))
  .onError(() => undefined)
  .adapters({ notes: kyselyAdapter(db, { table: 'notes' }) })

const statuses: Record<string, number> = {}

async function send(method: string, url: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const { status } = await handle({ method, url, headers, body: JSON.stringify(body) }, registry)
  statuses[`${method} ${status}`] = (statuses[`${method} ${status}`] ?? 0) + 1
}

async function write(number: number): Promise<void> {
  for (let round = 0; round < Number(rounds); round++) {
    const note = { id: `${writer}-${number}-${round}`, text: 'new' }
    await send('POST', '/v1/notes', note)
    await send('PUT', '/v1/notes', [{ ...note, text: 'changed' }])
  }
}

let isOver = false
let longest = 0
async function watch(): Promise<void> {
  while (!isOver) {
    const start = performance.now()
    await pause(5)
    longest = Math.max(longest, performance.now() - start)
  }
}

const watching = watch()
await Promise.all(Array.from({ length: writers }, (_, number) => write(number)))
isOver = true
await watching
console.log(JSON.stringify({ statuses, longest }))

import { type Kysely, sql } from 'kysely'
import { defineApi, defineRegistry, defineResource } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { examineStorage } from '../../src/cli/doctor.ts'
import { databaseOf, type Engine, engines, has } from '../support/stores.ts'

type Id = string | number | bigint | null

interface Row {
  readonly name: string
  readonly column: Readonly<Record<Engine, string>>
  readonly ids: readonly Id[]
  readonly id?: z.ZodType
  readonly softDelete?: string
  readonly says: readonly string[]
}

const texts = { sqlite: 'text unique', postgres: 'text unique', mariadb: 'varchar(300) unique' }
const numbers = {
  sqlite: 'integer unique',
  postgres: 'bigint primary key',
  mariadb: 'bigint primary key',
}
const long = 'x'.repeat(256)
const start = 'No path reaches items with these ids:'

const rows: readonly Row[] = [
  { name: 'good ids', column: texts, ids: ['a', 'Count', 'x'.repeat(255), 'é', '0'], says: [] },
  ...['count', 'first', 'last', '.', '..', '', 'a\nb', '\u007f', 'a\u0085', '\u001f'].map((id) => ({
    name: JSON.stringify(id),
    column: texts,
    ids: ['a', id],
    says: [`${start} ${JSON.stringify(id)}.`],
  })),
  {
    name: 'a long id',
    column: texts,
    ids: [long],
    says: [`${start} "${'x'.repeat(40)}…" (256 characters).`],
  },
  {
    name: 'six odd ids',
    column: texts,
    ids: ['', '.', '..', 'count', 'first', 'last', 'x'],
    says: [`${start} "", ".", "..", "count", "first", and more.`],
  },
  {
    name: 'rows without an id',
    column: texts,
    ids: [null, null, 'a'],
    says: ['2 rows have no id in "id", so no list shows them.'],
  },
  {
    name: 'one deleted row and one row without an id',
    column: texts,
    ids: [null, 'a'],
    softDelete: 'gone',
    says: ['1 row has no id in "id", so no list shows them.'],
  },
  {
    name: 'numbers',
    column: numbers,
    ids: [1, 9007199254740991n, 9007199254740993n],
    id: z.coerce.number(),
    says: [`${start} "9007199254740993".`],
  },
  {
    name: 'texts that the schema of ids refuses',
    column: texts,
    ids: ['7', '07', 'x'],
    id: z.string().regex(/^[1-9]\d*$/),
    says: [`${start} "07", "x".`],
  },
]

function registryOf(db: Kysely<unknown>, { id, softDelete }: Row) {
  const isNumber = id !== undefined && typeof z.safeParse(id, '1').data === 'number'
  const notes = defineResource('notes', {
    schema: z.object({ id: isNumber ? z.number() : z.string() }),
    create: z.object({ id: isNumber ? z.number() : z.string() }),
    ...(id !== undefined && { id }),
  } as never)
  return defineRegistry(defineApi({ v1: { '/notes': notes } }) as never).adapters({
    notes: kyselyAdapter(db, { table: 'notes', ...(softDelete && { softDelete }) }),
  } as never)
}

describe.each(engines.filter(has))('%s', (engine) => {
  test.each(rows)('doctor tells of ids that no path holds: $name', async (row) => {
    const { db, drop } = await databaseOf<unknown>(engine)
    const gone = engine === 'sqlite' ? 'text' : 'bigint'
    await sql.raw(`create table notes (id ${row.column[engine]}, gone ${gone})`).execute(db)
    for (const id of row.ids) await sql`insert into notes (id) values (${id})`.execute(db)
    if (row.softDelete !== undefined)
      await sql`insert into notes (id, gone) values (${'count'}, 1)`.execute(db)
    const registry = registryOf(db, row)
    await registry.ready()
    const [checkup] = await examineStorage(registry)
    const told = checkup?.advice.filter(({ fix }) => fix === undefined)
    const messages = told?.map(({ message }) => message).filter((text) => !/required/.test(text))
    expect(checkup?.state).toBe('fits')
    expect(messages).toEqual(row.says)
    await drop()
  })
})

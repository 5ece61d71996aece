// A registry whose tables fit in part, so that `nounful doctor` has something to tell.
import { sql } from 'kysely'
import { defineRegistry, everything } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { memoryAdapter } from 'nounful/memory'
import { openDatabase } from '../../examples/companies/database.ts'
import { api } from './contract.ts'

const { db } = await openDatabase(':memory:')
const tables = {
  players: `id integer primary key, full_name text collate nocase, team_id text, shirt text,
    rating real, state text not null, born text, captain text, revision integer`,
  specimens: 'id text, name text not null, note text, rank real, flag boolean, data text',
}
for (const [table, columns] of Object.entries(tables)) {
  await sql`create table ${sql.table(table)} (${sql.raw(columns)})`.execute(db)
}

/** Players lack columns, specimens a key, and teams a storage that tells of itself. */
export const registry = defineRegistry(api, { defaultVersion: 'v2' })
  .scope(() => everything)
  .adapters({
    teams: memoryAdapter(),
    players_v2: kyselyAdapter(db, { table: 'players' }),
    specimens: kyselyAdapter(db, { table: 'specimens' }),
  })

import { Kysely, PostgresDialect } from 'kysely'
import { type AdapterFor, defineRegistry } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { api } from './contract.ts'

const db = new Kysely<unknown>({
  dialect: new PostgresDialect({ pool: () => Promise.reject(new Error('There is none.')) }),
})
const notes: AdapterFor<typeof api, 'notes'> = kyselyAdapter(db, { table: 'notes' })

export const stored = defineRegistry(api).adapters({
  notes,
  lines: kyselyAdapter(db, { table: 'lines', timeout: 1000 }),
})

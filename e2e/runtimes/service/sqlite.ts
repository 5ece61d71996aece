import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import { sqliteDialect } from 'nounful/kysely'
import { storedIn } from './stored.ts'

const database = new DatabaseSync(':memory:')

export const registry = await storedIn(new Kysely({ dialect: sqliteDialect(database) }))

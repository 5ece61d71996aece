import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { createIndexes, createTables } from '../../examples/companies/tables.ts'
import { people, toRow } from './people.ts'
import type { Place } from './place.ts'

// Indexes that no foreign key needs. Making them again at the end is faster than keeping them.
const indexes = ['name', 'birthdate', 'created_at'].flatMap((column) => [
  `employees_by_${column}`,
  `employees_by_${column}_desc`,
])
const rowsAtOnce = 5000

/** Makes the tables of the example, and as many employees. */
export async function load(place: Place, rows: number): Promise<void> {
  await createTables(place)
  await sql`delete from employees`.execute(place.db)
  for (const name of indexes) {
    const on = place.engine === 'mariadb' ? sql` on employees` : sql``
    await sql`drop index ${sql.ref(name)}${on}`.execute(place.db)
  }
  for (let start = 0; start < rows; start += rowsAtOnce) {
    const end = Math.min(rows, start + rowsAtOnce)
    await place.fill(people(start, end).map(toRow))
  }
  await createIndexes(place.db)
  for (const command of place.upkeep) await sql.raw(command).execute(place.db)
  // The server's own later work.
  await sleep(1000)
}

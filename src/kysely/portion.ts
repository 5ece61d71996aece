import { mostBytes, selectBytes } from './select.ts'
import { run, type Statement, type StatementValues } from './statement.ts'
import type { StorageTask } from './table.ts'

// So few rows are read at once, whatever they hold.
const fewRows = 8

// Rows of a shorter page stay light for a second: one more statement would slow each page.
const shortPage = 100
const trusted = 1000
const light = new WeakMap<Statement, number>()

/**
 * Returns how many of the selected rows one statement may read without blocking the process for
 * long, one at least. Returns `undefined` for all of them, and for a database that does not block
 * the process.
 */
export async function portionOf(
  task: StorageTask,
  values: StatementValues,
): Promise<number | undefined> {
  const { store, table } = task
  const { limit = 0, words } = values.query
  const isTold = store.engine.isEmbedded && table.described.hasOctetLength === true
  // A condition of the user's is not asked twice.
  const isOwn = store.search !== undefined && words.length > 0
  if (!isTold || isOwn || limit <= fewRows) return undefined
  const statement = selectBytes(task, values)
  const now = performance.now()
  const since = light.get(statement)
  if (limit < shortPage && since !== undefined && now - since < trusted) return undefined
  const { rows } = await run(task, statement, values)
  let bytes = 0
  const count = rows.findIndex((row) => {
    bytes += Number(row.bytes)
    return bytes > mostBytes
  })
  if (count !== -1) return Math.max(1, count)
  light.set(statement, now)
  return undefined
}

import { fieldOf, type Scope } from '../model/operation.ts'
import { type Issue, problem } from '../model/problem.ts'
import { faultOfValue } from '../model/storable.ts'
import { fits, isFindable } from './fit.ts'
import type { StorageTask } from './store.ts'
import { fieldFor, type Table } from './table.ts'

/** Tells whether the owners of a scope may exist, by the types of their columns. */
export function mayExist({ table }: StorageTask, scope: Scope): boolean {
  return Object.entries(scope).every(([name, value]) =>
    isFindable(fieldFor(table, name), value, table.engine),
  )
}

/**
 * Checks that the database would store every field of the items unchanged. Keeps the items in the
 * task for later issues of constraints.
 *
 * @returns Whether a reference has a value that its column cannot hold. The caller then throws
 *   `BrokenReference` if the items exist.
 * @throws {ProblemError} `validation_failed` with every other issue of every item.
 */
export function checkFields(task: StorageTask, items: readonly object[]): boolean {
  const { table, isBulk } = task
  task.written = items
  let isDangling = false
  const issues = items.flatMap((item, index) =>
    Object.keys(item).flatMap((name): Issue[] => {
      const failure = issueOf(table, name, fieldOf(item, name))
      if (failure === undefined) return []
      if (failure !== unfit || !refers(table, name)) {
        return [{ pointer: isBulk ? `/${index}/${name}` : `/${name}`, ...failure }]
      }
      isDangling = true
      return []
    }),
  )
  if (issues.length > 0) throw problem('validation_failed', undefined, { issues })
  return isDangling
}

const unfit = { code: 'unfit', message: 'cannot be stored' } as const

function issueOf(
  table: Table,
  name: string,
  value: unknown,
): { readonly code: string; readonly message: string } | undefined {
  if (value === undefined) return undefined
  if (!table.field.has(name)) {
    return { code: 'unknown_field', message: `is no field of ${table.resource.name}` }
  }
  const message = faultOfValue(value)
  if (message !== undefined) return { code: 'unstorable', message }
  return fits(fieldFor(table, name), value, table.engine) ? undefined : unfit
}

function refers({ described, field }: Table, name: string): boolean {
  const column = field.get(name)?.column ?? ''
  return described.references.some(({ columns }) => columns.includes(column))
}

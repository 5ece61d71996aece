import { fieldOf, type Scope } from '../model/operation.ts'
import { type Issue, problem } from '../model/problem.ts'
import { faultOfValue } from '../model/storable.ts'
import { fits, isFindable } from './fit.ts'
import type { Task } from './store.ts'
import { fieldFor, type Table } from './table.ts'

/** Tells whether the owners of a scope may be items, as far as their columns know. */
export function mayExist({ table }: Task, scope: Scope): boolean {
  return Object.entries(scope).every(([name, value]) =>
    isFindable(fieldFor(table, name), value, table.engine),
  )
}

/**
 * Makes sure that nothing of the items that are about to be written would be lost: for want of a column, or in a value that the
 * database would change. The work keeps them, for what may be said of a constraint that they break.
 *
 * @returns Whether a reference is one that its column cannot hold: `Dangling` is thrown for it where the items are known to exist.
 * @throws {ProblemError} `validation_failed` with every other fault of every item.
 */
export function checkFields(task: Task, items: readonly object[]): boolean {
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

import { fieldOf, type Scope } from '../model/operation.ts'
import { type Issue, problem } from '../model/problem.ts'
import { faultOfValue } from '../model/storable.ts'
import { fits } from './fit.ts'
import type { Work } from './store.ts'
import { fieldFor } from './table.ts'

/** Tells whether the owners of a scope may be items, as far as their columns know. */
export function isThere({ table }: Work, scope: Scope): boolean {
  return Object.entries(scope).every(([name, value]) =>
    fits(fieldFor(table, name), value, table.engine),
  )
}

/**
 * Makes sure that nothing of an item would be lost: for want of a column, or in a text that the database would change.
 *
 * @throws {ProblemError} `validation_failed`.
 */
export function checkFields({ table, place }: Work, item: object): void {
  const start = place === undefined ? '' : `/${place}`
  const issues = Object.keys(item).flatMap((name): Issue[] => {
    const value = fieldOf(item, name)
    if (value === undefined) return []
    const pointer = `${start}/${name}`
    if (!table.field.has(name)) {
      return [{ pointer, code: 'unknown_field', message: `is no field of ${table.resource.name}` }]
    }
    const message = faultOfValue(value)
    if (message !== undefined) return [{ pointer, code: 'unstorable', message }]
    return fits(fieldFor(table, name), value, table.engine)
      ? []
      : [{ pointer, code: 'unfit', message: 'cannot be stored' }]
  })
  if (issues.length > 0) throw problem('validation_failed', undefined, { issues })
}

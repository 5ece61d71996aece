import { type Issue, problem } from '../../convention/problem.ts'
import { fieldOf, setField } from '../../convention/value.ts'
import { ownerValues, type Scope } from '../resource/operation.ts'

/**
 * Returns an item with the fields of a scope: the item itself where it has them. A field that the
 * item lacks gets the value of the scope, if there is one alone.
 *
 * @throws {ProblemError} `validation_failed` for an item that is not in the scope.
 */
export function confineItem<Given extends object>(item: Given, scope: Scope): Given {
  const { confined, issues } = fill(item, scope, '')
  if (issues.length > 0) throw problem('validation_failed', undefined, { issues })
  return confined
}

/**
 * Returns the items of a bulk with the fields of a scope, as {@link confineItem} does one.
 *
 * @throws {ProblemError} `validation_failed` with the issues of all items.
 */
export function confineItems<Given extends object>(
  items: readonly Given[],
  scope: Scope,
): readonly Given[] {
  const filled = items.map((item, index) => fill(item, scope, `/${index}`))
  const issues = filled.flatMap((one) => one.issues)
  if (issues.length > 0) throw problem('validation_failed', undefined, { issues })
  return filled.map(({ confined }) => confined)
}

function fill<Given extends object>(
  item: Given,
  scope: Scope,
  at: string,
): { readonly confined: Given; readonly issues: readonly Issue[] } {
  const missing: Record<string, unknown> = {}
  const issues: Issue[] = []
  for (const field of Object.keys(scope)) {
    const [value, values] = [fieldOf(item, field), ownerValues(scope, field)]
    if (values.some((known) => known === value)) continue
    if (value === undefined && values.length === 1) setField(missing, field, values[0])
    else issues.push(issueOf(`${at}/${field}`, value, values))
  }
  const isWhole = Object.keys(missing).length === 0
  return { confined: isWhole ? item : { ...item, ...missing }, issues }
}

// The message names no value, since a caller may not know who else there is.
function issueOf(pointer: string, value: unknown, values: readonly unknown[]): Issue {
  return value === undefined && values.length > 0
    ? { pointer, code: 'required', message: 'is missing' }
    : { pointer, code: 'scope_mismatch', message: 'is outside of what you can access' }
}

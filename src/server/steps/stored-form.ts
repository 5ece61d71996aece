import type { StoredForm } from '../../contract/resource/adapter.ts'
import { type Awaitable, whenReady } from '../../convention/awaitable.ts'
import type { Condition } from '../../convention/filter-operators.ts'
import { setField } from '../../convention/value.ts'
import type { Draft } from '../checks/body.ts'
import { operationOf } from '../operations.ts'
import type { Task, TaskChanges } from '../task.ts'

/**
 * Writes the values of a body and of filters as the storage returns them, so that later steps
 * compare by value.
 */
export function takeStoredForm(task: Task): Awaitable<TaskChanges> {
  const { plan, operation, context, drafts } = task
  if (drafts.length === 0 && operation.query.where.length === 0) return undefined
  return whenReady(plan.adapter.storedForm?.(operation, context), (form) =>
    form === undefined ? undefined : changesInForm(task, form),
  )
}

function changesInForm(task: Task, form: StoredForm): TaskChanges {
  const { operation, drafts } = task
  const { query } = operation
  if (query.where.length === 0) return { drafts: drafts.map((draft) => draftInForm(draft, form)) }
  const where = query.where.map((condition) => conditionInForm(condition, form))
  const facts = { ...operation, query: { ...query, where } }
  const storedOperation = operationOf(operation.kind, operation, facts)
  return { sentQuery: query, operation: storedOperation }
}

function draftInForm(draft: Draft, form: StoredForm): Draft {
  return { ...draft, body: itemInForm(draft.body, form), item: itemInForm(draft.item, form) }
}

function itemInForm(item: object, form: StoredForm): object {
  const formed: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(item)) setField(formed, field, form(field, value))
  return formed
}

const parts: ReadonlySet<Condition['is']> = new Set(['contains', 'startsWith', 'endsWith'])

function conditionInForm(condition: Condition, form: StoredForm): Condition {
  const { field, is, values } = condition
  if (parts.has(is)) return condition
  return { ...condition, values: values.map((value) => form(field, value) as typeof value) }
}

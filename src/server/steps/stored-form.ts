import type { StoredForm } from '../../contract/resource/adapter.ts'
import { type Awaitable, whenReady } from '../../convention/awaitable.ts'
import { setField } from '../../convention/value.ts'
import type { Draft } from '../checks/body.ts'
import { operationInForm } from '../operations.ts'
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
  return { sentQuery: query, operation: operationInForm(operation, form) }
}

function draftInForm(draft: Draft, form: StoredForm): Draft {
  // The id of a stored item has one spelling: another one names no item.
  const formOf: StoredForm =
    draft.id === undefined ? form : (field, value) => (field === 'id' ? value : form(field, value))
  return { ...draft, body: itemInForm(draft.body, formOf), item: itemInForm(draft.item, formOf) }
}

function itemInForm(item: object, form: StoredForm): object {
  const formed: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(item)) setField(formed, field, form(field, value))
  return formed
}

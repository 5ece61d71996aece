import type { OperationKind } from '../model/convention.ts'
import { byId, type Operation, type Scope, type SortField } from '../model/operation.ts'
import { positionOf } from '../model/order.ts'
import { wordsOf } from '../model/search.ts'
import { type NewSpecimen, type Specimen, specimens } from './specimens.ts'

/** What a check asks: an operation, without what it does not say. */
export interface Question {
  readonly kind: OperationKind
  readonly scope?: Scope
  readonly id?: string
  readonly item?: NewSpecimen
  readonly items?: readonly Specimen[]
  readonly q?: string
  /** `['name', '-rank']`: name ascending, then rank descending, then the id. */
  readonly sort?: readonly string[]
  readonly limit?: number | undefined
  /** The item at which the page before ended, or the fields of it up to a text that was cut. */
  readonly after?: Partial<Specimen> | undefined
  readonly maxAffected?: number
  readonly ifRevision?: unknown
  readonly signal?: AbortSignal
}

const never = new AbortController().signal

/** Makes the operation that the core would call an adapter with. Nothing in it is shared with the question. */
export function toOperation(question: Question): Operation {
  const { kind, id, q = '', limit, after, maxAffected, ifRevision, signal = never } = question
  const scope: Scope = { ...question.scope }
  const sort = orderOf(question.sort)
  return {
    kind,
    resource: specimens,
    version: 'v1',
    path: templateOf(scope),
    scope,
    id,
    query: {
      q,
      words: wordsOf(q),
      sort,
      limit,
      after: after === undefined ? undefined : positionOf(after, sort),
    },
    // The scope's fields are written in, as a request under an owner has them.
    item: question.item === undefined ? undefined : { ...structuredClone(question.item), ...scope },
    items: question.items?.map((item) => ({ ...structuredClone(item), ...scope })),
    maxAffected,
    ifRevision: ifRevision,
    signal,
  }
}

/** The total order that sort fields ask for: `['-rank']` → rank descending, then id ascending. */
export function orderOf(sort: readonly string[] = []): readonly SortField[] {
  const fields = sort.map(
    (text): SortField =>
      text.startsWith('-')
        ? { field: text.slice(1), direction: 'desc' }
        : { field: text, direction: 'asc' },
  )
  const isTotal = fields.some(({ field }) => field === 'id')
  return isTotal ? fields : [...fields, ...byId.map((field) => ({ ...field }))]
}

/** Asks to replace a stored item by other fields: `update`, with what only the server sets as it is stored. */
export function replacing(stored: Specimen, fields: NewSpecimen): Question & { item: Specimen } {
  return { kind: 'update', id: stored.id, item: replacementOf(stored, fields) }
}

/** The whole item that replaces a stored one. */
export function replacementOf({ id, revision }: Specimen, fields: NewSpecimen): Specimen {
  return revision === undefined ? { ...fields, id } : { ...fields, id, revision }
}

function templateOf(scope: Scope): string {
  const owners = Object.keys(scope).map((field) => `/${field.replace(/_id$/, '')}s/:${field}`)
  return `${owners.join('')}/specimens`
}

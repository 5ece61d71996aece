import { idFor, isId } from '../../model/id.ts'
import { fieldOf } from '../../model/operation.ts'
import type { Issue } from '../../model/problem.ts'
import type { Resource } from '../../model/resource.ts'
import { formatPointer } from '../../wire/pointer.ts'

/** An item of a body, valid by its schema. The core has not compared it with stored items yet. */
export interface Draft {
  /** As the client sent it. */
  readonly body: object
  /** As the schema gave it, with the scope's fields and, where it is known, the id. */
  readonly item: object
  /** `undefined` for a new item, and for a value that is no id of this resource. */
  readonly id: string | number | undefined
  /** The path of the item in the body; empty for the body itself. */
  readonly at: readonly PropertyKey[]
}

/** Makes the issue of a field of a draft. */
export function issueAt(
  at: readonly PropertyKey[],
  field: string,
  { code, message }: Pick<Issue, 'code' | 'message'>,
): Issue {
  return { pointer: formatPointer([...at, field]), code, message }
}

/** Returns the id that a body holds. */
export function sentId(body: unknown): unknown {
  return typeof body === 'object' && body !== null ? fieldOf(body, 'id') : undefined
}

/** Returns the id of a resource that a JSON value writes; `undefined` for a value that is none. */
export function idOf(sent: unknown, resource: Resource): string | number | undefined {
  return typeof sent === 'string' || typeof sent === 'number'
    ? idFor(resource, String(sent))
    : undefined
}

/** Judges the id of an item in a bulk. `id` is its meaning, `undefined` without one. */
export function issuesOfBulkId(
  sent: unknown,
  { id, isRepeated, at }: Pick<Draft, 'id' | 'at'> & { readonly isRepeated: boolean },
): readonly Issue[] {
  const message = faultOfBulkId(sent, id, isRepeated)
  return message === undefined ? [] : [issueAt(at, 'id', { code: 'invalid_id', message })]
}

function faultOfBulkId(sent: unknown, id: unknown, isRepeated: boolean): string | undefined {
  if (sent === undefined) return 'is missing'
  if (typeof sent !== 'string' && typeof sent !== 'number')
    return 'is no id: an id is text or a number'
  // An id of the right form may be unknown: the core finds that out later.
  if (id !== undefined && id !== sent) return `is no id: an id of this resource is a ${typeof id}`
  return isRepeated ? 'is the id of another item too' : undefined
}

/** Judges the id of a new item before its schema does, since the schema may know no ids. */
export function issuesOfNewId(
  body: unknown,
  item: object | undefined,
  resource: Resource,
): readonly Issue[] {
  const sent = sentId(body)
  if (typeof sent === 'string' && !isId(sent)) {
    return [issueAt([], 'id', { code: 'reserved_id', message: 'is an id that no item can have' })]
  }
  const id = item === undefined ? undefined : fieldOf(item, 'id')
  if (id === undefined || idOf(id, resource) === id) return []
  return [issueAt([], 'id', { code: 'invalid_id', message: 'is no id of this resource' })]
}

/** Tells whether a body holds another id than its path. */
export function hasOtherIds(drafts: readonly Draft[]): boolean {
  return drafts.some(hasOtherId)
}

/** Tells of each body that holds another id than its path. */
export function issuesOfOtherIds(drafts: readonly Draft[]): readonly Issue[] {
  const issue = { code: 'id_mismatch', message: 'is not the id in the path' }
  return drafts.filter(hasOtherId).map(({ at }) => issueAt(at, 'id', issue))
}

function hasOtherId({ body, id }: Draft): boolean {
  return Object.hasOwn(body, 'id') && fieldOf(body, 'id') !== id
}

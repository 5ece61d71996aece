import type { Resource } from '../contract/resource/resource.ts'
import type { Issue } from '../convention/problem.ts'
import { fieldOf, pickFields } from '../convention/value.ts'
import { issueAt } from './issues.ts'
import { isSortValue } from './sort-value.ts'

/** An owner field that a body has to name. */
export interface OpenOwner {
  readonly field: string
  /** The owners that the caller can name; `undefined` for any. */
  readonly among: readonly unknown[] | undefined
}

/** The rules of a body that name its owners. */
interface Owned {
  readonly resource: Resource
  readonly at: readonly PropertyKey[]
  readonly pathFields: Readonly<Record<string, unknown>>
  readonly open: readonly OpenOwner[]
  readonly isPart: boolean
}

/** Adds the owner that a body names to the path fields: it counts like one of the path. */
export function pathFieldsWith(body: object, { pathFields, open }: Owned): Owned['pathFields'] {
  const fields = open.map(({ field }) => field)
  return { ...pathFields, ...pickFields(body, fields) }
}

/** Returns the issues of owners that a body has to name. */
export function faultsOfOwners(body: object, form: Owned): readonly Issue[] {
  return form.open.flatMap((owner) => faultOfOwner(body, owner, form))
}

function faultOfOwner(
  body: object,
  { field, among }: OpenOwner,
  { at, isPart, resource }: Owned,
): readonly Issue[] {
  const value = fieldOf(body, field)
  if (value === undefined) {
    const message = 'is required: it names the owner'
    return isPart ? [] : [issueAt(at, field, { code: 'required', message })]
  }
  if (among?.includes(value)) return []
  const isOwner = typeof value === 'string' || typeof value === 'number'
  if (!isOwner || !isSortValue(resource, field, value)) {
    return [issueAt(at, field, { code: 'invalid_type', message: 'must be the id of an owner' })]
  }
  const message = 'must be an owner that you may write for'
  return among === undefined ? [] : [issueAt(at, field, { code: 'scope_mismatch', message })]
}

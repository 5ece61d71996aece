import type { Issue } from '../model/problem.ts'
import { pathOfIssue, type SchemaIssue } from '../model/schema.ts'
import { formatPointer } from './pointer.ts'

/** Makes the issue of a field of an item of a body. */
export function issueAt(
  at: readonly PropertyKey[],
  field: string,
  { code, message }: Pick<Issue, 'code' | 'message'>,
): Issue {
  return { pointer: formatPointer([...at, field]), code, message }
}

/** The item of a body that a schema judged. */
interface Judged {
  /** The fields that the path gives. */
  readonly given: Readonly<Record<string, unknown>>
  /** The path names no item, so issues about its fields are no fault of the body. */
  readonly isNowhere: boolean
  /** The path of the item in the body. */
  readonly at: readonly PropertyKey[]
  /** The most issues of a field of many keys. */
  readonly most: number
}

/** Returns the issues of a schema as a problem has them. */
export function issuesOfSchema(
  issues: readonly SchemaIssue[],
  { given, isNowhere, at, most }: Judged,
): readonly Issue[] {
  // Some validators refuse without an issue.
  if (issues.length === 0) {
    return [{ pointer: formatPointer(at), code: 'invalid', message: 'is not valid' }]
  }
  const fields: readonly unknown[] = isNowhere ? Object.keys(given) : []
  const own = issues.filter((issue) => !fields.includes(fieldOfIssue(issue)))
  return own.flatMap((issue) => toIssues(issue, at, most))
}

/** Returns the field of the item that an issue is about; `undefined` for the whole item. */
export function fieldOfIssue(issue: SchemaIssue): PropertyKey | undefined {
  return pathOfIssue(issue)[0]
}

function toIssues(issue: SchemaIssue, at: readonly PropertyKey[], most: number): Issue[] {
  const path = [...at, ...pathOfIssue(issue)]
  const code = 'code' in issue && typeof issue.code === 'string' ? issue.code : 'invalid'
  const { message } = issue
  // zod names unknown keys beside the path of their object.
  const keys =
    'keys' in issue && Array.isArray(issue.keys) ? issue.keys.slice(0, most).map(String) : []
  if (keys.length === 0) return [{ pointer: formatPointer(path), code, message }]
  return keys.map((key) => issueAt(path, key, { code, message: 'is not a field that can be sent' }))
}

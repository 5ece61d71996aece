import { createJsonSchemaReader } from '../model/json-schema.ts'
import { keepsTexts } from '../model/messages.ts'
import type { Issue } from '../model/problem.ts'
import { pathOfIssue, type SchemaIssue, type StandardSchema } from '../model/schema.ts'
import { formatPointer } from './pointer.ts'
import { sentenceAt } from './sentence.ts'

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
  readonly schema: StandardSchema
  /** The item as the validator got it. */
  readonly body: object
  /** The fields that no message names. */
  readonly hidden: readonly string[]
}

/** Returns the issues of a schema as a problem has them. */
export function issuesOfSchema(issues: readonly SchemaIssue[], judged: Judged): readonly Issue[] {
  const { given, isNowhere, at } = judged
  // Some validators refuse without an issue.
  if (issues.length === 0) {
    return [{ pointer: formatPointer(at), code: 'invalid', message: 'is not valid' }]
  }
  const fields: readonly unknown[] = isNowhere ? Object.keys(given) : []
  const own = issues.filter((issue) => !fields.includes(fieldOfIssue(issue)))
  return own.flatMap((issue) => toIssues(issue, judged))
}

/** Returns the field of the item that an issue is about; `undefined` for the whole item. */
export function fieldOfIssue(issue: SchemaIssue): PropertyKey | undefined {
  return pathOfIssue(issue)[0]
}

function toIssues(issue: SchemaIssue, judged: Judged): Issue[] {
  const { at, most } = judged
  const inner = pathOfIssue(issue)
  const path = [...at, ...inner]
  const code = 'code' in issue && typeof issue.code === 'string' ? issue.code : 'invalid'
  const { message } = issue
  // zod names unknown keys beside the path of their object.
  const keys =
    'keys' in issue && Array.isArray(issue.keys) ? issue.keys.slice(0, most).map(String) : []
  if (keys.length === 0) {
    return [{ pointer: formatPointer(path), code, message: sentence(inner, judged) ?? message }]
  }
  return keys.map((key) => {
    const text = sentence([...inner, key], judged) ?? 'is no known field'
    return issueAt(path, key, { code, message: text })
  })
}

type Json = ReturnType<ReturnType<typeof createJsonSchemaReader>>

// By schema: the entries of an api that is gone must not stay.
const known = new WeakMap<StandardSchema, { readonly json: Json }>()

function jsonOf(schema: StandardSchema): Json {
  const { json } = known.get(schema) ?? { json: createJsonSchemaReader()(schema, 'input') }
  known.set(schema, { json })
  return json
}

// The text of the core where the JSON Schema tells the fault.
function sentence(path: readonly PropertyKey[], judged: Judged): string | undefined {
  const { schema, body, hidden } = judged
  if (keepsTexts(schema)) return undefined
  const json = jsonOf(schema)
  return json && sentenceAt(path, { body, json, hidden })
}

import { createJsonSchemaReader } from '../contract/schema/json-schema.ts'
import { pathOfIssue, type SchemaIssue, type StandardSchema } from '../contract/schema/schema.ts'
import type { Issue, MessagesOption } from '../convention/problem.ts'
import { fieldOf } from '../convention/value.ts'
import { formatPointer } from './pointer.ts'
import { sentencesAt } from './sentence.ts'

/** Makes the issue of a field of an item of a body. */
export function issueAt(
  at: readonly PropertyKey[],
  field: string,
  { code, message }: Pick<Issue, 'code' | 'message'>,
): Issue {
  return { pointer: formatPointer([...at, field]), code, message }
}

/** The item of a body that a schema judged. */
interface JudgedItem {
  /** The fields that the path gives. */
  readonly pathFields: Readonly<Record<string, unknown>>
  /** The path names no item, so issues about its fields are no fault of the body. */
  readonly isNowhere: boolean
  /** The path of the item in the body. */
  readonly at: readonly PropertyKey[]
  /** The most issues of a field of many keys. */
  readonly most: number
  readonly schema: StandardSchema
  /** The item as the validator got it. */
  readonly body: object
  /** The author of the texts. */
  readonly messages: MessagesOption
  /** The fields that no message names. */
  readonly hidden: readonly string[]
}

/** Returns the issues of a schema as a problem has them. */
export function issuesOfSchema(
  issues: readonly SchemaIssue[],
  judged: JudgedItem,
): readonly Issue[] {
  const { pathFields, isNowhere, at } = judged
  // Some validators refuse without an issue.
  if (issues.length === 0) {
    return [{ pointer: formatPointer(at), code: 'invalid', message: 'is not valid' }]
  }
  const fields: readonly unknown[] = isNowhere ? Object.keys(pathFields) : []
  const bodyIssues = issues.filter((issue) => !fields.includes(fieldOfIssue(issue)))
  const nextSentence = sentenceReaderFor(judged)
  return bodyIssues.flatMap((issue) => toIssues(issue, judged, nextSentence))
}

/** Returns the field of the item that an issue is about; `undefined` for the whole item. */
export function fieldOfIssue(issue: SchemaIssue): PropertyKey | undefined {
  return pathOfIssue(issue)[0]
}

function toIssues(
  issue: SchemaIssue,
  judged: JudgedItem,
  nextSentence: SentenceReader,
): readonly Issue[] {
  const { at, most, messages } = judged
  const inner = pathOfIssue(issue)
  const path = [...at, ...inner]
  const code = 'code' in issue && typeof issue.code === 'string' ? issue.code : 'invalid'
  const isOwn = isOwnRule(issue)
  const make = (key: readonly PropertyKey[], text: string | undefined): Issue => {
    const coreText = messages === 'validator' ? undefined : text
    const entry = {
      pointer: formatPointer([...path, ...key]),
      code,
      message: coreText ?? issue.message,
    }
    if (coreText !== undefined) issuesOfCore.add(entry)
    return entry
  }
  // zod names unknown keys beside the path of their object.
  const keys =
    'keys' in issue && Array.isArray(issue.keys) ? issue.keys.slice(0, most).map(String) : []
  if (keys.length > 0)
    return keys.map((key) => make([key], nextSentence([...inner, key]) ?? 'is no known field'))
  const text = isOwn ? undefined : nextSentence(inner)
  const branches = text === undefined ? branchesOf(issue, valueAt(inner, judged.body)) : undefined
  const [branch] = branches ?? []
  if (branch === undefined)
    return [make([], branches ? 'must have one of the allowed forms' : text)]
  return branch.flatMap((nested) => {
    const issueOfItem = { ...nested, path: [...inner, ...pathOfIssue(nested)] }
    return toIssues(issueOfItem, judged, nextSentence)
  })
}

const issuesOfCore = new WeakSet<Issue>()

/** Tells whether the core wrote the text of an issue, so that it names no field. */
export function isWrittenByCore(issue: Issue): boolean {
  return issuesOfCore.has(issue)
}

// The rules of validators that JSON Schema does not state, or only as a pattern: `code` of zod and
// arktype, `format` of zod, `type` of valibot. Arktype has one code for each text with a form.
const ownRules: ReadonlySet<unknown> = new Set(
  (
    'custom predicate regex starts_with ends_with includes check check_items ' +
    'partial_check raw_check raw_transform some_item every_item'
  ).split(' '),
)

function isOwnRule(issue: SchemaIssue): boolean {
  return ['code', 'format', 'type'].some((name) => ownRules.has(Reflect.get(issue, name)))
}

/**
 * Returns the issues of the alternative that a value probably means, in a list of one. Returns an
 * empty list where several are as near, and `undefined` for an issue of no union.
 */
function branchesOf(
  issue: SchemaIssue,
  value: unknown,
): readonly (readonly SchemaIssue[])[] | undefined {
  const branches: unknown = Reflect.get(issue, 'errors')
  if (Reflect.get(issue, 'code') !== 'invalid_union' || !Array.isArray(branches)) return undefined
  const all = branches.filter(isBranch).map((branch) => ({ branch, cost: costOf(branch, value) }))
  const least = Math.min(...all.map(({ cost }) => cost))
  const near = all.filter(({ cost }) => cost === least)
  return near.length === 1 ? near.map(({ branch }) => branch) : []
}

function isBranch(branch: unknown): branch is readonly SchemaIssue[] {
  return Array.isArray(branch) && branch.length > 0
}

// A value with another constant means another alternative, and one without a member probably does.
function costOf(branch: readonly SchemaIssue[], value: unknown): number {
  const costs: readonly number[] = branch.map((issue) => {
    if (Reflect.get(issue, 'code') === 'invalid_value') return 10_000
    return valueAt(pathOfIssue(issue), value) === undefined ? 100 : 1
  })
  return costs.reduce((sum, cost) => sum + cost)
}

function valueAt(path: readonly PropertyKey[], value: unknown): unknown {
  return path.reduce<unknown>((inner, key) => fieldOf(Object(inner), String(key)), value)
}

type Json = ReturnType<ReturnType<typeof createJsonSchemaReader>>

// By schema: the entries of an api that is gone must not stay.
const readers = new WeakMap<StandardSchema, { readonly json: Json }>()

function jsonOf(schema: StandardSchema): Json {
  const { json } = readers.get(schema) ?? { json: createJsonSchemaReader()(schema, 'input') }
  readers.set(schema, { json })
  return json
}

/** Returns the next sentence of the core for a path of the body; `undefined` for none. */
type SentenceReader = (path: readonly PropertyKey[]) => string | undefined

// A value that breaks several rules has an issue for each.
function sentenceReaderFor({ schema, body, hidden }: JudgedItem): SentenceReader {
  const json = jsonOf(schema)
  const sentencesOf = new Map<string, string[]>()
  return (path) => {
    if (json === undefined) return undefined
    const pointer = formatPointer(path)
    const sentences = sentencesOf.get(pointer) ?? [...sentencesAt(path, { body, json, hidden })]
    sentencesOf.set(pointer, sentences)
    return sentences.shift()
  }
}

import type { Fields, Unwritten } from '../contract/resource/link.ts'
import type { Conversion } from '../contract/resource/resource.ts'
import { coversToken, possibleValuesAt, tokenOf } from '../contract/schema/possible-values.ts'
import type { StandardSchema } from '../contract/schema/schema.ts'
import { type Issue, isProblem, problem } from '../convention/problem.ts'
import { fieldOf, unrepresentable } from '../convention/value.ts'
import { issueAt, isWrittenByCore } from '../wire/issues.ts'
import { formatPointer, parsePointer } from '../wire/pointer.ts'
import { mustBeOneOf } from '../wire/sentence.ts'

/** The view of an item, and where the item is. */
interface ItemOfView {
  readonly view: Conversion
  /** The path of the item in the body. */
  readonly at: readonly PropertyKey[]
}

/** Returns the path of an issue inside the item at a path of the body. */
export function pathInItem({ pointer = '' }: Issue, at: readonly PropertyKey[]): readonly string[] {
  return parsePointer(pointer).slice(at.length)
}

/** A base item that a schema refused. */
interface RefusedItem {
  readonly schema: StandardSchema
  readonly item: Fields
}

/**
 * Translates an issue of a base item for the client of a view. For a field with a table the message
 * lists the values of the view that the schema accepts.
 */
export function toViewIssue(issue: Issue, itemOfView: ItemOfView, refused: RefusedItem): Issue {
  const { view, at } = itemOfView
  const viewIssue = withViewPath(issue, itemOfView)
  const [field = ''] = pathInItem(issue, at)
  const [viewField = ''] = view.pathOf([field]) ?? []
  const table = view.valuesOf(viewField)
  const values = possibleValuesAt(refused.schema, [field])
  const isAccepted = (stored: unknown): boolean => coversToken(values, tokenOf(stored))
  if (table === undefined || isAccepted(fieldOf(refused.item, field))) return viewIssue
  const allowed = [...table].filter(([, stored]) => stored.some(isAccepted))
  return { ...viewIssue, message: mustBeOneOf(allowed.map(([value]) => value)) }
}

// If the view does not show the field, the item is at fault, and the message names nothing.
function withViewPath(issue: Issue, { view, at }: ItemOfView): Issue {
  if (issue.pointer === undefined) return issue
  const path = pathInItem(issue, at)
  if (path.length === 0) return issue
  const viewPath = view.pathOf(path)
  return viewPath === undefined
    ? { pointer: formatPointer(at), code: issue.code, message: 'is not valid' }
    : {
        ...issue,
        pointer: formatPointer([...at, ...viewPath]),
        message: isWrittenByCore(issue) ? issue.message : viewMessage(issue, path, viewPath),
      }
}

// Some validators name the field in the message: "full_name must be at most length 3".
function viewMessage(
  { message }: Issue,
  path: readonly string[],
  viewPath: readonly string[],
): string {
  const start = `${path.join('.')} `
  const text = message.startsWith(start)
    ? `${viewPath.join('.')} ${message.slice(start.length)}`
    : message
  const isMentioned = (key: string): boolean => text.split(/[^\p{L}\p{N}_$]+/u).includes(key)
  return path.some((key) => !viewPath.includes(key) && isMentioned(key)) ? 'is not valid' : text
}

/** Returns the issues of fields that the base cannot hold; for no field, the issue of the item. */
export function issuesOfUnwritten(
  faults: readonly Unwritten[],
  at: readonly PropertyKey[],
): readonly Issue[] {
  const code = 'unrepresentable'
  const byField = new Map(faults.map((fault) => [fault.field, fault]))
  return byField.size > 0
    ? [...byField.values()].map(({ field, message }) => issueAt(at, field, { code, message }))
    : [{ pointer: formatPointer(at), code, message: unrepresentable }]
}

/** Translates an error of the adapter of a base: its issues have the paths of the view. */
export function toViewError(view: Conversion, error: unknown, isMany: boolean): unknown {
  if (!isProblem(error)) return error
  const { code, members } = error
  const { issues } = members
  if (issues === undefined || !issues.some(({ pointer }) => pointer !== undefined)) return error
  const viewIssues = issues.map((issue) => {
    const [first = ''] = parsePointer(issue.pointer ?? '')
    // An adapter may create the items of a bulk one by one, and write no index.
    const at = isMany && /^\d+$/.test(first) ? [first] : []
    return withViewPath(issue, { view, at })
  })
  return problem(code, undefined, { ...members, issues: viewIssues })
}

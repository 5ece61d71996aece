import type { Conversion } from '../contract/resource/resource.ts'
import { type Issue, isProblem, problem } from '../convention/problem.ts'
import { isWrittenByCore } from '../wire/issues.ts'
import { formatPointer, parsePointer } from '../wire/pointer.ts'

interface Words {
  readonly view: Conversion
  /** The path of the item in the body; of a bulk, the pointers have it. */
  readonly at: readonly PropertyKey[]
}

/**
 * Returns an issue of the base in the words of a view. If the view does not show the field, the
 * whole item is at fault. The message then names nothing.
 */
export function pointerIn(issue: Issue, { view, at }: Words): Issue {
  if (issue.pointer === undefined) return issue
  const path = parsePointer(issue.pointer).slice(at.length)
  if (path.length === 0) return issue
  const viewPath = view.pathOf(path)
  return viewPath === undefined
    ? { pointer: formatPointer(at), code: issue.code, message: 'is not valid' }
    : {
        ...issue,
        pointer: formatPointer([...at, ...viewPath]),
        message: isWrittenByCore(issue) ? issue.message : messageIn(issue.message, path, viewPath),
      }
}

// Some validators name the field in the message: "full_name must be at most length 3".
function messageIn(message: string, path: readonly string[], viewPath: readonly string[]): string {
  const named = `${path.join('.')} `
  const text = message.startsWith(named)
    ? `${viewPath.join('.')} ${message.slice(named.length)}`
    : message
  const isMentioned = (key: string): boolean => text.split(/[^\p{L}\p{N}_$]+/u).includes(key)
  return path.some((key) => !viewPath.includes(key) && isMentioned(key)) ? 'is not valid' : text
}

/** Returns what an adapter threw, in the words of a view. */
export function inWordsOf(view: Conversion, error: unknown, isMany: boolean): unknown {
  if (!isProblem(error)) return error
  const { code, members } = error
  const { issues } = members
  if (issues === undefined || !issues.some(({ pointer }) => pointer !== undefined)) return error
  const viewIssues = issues.map((issue) => {
    const [first = ''] = parsePointer(issue.pointer ?? '')
    // An adapter may create the items of a bulk one by one, and tell no index.
    const at = isMany && /^\d+$/.test(first) ? [first] : []
    return pointerIn(issue, { view, at })
  })
  return problem(code, undefined, { ...members, issues: viewIssues })
}

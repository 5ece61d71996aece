import { parsePointer } from '../../../wire/pointer.ts'
import { controlIn, fieldAt, findAll, make } from '../find.ts'

/** An issue of a problem document. */
export interface ShownIssue {
  readonly pointer: string
  readonly message: string
}

/**
 * Returns the issues of a problem document.
 *
 * @param isShared The same patch is in each item, so that each may have the same fault.
 */
export function issuesOf(problem: unknown, isShared = false): readonly ShownIssue[] {
  const issues: unknown = Reflect.get(Object(problem), 'issues')
  const shown = new Map<string, ShownIssue>()
  for (const issue of Array.isArray(issues) ? issues : []) {
    const { pointer = '', parameter = '', message = '' } = Object(issue)
    const place = `${pointer || parameter}`.replace(isShared ? /^\/\d+/ : '', '')
    shown.set(`${place} ${message}`, { pointer: place, message: `${message}` })
  }
  return [...shown.values()]
}

/** Removes the error of every field. */
export function clearErrors(form: HTMLElement): void {
  for (const line of findAll(form, '.fault')) {
    line.hidden = true
    line.textContent = ''
  }
  for (const control of findAll(form, '[aria-invalid]')) control.removeAttribute('aria-invalid')
}

/**
 * Shows each issue at its field.
 *
 * @returns A line for each issue, with a link to its field, or else its pointer.
 */
export function placeIssues(
  form: HTMLElement,
  issues: readonly ShownIssue[],
): readonly HTMLElement[] {
  return issues.map((issue) => {
    const path = parsePointer(issue.pointer)
    const field = fieldAt(form, path[0])
    if (field === undefined) {
      const { pointer, message } = issue
      return pointer === ''
        ? make('li', {}, message)
        : make('li', {}, make('code', {}, pointer), ` ${message}`)
    }
    const inner = path.slice(1).join(' › ')
    markField(field, inner === '' ? issue.message : `${inner}: ${issue.message}`)
    return make('li', {}, linkTo(field, path.join(' › ')), ` ${issue.message}`)
  })
}

/** Creates a link to a field. */
export function linkTo(field: HTMLElement, text: string): HTMLElement {
  return make('a', { href: `#${controlIn(field).id}` }, text)
}

/** Moves the focus to the first field with an error. Returns false when there is none. */
export function focusInvalid(form: HTMLElement): boolean {
  const field = form.querySelector<HTMLElement>('[aria-invalid="true"]')
  field?.focus()
  return field !== null
}

/** Shows an error at a field. */
export function markField(field: HTMLElement, message: string): void {
  const line = field.querySelector<HTMLElement>('.fault')
  if (line === null) return
  line.textContent = line.hidden ? message : `${line.textContent}; ${message}`
  line.hidden = false
  controlIn(field).setAttribute('aria-invalid', 'true')
}

import { parsePointer } from '../../wire/pointer.ts'
import { isJson } from './body.ts'
import { controlIn, findAll, make } from './find.ts'

/** An issue of a problem, as far as it is what it should be. */
export interface Issue {
  readonly pointer: string
  readonly message: string
}

/** The issues of a problem document. */
export function issuesOf(problem: unknown): readonly Issue[] {
  const issues: unknown = Reflect.get(Object(problem), 'issues')
  return (Array.isArray(issues) ? issues : []).map((issue) => {
    const { pointer = '', parameter = '', message = '' } = Object(issue)
    return { pointer: `${pointer || parameter}`, message: `${message}` }
  })
}

/** Takes away what was said of the fields. */
export function clearFaults(form: HTMLElement): void {
  for (const fault of findAll(form, '.fault')) {
    fault.hidden = true
    fault.textContent = ''
  }
  for (const control of findAll(form, '[aria-invalid]')) control.removeAttribute('aria-invalid')
}

/**
 * Puts issues at the fields they point to and goes to the first.
 *
 * @returns A line for each: a link to its field where it has one, else where it points and what it says.
 */
export function placeIssues(form: HTMLElement, issues: readonly Issue[]): readonly HTMLElement[] {
  const lines = issues.map((issue) => {
    const path = parsePointer(issue.pointer)
    const field = fieldAt(form, path[0])
    if (field === undefined) return lineOf(issue)
    const inner = path.slice(1).join(' › ')
    markField(field, inner === '' ? issue.message : `${inner}: ${issue.message}`)
    return make(
      'li',
      {},
      make('a', { href: `#${controlIn(field).id}` }, path.join(' › ')),
      ` ${issue.message}`,
    )
  })
  form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  return lines
}

/** Says at a field what is wrong with it. */
export function markField(field: HTMLElement, message: string): void {
  const fault = field.querySelector<HTMLElement>('.fault')
  if (fault === null) return
  fault.textContent = fault.hidden ? message : `${fault.textContent}; ${message}`
  fault.hidden = false
  controlIn(field).setAttribute('aria-invalid', 'true')
}

/** The field of a name; `undefined` where there is none, or it is not shown. */
export function fieldAt(form: HTMLElement, name: string | undefined): HTMLElement | undefined {
  if (name === undefined || isJson(form)) return undefined
  return findAll(form, '[data-fields] > .field').find((field) => field.dataset.name === name)
}

function lineOf({ pointer, message }: Issue): HTMLElement {
  return pointer === ''
    ? make('li', {}, message)
    : make('li', {}, make('code', {}, pointer), ` ${message}`)
}

/** Returns the first element for a selector. The page always has one. */
export function findOne(within: ParentNode, selector: string): HTMLElement {
  const element = within.querySelector<HTMLElement>(selector)
  if (element === null) throw new Error(`The page lacks ${selector}`)
  return element
}

/** Returns all elements for a selector. */
export function findAll(within: ParentNode, selector: string): readonly HTMLElement[] {
  return [...within.querySelectorAll<HTMLElement>(selector)]
}

/** An element whose value the user sets. */
export type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** Returns the first control within an element. */
export function controlIn(within: ParentNode): Control {
  return findOne(within, 'input, textarea, select') as Control
}

/** Tells whether a form shows JSON instead of fields. */
export function isJson(form: HTMLElement): boolean {
  return form.querySelector('[data-json]:not([hidden])') !== null
}

/** Returns the fields of a form, hidden or not. */
export function fieldElementsOf(form: HTMLElement): readonly HTMLElement[] {
  return findAll(form, '[data-fields] > .field')
}

/** Returns the field with a name; `undefined` if the form has none, or shows JSON. */
export function fieldAt(form: HTMLElement, name: string | undefined): HTMLElement | undefined {
  if (name === undefined || isJson(form)) return undefined
  return fieldElementsOf(form).find((field) => field.dataset.name === name)
}

/** Creates an element with text and other elements. Text is never markup. */
export function make(
  tag: string,
  attributes: Readonly<Record<string, string>>,
  ...content: readonly (Node | string)[]
): HTMLElement {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...content)
  return element
}

/** The first element that a selector finds; it is known to be there. */
export function find(within: ParentNode, selector: string): HTMLElement {
  const found = within.querySelector<HTMLElement>(selector)
  if (found === null) throw new Error(`The page lacks ${selector}`)
  return found
}

/** All elements that a selector finds. */
export function findAll(within: ParentNode, selector: string): readonly HTMLElement[] {
  return [...within.querySelectorAll<HTMLElement>(selector)]
}

/** Whatever holds a value that the user sets. */
export type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** The first control within an element. */
export function controlIn(within: ParentNode): Control {
  const found = within.querySelector<Control>('input, textarea, select')
  if (found === null) throw new Error('The page lacks a control')
  return found
}

/** Makes an element that holds text and other elements; text is never markup. */
export function make(
  tag: string,
  attributes: Attributes,
  ...content: readonly (Node | string)[]
): HTMLElement {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...content)
  return element
}

type Attributes = Readonly<Record<string, string>>

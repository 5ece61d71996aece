import { findAll, make } from './find.ts'

/** A line of a list: a place to go to, an action, or an item. */
export interface Choice {
  readonly label: string
  /** The kind of the choice, such as `recent` or `action`, or the id of an item. */
  readonly sort: string
  readonly act: () => unknown
}

/** The list of the choices of a combobox. */
interface ChoiceList {
  readonly input: HTMLInputElement
  readonly list: HTMLElement
  /** The index of the choice that Enter takes at first; -1 for none. */
  readonly first: 0 | -1
}

/**
 * Watches a combobox: the arrows select a choice, Enter or a click acts.
 *
 * @returns The function that shows other choices.
 */
export function watchChoices({
  input,
  list,
  first,
}: ChoiceList): (choices: readonly Choice[]) => void {
  describe(input, list)
  let choices: readonly Choice[] = []
  let index: number = first
  const mark = (): void => {
    for (const [position, option] of findAll(list, 'li').entries()) {
      option.setAttribute('aria-selected', `${position === index}`)
      if (position !== index) continue
      input.setAttribute('aria-activedescendant', option.id)
      option.scrollIntoView({ block: 'nearest' })
    }
  }
  input.addEventListener('keydown', (event) => {
    const { length } = choices
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (length === 0) return
    if (event.key === 'Enter' && choices[index]) choices[index]?.act()
    else if (step !== undefined) index = (Math.max(index + step, -1) + length) % length
    else return
    event.preventDefault()
    mark()
  })
  return (fresh) => {
    choices = fresh
    index = first
    input.setAttribute('aria-expanded', `${choices.length > 0}`)
    input.removeAttribute('aria-activedescendant')
    list.replaceChildren(
      ...choices.map((choice, position) => optionOf(choice, `${list.id}-${position}`)),
    )
    mark()
  }
}

function describe(input: HTMLElement, list: HTMLElement): void {
  const attributes = {
    role: 'combobox',
    'aria-controls': list.id,
    'aria-autocomplete': 'list',
    autocomplete: 'off',
    spellcheck: 'false',
  }
  for (const [name, value] of Object.entries(attributes)) input.setAttribute(name, value)
}

function optionOf({ label, sort, act }: Choice, id: string): HTMLElement {
  const option = { role: 'option', id }
  const line = make('li', option, make('bdi', {}, label), ' ', make('small', {}, sort))
  line.addEventListener('click', act)
  return line
}

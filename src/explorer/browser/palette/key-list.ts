import { make } from '../find.ts'

/** The switch of single keys. */
interface Switch {
  hasSingleKeys(): boolean
  switchSingleKeys(isOn: boolean): void
}

const keys = [
  ['Ctrl K', 'the palette: resources, recent items, actions'],
  ['/', 'the search'],
  ['F', 'the filters'],
  ['N', 'a new item'],
  ['J K, ↓ ↑', 'the next and the previous row'],
  ['Enter', 'open the item'],
  ['E', 'edit it'],
  ['X', 'select it'],
  ['D', 'delete it, after a question'],
  ['[', 'fold the resources'],
  ['Ctrl Enter', 'send the form'],
  ['Esc', 'close'],
  ['?', 'this list'],
] as const

/** Opens the list of the keys, with a switch for the single ones. */
export function openKeyList({ hasSingleKeys, switchSingleKeys }: Switch): void {
  const rows = keys.map(([key, words]) =>
    make('div', {}, make('dt', {}, make('kbd', {}, key)), make('dd', {}, words)),
  )
  const box = make('input', { type: 'checkbox' }) as HTMLInputElement
  box.checked = hasSingleKeys()
  box.addEventListener('change', () => switchSingleKeys(box.checked))
  const close = make('button', { type: 'button', autofocus: '' }, 'Close')
  const dialog = document.createElement('dialog')
  dialog.className = 'keys'
  dialog.setAttribute('aria-labelledby', 'keys-title')
  dialog.append(
    make('h3', { id: 'keys-title' }, 'Keys'),
    make('dl', {}, ...rows),
    make('p', {}, make('label', {}, box, ' Single keys act, where the focus is in the table')),
    make('p', { class: 'buttons' }, close),
  )
  close.addEventListener('click', () => dialog.close())
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
}

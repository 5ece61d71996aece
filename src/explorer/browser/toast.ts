import { make } from './find.ts'

/** Shows a message over the page until the user closes it. */
export function showToast(role: 'status' | 'alert', ...content: readonly (Node | string)[]): void {
  document.querySelector('.toast')?.remove()
  const close = make('button', { type: 'button', 'aria-label': 'Close the message' }, '×')
  const toast = make('div', { class: 'toast', role }, ...content, close)
  close.addEventListener('click', () => toast.remove())
  document.body.append(toast)
}

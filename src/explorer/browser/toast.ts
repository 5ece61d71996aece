import { make } from './find.ts'

/** Shows a message over the page until the user closes it. */
export function showToast(role: 'status' | 'alert', ...content: readonly (Node | string)[]): void {
  document.querySelector('.toast')?.remove()
  const close = make('button', { type: 'button', 'aria-label': 'Close the message' }, '×')
  const toast = make('div', { class: 'toast', role }, ...content, close)
  close.addEventListener('click', () => toast.remove())
  document.body.append(toast)
}

/** Says why no response came, in one sentence. */
export function noResponse(): string {
  return navigator.onLine ? 'The server does not answer.' : 'You are offline.'
}

/** Creates a button that sends a request without a response again. */
export function retryButton(retry: () => unknown): HTMLElement {
  const button = make('button', { type: 'button' }, 'Try again')
  button.addEventListener('click', retry)
  return button
}

/** Tells while the browser has no connection. */
export function watchConnection(): void {
  addEventListener('offline', () => showToast('alert', 'You are offline: nothing can be sent.'))
  addEventListener('online', () => showToast('status', 'You are online again.'))
}

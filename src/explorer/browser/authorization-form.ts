import { storeAuthorization } from './authorization.ts'
import { findAll, make } from './find.ts'

/** Creates a form for a new authorization. The form that the user filled in stays as it is. */
export function authorizationForm(): HTMLElement {
  const input = make('input', { type: 'password', autocomplete: 'off' })
  const button = make('button', { type: 'submit' }, 'Use it')
  const entry = make('span', { class: 'entry' }, input, button)
  const form = make('form', { class: 'authorize' }, make('label', {}, 'Authorization', entry))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (input instanceof HTMLInputElement) storeAuthorization(input.value.trim())
    for (const element of findAll(document, '[data-forget]')) element.hidden = false
    form.replaceChildren(make('p', { role: 'status' }, 'Now send it again.'))
  })
  return form
}

import { authorize } from './authorization.ts'
import { findAll, make } from './find.ts'

/** Makes a form for an authorization that has run out while another form was being filled in, which is kept as it is. */
export function askAgain(): HTMLElement {
  const input = make('input', { type: 'password', autocomplete: 'off' })
  const entry = make(
    'span',
    { class: 'entry' },
    input,
    make('button', { type: 'submit' }, 'Use it'),
  )
  const form = make('form', { class: 'authorize' }, make('label', {}, 'Authorization', entry))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (input instanceof HTMLInputElement) authorize(input.value.trim())
    for (const button of findAll(document, '[data-forget]')) button.hidden = false
    form.replaceChildren(make('p', { role: 'status' }, 'Now send it again.'))
  })
  return form
}

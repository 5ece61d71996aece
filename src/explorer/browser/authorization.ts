import { findAll, make } from './find.ts'

const key = 'nounful.authorization'

/** Returns the `authorization` header of this tab's requests; empty unless the user entered one. */
export function authorization(): Readonly<Record<string, string>> {
  const value = storedValue()
  return value === null ? {} : { authorization: value }
}

/** Tells whether the user entered an authorization. */
export function isAuthorized(): boolean {
  return storedValue() !== null
}

/** Stores an authorization until the tab is closed. */
export function storeAuthorization(value: string): void {
  memory = value
  try {
    sessionStorage.setItem(key, value)
  } catch {
    // Without permission to store data, the next page has no authorization.
  }
}

/** Removes the authorization, and all that the tab has stored of its user. */
export function forgetAuthorization(): void {
  memory = null
  try {
    for (const name of Object.keys(sessionStorage))
      if (name.startsWith('nounful.')) sessionStorage.removeItem(name)
  } catch {
    // The page may not store data, so it has none to remove.
  }
}

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

let memory: string | null = null

function storedValue(): string | null {
  try {
    return sessionStorage.getItem(key) ?? memory
  } catch {
    return memory
  }
}

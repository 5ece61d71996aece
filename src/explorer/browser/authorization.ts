import { make } from './find.ts'

const key = 'nounful.authorization'
const nameKey = 'nounful.name'

/** The event of a document whose user has entered another authorization. */
export const newAuthorization = 'new-authorization'

/** Returns the `authorization` header of this tab's requests; empty unless the user entered one. */
export function authorization(): Readonly<Record<string, string>> {
  const value = storedValue()
  return value === null ? {} : { authorization: value }
}

/** Tells whether the user entered an authorization. */
export function isAuthorized(): boolean {
  return storedValue() !== null
}

/**
 * Returns who is signed in: the name of a user of an example, and the scheme, like `Bearer`. Each
 * is `''` where the page does not know it: only the server can read a token.
 */
export function identity(): { readonly name: string; readonly scheme: string } {
  // Without a space, it may be the secret itself.
  const [, scheme = ''] = /^([\w-]+) +\S/.exec(storedValue() ?? '') ?? []
  try {
    return { name: sessionStorage.getItem(nameKey) ?? '', scheme }
  } catch {
    return { name: '', scheme }
  }
}

/**
 * Stores an authorization until the tab is closed.
 *
 * @param name The name of the user. Default `''`: the page does not know it.
 */
export function storeAuthorization(value: string, name = ''): void {
  memory = value
  try {
    sessionStorage.setItem(nameKey, name)
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
    form.replaceChildren(make('p', { role: 'status' }, 'Now send it again.'))
    document.dispatchEvent(new Event(newAuthorization))
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

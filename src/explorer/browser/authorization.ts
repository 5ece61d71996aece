const key = 'nounful.authorization'

/** The header field that every request of this tab brings along; none unless somebody has typed one in. */
export function authorization(): Readonly<Record<string, string>> {
  const value = stored()
  return value === null ? {} : { authorization: value }
}

/** Tells whether there is one. */
export function isAuthorized(): boolean {
  return stored() !== null
}

/** Keeps what requests shall bring along, until the tab is closed. */
export function authorize(value: string): void {
  held = value
  try {
    sessionStorage.setItem(key, value)
  } catch {
    // Whoever forbids pages to store anything is asked again by the next one.
  }
}

/** Forgets it. */
export function forget(): void {
  held = null
  try {
    sessionStorage.removeItem(key)
  } catch {
    // There was nothing to forget.
  }
}

let held: string | null = null

function stored(): string | null {
  try {
    return sessionStorage.getItem(key) ?? held
  } catch {
    return held
  }
}

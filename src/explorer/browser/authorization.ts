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
  sessionStorage.setItem(key, value)
}

/** Forgets it. */
export function forget(): void {
  sessionStorage.removeItem(key)
}

// Whoever forbids pages to store anything has none.
function stored(): string | null {
  try {
    return sessionStorage.getItem(key)
  } catch {
    return null
  }
}

/** Removes the secrets from a text. */
export type Redact = (text: string) => string

/** Replaces a secret. */
export const redacted = '…'

/**
 * Returns a function that hides the values of headers wherever a server repeats them. It hides
 * them whole and in parts (`Bearer x`, cookies, user and password), percent-encoded, and in JSON.
 * Values and parts of less than 4 characters stay, because they appear everywhere by chance.
 *
 * @param headers By name in lower case.
 */
export function redactorFor(headers: Readonly<Record<string, string>>): Redact {
  const values = Object.entries(headers).flatMap(([name, value]) =>
    harmless.has(name) ? [] : partsOf(value),
  )
  const forms = values.filter((value) => value.length >= minLength).flatMap(formsOf)
  if (forms.length === 0) return (text) => text
  // The longest first: a part would leave the rest of its whole.
  const sorted = [...new Set(forms)].sort((first, second) => second.length - first.length)
  const secret = new RegExp(sorted.map(escaped).join('|'), 'gi')
  return (text) => text.replace(secret, redacted)
}

const minLength = 4

// Their values are no secrets, and appear everywhere in a report.
const harmless: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-type',
  'prefer',
  'user-agent',
])

const schemes = /^(?:basic|bearer|digest|negotiate|token)$/i

function partsOf(value: string): readonly string[] {
  const [, pair = ''] = /^basic +(\S+)$/i.exec(value) ?? []
  const user = Buffer.from(pair, 'base64').toString()
  const password = user.slice(user.indexOf(':') + 1)
  const parts = value.split(/[\s,;="]+/).filter((piece) => !schemes.test(piece))
  return [value, ...parts, user, password]
}

function formsOf(value: string): readonly string[] {
  return [value, encodeURIComponent(value.toWellFormed()), JSON.stringify(value).slice(1, -1)]
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}

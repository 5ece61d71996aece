/** Writes a text without the secrets in it. */
export type Conceal = (text: string) => string

/** Stands for a secret. */
export const concealed = '…'

/**
 * Hides the values of headers wherever a server repeats them: as they are, in their parts (`Bearer x`, cookies, user and
 * password), percent-encoded, and in JSON. Values and parts of less than 4 characters stay, as they stand everywhere by chance.
 *
 * @param headers By name in lower case.
 */
export function concealerFor(headers: Readonly<Record<string, string>>): Conceal {
  const values = Object.entries(headers).flatMap(([name, value]) =>
    harmless.has(name) ? [] : partsOf(value),
  )
  const forms = values.filter((value) => value.length >= minLength).flatMap(formsOf)
  if (forms.length === 0) return (text) => text
  // The longest first, since a part would leave the rest of a whole.
  const sorted = [...new Set(forms)].sort((one, other) => other.length - one.length)
  const secret = new RegExp(sorted.map(escaped).join('|'), 'gi')
  return (text) => text.replace(secret, concealed)
}

const minLength = 4

// These hold no secrets, and reports are full of their values.
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
  const parts = value.split(/[\s,;="]+/).filter((part) => !schemes.test(part))
  return [value, ...parts, user, password]
}

function formsOf(value: string): readonly string[] {
  return [value, encodeURIComponent(value.toWellFormed()), JSON.stringify(value).slice(1, -1)]
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}

import { dateOf, isMoment } from './format.ts'

// In UTC: most stored moments. A calendar would take ten times as long.
const commonSyntax =
  /^[1-9]\d{3}-(?:0[1-9]|1[0-2])-(?!00|29)[0-2]\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.(\d+))?Z$/

/**
 * Returns a text that orders moments by code point, to the nanosecond, whatever offset and fraction
 * they have: `2020-01-01T01:00:00+01:00` and `2020-01-01T00:00:00.0Z` give one text. A time that
 * only a database holds (`infinity`, years before 1 and after 9999) comes first or last.
 */
export function momentKey(text: string): string {
  const common = commonSyntax.exec(text)
  if (common) return `${text.slice(0, 19)}.${(common[1] ?? '').padEnd(9, '0')}`
  if (!isMoment(text)) return oddMomentKey(text)
  const [, fraction = ''] = /\.(\d+)/.exec(text) ?? []
  return `${dateOf(text).toISOString().slice(0, 19)}.${fraction.padEnd(9, '0')}`
}

// A space is before all digits, and `~` after them.
function oddMomentKey(text: string): string {
  if (text.startsWith('-') || text.endsWith('BC')) return ` ${text}`
  return /^(?:infinity$|\d{5})/.test(text) ? `~${text}` : text
}

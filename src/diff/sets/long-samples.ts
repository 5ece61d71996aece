/**
 * Returns an email address of about a length: at most 64 code points before the "@" (RFC
 * 5321 §4.5.3.1).
 */
export function longEmail(length: number): string {
  const local = 'a'.repeat(Math.min(64, Math.max(1, length - 12)))
  return `${local}@${sampleHost(Math.max(4, length - local.length - 1), '.org')}`
}

/** Returns the name of a host of a length, in labels of at most 63 characters. */
export function sampleHost(length: number, end = ''): string {
  const rest = Math.max(1, Math.min(253, length) - end.length)
  const parts = Array.from({ length: rest }, (_, index) => (index % 60 === 59 ? '.' : 'a'))
  if (parts.at(-1) === '.') parts[rest - 1] = 'a'
  return parts.join('') + end
}

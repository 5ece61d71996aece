import { formatHttpDate, parseHttpDate } from './http-date.ts'
import { formatLink, parseLink } from './link.ts'

/** The end of a version or a path, as the headers of its responses announce it. */
export interface Announcement {
  /** Seconds since 1970. */
  readonly deprecatedAt: number
  /** Seconds since 1970; `undefined` for none. */
  readonly sunsetAt: number | undefined
  /** The same target in the version that takes its place: a path, percent-encoded. */
  readonly successor: string | undefined
  /** A page for people: a URL, or a path. */
  readonly docs: string | undefined
}

/** The headers of an announcement. */
export interface AnnouncedHeaders {
  readonly deprecation?: string
  readonly sunset?: string
  readonly link?: string
}

/**
 * Writes the headers that announce an end: `Deprecation: @1793491200`,
 * `Sunset: Mon, 01 Nov 2027 00:00:00 GMT`, and a `Link` to the successor and to the page for
 * people. The inverse of {@link parseAnnouncement}.
 *
 * @see RFC 9745, RFC 8594, RFC 8288, RFC 5829; docs/requests.md, C7.4
 */
export function formatAnnouncement(announced: Announcement): AnnouncedHeaders {
  const { deprecatedAt, sunsetAt } = announced
  const link = formatEndLinks(announced)
  return {
    deprecation: formatDeprecation(deprecatedAt),
    ...(sunsetAt === undefined ? {} : { sunset: formatHttpDate(sunsetAt) }),
    ...(link === '' ? {} : { link }),
  }
}

/**
 * Reads the end that a response announces; `undefined` for a response without a valid
 * `Deprecation`. The inverse of {@link formatAnnouncement}.
 */
export function parseAnnouncement(headers: AnnouncedHeaders): Announcement | undefined {
  const { deprecation = '', sunset = '', link = '' } = headers
  const deprecatedAt = parseDeprecation(deprecation)
  if (deprecatedAt === undefined) return undefined
  const { 'successor-version': successor, deprecation: docs } = parseLink(link)
  return { deprecatedAt, sunsetAt: parseHttpDate(sunset), successor, docs }
}

/** Writes the links to the successor and to the page for people; `''` for none. */
export function formatEndLinks({
  successor,
  docs,
}: Pick<Announcement, 'successor' | 'docs'>): string {
  const link = successor === undefined ? '' : formatLink({ 'successor-version': successor })
  if (docs === undefined) return link
  const toDocs = `${formatLink({ deprecation: docs })}; type="text/html"`
  return joinLinks(link, joinLinks(toDocs, formatLink({ sunset: docs })))
}

/** Joins the texts of two `Link` headers; each may be `''`. */
export function joinLinks(first: string, second: string): string {
  return first === '' || second === '' ? first + second : `${first}, ${second}`
}

/** Writes `Deprecation`: 1793491200 → `@1793491200`. The inverse of {@link parseDeprecation}. */
export function formatDeprecation(seconds: number): string {
  return `@${seconds}`
}

const dateSyntax = /^ *@(-?\d{1,15})/
const parameterSyntax = /; *[a-z*][\w.*-]*/y
// A decimal number stands before a whole one, which it begins with.
const valueSyntaxes = [
  /=-?\d{1,12}\.\d{1,3}/y,
  /=@?-?\d{1,15}/y,
  /=%?"(?:[ !#-[\]-~]|\\["\\])*"/y,
  /=:[\w+/=]*:/y,
  /=\?[01]/y,
  /=[A-Za-z*][\w!#$%&'*+.^|~:/`-]*/y,
]
const endSyntax = / *$/y

/**
 * Reads `Deprecation`, a date of RFC 9651, as seconds since 1970; `undefined` for any other text,
 * such as `true`, a date of HTTP and a list. The inverse of {@link formatDeprecation}.
 *
 * @see RFC 9745 §2.1, RFC 9651 §4.2.9
 */
export function parseDeprecation(header: string): number | undefined {
  const [date, seconds] = dateSyntax.exec(header) ?? []
  if (date === undefined) return undefined
  // `@-0` is a date, too.
  return endOf(endSyntax, header, endOfParameters(header, date.length)) === undefined
    ? undefined
    : Number(seconds) + 0
}

// RFC 9651 §3.1.2: a reader ignores parameters that it does not know.
function endOfParameters(text: string, begin: number): number {
  let end = begin
  for (let next = endOf(parameterSyntax, text, end); next !== undefined; ) {
    end = next
    for (const syntax of valueSyntaxes) {
      const value = endOf(syntax, text, next)
      if (value === undefined) continue
      end = value
      break
    }
    next = endOf(parameterSyntax, text, end)
  }
  return end
}

function endOf(syntax: RegExp, text: string, at: number): number | undefined {
  syntax.lastIndex = at
  return syntax.test(text) ? syntax.lastIndex : undefined
}

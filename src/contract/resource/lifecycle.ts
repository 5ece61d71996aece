import { checkLists, checkOptions, meant } from '../../convention/declaration.ts'
import { dateOf, isDay, isMoment } from '../../convention/format.ts'
import type { MessagesOption } from '../../convention/problem.ts'
import { isRecord } from '../../convention/value.ts'

/** The versions of an api, with the paths of each. */
type VersionTable = Readonly<Record<string, object>>

/** The names of an api's versions, and of its paths: `v1`, `v1/companies/:company_id/customers`. */
type PlacesOf<V extends VersionTable> = {
  [Version in keyof V & string]: Version | `${Version}${keyof V[Version] & string}`
}[keyof V & string]

/** The end of a version or a path, to announce. */
interface DeprecationOptions<Version extends string> {
  /**
   * The day from which new clients should use something else: `2026-11-01`, the beginning of this
   * day in UTC, or a moment of RFC 3339. It may be in the future.
   */
  readonly deprecated: string
  /** The day from which it may be gone, in the same form. Default: not known yet. */
  readonly sunset?: string
  /** The newer version that takes its place. Default: none. */
  readonly successor?: Version
  /**
   * A page for people: a URL, or a path of the server, which follows the base of the host.
   * Default: none.
   */
  readonly docs?: string
}

/** A version that the api had once. */
type RetirementOptions<Version extends string> = Omit<DeprecationOptions<Version>, 'deprecated'> & {
  /** The day of the end, in the same form as `sunset`. Default: not told. */
  readonly since?: string
}

/** The options of `defineApi`: what becomes of its versions. */
export interface LifecycleOptions<V extends VersionTable = VersionTable> {
  /**
   * The versions and paths that will end: `{ v1: { … }, 'v1/fax-numbers': { … } }`. A path includes
   * the paths below it. Its row replaces that of its version. Default: none.
   */
  readonly lifecycle?: {
    readonly [Place in PlacesOf<V>]?: DeprecationOptions<keyof V & string>
  }
  /** The versions that have ended: they have no paths, and answer `retired_version`. */
  readonly retired?: Readonly<Record<`v${number}`, RetirementOptions<keyof V & string>>>
  /** The versions that may still change at will. Default: none, all are released. */
  readonly drafts?: readonly (keyof V & string)[]
  /**
   * The author of the texts of issues: the core writes those that the JSON Schema tells (`is
   * required`), or the validator writes all. Default: `'core'`.
   */
  readonly messages?: MessagesOption
}

/** The announced end of a version or a path. Clients are told at every response. */
export interface Deprecation {
  /** As declared: `2026-11-01`, or a moment of RFC 3339. */
  readonly deprecated: string
  /** The same in seconds since 1970. */
  readonly deprecatedAt: number
  /** As declared; `undefined` for none. */
  readonly sunset: string | undefined
  /** The same in seconds since 1970. */
  readonly sunsetAt: number | undefined
  /** The version that takes its place. */
  readonly successor: string | undefined
  /** A URL, or a path of the server. */
  readonly docs: string | undefined
}

/** A version that has ended, as declared. */
export interface Retirement {
  readonly since: string | undefined
  readonly sunset: string | undefined
  readonly successor: string | undefined
  readonly docs: string | undefined
}

/** The ends of the versions of an api. */
export interface Lifecycle {
  /** By version (`v1`) or path (`v1/fax-numbers`), as declared. */
  readonly lifecycle: ReadonlyMap<string, Deprecation>
  readonly retired: ReadonlyMap<string, Retirement>
  /** The versions that may still change at will. */
  readonly drafts: readonly string[]
}

// biome-ignore-start format: lists
const optionNames = { lifecycle: true, retired: true, drafts: true, messages: true }
const deprecationMembers = { deprecated: true, sunset: true, successor: true, docs: true }
const retirementMembers = { since: true, sunset: true, successor: true, docs: true }
// biome-ignore-end format: lists

/**
 * Reads the second argument of `defineApi`.
 *
 * @throws {TypeError} For an unknown version, path or option, a wrong date, a sunset before the
 *   deprecation, an older successor, and a retired version with paths.
 */
export function readLifecycle(options: unknown, versionTable: VersionTable): Lifecycle {
  checkOptions('The second argument of defineApi', options, optionNames)
  const { lifecycle = {}, retired = {}, drafts = [], messages = 'core' } = Object(options)
  if (messages !== 'core' && messages !== 'validator')
    throw new TypeError('"messages" of defineApi must be "core" or "validator".')
  const example = { deprecated: '2026-11-01', sunset: '2027-11-01' }
  checkRows('lifecycle', lifecycle, example)
  checkRows('retired', retired, { since: '2027-11-01' })
  checkLists('The second argument of defineApi', { drafts }, ['drafts'])
  const versions = Object.keys(versionTable)
  const unknownVersion = drafts.find((version: unknown) => !versions.includes(String(version)))
  if (unknownVersion !== undefined)
    throw new TypeError(
      `"drafts" names no version by "${unknownVersion}": ${meant(unknownVersion, versions)}.`,
    )
  return {
    lifecycle: rowsOf(lifecycle, (place, row) => readDeprecation(place, row, versionTable)),
    retired: rowsOf(retired, (version, row) => readRetirement(version, row, versionTable)),
    drafts: Object.freeze([...drafts]),
  }
}

function checkRows(option: string, rows: unknown, example: object): void {
  if (isRecord(rows)) return
  throw new TypeError(
    `"${option}" of defineApi takes versions: write ${option}: { v1: ${JSON.stringify(example)} }.`,
  )
}

function rowsOf<Row>(rows: object, read: (name: string, row: unknown) => Row): Map<string, Row> {
  return new Map(
    Object.entries(rows)
      .filter(([, row]) => row !== undefined)
      .map(([name, row]) => [name, Object.freeze(read(name, row))]),
  )
}

function readDeprecation(place: string, row: unknown, versionTable: VersionTable): Deprecation {
  const [version = ''] = place.split('/', 1)
  const own = Object.hasOwn(versionTable, version)
    ? Object.keys(Object(versionTable[version]))
    : undefined
  if (own === undefined || (place !== version && !own.includes(place.slice(version.length)))) {
    const places = own?.map((path) => version + path) ?? Object.keys(versionTable)
    throw new TypeError(
      `"lifecycle" names "${place}", which the api lacks: ${meant(place, places)}.`,
    )
  }
  const name = `"${place}" of "lifecycle"`
  checkOptions(name, row, deprecationMembers)
  const { deprecated, sunset, successor, docs } = Object(row)
  if (deprecated === undefined) {
    throw new TypeError(`${name} needs a date: write "deprecated: '2026-11-01'".`)
  }
  const deprecatedAt = secondsOf(deprecated, `"deprecated" of ${name}`)
  const sunsetAt = sunset === undefined ? undefined : secondsOf(sunset, `"sunset" of ${name}`)
  if (sunsetAt !== undefined && sunsetAt < deprecatedAt) {
    throw new TypeError(
      `${name} has its sunset, ${sunset}, before ${deprecated}, when it is deprecated: write a ` +
        'later "sunset" (RFC 9745, section 4).',
    )
  }
  checkSuccessor(name, successor, { version, versions: Object.keys(versionTable) })
  checkDocs(name, docs)
  return { deprecated, deprecatedAt, sunset, sunsetAt, successor, docs }
}

function readRetirement(version: string, row: unknown, versionTable: VersionTable): Retirement {
  const name = `"${version}" of "retired"`
  if (!isVersion(version)) throw new TypeError(`${name} is no version: write "v1", "v2" and so on.`)
  if (Object.hasOwn(versionTable, version)) {
    throw new TypeError(`${name} has paths: leave "${version}" out of the first argument.`)
  }
  checkOptions(name, row, retirementMembers)
  const { since, sunset, successor, docs } = Object(row)
  if (since !== undefined) secondsOf(since, `"since" of ${name}`)
  if (sunset !== undefined) secondsOf(sunset, `"sunset" of ${name}`)
  checkSuccessor(name, successor, { version, versions: Object.keys(versionTable) })
  checkDocs(name, docs)
  return { since, sunset, successor, docs }
}

// The headers hold whole seconds.
function secondsOf(date: unknown, name: string): number {
  const text = String(date)
  const isDate = typeof date === 'string' && (isDay(text) || isMoment(text))
  const seconds = isDate ? Math.floor(dateOf(text).getTime() / 1000) : -1
  if (seconds >= 0) return seconds
  throw new TypeError(
    `${name} is no date from 1970 on: write "2026-11-01", or "2026-11-01T12:00:00Z".`,
  )
}

function checkSuccessor(
  name: string,
  successor: unknown,
  { version, versions }: { readonly version: string; readonly versions: readonly string[] },
): void {
  const newerVersions = newerThan(version, versions)
  if (successor === undefined || newerVersions.includes(String(successor))) return
  const remedy =
    newerVersions.length === 0 ? 'leave it out' : meant(String(successor), newerVersions)
  throw new TypeError(
    `${name} has the successor "${successor}", which is no newer version of the api: ${remedy}.`,
  )
}

// It stands in a header between "<" and ">".
function checkDocs(name: string, docs: unknown): void {
  if (docs === undefined) return
  const text = typeof docs === 'string' ? docs : ''
  if (/^(?:https?:\/\/[^/?#]|\/(?!\/))[\w\-.~:/?#[\]@!$&'()*+,;=%]*$/.test(text)) return
  throw new TypeError(
    `"docs" of ${name} is no page: write a URL such as "https://example.com/v1", or "/versions".`,
  )
}

/** Tells whether a text is a name of a version: `v1`, without a leading zero. */
export function isVersion(text: string): boolean {
  return /^v[1-9]\d*$/.test(text)
}

/** Returns the versions that come after one: `v2` and `v10` come after `v1`. */
export function newerThan(version: string, versions: readonly string[]): readonly string[] {
  const number = Number(version.slice(1))
  return versions.filter((candidate) => Number(candidate.slice(1)) > number)
}

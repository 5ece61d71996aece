import type { Json } from '../contract/schema/schema.ts'
import { filterTypes } from '../convention/filter-operators.ts'
import { operationKinds } from '../convention/operations.ts'
import { isJsonObject, sortedJson } from '../sets/canonical.ts'
import type { Acceptance, Snapshot } from './snapshot.ts'

/**
 * Writes a snapshot as the text of its file. The inverse of {@link parseSnapshot}. The same
 * contract gives the same text.
 */
export function formatSnapshot(snapshot: Snapshot): string {
  return formatFile(snapshot)
}

function formatFile(value: object): string {
  const json: Json = JSON.parse(JSON.stringify(value))
  return `${JSON.stringify(sortedJson(json), undefined, 2)}\n`
}

/**
 * Reads the text of a snapshot's file.
 *
 * @throws {TypeError} For a text that is no snapshot; the message says what is wrong.
 */
export function parseSnapshot(text: string): Snapshot {
  const json = parseJson(text)
  const { format } = Object(json)
  if (typeof format === 'number' && format > 1)
    throw new TypeError(
      `A later release of nounful made the snapshot (format ${format}): upgrade nounful.`,
    )
  const [fault = faultOfNames(json as unknown as Snapshot)] = isSnapshot(json, '')
  if (fault !== undefined)
    throw new TypeError(`It is no snapshot of nounful: ${fault.replace(/^ /, 'the file ')}.`)
  return json as unknown as Snapshot
}

const maxDepth = 500

function parseJson(text: string): Json {
  const json = readJson(text)
  // Walks without recursion: the file may be hostile.
  const open: (readonly [Json, number])[] = [[json, 0]]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [value, depth] = next
    if (depth > maxDepth) throw new TypeError(`It nests values deeper than ${maxDepth} levels.`)
    if (typeof value !== 'object' || value === null) continue
    if (Object.hasOwn(value, '__proto__'))
      throw new TypeError('It has a member "__proto__", which no contract has.')
    for (const member of Object.values(value)) open.push([member, depth + 1])
  }
  return json
}

function readJson(text: string): Json {
  try {
    // Some editors begin a file with a byte order mark, which JSON excludes.
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new TypeError(`It is no JSON: ${error instanceof Error ? error.message : error}.`)
  }
}

/** Finds the faults of a JSON value, as texts. */
type ShapeCheck = (value: Json | undefined, at: string) => Iterable<string>

function isOne(word: string, test: (value: Json | undefined) => boolean): ShapeCheck {
  return (value, at) => (test(value) ? [] : [`${at} is not ${word}`])
}

/** Checks for text. */
const isText = isOne('text', (value) => typeof value === 'string')

/** Checks for a date, or a moment of RFC 3339. */
const isDate = isOne(
  'a date',
  (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
)

/** Checks for a number. */
const isNumber = isOne('a number', (value) => typeof value === 'number')

/** Checks for true or false. */
const isFlag = isOne('true or false', (value) => typeof value === 'boolean')

/** Checks for an object with any members. */
const isAnyObject = isOne('an object', isJsonObject)

/** Checks for any JSON value. */
const isPresent = isOne('there', (value) => value !== undefined)

/** Checks for one of some values. */
function isAmongValues(values: readonly Json[]): ShapeCheck {
  const list = values.map((value) => JSON.stringify(value)).join(', ')
  return isOne(`one of ${list}`, (value) => values.some((allowed) => allowed === value))
}

/** Checks for a value that one of the checks takes. */
function isEither(check: ShapeCheck, alternative: ShapeCheck): ShapeCheck {
  return (value, at) => ([...check(value, at)].length === 0 ? [] : alternative(value, at))
}

/** Checks for `null`, or a value that a check takes. */
function orNull(check: ShapeCheck): ShapeCheck {
  return (value, at) => (value === null ? [] : check(value, at))
}

/** Checks for a value that a check takes, or for none. */
function orAbsent(check: ShapeCheck): ShapeCheck {
  return (value, at) => (value === undefined ? [] : check(value, at))
}

/** Checks for a list of values that a check takes. */
function isListOf(check: ShapeCheck): ShapeCheck {
  return function* (value, at) {
    if (!Array.isArray(value)) yield `${at} is not a list`
    else for (const [index, element] of value.entries()) yield* check(element, `${at}/${index}`)
  }
}

/** Checks for an object of values that a check takes, by any names. */
function isRecordOf(check: ShapeCheck): ShapeCheck {
  return function* (value, at) {
    if (!isJsonObject(value)) yield `${at} is not an object`
    else for (const [name, member] of Object.entries(value)) yield* check(member, `${at}/${name}`)
  }
}

/** Checks for an object with some members. It may have others. */
function hasMembers(members: Readonly<Record<string, ShapeCheck>>): ShapeCheck {
  return function* (value, at) {
    if (!isJsonObject(value)) return yield `${at} is not an object`
    for (const [name, check] of Object.entries(members))
      yield* check(Object.hasOwn(value, name) ? value[name] : undefined, `${at}/${name}`)
  }
}

const texts = isListOf(isText)

const isLifecycle = hasMembers({
  deprecated: orAbsent(isDate),
  sunset: orAbsent(isDate),
  successor: orAbsent(isText),
  docs: orAbsent(isText),
})

const isPath = hasMembers({
  resource: isText,
  operations: isListOf(isAmongValues(operationKinds)),
  owners: texts,
  includes: texts,
  lifecycle: orNull(isLifecycle),
})

const isVersion = hasMembers({
  stage: isAmongValues(['released', 'draft', 'retired']),
  lifecycle: orNull(isLifecycle),
  paths: isRecordOf(isPath),
})

const isFilter = hasMembers({
  type: isAmongValues(['id', ...filterTypes]),
  values: orNull(isListOf(isPresent)),
})

const isResource = hasMembers({
  of: orNull(isText),
  hub: isText,
  fields: isAnyObject,
  hidden: isAnyObject,
  offers: orAbsent(isListOf(isAmongValues(operationKinds))),
  id: isAnyObject,
  takesId: isFlag,
  item: orNull(isAnyObject),
  create: orNull(isAnyObject),
  update: orNull(isAnyObject),
  sortable: texts,
  searchable: texts,
  filterable: isRecordOf(isFilter),
  readOnly: texts,
  keep: texts,
  restricted: texts,
  references: orAbsent(isRecordOf(isText)),
  ownedBy: orAbsent(orNull(isEither(isAmongValues(['parent']), texts))),
  revision: orNull(isText),
  maxLimit: isNumber,
  defaultLimit: orNull(isNumber),
  bounded: isFlag,
  idempotent: isFlag,
  total: orNull(isFlag),
})

const isAcceptance = hasMembers({
  change: isText,
  rule: isText,
  at: isText,
  from: isPresent,
  to: isPresent,
  reason: isText,
  on: isText,
})

const isSnapshot = hasMembers({
  format: isAmongValues([1]),
  nounful: isText,
  defaultVersion: orNull(isEither(isAmongValues([false]), isText)),
  guarded: orNull(isFlag),
  limits: isRecordOf(isNumber),
  problemTypes: orNull(isText),
  problems: isRecordOf(isNumber),
  versions: isRecordOf(isVersion),
  resources: isRecordOf(isResource),
  accepted: isListOf(isAcceptance),
})

// Each name leads to something, and a view ends at a resource.
function faultOfNames({ versions, resources }: Snapshot): string | undefined {
  const has = (name: string): boolean => Object.hasOwn(resources, name)
  for (const [version, { paths }] of Object.entries(versions)) {
    for (const [path, { resource }] of Object.entries(paths))
      if (!has(resource)) return `/versions/${version}/paths/${path} names no resource`
  }
  for (const [name, { of }] of Object.entries(resources)) {
    if (of !== null && !has(of)) return `/resources/${name}/of names no resource`
    const seen = new Set<string>()
    for (let next: string | null = name; next !== null; next = resources[next]?.of ?? null) {
      if (seen.has(next)) return `/resources/${name}/of leads back to itself`
      seen.add(next)
    }
  }
  return undefined
}

/** Tells whether a text is JSON that claims to be a snapshot, and no OpenAPI document. */
export function isSnapshotLike(json: Json): boolean {
  return isJsonObject(json) && Object.hasOwn(json, 'format') && !Object.hasOwn(json, 'openapi')
}

/**
 * Writes the log of the accepted changes of an OpenAPI document as the text of its file. The
 * inverse of {@link parseAcceptances}.
 */
export function formatAcceptances(accepted: readonly Acceptance[]): string {
  return formatFile({ accepted })
}

const isLog = hasMembers({ accepted: isListOf(isAcceptance) })

/**
 * Reads the text of the file with the accepted changes of an OpenAPI document.
 *
 * @throws {TypeError} For another text, a snapshot among them; the message says what is wrong.
 */
export function parseAcceptances(text: string): readonly Acceptance[] {
  const json = parseJson(text)
  const [fault] = isSnapshotLike(json) ? [' is a snapshot of nounful'] : isLog(json, '')
  if (fault === undefined) return (json as unknown as Pick<Snapshot, 'accepted'>).accepted
  throw new TypeError(`It is no log of accepted changes: ${fault.replace(/^ /, 'the file ')}.`)
}

import type { Json } from '../contract/schema/schema.ts'
import { isJsonObject, sortedJson } from '../sets/canonical.ts'
import { type Acceptance, logShape, type Snapshot, snapshotShape } from './snapshot.ts'

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
  const [fault = faultOfNames(json as unknown as Snapshot)] = snapshotShape(json, '')
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

/**
 * Reads the text of the file with the accepted changes of an OpenAPI document.
 *
 * @throws {TypeError} For another text, a snapshot among them; the message says what is wrong.
 */
export function parseAcceptances(text: string): readonly Acceptance[] {
  const json = parseJson(text)
  const [fault] = isSnapshotLike(json) ? [' is a snapshot of nounful'] : logShape(json, '')
  if (fault === undefined) return (json as unknown as Pick<Snapshot, 'accepted'>).accepted
  throw new TypeError(`It is no log of accepted changes: ${fault.replace(/^ /, 'the file ')}.`)
}

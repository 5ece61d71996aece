import { constants, isUtf8 } from 'node:buffer'
import { isId } from '../contract/resource/id.ts'
import type { Item } from '../contract/resource/resource.ts'
import { isHeldExactly, isWhole } from '../convention/decimal.ts'
import { faultOfName, faultOfNoun, pluralNounOf } from '../convention/noun.ts'
import { isRecord } from '../convention/value.ts'
import { findJsonFault } from '../wire/json-text.ts'
import { type IdReading, type Ids, readIds } from './ids.ts'
import { type Relation, referenceIn, relationsOf } from './relations.ts'
import { type Layout, layoutOf } from './splice.ts'
import {
  type Container,
  type FileEntry,
  type FileNumber,
  filePlaceOf,
  keyOf,
  longNumbersIn,
  type RawItem,
  readContainer,
  skipSpace,
} from './text.ts'

/** How to read a file. */
export interface ModelOptions {
  /** The member with the id of an item. */
  readonly id: string
  /** The ids of collections that have none to go by. */
  readonly ids: IdReading['choice']
}

/** A collection of a file. */
export interface FileCollection {
  /** The member of the file. */
  readonly key: string
  readonly noun: string
  /** An object of the file is a collection of one item. */
  readonly isOne: boolean
  /** The noun does not look plural. */
  readonly isPlural: boolean
  /** The member with the id; `undefined` for an object without one. */
  readonly id: string | undefined
  readonly ids: Ids
  readonly items: readonly Item[]
  readonly order: FieldOrder
  readonly relations: readonly Relation[]
  readonly entry: FileEntry
}

/** The places of fields in items: the id comes first, the others as they first appear. */
export type FieldOrder = ReadonlyMap<string, number>

/** The items of each collection by its noun, in the order of the file. */
export type ItemsByNoun = ReadonlyMap<string, ReadonlyMap<Item['id'], Item>>

/** A file as collections, with its bytes. */
export interface FileModel {
  readonly bytes: Buffer
  readonly layout: Layout
  readonly collections: readonly FileCollection[]
  /** Sentences for the author of the file. */
  readonly notes: readonly string[]
}

/**
 * Reads a file: each member with an array of objects is a collection, each object a collection of
 * one item. Other members stay in the file.
 *
 * @throws {TypeError} For a file that is no JSON, and for names and ids that clash.
 */
export function readModel(bytes: Buffer, options: ModelOptions): FileModel {
  const root = readRoot(bytes)
  const notes: string[] = []
  const members = membersOf(bytes, root)
  const raw = members.flatMap((member) => collectionIn(member, { bytes, options, members, notes }))
  checkNouns(raw, bytes)
  if (raw.length === 0) throw new TypeError(notes[0]?.slice(0, -1) ?? faultOfNone)
  for (const collection of raw) notes.push(...longNumberNotes(bytes, collection, root.numbers))
  const lists = raw.filter(({ isOne }) => !isOne)
  const collections = raw.map((collection) => withRelations(collection, lists))
  notes.push(...collections.flatMap(notesOf))
  return { bytes, layout: layoutOf(bytes, root.container), collections, notes }
}

const faultOfNone = 'it holds no collection: write one, as in { "posts": [] }'

interface Root {
  readonly value: RawItem
  readonly container: Container
  /** Those that a double may not hold. */
  readonly numbers: readonly FileNumber[]
}

function readRoot(bytes: Buffer): Root {
  if (bytes.length > constants.MAX_STRING_LENGTH) throw new TypeError('it has more than 512 MB')
  if (!isUtf8(bytes)) {
    const place = filePlaceOf(bytes, firstUnreadable(bytes))
    throw new TypeError(`${place}: it is no text in UTF-8 from here on: save it in UTF-8`)
  }
  const start = bytes[0] === 0xef ? 3 : 0
  const value = parse(bytes.toString('utf8', start))
  if (isRecord(value)) {
    const container = readContainer(bytes, skipSpace(bytes, start))
    return { value, container, numbers: longNumbersIn(bytes) }
  }
  const example = '{ "posts": [{ "id": 1 }] }'
  throw new TypeError(`it holds no object: write the collections as its members, as in ${example}`)
}

// A decoder writes U+FFFD for a byte that it cannot read. The file may hold that character as well.
function firstUnreadable(bytes: Buffer): number {
  const replacement = '\ufffd'
  const text = bytes.toString()
  let [at, offset] = [0, 0]
  for (;;) {
    const next = text.indexOf(replacement, at)
    offset += Buffer.byteLength(text.slice(at, next))
    if (bytes.toString('hex', offset, offset + 3) !== 'efbfbd') return offset
    at = next + 1
    offset += 3
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const { line, column, expected } = findJsonFault(text)
    const end = expected.replace('body', 'file')
    throw new TypeError(`line ${line}, column ${column}: expected ${end}`)
  }
}

interface Member {
  readonly key: string
  readonly value: unknown
  readonly entry: FileEntry
}

function membersOf(bytes: Buffer, { value, container }: Root): readonly Member[] {
  const places = new Map<string, string>()
  return container.entries.map((entry) => {
    const key = keyOf(bytes, entry)
    const place = filePlaceOf(bytes, entry.start)
    const earlier = places.get(key)
    if (earlier !== undefined)
      throw new TypeError(`"${key}" stands twice: at ${earlier}, and at ${place}`)
    places.set(key, place)
    return { key, value: value[key], entry }
  })
}

type RawCollection = Omit<FileCollection, 'items' | 'order' | 'relations'> & {
  readonly items: readonly RawItem[]
}

interface Reading {
  readonly bytes: Buffer
  readonly options: ModelOptions
  readonly members: readonly Member[]
  readonly notes: string[]
}

function collectionIn(member: Member, reading: Reading): readonly RawCollection[] {
  const { key, value } = member
  if (isRecord(value)) return oneIn(member, value, reading)
  if (!Array.isArray(value)) return []
  const items = value.filter(isRecord)
  if (items.length === value.length) return [listIn(member, items, reading)]
  const place = value.findIndex((element) => !isRecord(element))
  const reason = `since ${key}/${place} is no object, at ${placeOfItem(member, place, reading)}`
  reading.notes.push(`"${key}" is no collection, ${reason}.`)
  return []
}

function placeOfItem({ entry }: Member, place: number, { bytes }: Pick<Reading, 'bytes'>): string {
  return filePlaceOf(bytes, readContainer(bytes, entry.value).entries[place]?.start ?? entry.value)
}

function listIn(member: Member, items: readonly RawItem[], reading: Reading): RawCollection {
  const { key, entry } = member
  const { bytes, options, notes } = reading
  const placeOfEntry = (place: number): string => placeOfItem(member, place, reading)
  const fault = faultOfNoun(key, true)
  if (fault !== undefined)
    throw new TypeError(`${filePlaceOf(bytes, entry.start)}: "${key}" ${fault}`)
  const isPlural = faultOfName(key, false) !== undefined
  const usual = pluralNounOf(key)
  if (isPlural && usual !== key)
    notes.push(`"${key}" is taken for a plural. The usual name would be "${usual}".`)
  const id = items.some((item) => Object.hasOwn(item, options.id)) ? options.id : 'id'
  const clash = id === 'id' ? -1 : items.findIndex((item) => Object.hasOwn(item, 'id'))
  if (clash >= 0)
    throw new TypeError(
      `${placeOfEntry(clash)}: ${key}/${clash} has "id" beside "${id}", its id: rename "id"`,
    )
  const values = items.map((item) => item[id])
  const ids = readIds(key, values, { choice: options.ids, placeOf: placeOfEntry })
  return { key, noun: key, isOne: false, isPlural, id, ids, items, entry }
}

function oneIn({ key, entry }: Member, value: RawItem, reading: Reading): readonly RawCollection[] {
  const { members, notes } = reading
  const plural = pluralNounOf(key)
  const isTaken = members.some((member) => member.key === plural)
  const noun = isTaken ? key : plural
  if (faultOfNoun(noun, true) !== undefined) {
    notes.push(`"${key}" is no collection: no path can hold its name.`)
    return []
  }
  const { id } = value
  const hasId = typeof id === 'number' || (typeof id === 'string' && id !== '')
  const ids = readIds(key, [hasId ? id : key], { choice: undefined, placeOf: () => '' })
  notes.push(`"${key}" is an object: its path is /${noun}/${ids.values[0]}.`)
  const isPlural = faultOfName(noun, false) !== undefined
  const member = hasId ? 'id' : undefined
  return [{ key, noun, isOne: true, isPlural, id: member, ids, items: [value], entry }]
}

function checkNouns(collections: readonly RawCollection[], bytes: Buffer): void {
  for (const [place, { noun, key, entry }] of collections.entries()) {
    const earlier = collections.slice(0, place).find((collection) => collection.noun === noun)
    if (earlier === undefined) continue
    const fault = `"${earlier.key}" and "${key}" have one path, /${noun}: rename one`
    throw new TypeError(`${filePlaceOf(bytes, entry.start)}: ${fault}`)
  }
}

/**
 * Returns a sentence for each field with numbers that a double does not hold.
 *
 * @throws {TypeError} For such an id, and for a number beyond the range of a double.
 */
function longNumberNotes(
  bytes: Buffer,
  { key, id, isOne, entry }: RawCollection,
  numbers: readonly FileNumber[],
): readonly string[] {
  const inside = numbers.filter(({ start }) => start >= entry.value && start < entry.end)
  if (inside.length === 0) return []
  const rows = isOne ? [entry] : readContainer(bytes, entry.value).entries
  const notes = new Map<string, string>()
  let row = 0
  for (const { start, text } of inside) {
    const number = Number(text)
    // Most are fractions. To find a place takes a look at all lines before it.
    if (Number.isFinite(number) && (!isWhole(text) || String(number) === text)) continue
    if (!Number.isFinite(number)) {
      const place = filePlaceOf(bytes, start)
      throw new TypeError(`${place}: no client can read ${text}: write it as a text`)
    }
    while ((rows[row]?.end ?? start) < start) row++
    const members = readContainer(bytes, rows[row]?.value ?? start).entries
    const member = members.find(({ end }) => end > start)
    const field = member === undefined ? '' : keyOf(bytes, member)
    if (field === id && member?.value === start) {
      const place = filePlaceOf(bytes, start)
      throw new TypeError(`${place}: a number cannot hold the id ${text}: write the ids as texts`)
    }
    if (notes.has(field) || isHeldExactly(text)) continue
    const advice = `Clients get ${number} for ${text}: write it as a text.`
    notes.set(field, `"${field}" of "${key}", at ${filePlaceOf(bytes, start)}: ${advice}`)
  }
  return [...notes.values()]
}

function withRelations(collection: RawCollection, lists: readonly RawCollection[]): FileCollection {
  const { items, id, ids, isOne } = collection
  const relations = isOne ? [] : relationsOf(items, lists)
  const retyped = relations.flatMap((relation) => {
    const target = lists.find(({ noun }) => noun === relation.to)
    return relation.written === undefined || target === undefined
      ? []
      : [[relation.field, target] as const]
  })
  const order = orderOf(items, id ?? 'id')
  const toItem = (item: RawItem, place: number): Item => {
    const value = ids.values[place] ?? ''
    // Most files need no copy.
    const isUsual = retyped.length === 0 && hasId(item, value) && isInOrder(item, order)
    if (isUsual) return item
    const entries = Object.entries(item).filter(([name]) => name !== (id ?? 'id'))
    const references = retyped
      .filter(([field]) => Object.hasOwn(item, field))
      .map(([field, target]) => [field, referenceIn(item[field], target)])
    return fieldsInOrder({ ...Object.fromEntries([...entries, ...references]), id: value }, order)
  }
  return { ...collection, items: items.map(toItem), order, relations }
}

function orderOf(items: readonly RawItem[], id: string): FieldOrder {
  const order = new Map([['id', 0]])
  for (const item of items) {
    for (const name of Object.keys(item))
      if (name !== id && !order.has(name)) order.set(name, order.size)
  }
  return order
}

function isInOrder(item: object, order: FieldOrder): boolean {
  const places = Object.keys(item).map((name) => placeIn(order, name))
  return places.every((place, at) => at === 0 || place >= (places[at - 1] ?? 0))
}

/** Returns fields in an order. Those that it does not name come last. */
export function fieldsInOrder<Fields extends object>(item: Fields, order: FieldOrder): Fields {
  const entries = Object.entries(item)
  entries.sort(([a], [b]) => placeIn(order, a) - placeIn(order, b))
  // The same fields.
  return Object.fromEntries(entries) as Fields
}

function placeIn(order: FieldOrder, name: string): number {
  return order.get(name) ?? order.size
}

function hasId(item: RawItem, id: Item['id']): item is RawItem & Item {
  return item.id === id
}

function notesOf(collection: FileCollection): readonly string[] {
  const { key, ids, relations, items } = collection
  const { kind, added, values } = ids
  const unnamed = values.filter((value) => !isId(String(value))).map(nameOfId)
  return [
    ...(unnamed.length > 0 ? [`No path can hold these ids of "${key}": ${listOf(unnamed)}.`] : []),
    ...(kind === 'mixed' ? [`"${key}" has numbers and texts as ids: new ones are texts.`] : []),
    ...(added > 0 ? [lackNote(collection)] : []),
    ...relations.flatMap(({ field, to, written, dangling }) => [
      ...(written === undefined
        ? []
        : [
            `"${field}" of "${key}" has another type than the ids of "${to}": ` +
              'clients get the ids, the file keeps its form.',
          ]),
      ...(dangling > 0
        ? [
            `"${field}" of "${key}" names no item of "${to}" ` +
              `in ${dangling} of ${items.length} items.`,
          ]
        : []),
    ]),
  ]
}

const usualIds = ['_id', 'Id', 'ID', 'uuid', 'guid', 'key']

function lackNote({ key, id, ids, items }: FileCollection): string {
  const { added, values } = ids
  const number = `${added} of ${values.length} items`
  const lack = `"${key}" lacks "${id}" in ${number}: the next save writes it.`
  const other = usualIds.find(
    (name) => name !== id && items.every((item) => Object.hasOwn(item, name)),
  )
  const isOther = added === values.length && other !== undefined
  return isOther ? `${lack} If "${other}" is the id, stop, and add --id ${other}.` : lack
}

// As many as a line of a terminal shows.
const [mostIds, longestId] = [5, 40]

function nameOfId(id: Item['id']): string {
  const text = String(id)
  return `"${text.length > longestId ? `${text.slice(0, longestId)}…` : text}"`
}

function listOf(names: readonly string[]): string {
  const rest = names.length - mostIds
  const shown = names.slice(0, mostIds).join(', ')
  return rest > 0 ? `${shown} and ${rest} more` : shown
}

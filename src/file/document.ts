import type { Item } from '../contract/resource/resource.ts'
import { isSame } from '../convention/value.ts'
import type { FileCollection, FileModel, ItemsByNoun } from './model.ts'
import { writtenReference } from './relations.ts'
import { formatItem, type Layout, type Piece, splice, spliceItem } from './splice.ts'
import { type Container, type FileEntry, type RawItem, readContainer } from './text.ts'

/** The text of a collection, with the items that it holds. */
interface Section {
  readonly collection: FileCollection
  readonly bytes: Buffer
  /** `undefined` before the first change: most files are large and change in few places. */
  readonly container: Container | undefined
  /** By the index of their entries. */
  readonly items: readonly Item[]
  /** Items have ids that the text lacks. */
  readonly lacksIds: boolean
}

/** The text of a file: sections, and the bytes between them. Never changes. */
export interface FileDocument {
  readonly layout: Layout
  readonly segments: readonly (Buffer | Section)[]
}

/** Returns the text of a file that a model was read from, and its items as they are stored. */
export function documentOf(model: FileModel, stored: ItemsByNoun): FileDocument {
  const { bytes, layout, collections } = model
  const sections = [...collections].sort((a, b) => a.entry.start - b.entry.start)
  const segments: (Buffer | Section)[] = []
  let end = 0
  for (const collection of sections) {
    const { entry, noun, ids, isOne } = collection
    segments.push(Buffer.from(bytes.subarray(end, entry.value)))
    const text = bytes.subarray(entry.value, entry.end)
    segments.push({
      collection,
      bytes: text,
      container: undefined,
      items: [...(stored.get(noun)?.values() ?? [])],
      lacksIds: !isOne && ids.added > 0,
    })
    end = entry.end
  }
  return { layout, segments: [...segments, Buffer.from(bytes.subarray(end))] }
}

/** Returns the bytes of a file, in pieces. */
export function bytesOf({ segments }: FileDocument): readonly Buffer[] {
  return segments.map((segment) => ('collection' in segment ? segment.bytes : segment))
}

/** Returns the items of a file, by noun. */
export function itemsOf({ segments }: FileDocument): ReadonlyMap<string, readonly Item[]> {
  const sections = segments.flatMap((segment) => ('collection' in segment ? [segment] : []))
  return new Map(sections.map(({ collection, items }) => [collection.noun, items]))
}

/** Returns the same text for the same items, as another storage holds them. */
export function storedAgain({ layout, segments }: FileDocument, stored: ItemsByNoun): FileDocument {
  const newSegments = segments.map((segment) =>
    'collection' in segment ? { ...segment, items: storedIn(segment, stored) } : segment,
  )
  return { layout, segments: newSegments }
}

/**
 * Returns the text with other items. An item that is the same object keeps its bytes, a changed one
 * the bytes of its unchanged members. Returns the document itself where nothing changes.
 */
export function withItems(document: FileDocument, stored: ItemsByNoun): FileDocument {
  const { layout, segments } = document
  const isChanged = segments.some(
    (segment) => 'collection' in segment && hasChanged(segment, storedIn(segment, stored)),
  )
  if (!isChanged) return document
  const newSegments = segments.map((segment) => {
    if (!('collection' in segment)) return segment
    const items = storedIn(segment, stored)
    if (!segment.lacksIds && !hasChanged(segment, items)) return segment
    return segment.collection.isOne
      ? rewriteOne(segment, items, layout)
      : rewriteList(segment, items, layout)
  })
  return { layout, segments: newSegments }
}

function storedIn({ collection }: Section, stored: ItemsByNoun): readonly Item[] {
  return [...(stored.get(collection.noun)?.values() ?? [])]
}

function hasChanged(section: Section, items: readonly Item[]): boolean {
  return (
    items.length !== section.items.length ||
    items.some((item, place) => item !== section.items[place])
  )
}

function rewriteOne(section: Section, items: readonly Item[], layout: Layout): Section {
  const [item] = items
  if (item === undefined) return section
  const entry = { start: 0, value: 0, end: section.bytes.length }
  const text = rewritten(section, { item, place: 0, entry }, layout)
  return { ...section, bytes: Buffer.from(text), items }
}

function rewriteList(section: Section, items: readonly Item[], layout: Layout): Section {
  const { bytes, items: oldItems, collection, lacksIds } = section
  const { container = readContainer(bytes, 0) } = section
  const { entries } = container
  const last = entries.at(-1)
  const sample = last && bytes.toString('utf8', last.value, last.end)
  const pieces: Piece[] = []
  let place = 0
  for (const item of items) {
    // Items keep their order, so that those between two of them are deleted.
    while (place < oldItems.length && oldItems[place]?.id !== item.id) place++
    const entry = entries[place]
    if (entry === undefined) pieces.push(formatItem(rawOf(item, collection), sample, layout))
    else if (oldItems[place] === item && !lacksIds) pieces.push(place)
    else pieces.push(rewritten(section, { item, place, entry }, layout))
    place++
  }
  const { newline, indent } = layout
  const isOneLine = newline === ''
  const lead = isOneLine ? '' : newline + indent.repeat(2)
  const tail = isOneLine ? '' : newline + indent
  const text = splice({ bytes, container, lead, tail }, pieces)
  return { ...section, ...text, items, lacksIds: false }
}

interface Change {
  readonly item: Item
  readonly place: number
  readonly entry: FileEntry
}

function rewritten({ bytes, items, collection }: Section, change: Change, layout: Layout): string {
  const { item, place, entry } = change
  const old: RawItem = JSON.parse(bytes.toString('utf8', entry.value, entry.end))
  const oldItem: Readonly<Record<string, unknown>> = { ...items[place] }
  const first = collection.id ?? ''
  // The form of the file stays where the value does.
  const members = Object.entries(rawOf(item, collection)).map(([name, value]) => {
    const field = name === first ? 'id' : name
    const isAsBefore = Object.hasOwn(old, name) && isSame(Reflect.get(item, field), oldItem[field])
    return [name, isAsBefore ? old[name] : value]
  })
  return spliceItem({ bytes, entry, layout, first }, Object.fromEntries(members))
}

/** Writes an item as the file has it: its name of the id, its form of references. */
function rawOf(item: Item, { id, relations }: FileCollection): RawItem {
  const entries = Object.entries(item).flatMap(([name, value]): [string, unknown][] => {
    if (name === 'id') return id === undefined ? [] : [[id, value]]
    const relation = relations.find(({ field }) => field === name)
    return [[name, relation === undefined ? value : writtenReference(value, relation)]]
  })
  return Object.fromEntries(entries)
}

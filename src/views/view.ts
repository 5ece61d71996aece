import type { Fields, Link, Reader, Unwritten, Written } from '../contract/resource/link.ts'
import type { Conversion, Item, View, ViewOrigin } from '../contract/resource/resource.ts'
import { requiredFieldsOf } from '../contract/schema/required.ts'
import { conditionsThrough } from '../contract/values/link-filter.ts'
import { readInto, viewReader } from '../contract/values/show.ts'
import { isProblem } from '../convention/problem.ts'
import { agree, fieldOf, putField, unrepresentable } from '../convention/value.ts'
import { mustBeOneOf } from '../wire/sentence.ts'
import { viewAdapter } from './adapter.ts'
import type { Mapping } from './mapping.ts'
import { noObjectFor } from './values.ts'

/** Makes the view of a resource, or of another view: then both mappings are one conversion. */
export function viewOf(mapping: Mapping, origin: ViewOrigin): View {
  const conversion = conversionOf(mapping)
  const sourceView = mapping.of.view
  return {
    ...(sourceView === undefined ? conversion : compose(conversion, sourceView)),
    origin,
    adapterOver: viewAdapter,
  }
}

function conversionOf(mapping: Mapping): Conversion {
  const { of, links, hidden, isWhole } = mapping
  const initials = [...initialsOf(mapping), ...hidden]
  const byField = new Map(links.flatMap((link) => link.fields.map((field) => [field, link])))
  const readers = links.flatMap((link) => link.readers)
  const show = viewReader(readers)
  // An item has an id, in each version.
  const get = (stored: object): Item => show(stored) as Fields & Item
  const write = writerOf(links)
  return {
    base: of,
    isWhole,
    get,
    getNew: (draft) => viewDraftOf(readers, draft),
    put: (item, stored, named) =>
      write(item, { named, viewItem: get(stored), baseItem: { ...stored } }),
    make: (item, named) => write(item, { named, viewItem: {}, baseItem: newItem(initials, item) }),
    valuesOf: (field) => byField.get(field)?.table,
    sourcesOf: (field) => byField.get(field)?.of ?? [],
    partsWith: (field) => byField.get(field)?.fields ?? [],
    plainOf(field) {
      const link = byField.get(field)
      return link?.isPlain ? link.of[0] : undefined
    },
    conditionsOf(condition) {
      const link = byField.get(condition.field)
      return link ? conditionsThrough(link, condition) : [condition]
    },
    pathOf: (path) => viewPathOf(links, path),
  }
}

function newItem(initials: Mapping['hidden'], item: object): Fields {
  const draft: Fields = {}
  for (const [field, initial] of initials)
    putField(draft, field, typeof initial === 'function' ? initial(item) : structuredClone(initial))
  return draft
}

// A function of a link expects the values that each stored item has. A draft may lack some.
function viewDraftOf(readers: readonly Reader[], draft: object): Fields {
  const item: Fields = {}
  const isReadable = ({ source, show }: Reader): boolean =>
    source === undefined || show === undefined || fieldOf(draft, source) !== undefined
  readInto(item, readers.filter(isReadable), draft)
  return item
}

// A client can fix one of several links only if it can write it.
function viewPathOf(
  links: readonly Link[],
  [source = '', inner, ...rest]: readonly string[],
): readonly string[] | undefined {
  const reaching = links.filter(
    ({ of, member }) =>
      of.includes(source) && (member === undefined || inner === undefined || member === inner),
  )
  const link = reaching.find(({ write }) => write !== undefined) ?? reaching[0]
  if (link === undefined) return undefined
  const [field = ''] = link.fields
  if (link.member !== undefined) return [field, ...rest]
  return link.isPlain && inner !== undefined ? [field, inner, ...rest] : [field]
}

// The objects and the stand-ins that new items need, although the client may send none of them.
function initialsOf({ of, links }: Mapping): Mapping['hidden'] {
  const required = requiredFieldsOf(of.create) ?? []
  const values = links.flatMap(({ of: sources, form, absent, member = '' }) =>
    form === 'in' || form === 'absent'
      ? sources.map(
          (field) => [field, form === 'in' ? noObjectFor(of, [field, member]) : absent] as const,
        )
      : [],
  )
  return values.filter(([field]) => required.includes(field))
}

// Writes the item of the upper conversion by the lower one. A fault names a field of the upper one.
function writeThrough(
  upper: Conversion,
  upperResult: Written,
  writeLower: (item: object, named: readonly string[]) => Written,
): Written {
  if (upperResult.faults) return upperResult
  const lowerResult = writeLower(upperResult.item, upperResult.named)
  if (!lowerResult.faults) return lowerResult
  const faults = lowerResult.faults.flatMap(({ field, message }) =>
    (upper.pathOf([field]) ?? []).map((viewField) => ({ field: viewField, message })),
  )
  return { faults }
}

function compose(upper: Conversion, lower: Conversion): Conversion {
  const lowerParts = (field: string) => upper.sourcesOf(field).flatMap(lower.partsWith)
  return {
    base: lower.base,
    isWhole: upper.isWhole && lower.isWhole,
    get: (stored) => upper.get(lower.get(stored)),
    getNew: (draft) => upper.getNew(lower.getNew(draft)),
    put: (item, stored, sent) =>
      writeThrough(upper, upper.put(item, lower.get(stored), sent), (middle, named) =>
        lower.put(middle, stored, named),
      ),
    make: (item, sent) => writeThrough(upper, upper.make(item, sent), lower.make),
    valuesOf(field) {
      const middle = upper.plainOf(field)
      return upper.valuesOf(field) ?? (middle === undefined ? undefined : lower.valuesOf(middle))
    },
    sourcesOf: (field) => upper.sourcesOf(field).flatMap(lower.sourcesOf),
    partsWith: (field) => [
      ...upper.partsWith(field),
      ...lowerParts(field).flatMap((baseField) => upper.pathOf([baseField]) ?? []),
    ],
    plainOf(field) {
      const middle = upper.plainOf(field)
      return middle === undefined ? undefined : lower.plainOf(middle)
    },
    conditionsOf: (condition) => upper.conditionsOf(condition).flatMap(lower.conditionsOf),
    pathOf(path) {
      const middle = lower.pathOf(path)
      return middle && upper.pathOf(middle)
    },
  }
}

/** The target of a write through a view. */
interface WriteTarget {
  /** The fields that the client named; `undefined` for all that the item has. */
  readonly named: readonly string[] | undefined
  /** The item of the view before the write. */
  readonly viewItem: object
  /** The item of the source resource before the write. It changes. */
  readonly baseItem: Fields
}

/** Makes the function that writes an item of a view into one of its source resource. */
function writerOf(links: readonly Link[]): (item: object, target: WriteTarget) => Written {
  const writable = links.filter(({ write }) => write !== undefined)
  const overlaps = overlapsOf(writable)
  return (item, { named = Object.keys(item), viewItem, baseItem }) => {
    // A link whose fields are as before writes nothing.
    const changed = writable.filter(({ fields }) => !agree(item, viewItem, fields))
    const faults =
      overlaps.size > 0
        ? writeOverlapping(item, { named, changed, overlaps, baseItem })
        : writeAll(changed, item, baseItem)
    if (faults.length > 0) return { faults }
    const sources = links.filter(hasFieldIn(named)).flatMap(({ of }) => of)
    return { item: baseItem, named: sources }
  }
}

/** By link: the other links that reach the same value of the source resource. */
type Overlaps = ReadonlyMap<Link, readonly Link[]>

function overlapsOf(links: readonly Link[]): Overlaps {
  const pairs = links.map((link) => [link, links.filter((peer) => isOverlap(link, peer))] as const)
  return new Map(pairs.filter(([, peers]) => peers.length > 0))
}

// Two members of one object do not overlap.
function isOverlap(link: Link, peer: Link): boolean {
  if (link === peer || !link.of.some((source) => peer.of.includes(source))) return false
  return link.member === undefined || peer.member === undefined || link.member === peer.member
}

function hasFieldIn(names: readonly string[]) {
  return ({ fields }: Link): boolean => fields.some((field) => names.includes(field))
}

interface OverlappingWrite {
  readonly named: readonly string[]
  readonly changed: readonly Link[]
  readonly overlaps: Overlaps
  readonly baseItem: Fields
}

// A field that the client names wins over one that it leaves out. Two that it names must agree.
function writeOverlapping(
  item: object,
  { named, changed, overlaps, baseItem }: OverlappingWrite,
): readonly Unwritten[] {
  const faults = changed.flatMap((link) => writeAll([link], item, { ...baseItem }))
  if (faults.length > 0) return faults
  const isNamed = hasFieldIn(named)
  const partners = changed.flatMap((link) => overlaps.get(link) ?? []).filter(isNamed)
  const links = [...new Set([...changed, ...partners])]
  const namedLinks = links.filter(isNamed)
  for (const link of [...links.filter((candidate) => !isNamed(candidate)), ...namedLinks])
    link.write?.(item, baseItem)
  const lost = namedLinks.filter((link) => lostFields(link, item, baseItem).length > 0)
  const conflicts = namedLinks.filter(
    (link) => lost.includes(link) || overlaps.get(link)?.some((peer) => lost.includes(peer)),
  )
  return conflicts
    .flatMap(({ fields }) => fields)
    .filter((field) => named.includes(field))
    .map((field) => ({ field, message: 'contradicts another field, which shows the same value' }))
}

// A written value has to read back equal.
function writeAll(links: readonly Link[], item: object, baseItem: Fields): readonly Unwritten[] {
  const refused = links.filter((link) => !canRun(() => link.write?.(item, baseItem)))
  return links.flatMap((link) => {
    const { table } = link
    const fields = refused.includes(link) ? link.fields : lostFields(link, item, baseItem)
    const message = table === undefined ? unrepresentable : mustBeOneOf(table.keys())
    return fields.map((field) => ({ field, message }))
  })
}

// The fields that do not read back equal. A missing value may read as its stand-in.
function lostFields(
  { fields, absent, readers }: Link,
  item: object,
  baseItem: Fields,
): readonly string[] {
  const readItem: Fields = {}
  if (!canRun(() => readInto(readItem, readers, baseItem))) return fields
  const isNone = (field: string): boolean => (fieldOf(item, field) ?? undefined) === undefined
  return fields.filter(
    (field) => !agree(item, readItem, [field]) && !(absent !== undefined && isNone(field)),
  )
}

// A function may throw for a value that it cannot convert. A problem is a response of its own.
function canRun(convert: () => void): boolean {
  try {
    convert()
    return true
  } catch (error) {
    if (isProblem(error)) throw error
    return false
  }
}

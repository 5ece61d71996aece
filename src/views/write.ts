import type { Fields, Link, Unwritten, Written } from '../contract/resource/link.ts'
import { readInto } from '../contract/values/show.ts'
import { mustBeOneOf } from '../convention/must-be.ts'
import { isProblem } from '../convention/problem.ts'
import { agree, fieldOf } from '../convention/value.ts'

/** A write of an item of a view. */
export interface ViewWrite {
  /** The fields that the client named; `undefined` for all that the item has. */
  readonly named: readonly string[] | undefined
  /** As the client saw the item. */
  readonly viewItem: object
  /** The item beneath, before the write. It changes. */
  readonly baseItem: Fields
}

/** Makes the function that writes the items of a view into those beneath. */
export function writerOf(links: readonly Link[]): (item: object, write: ViewWrite) => Written {
  const writable = links.filter(({ write }) => write !== undefined)
  const overlaps = overlapsOf(writable)
  return (item, { named = Object.keys(item), viewItem, baseItem }) => {
    // A link whose field is as it was shown writes nothing.
    const changed = writable.filter(({ fields }) => !agree(item, viewItem, fields))
    const faults =
      overlaps.size > 0
        ? writeOverlapping(item, { named, changed, overlaps, baseItem })
        : writeAll(changed, item, baseItem)
    if (faults.length > 0) return { faults }
    const sources = links.filter(isNaming(named)).flatMap(({ of }) => of)
    return { item: baseItem, named: sources }
  }
}

/** The links of each link that reach the same value beneath. */
type Overlaps = ReadonlyMap<Link, readonly Link[]>

function overlapsOf(links: readonly Link[]): Overlaps {
  const pairs = links.map((link) => [link, links.filter((peer) => meets(link, peer))] as const)
  return new Map(pairs.filter(([, peers]) => peers.length > 0))
}

// Two members of one object do not meet.
function meets(link: Link, peer: Link): boolean {
  if (link === peer || !link.of.some((source) => peer.of.includes(source))) return false
  return link.member === undefined || peer.member === undefined || link.member === peer.member
}

function isNaming(named: readonly string[]) {
  return ({ fields }: Link): boolean => fields.some((field) => named.includes(field))
}

interface Overlapping {
  readonly named: readonly string[]
  readonly changed: readonly Link[]
  readonly overlaps: Overlaps
  readonly baseItem: Fields
}

// A field that the client names wins over one that it leaves out. Two that it names must agree.
function writeOverlapping(
  item: object,
  { named, changed, overlaps, baseItem }: Overlapping,
): readonly Unwritten[] {
  const alone = changed.flatMap((link) => writeAll([link], item, { ...baseItem }))
  if (alone.length > 0) return alone
  const isNamed = isNaming(named)
  const partners = changed.flatMap((link) => overlaps.get(link) ?? []).filter(isNamed)
  const touched = [...new Set([...changed, ...partners])]
  const last = touched.filter(isNamed)
  for (const link of [...touched.filter((candidate) => !isNamed(candidate)), ...last])
    link.write?.(item, baseItem)
  const lost = last.filter((link) => faultsOf(link, item, baseItem).length > 0)
  const conflicts = last.filter(
    (link) => lost.includes(link) || overlaps.get(link)?.some((peer) => lost.includes(peer)),
  )
  return conflicts
    .flatMap(({ fields }) => fields)
    .filter((field) => named.includes(field))
    .map((field) => ({ field, message: 'contradicts another field, which shows the same value' }))
}

// A written value has to read back equal.
function writeAll(links: readonly Link[], item: object, baseItem: Fields): readonly Unwritten[] {
  const refused = links.filter((link) => !isDone(() => link.write?.(item, baseItem)))
  return links.flatMap((link) => {
    const lost = refused.includes(link) ? link.fields : faultsOf(link, item, baseItem)
    return lost.map((field) => ({ field, message: messageOf(link) }))
  })
}

// A missing value may read as what stands for it.
function faultsOf(
  { fields, absent, readers }: Link,
  item: object,
  baseItem: Fields,
): readonly string[] {
  const back: Fields = {}
  if (!isDone(() => readInto(back, readers, baseItem))) return fields
  const isNone = (field: string): boolean => (fieldOf(item, field) ?? undefined) === undefined
  return fields.filter(
    (field) => !agree(item, back, [field]) && !(absent !== undefined && isNone(field)),
  )
}

function messageOf({ table }: Link): string {
  return table === undefined
    ? 'cannot be stored so that it reads back the same'
    : mustBeOneOf(table.keys())
}

// A function may throw for a value that it cannot convert. A problem is an answer of its own.
function isDone(convert: () => void): boolean {
  try {
    convert()
    return true
  } catch (error) {
    if (isProblem(error)) throw error
    return false
  }
}

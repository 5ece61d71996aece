import type { Fields, Link, Reader, Unwritten, Written } from '../contract/resource/link.ts'
import type { Conversion, Item, Resource } from '../contract/resource/resource.ts'
import { requiredFieldsOf } from '../contract/schema/required.ts'
import { conditionsThrough } from '../contract/values/link-filter.ts'
import { readInto, showing } from '../contract/values/show.ts'
import { isProblem } from '../convention/problem.ts'
import { agree, fieldOf, putField } from '../convention/value.ts'
import { mustBeOneOf } from '../wire/sentence.ts'
import { noObjectFor } from './values.ts'

/** One step: a view and the resource beneath. */
export interface Step {
  readonly of: Resource
  /** The links of all fields of the view: the id first, the others in the order of its schema. */
  readonly links: readonly Link[]
  /** The hidden fields with their values for new items, or functions that make them. */
  readonly hidden: readonly (readonly [field: string, initial: unknown])[]
  /** Nothing beneath is hidden, and each link is plain. */
  readonly isWhole: boolean
}

/** Returns the link of a field of the view; `undefined` for a field that it has not. */
export function linkOf(field: string, { links }: Pick<Step, 'links'>): Link | undefined {
  return links.find(({ fields }) => fields.includes(field))
}

/** Makes the conversion of a view of a resource, or of another view: then both steps are one. */
export function conversionOf(step: Step): Conversion {
  const conversion = stepConversion(step)
  const baseView = step.of.view
  return baseView === undefined ? conversion : compose(conversion, baseView)
}

function stepConversion(step: Step): Conversion {
  const { of, links, hidden, isWhole } = step
  const initials = [...valuesFor(step), ...hidden]
  const byField = new Map(links.flatMap((link) => link.fields.map((field) => [field, link])))
  const readers = links.flatMap((link) => link.readers)
  const show = showing(readers)
  // An item has an id, in each version.
  const get = (stored: object): Item => show(stored) as Fields & Item
  // A link whose field is as it was shown writes nothing.
  const write = writerOf(links)
  return {
    base: of,
    isWhole,
    get,
    getNew: (draft) => showNew(readers, draft),
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
    pathOf: (path) => pathThrough(links, path),
  }
}

function newItem(initials: Step['hidden'], item: object): Fields {
  const draft: Fields = {}
  for (const [field, initial] of initials)
    putField(draft, field, typeof initial === 'function' ? initial(item) : structuredClone(initial))
  return draft
}

// A function need not know that a value is missing which each stored item has.
function showNew(readers: readonly Reader[], draft: object): Fields {
  const item: Fields = {}
  const isKnown = ({ source, show }: Reader): boolean =>
    source === undefined || show === undefined || fieldOf(draft, source) !== undefined
  readInto(item, readers.filter(isKnown), draft)
  return item
}

// A client can fix one of several links only if it can write it.
function pathThrough(
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

// The objects and the stand-ins that new items need, although the client may say none of them.
function valuesFor({ of, links }: Step): Step['hidden'] {
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

// Goes on with what the upper step has made. A fault is told in the words of the upper step.
function through(
  upper: Conversion,
  middle: Written,
  write: (item: object, named: readonly string[]) => Written,
): Written {
  if (middle.faults) return middle
  const written = write(middle.item, middle.named)
  if (!written.faults) return written
  const faults = written.faults.flatMap(({ field, message }) =>
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
      through(upper, upper.put(item, lower.get(stored), sent), (middle, named) =>
        lower.put(middle, stored, named),
      ),
    make: (item, sent) => through(upper, upper.make(item, sent), lower.make),
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

/** A write of an item of a view. */
interface ViewWrite {
  /** The fields that the client named; `undefined` for all that the item has. */
  readonly named: readonly string[] | undefined
  /** As the client saw the item. */
  readonly viewItem: object
  /** The item beneath, before the write. It changes. */
  readonly baseItem: Fields
}

/** Makes the function that writes the items of a view into those beneath. */
function writerOf(links: readonly Link[]): (item: object, write: ViewWrite) => Written {
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

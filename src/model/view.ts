import type { Fields, Link, Reader, Written } from './link.ts'
import { conditionsThrough } from './link-filter.ts'
import { isProblem } from './problem.ts'
import { requiredFieldsOf } from './required.ts'
import type { Conversion, Item, Resource } from './resource.ts'
import { readInto, showing } from './show.ts'
import { agree, fieldOf, putField } from './value.ts'
import { noObjectFor } from './view-values.ts'

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
  const own = oneStep(step)
  const beneath = step.of.view
  return beneath === undefined ? own : composed(own, beneath)
}

function oneStep(step: Step): Conversion {
  const { of, links, hidden, isWhole } = step
  const initials = [...valuesFor(step), ...hidden]
  const byField = new Map(links.flatMap((link) => link.fields.map((field) => [field, link])))
  const readers = links.flatMap((link) => link.readers)
  const show = showing(readers)
  // An item has an id, in each version.
  const get = (stored: object): Item => show(stored) as Fields & Item
  // A link whose field is as it was shown writes nothing.
  const put = (item: object, stored: object): Written => {
    const shown = get(stored)
    return write(links, item, { shown, item: { ...stored } })
  }
  return {
    hub: of,
    isWhole,
    get,
    getNew: (made) => showNew(readers, made),
    put,
    make: (item) => write(links, item, { shown: {}, item: newItem(initials, item) }),
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
  const made: Fields = {}
  for (const [field, initial] of initials)
    putField(made, field, typeof initial === 'function' ? initial(item) : structuredClone(initial))
  return made
}

// A function need not know that a value is missing which each stored item has.
function showNew(readers: readonly Reader[], made: object): Fields {
  const item: Fields = {}
  const isKnown = ({ source, show }: Reader): boolean =>
    source === undefined || show === undefined || fieldOf(made, source) !== undefined
  readInto(item, readers.filter(isKnown), made)
  return item
}

// A client can mend one of several links only if it can write it.
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

interface Writing {
  /** As the client saw the item. */
  readonly shown: object
  /** The item beneath, before the write. */
  readonly item: Fields
}

function write(links: readonly Link[], item: object, { shown, item: made }: Writing): Written {
  const changed = links.filter((link) => link.write && !agree(item, shown, link.fields))
  const refused = changed.filter((link) => !isDone(() => link.write?.(item, made)))
  // A written value has to read back equal. A missing value may read as what stands for it.
  const faults = changed.flatMap((link) => {
    const { fields, absent, readers } = link
    const back: Fields = {}
    if (refused.includes(link) || !isDone(() => readInto(back, readers, made))) return fields
    const isNone = (field: string): boolean => (fieldOf(item, field) ?? undefined) === undefined
    return fields.filter(
      (field) => !agree(item, back, [field]) && !(absent !== undefined && isNone(field)),
    )
  })
  return faults.length > 0 ? { faults } : { item: made }
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

function composed(upper: Conversion, lower: Conversion): Conversion {
  const through = (middle: Written, write: (item: object) => Written): Written => {
    if (middle.faults) return middle
    const { item, faults } = write(middle.item)
    return faults ? { faults: faults.flatMap((field) => upper.pathOf([field]) ?? []) } : { item }
  }
  const lowerParts = (field: string) => upper.sourcesOf(field).flatMap(lower.partsWith)
  return {
    hub: lower.hub,
    isWhole: upper.isWhole && lower.isWhole,
    get: (stored) => upper.get(lower.get(stored)),
    getNew: (made) => upper.getNew(lower.getNew(made)),
    put: (item, stored) =>
      through(upper.put(item, lower.get(stored)), (middle) => lower.put(middle, stored)),
    make: (item) => through(upper.make(item), lower.make),
    sourcesOf: (field) => upper.sourcesOf(field).flatMap(lower.sourcesOf),
    partsWith: (field) => [
      ...upper.partsWith(field),
      ...lowerParts(field).flatMap((part) => upper.pathOf([part]) ?? []),
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

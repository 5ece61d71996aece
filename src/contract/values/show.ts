import { isProblem } from '../../convention/problem.ts'
import { fieldOf, putField } from '../../convention/value.ts'
import type { Fields, Reader } from '../resource/link.ts'

/** Sets the fields of a view that some readers read from the base item. */
export function readInto(view: Fields, readers: readonly Reader[], base: object): void {
  for (const { field, source, show } of readers) {
    const value = source === undefined ? undefined : fieldOf(base, source)
    putField(view, field, show === undefined ? value : show(value, base))
  }
}

/** The form of a base item: which fields it has, and what a view reads from each. */
interface Form {
  /** The fields, in the order of the item. */
  readonly names: readonly string[]
  /** The first reader of each field. */
  readonly firstReaders: readonly (Reader | undefined)[]
  /** The other readers: of a field that has a reader already, or of none that the item has. */
  readonly extraReaders: readonly Reader[]
  /** An item of the view, to be copied: quicker than to add one field after another. */
  readonly template: Fields
}

// Items without an order of their own must not cost more.
const maxForms = 16

/**
 * Makes the function that shows items by readers. It remembers the form of the item before: to
 * compare names takes half the time of looking each up.
 */
export function viewReader(readers: readonly Reader[]): (base: object) => Fields {
  let form: Form | undefined
  let formCount = 0
  const show = (base: object): Fields => {
    const copy = form && copyForm(form, base)
    if (copy !== undefined) return copy
    const item: Fields = {}
    readInto(item, readers, base)
    if (formCount < maxForms) {
      formCount++
      form = formOf(readers, base, item) ?? form
    }
    return item
  }
  return (base) => {
    try {
      return show(base)
    } catch {
      return readReadable(readers, base)
    }
  }
}

/** A field that a view cannot show of a stored item, with the error of its link. */
type UnreadableField = readonly [field: string, error: unknown]

const unreadableFields = new WeakMap<object, readonly UnreadableField[]>()

/** Returns the fields that a view could not show of a stored item, with their errors. */
export function unreadableFieldsIn(item: object): readonly UnreadableField[] {
  return unreadableFields.get(item) ?? none
}

const none: readonly never[] = Object.freeze([])

// A table lacks a stored value, or a function throws for it: the other fields leave.
function readReadable(readers: readonly Reader[], base: object): Fields {
  const item: Fields = {}
  const failures: UnreadableField[] = []
  for (const reader of readers) {
    try {
      readInto(item, [reader], base)
    } catch (error) {
      // A problem is an answer of its own.
      if (isProblem(error)) throw error
      failures.push([reader.field, error])
    }
  }
  unreadableFields.set(item, failures)
  return item
}

// Returns nothing for an item of another form, and where a field of the view would be missing.
function copyForm(
  { names, firstReaders, extraReaders, template }: Form,
  base: object,
): Fields | undefined {
  if (Object.getPrototypeOf(base) !== Object.prototype) return undefined
  const item = { ...template }
  let index = 0
  for (const name in base) {
    if (name !== names[index]) return undefined
    const reader = firstReaders[index++]
    // A hidden field may have a getter, so it is not even read.
    if (reader === undefined) continue
    const { field, show } = reader
    const value = (base as Fields)[name]
    const viewValue = show === undefined ? value : show(value, base)
    if (viewValue === undefined) return undefined
    item[field] = viewValue
  }
  if (index !== names.length) return undefined
  for (const { field, source, show } of extraReaders) {
    const value = source === undefined ? undefined : fieldOf(base, source)
    const viewValue = show === undefined ? value : show(value, base)
    if (viewValue === undefined) return undefined
    item[field] = viewValue
  }
  return item
}

// There is no form where a reader that could give a value gives none.
function formOf(readers: readonly Reader[], base: object, item: Fields): Form | undefined {
  const names = Object.keys(base)
  const hasSource = ({ source }: Reader): boolean => source !== undefined && names.includes(source)
  const usedReaders = readers.filter((reader) => hasSource(reader) || reader.show !== undefined)
  if (usedReaders.length !== Object.keys(item).length) return undefined
  const firstReaders = names.map((name) => usedReaders.find(({ source }) => source === name))
  return {
    names,
    firstReaders,
    extraReaders: usedReaders.filter((reader) => !firstReaders.includes(reader)),
    template: Object.fromEntries(Object.keys(item).map((field) => [field, null])),
  }
}

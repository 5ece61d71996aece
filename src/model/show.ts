import type { Fields, Reader } from './link.ts'
import { fieldOf, putField } from './value.ts'

/** Sets the fields of a view that some readers read from the item beneath. */
export function readInto(view: Fields, readers: readonly Reader[], beneath: object): void {
  for (const { field, source, show } of readers) {
    const value = source === undefined ? undefined : fieldOf(beneath, source)
    putField(view, field, show === undefined ? value : show(value, beneath))
  }
}

/** A reader of a field beneath, and the next reader of the same field. */
interface Place extends Reader {
  readonly next: Place | undefined
}

/** The form of an item beneath: which fields it has, and what a view reads from each. */
interface Form {
  /** The fields, in the order of the item. */
  readonly names: readonly string[]
  readonly places: readonly (Place | undefined)[]
  /** The readers of no field that the item has. */
  readonly others: readonly Reader[]
  /** An item of the view, to be copied: quicker than to add one field after another. */
  readonly template: Fields
}

// Items without an order of their own must not cost more.
const mostForms = 16

/**
 * Makes the function that shows items by readers. It remembers the form of the item before: to
 * compare names takes half the time of looking each up.
 */
export function showing(readers: readonly Reader[]): (beneath: object) => Fields {
  let form: Form | undefined
  let learned = 0
  return (beneath) => {
    const known = form && showAs(form, beneath)
    if (known !== undefined) return known
    const item: Fields = {}
    readInto(item, readers, beneath)
    if (learned < mostForms) {
      learned++
      form = formOf(readers, beneath, item) ?? form
    }
    return item
  }
}

// Returns nothing for an item of another form, and where a field of the view would be missing.
function showAs({ names, places, others, template }: Form, beneath: object): Fields | undefined {
  if (Object.getPrototypeOf(beneath) !== Object.prototype) return undefined
  const item = { ...template }
  let index = 0
  for (const name in beneath) {
    if (name !== names[index]) return undefined
    let place = places[index++]
    // A hidden field may have a getter, so it is not even read.
    if (place === undefined) continue
    const value = (beneath as Fields)[name]
    for (; place !== undefined; place = place.next) {
      const shown = place.show === undefined ? value : place.show(value, beneath)
      if (shown === undefined) return undefined
      item[place.field] = shown
    }
  }
  if (index !== names.length) return undefined
  for (const { field, show } of others) {
    const shown = show?.(undefined, beneath)
    if (shown === undefined) return undefined
    item[field] = shown
  }
  return item
}

// There is no form where a reader that could give a value gives none.
function formOf(readers: readonly Reader[], beneath: object, item: Fields): Form | undefined {
  const names = Object.keys(beneath)
  const isThere = ({ source }: Reader): boolean => source !== undefined && names.includes(source)
  const used = readers.filter((reader) => isThere(reader) || reader.show !== undefined)
  if (used.length !== Object.keys(item).length) return undefined
  const placeOf = (name: string): Place | undefined =>
    used
      .filter(({ source }) => source === name)
      .reduceRight<Place | undefined>((next, reader) => ({ ...reader, next }), undefined)
  return {
    names,
    places: names.map(placeOf),
    others: used.filter((reader) => !isThere(reader)),
    template: Object.fromEntries(Object.keys(item).map((field) => [field, null])),
  }
}

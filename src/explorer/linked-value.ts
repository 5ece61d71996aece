import type { Collection, MountedReference } from '../contract/resource/api.ts'
import { fieldOf, isRecord } from '../convention/value.ts'
import { methodsFor } from '../wire/path.ts'
import { nameOfItem, namingFields } from './browser/item.ts'
import { type Html, html } from './html.ts'
import type { ExplorerSettings, PageData, TargetPage } from './page-data.ts'
import { type CollectionPath, idText, itemAt, targetAt, urlOf } from './page-url.ts'
import { excerptHtml, valueHtml } from './value.ts'

/**
 * Shows a field of an item. The id of another item links to it: of a parent or of a reference, like
 * `company_id`. An included item links to itself, by its name.
 */
export function linkedValue(page: TargetPage, item: object, field: string): Html {
  const { collection } = page.target
  const value = fieldOf(item, field)
  if (value === undefined || value === null) return valueHtml(value)
  const included = collection.references.find(({ as }) => as === field)
  if (included !== undefined && isRecord(value)) return includedItem(page, included, value)
  const linkedCollection = targetBy(page, field) ?? parentBy(collection, field, page.settings)
  return linkedCollection === undefined
    ? valueHtml(value)
    : linkToId(page, { collection: linkedCollection, parents: [] }, value)
}

/** Shows an id as a link to its item, if it is valid. */
export function linkToId(page: PageData, place: CollectionPath, value: unknown): Html {
  const id = idText(place.collection, value)
  if (id === undefined) return valueHtml(value)
  return html`<a href="${urlOf(itemAt(place, id), page)}"><bdi>${id}</bdi></a>`
}

// An included item holds the ids of its parents, and so its path.
function includedItem(page: TargetPage, { target }: MountedReference, item: object): Html {
  const { ancestors, parameters, resource } = target
  const id = idText(target, fieldOf(item, 'id'))
  const parents = ancestors.flatMap(
    (ancestor, index) => idText(ancestor, fieldOf(item, parameters[index] ?? '')) ?? [],
  )
  if (id === undefined || parents.length < ancestors.length) return valueHtml(item)
  const url = urlOf(itemAt({ collection: target, parents }, id), page)
  return html`<a href="${url}">${excerptHtml(nameOfItem(item, namingFields(resource)) ?? id)}</a>`
}

// Returns the collection that a field refers to, if its items have a path that the field gives.
function targetBy({ target, settings }: TargetPage, field: string): Collection | undefined {
  const reference = target.collection.references.find((candidate) => candidate.field === field)
  if (reference === undefined || reference.target.parameters.length > 0) return undefined
  const example = itemAt({ collection: reference.target, parents: [] }, '')
  return methodsFor(example, settings.registry).kinds.has('GET') ? reference.target : undefined
}

// Returns the collection at the top, in the same version, whose items own this field.
function parentBy(
  { resource, version }: Collection,
  field: string,
  { registry }: ExplorerSettings,
): Collection | undefined {
  return registry.api.collections.find(
    (candidate) =>
      candidate.resource === resource &&
      candidate.version === version &&
      candidate.parameters.length === 1 &&
      candidate.parameters[0] === field,
  )?.ancestors[0]
}

// The most items that a list of suggestions has.
const maxSuggested = 100

/**
 * Writes the list of items that a field may refer to, still empty. The script reads the items as
 * its user may. `undefined` for a field without such items, and for items below a parent.
 */
export function suggestionsFor(page: TargetPage, field: string, id: string): Html | undefined {
  const collection = page.target.collection.references.find(
    (candidate) => candidate.field === field,
  )?.target
  if (collection === undefined || collection.parameters.length > 0) return undefined
  const list = targetAt({ collection, parents: [] })
  if (!methodsFor(list, page.settings.registry).kinds.has('GET')) return undefined
  const { resource } = collection
  const url = urlOf(list, page, { limit: Math.min(maxSuggested, resource.maxLimit) })
  const names = JSON.stringify(namingFields(resource))
  return html`<datalist id="${id}" data-url="${url}" data-names="${names}"></datalist>`
}

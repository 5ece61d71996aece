import type { Collection, MountedReference } from '../contract/resource/api.ts'
import { fieldOf, isRecord } from '../convention/value.ts'
import { formatPath, methodsFor } from '../wire/path.ts'
import { nameOfItem, namingFields } from './browser/item.ts'
import {
  type ExplorerSettings,
  type PageData,
  readParametersOf,
  type TargetPage,
} from './data/page-data.ts'
import { type CollectionPath, idText, isIdText, itemAt, targetAt, urlOf } from './data/page-url.ts'
import { formFieldsOf } from './forms/fields.ts'
import { type Html, html } from './html.ts'
import { excerptHtml, valueHtml } from './value.ts'

/**
 * Shows a field of an item. The id of another item links to it: of a parent or of a reference, like
 * `company_id`. An included item links to itself, by its name.
 */
export function linkedValue(page: TargetPage, item: object, field: string): Html {
  const link = linkedId(page, item, field)
  const value = fieldOf(item, field)
  if (link === undefined) return valueHtml(value)
  const isNamed = typeof value !== 'object' && nameAt(page, field, value) !== undefined
  return isNamed ? html`${link} <code>${`${value}`}</code>` : link
}

/**
 * Returns the link to the item whose id a field holds, by its name where the page knows it;
 * `undefined` for any other field.
 */
export function linkedId(page: TargetPage, item: object, field: string): Html | undefined {
  const { collection } = page.target
  const value = fieldOf(item, field)
  if (value === undefined || value === null) return undefined
  const included = collection.references.find(({ as }) => as === field)
  if (included !== undefined && isRecord(value)) return includedItem(page, included, value)
  const place = linkedPlace(page, field)
  return place && linkToId(page, place, value)
}

/** Returns the collection whose ids a field holds, where its items have a path. */
export function linkedPlace(
  page: Pick<TargetPage, 'target' | 'settings'>,
  field: string,
): CollectionPath | undefined {
  const { parents, collection: here } = page.target
  const index = here.parameters.indexOf(field)
  const parent = here.ancestors[index]
  // The path holds its id, and those above.
  if (parent !== undefined) return { collection: parent, parents: parents.slice(0, index) }
  const collection = targetBy(page, field) ?? parentBy(page.target.collection, field, page.settings)
  return collection && { collection, parents: [] }
}

/** Returns the name of the item whose id a field holds, where the page knows it. */
export function nameAt(page: TargetPage, field: string, value: unknown): string | undefined {
  const place = linkedPlace(page, field)
  const id = place && idText(place.collection, value)
  return id === undefined || place === undefined
    ? undefined
    : page.names.get(formatPath(itemAt(place, id)))
}

/**
 * Returns the fields that may name the items of a collection, of those that every caller sees.
 * Without a schema there are none: the server may refuse a request for a field.
 */
export function nameFieldsOf(
  { resource }: Pick<Collection, 'resource'>,
  settings: ExplorerSettings,
): readonly string[] {
  const fields = formFieldsOf(settings.schemaOf(resource.schema, 'output'))
  const names = new Set(fields?.map(({ name }) => name))
  return namingFields(resource).filter(
    (name) => names.has(name) && !resource.restricted.includes(name),
  )
}

/**
 * Returns the order of the related items in a column by their names: `company.name`. `undefined`
 * where the storage does not join them, where their names have no order, and for the ids of items
 * that have a column of their own.
 */
export function orderOfNames(
  { target, settings }: TargetPage,
  column: string,
  included: readonly string[],
): string | undefined {
  const { references, place } = target.collection
  const reference = references.find(
    ({ as, field }) => as === column || (field === column && !included.includes(as)),
  )
  const { joined = [] } = settings.registry.bindings[place] ?? {}
  if (reference === undefined || !joined.includes(reference)) return undefined
  const [name = ''] = nameFieldsOf(reference.target, settings)
  return reference.target.resource.sortable.includes(name) ? `${reference.as}.${name}` : undefined
}

/** Shows an id as a link to its item, by its name, if it is valid. */
function linkToId(page: PageData, place: CollectionPath, value: unknown): Html {
  const id = idText(place.collection, value)
  if (id === undefined) return valueHtml(value)
  const target = itemAt(place, id)
  const name = page.names.get(formatPath(target))
  const text = name === undefined ? html`<bdi>${id}</bdi>` : excerptHtml(name)
  return html`<a href="${urlOf(target, page)}">${text}</a>`
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
function targetBy(
  { target, settings }: Pick<TargetPage, 'target' | 'settings'>,
  field: string,
): Collection | undefined {
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

/** Returns the name of the item whose id a text holds, where the page knows it. */
export function nameOfText(page: TargetPage, field: string, text: string): string | undefined {
  const place = linkedPlace(page, field)
  return place && isIdText(place.collection, text)
    ? page.names.get(formatPath(itemAt(place, text)))
    : undefined
}

// Items of a search, and of a list without one.
const maxFound = 20
const maxListed = 100

/**
 * Writes the attributes that lead the script to the items whose ids a field may hold: by the search
 * of their list, else its first page. The script reads the items as its user may. `undefined` for a
 * field without such items, and for items below a parent that the path of the page does not hold.
 */
export function choicesFor(page: TargetPage, field: string): Html | undefined {
  const { target, settings } = page
  const reference = target.collection.references.find((candidate) => candidate.field === field)
  const collection = reference?.target ?? parentBy(target.collection, field, settings)
  const { ancestors = [] } = collection ?? {}
  const isKnown = ancestors.every(
    ({ place }, index) => target.collection.ancestors[index]?.place === place,
  )
  if (collection === undefined || !isKnown) return undefined
  const list = targetAt({ collection, parents: target.parents.slice(0, ancestors.length) })
  const parameters = readParametersOf(list, settings)
  if (parameters === undefined) return undefined
  const { resource } = collection
  const fields = nameFieldsOf(collection, settings)
  const isSearch = parameters.includes('q')
  const limit = Math.min(isSearch ? maxFound : maxListed, resource.maxLimit)
  const url = urlOf(list, page, { limit, ...(fields.length > 0 && { fields }) })
  const names = JSON.stringify(fields.length > 0 ? fields : namingFields(resource))
  // The script adds the text.
  return html` data-choices="${url}${isSearch ? '&q=' : ''}" data-names="${names}"`
}

/** Returns the one of some fields that names an item best; `undefined` for none. */
export function nameFieldIn(
  resource: Parameters<typeof namingFields>[0],
  fields: readonly string[],
): string | undefined {
  return namingFields(resource).find((name) => fields.includes(name))
}

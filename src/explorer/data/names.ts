import type { Collection } from '../../contract/resource/api.ts'
import type { Answer, HttpResponse } from '../../contract/resource/http.ts'
import { maxFilterValues } from '../../convention/filter-operators.ts'
import { isStream, take } from '../../convention/stream.ts'
import { fieldOf, isRecord } from '../../convention/value.ts'
import { formatPath } from '../../wire/path.ts'
import { formatQuery } from '../../wire/query.ts'
import { nameOfItem, namingFields } from '../browser/item.ts'
import { linkedPlace, nameFieldsOf } from '../linked-value.ts'
import { requestOfJson } from './load-page.ts'
import {
  type ExplorerSettings,
  type PageData,
  type ParentItem,
  readParametersOf,
  type TargetPage,
} from './page-data.ts'
import {
  type CollectionPath,
  equalityPairsOf,
  idText,
  isIdText,
  itemAt,
  targetAt,
} from './page-url.ts'

// Requests a URL from the API as JSON, as the caller of the page.
type Ask = (url: string) => Promise<Pick<HttpResponse, 'status' | 'body'>>

/** Ids of items to name, all of one collection. */
interface Lookup {
  readonly place: CollectionPath
  readonly ids: Set<string>
}

// The most collections whose names a page reads.
const maxLookups = 8
// The most items of a collection that a start page offers as parents.
const maxParents = 5

/**
 * Adds the names of the items that a page links: the parents in its path, and the targets of its
 * references. A start page gets the first items of each collection with others below its items. It
 * sends one request a collection, as the caller of the page. Without a name, a page shows the id.
 */
export async function withNames(page: PageData, answer: Answer): Promise<PageData> {
  const { target, request, received, start } = page
  const isNamed = target === undefined ? start !== undefined : received.status === 200
  if (!isNamed) return page
  const ask: Ask = async (url) => {
    const { status, body } = await answer(requestOfJson(request, url, {}))
    return { status, body: isStream(body) ? await take(body, maxFilterValues) : body }
  }
  if (target === undefined) return { ...page, parents: await parentsOf(page, ask) }
  const named = { ...page, target }
  const lookups = lookupsOf(named).slice(0, maxLookups)
  const names = await Promise.all(lookups.map((lookup) => namesOf(lookup, page.settings, ask)))
  return { ...page, names: new Map([...names.flat(), ...ownNameOf(named)]) }
}

async function parentsOf(
  { settings, start }: Pick<PageData, 'settings' | 'start'>,
  ask: Ask,
): Promise<PageData['parents']> {
  const roots = settings.registry.api.collections.filter(
    ({ version, parameters, children }) =>
      (!start || version === start) && parameters.length === 0 && children.size > 0,
  )
  const entries = roots.slice(0, maxLookups).map(async (collection) => {
    const list = targetAt({ collection, parents: [] })
    return [formatPath(list), await firstItemsOf(collection, settings, ask)] as const
  })
  return new Map(await Promise.all(entries))
}

async function firstItemsOf(
  collection: Collection,
  settings: ExplorerSettings,
  ask: Ask,
): Promise<readonly ParentItem[]> {
  const list = targetAt({ collection, parents: [] })
  const parameters = readParametersOf(list, settings) ?? []
  if (!parameters.includes('limit')) return []
  const names = nameFieldsOf(collection, settings)
  const fields = parameters.includes('fields') && names.length > 0 ? names : undefined
  const limit = Math.min(maxParents, collection.resource.maxLimit)
  const { status, body } = await ask(`${formatPath(list)}?${formatQuery({ limit, fields })}`)
  const items: readonly unknown[] = status === 200 && Array.isArray(body) ? body : []
  return items.filter(isRecord).flatMap((item) => {
    const id = idText(collection, fieldOf(item, 'id'))
    return id === undefined ? [] : [{ id, name: nameOfItem(item, names) ?? id }]
  })
}

// The response of an item tells its name.
function ownNameOf({
  target,
  body,
}: Pick<TargetPage, 'target' | 'body'>): readonly (readonly [path: string, name: string])[] {
  if (target.kind !== 'item' || !isRecord(body)) return []
  const name = nameOfItem(body, namingFields(target.collection.resource))
  return name === undefined ? [] : [[formatPath(target), name]]
}

function lookupsOf({
  target,
  settings,
  body,
  request,
}: Pick<TargetPage, 'target' | 'settings' | 'body' | 'request'>): readonly Lookup[] {
  const lookups = new Map<string, Lookup>()
  const add = (place: CollectionPath, id: string): void => {
    const path = formatPath(targetAt(place))
    const lookup = lookups.get(path) ?? { place, ids: new Set() }
    lookups.set(path, lookup)
    if (lookup.ids.size < Math.min(maxFilterValues, place.collection.resource.maxLimit))
      lookup.ids.add(id)
  }
  const { collection, parents } = target
  for (const [index, ancestor] of collection.ancestors.entries())
    add({ collection: ancestor, parents: parents.slice(0, index) }, parents[index] ?? '')
  const groups: unknown = fieldOf(Object(body), 'groups')
  const items: readonly unknown[] = [body, groups].flat()
  const fields = [...collection.references.map(({ field }) => field), ...collection.owners]
  for (const field of new Set(fields)) {
    const place = linkedPlace({ target, settings }, field)
    for (const item of place === undefined ? [] : items) {
      const id = place && isRecord(item) && idText(place.collection, fieldOf(item, field))
      if (place && id) add(place, id)
    }
  }
  for (const [field, text] of equalityPairsOf({ target, request })) {
    const place = linkedPlace({ target, settings }, field)
    if (place && isIdText(place.collection, text)) add(place, text)
  }
  return [...lookups.values()]
}

async function namesOf(
  { place, ids }: Lookup,
  settings: ExplorerSettings,
  ask: Ask,
): Promise<readonly (readonly [path: string, name: string])[]> {
  const { resource } = place.collection
  const list = targetAt(place)
  const fields = nameFieldsOf(place.collection, settings)
  if (fields.length === 0 || !readParametersOf(list, settings)?.includes('id')) return []
  const where = [...ids].map((id) => ['id', id] as const)
  const limit = Math.min(ids.size, resource.maxLimit)
  const url = `${formatPath(list)}?${formatQuery({ where, limit, fields })}`
  if (url.length > settings.registry.limits.target) return []
  const { status, body } = await ask(url)
  const items: readonly unknown[] = status === 200 && Array.isArray(body) ? body : []
  return items.flatMap((item) => {
    const id = isRecord(item) ? idText(place.collection, fieldOf(item, 'id')) : undefined
    const name = isRecord(item) ? nameOfItem(item, fields) : undefined
    return id === undefined || name === undefined
      ? []
      : [[formatPath(itemAt(place, id)), name] as const]
  })
}

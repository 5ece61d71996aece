import type { Link } from '../contract/resource/link.ts'
import type { Resource } from '../contract/resource/resource.ts'
import { isFilterable } from '../contract/values/link-filter.ts'
import { linkOf, type Step } from './view.ts'

type Declared = Pick<Resource, 'sortable' | 'searchable'> & {
  readonly filterable: readonly string[]
}

type Linked = Pick<Step, 'of' | 'links'>

/**
 * Returns the faults of the fields that a client may sort by, filter by or search in, each with its
 * remedy.
 *
 * @see docs/requests.md, C7.2
 */
export function faultsOfQueries(view: Declared, step: Linked): readonly string[] {
  return [
    ...view.sortable.flatMap((field) => faultOfSort(field, step) ?? []),
    ...view.filterable.flatMap((field) => faultOfFilter(field, step) ?? []),
    ...faultsOfSearch(view.searchable, step),
  ]
}

function faultOfSort(field: string, step: Linked): string | undefined {
  const link = linkOf(field, step)
  if (link === undefined) return undefined
  const { of } = step
  const source = String(link.of[0])
  if (!link.isPlain) {
    const reason = `${originOf(link)}, by which no store orders`
    return `sorts by "${field}", ${reason}: ${storeRemedy(field, 'sort')}`
  }
  return source === 'id' || of.sortable.includes(source)
    ? undefined
    : `sorts by "${field}": add "${source}" to "sortable" of "${of.name}"`
}

function faultOfFilter(field: string, step: Linked): string | undefined {
  const link = linkOf(field, step)
  if (link === undefined) return undefined
  const { of } = step
  const source = String(link.of[0])
  if (!isFilterable(link))
    return `filters by "${field}", ${originOf(link)}: ${storeRemedy(field, 'filter')}`
  return of.filterable.some(({ name }) => name === source)
    ? undefined
    : `filters by "${field}": add "${source}" to "filterable" of "${of.name}"`
}

function storeRemedy(field: string, use: 'sort' | 'filter'): string {
  return `store "${field}" as a field of its own, or leave it out of "${use}able"`
}

function originOf(link: Pick<Link, 'form' | 'of'>): string {
  return link.form === 'part'
    ? `a part of ${sourceNames(link)}`
    : `which is made of ${sourceNames(link)}`
}

function sourceNames({ of }: Pick<Link, 'of'>): string {
  return of.length === 0 ? 'a constant' : of.join(' and ')
}

/** Returns the fields of a view in which a client can search, as in those beneath. */
export function searchedFieldsOf({ of, links }: Linked): readonly string[] {
  let searched = links.filter(({ isSearched }) => isSearched)
  // A field that drops out can be the other part of one that stays.
  for (;;) {
    const step = { of, links: searched }
    const fields = searched.flatMap((link) => link.fields)
    const remaining = searched.filter((link) => faultOfSearched(link, fields, step) === undefined)
    if (remaining.length === searched.length) return fields
    searched = remaining
  }
}

function faultsOfSearch(searchable: readonly string[], { of, links }: Linked): readonly string[] {
  const searched = links.filter(({ fields }) => fields.some((field) => searchable.includes(field)))
  const step = { of, links: searched }
  return searched.flatMap((link) => faultOfSearched(link, searchable, step) ?? [])
}

function faultOfSearched(
  link: Link,
  searchable: readonly string[],
  { of, links: searched }: Linked,
): string | undefined {
  const field = String(link.fields.find((name) => searchable.includes(name)))
  const unsearched = link.fields.find((name) => !searchable.includes(name))
  if (unsearched !== undefined)
    return (
      `searches in "${field}", ${originOf(link)}: search in "${unsearched}" too, ` +
      'or leave it out'
    )
  if (link.form === 'part' && !link.isSearched)
    return `searches in "${field}", ${originOf(link)}: show the other part too, or leave it out`
  if (!link.isSearched)
    return `searches in "${field}", which holds other words than ${sourceNames(link)}: leave it out`
  // To search in one part beneath is to search in the whole text.
  const sources = searched.flatMap(({ of: names }) => names)
  const parts = link.of.flatMap((source) => of.view?.partsWith(source) ?? [])
  const missingPart = parts.find((name) => !sources.includes(name))
  if (missingPart !== undefined)
    return (
      `searches in "${field}", which is a part of a text in "${of.name}": search in its ` +
      `"${missingPart}" too, or leave it out`
    )
  const missing = link.of.find((source) => !of.searchable.includes(source))
  return missing === undefined
    ? undefined
    : `searches in "${field}": add "${missing}" to "searchable" of "${of.name}"`
}

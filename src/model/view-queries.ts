import type { Link } from './link.ts'
import { isFilterable } from './link-filter.ts'
import type { Resource } from './resource.ts'
import { linkOf, type Step } from './view.ts'

type Declared = Pick<Resource, 'sortable' | 'searchable' | 'filterable'>

/**
 * Returns the fault of the fields that a client may sort by, filter by or search in, with its
 * remedy; `undefined` for none.
 *
 * @see docs/requests.md, C7.2
 */
export function faultOfQueries(view: Declared, step: Step): string | undefined {
  const { of } = step
  for (const field of view.sortable) {
    const link = linkOf(field, step)
    const source = String(link.of[0])
    if (!link.isPlain) {
      const reason = `${madeOf(link)}, by which no store orders`
      return `sorts by "${field}", ${reason}: ${stored(field, 'sort')}`
    }
    if (source !== 'id' && !of.sortable.includes(source))
      return `sorts by "${field}": add "${source}" to "sortable" of "${of.name}"`
  }
  for (const { name } of view.filterable) {
    const link = linkOf(name, step)
    const source = String(link.of[0])
    if (!isFilterable(link))
      return `filters by "${name}", ${madeOf(link)}: ${stored(name, 'filter')}`
    if (!of.filterable.some((one) => one.name === source))
      return `filters by "${name}": add "${source}" to "filterable" of "${of.name}"`
  }
  return faultOfSearch(view, step)
}

function stored(field: string, use: 'sort' | 'filter'): string {
  return `store "${field}" as a field of its own, or leave it out of "${use}able"`
}

function madeOf({ form, of }: Pick<Link, 'form' | 'of'>): string {
  if (form === 'part') return `a part of ${listed({ of })}`
  return `which is made of ${listed({ of })}`
}

function listed({ of }: Pick<Link, 'of'>): string {
  return of.length === 0 ? 'a constant' : of.join(' and ')
}

function faultOfSearch(view: Declared, { of, links }: Step): string | undefined {
  const { searchable } = view
  const searched = links.filter(({ fields }) => fields.some((field) => searchable.includes(field)))
  const sources = new Set(searched.flatMap((link) => link.of))
  for (const link of searched) {
    const field = String(link.fields.find((name) => searchable.includes(name)))
    const other = link.fields.find((name) => !searchable.includes(name))
    if (other !== undefined)
      return `searches in "${field}", ${madeOf(link)}: search in "${other}" too, or leave it out`
    if (link.form === 'part' && !link.isSearched)
      return `searches in "${field}", ${madeOf(link)}: show the other part too, or leave it out`
    if (!link.isSearched)
      return `searches in "${field}", which holds other words than ${listed(link)}: leave it out`
    // To search in one part beneath is to search in the whole text.
    const parts = link.of.flatMap((source) => of.view?.partsWith(source) ?? [])
    const part = parts.find((one) => !sources.has(one))
    if (part !== undefined)
      return (
        `searches in "${field}", which is a part of a text in "${of.name}": search in its ` +
        `"${part}" too, or leave it out`
      )
    const missing = link.of.find((source) => !of.searchable.includes(source))
    if (missing !== undefined)
      return `searches in "${field}": add "${missing}" to "searchable" of "${of.name}"`
  }
  return undefined
}

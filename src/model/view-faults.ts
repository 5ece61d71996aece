import { meant } from './declared.ts'
import type { Link } from './link.ts'
import { isFilterable } from './link-filter.ts'
import { ownerFieldsOf } from './owned.ts'
import { namedFieldsOf, requiredFieldsOf } from './required.ts'
import type { Resource } from './resource.ts'
import type { Step } from './view.ts'

/** A view, as a resource. */
type Declared = Pick<
  Resource,
  'revision' | 'readOnly' | 'sortable' | 'searchable' | 'filterable' | 'without'
>

/**
 * Returns the fault of a view, with its remedy; `undefined` for none.
 *
 * @see docs/requests.md, C7.1
 */
export function faultOfView(view: Declared, step: Step): string | undefined {
  return (
    faultOfSources(step) ??
    faultOfIdentity(view, step) ??
    faultOfReadOnly(view, step) ??
    faultOfQueries(view, step) ??
    faultOfSearch(view, step) ??
    faultOfHidden(view, step)
  )
}

function faultOfSources({ of, links }: Step): string | undefined {
  const beneath = namedFieldsOf(of.schema)
  for (const link of links) {
    const missing = link.of.find((source) => beneath?.includes(source) === false)
    const field = String(link.fields[0])
    if (missing === undefined) continue
    return missing === field
      ? `says nothing of "${field}", which "${of.name}" has not: write "fields: { ${field}: … }"`
      : `links "${field}" to "${missing}", which is no field of "${of.name}": ` +
          meant(missing, beneath as readonly string[])
  }
  return undefined
}

// `defineResource` has made sure that the schema has the field.
function linkOf(field: string, { links }: Step): Link {
  return links.find(({ fields }) => fields.includes(field)) as Link
}

// Paths, cursors, tags and scopes hold these values as they are.
function faultOfIdentity(view: Declared, step: Step): string | undefined {
  const { of } = step
  const idLink = linkOf('id', step)
  if (!idLink.isPlain || idLink.of[0] !== 'id')
    return 'shows another "id": an item has the same id in every version, so leave it unlinked'
  if (view.revision !== undefined) {
    const link = linkOf(view.revision, step)
    if (!link.isPlain || link.of[0] !== of.revision)
      return `has "${view.revision}" as its revision, which is not that of "${of.name}": link it`
  }
  const hidden = ownerFieldsOf(of).find(
    (owner) => !step.links.some((link) => link.isPlain && link.of[0] === owner),
  )
  return hidden === undefined
    ? undefined
    : `does not show "${hidden}", the owner of the items: show it, or link a field to it`
}

function faultOfReadOnly(view: Declared, { of, links }: Step): string | undefined {
  for (const link of links) {
    const isSet = link.of.some((source) => of.readOnly.includes(source) && source !== 'id')
    const field = link.fields.find((name) => !view.readOnly.includes(name))
    if (field === undefined) continue
    if (link.write === undefined)
      return `has no "write" for "${field}": add it, or name "${field}" in "readOnly"`
    if (isSet) return `shows "${field}", which is read-only in "${of.name}": name it in "readOnly"`
  }
  return undefined
}

function faultOfQueries(view: Declared, step: Step): string | undefined {
  const { of } = step
  for (const field of view.sortable) {
    const link = linkOf(field, step)
    const source = String(link.of[0])
    if (!link.isPlain)
      return (
        `sorts by "${field}", which is made of ${listed(link.of)}, by which no store orders: ` +
        'keep it stored, or leave it out of "sortable"'
      )
    if (source !== 'id' && !of.sortable.includes(source))
      return `sorts by "${field}": add "${source}" to "sortable" of "${of.name}"`
  }
  for (const { name } of view.filterable) {
    const link = linkOf(name, step)
    const source = String(link.of[0])
    if (!isFilterable(link))
      return `filters by "${name}", which is made of ${listed(link.of)}: leave it out`
    if (!of.filterable.some((one) => one.name === source))
      return `filters by "${name}": add "${source}" to "filterable" of "${of.name}"`
  }
  return undefined
}

function faultOfSearch(view: Declared, step: Step): string | undefined {
  const { of } = step
  const searched = new Set(view.searchable.flatMap((field) => linkOf(field, step).of))
  for (const field of view.searchable) {
    const link = linkOf(field, step)
    // To search in one part beneath is to search in the whole text.
    const parts = link.of.flatMap((source) => of.view?.partsWith(source) ?? [])
    const isWhole =
      link.fields.every((name) => view.searchable.includes(name)) &&
      parts.every((part) => searched.has(part))
    if (!link.isSearched || !isWhole)
      return `searches in "${field}", which holds other words than ${listed(link.of)}: leave it out`
    const missing = link.of.find((source) => !of.searchable.includes(source))
    if (missing !== undefined)
      return `searches in "${field}": add "${missing}" to "searchable" of "${of.name}"`
  }
  return undefined
}

function listed(sources: readonly string[]): string {
  return sources.length === 0 ? 'a constant' : sources.join(' and ')
}

// The scope gives the owner.
function faultOfHidden(view: Declared, { of, links, hidden }: Step): string | undefined {
  const shown = new Set(links.flatMap((link) => link.of))
  const names = hidden.map(([name]) => name)
  const beneath = namedFieldsOf(of.schema)
  const isUnknown = (name: string): boolean => beneath?.includes(name) === false
  // The rest of an object may be hidden.
  const whole = new Set(links.filter((link) => link.member === undefined).flatMap(({ of }) => of))
  const reached = names.find((name) => whole.has(name) || isUnknown(name))
  if (reached !== undefined)
    return shown.has(reached)
      ? `hides "${reached}", and shows it: leave it out of "hidden"`
      : `hides "${reached}", which is no field of "${of.name}": ` +
          meant(reached, beneath as readonly string[])
  if (view.without.includes('create')) return undefined
  const set = new Set(['id', ...ownerFieldsOf(of), ...of.filled, ...names, ...shown])
  const open = (requiredFieldsOf(of.create) ?? []).filter((name) => !set.has(name))
  const [first] = open
  return first === undefined
    ? undefined
    : `hides ${open.map((name) => `"${name}"`).join(', ')}, which new items need: write ` +
        `"hidden: { ${first}: … }" with the value for items that it creates`
}

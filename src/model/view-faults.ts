import { meant } from './declared.ts'
import { ownerFieldsOf } from './owned.ts'
import { namedFieldsOf, requiredFieldsOf } from './required.ts'
import type { Resource } from './resource.ts'
import { linkOf, type Step } from './view.ts'
import { faultOfInitials } from './view-initials.ts'
import { faultOfQueries } from './view-queries.ts'
import { faultOfRequired } from './view-required.ts'

/** A view, as a resource. */
type Declared = Pick<
  Resource,
  'schema' | 'revision' | 'readOnly' | 'sortable' | 'searchable' | 'filterable' | 'without'
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
    faultOfRequired(view, step) ??
    faultOfQueries(view, step) ??
    faultOfHidden(view, step) ??
    faultOfInitials(view, step)
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

// The scope gives the owner.
function faultOfHidden(view: Declared, { of, links, hidden }: Step): string | undefined {
  const shown = new Set(links.flatMap((link) => link.of))
  // A client sends no field that is only read.
  const written = links.filter(({ write }) => write !== undefined)
  const sent = new Set(written.flatMap((link) => link.of))
  const names = hidden.map(([name]) => name)
  const beneath = namedFieldsOf(of.schema)
  const isUnknown = (name: string): boolean => beneath?.includes(name) === false
  // The rest of an object may be hidden.
  const whole = new Set(written.flatMap(({ of, member }) => (member === undefined ? of : [])))
  const reached = names.find((name) => whole.has(name) || isUnknown(name))
  if (reached !== undefined)
    return shown.has(reached)
      ? `hides "${reached}", and shows it: leave it out of "hidden"`
      : `hides "${reached}", which is no field of "${of.name}": ` +
          meant(reached, beneath as readonly string[])
  if (view.without.includes('create')) return undefined
  const set = new Set(['id', ...ownerFieldsOf(of), ...of.filled, ...names, ...sent])
  const open = (requiredFieldsOf(of.create) ?? []).filter((name) => !set.has(name))
  const [first] = open
  return first === undefined
    ? undefined
    : `${shown.has(first) ? 'only reads' : 'hides'} ` +
        `${open.map((name) => `"${name}"`).join(', ')}, which new items need: write ` +
        `"hidden: { ${first}: … }" with the value for items that it creates`
}

import type { AnyOptions } from '../contract/declare/define-resource.ts'
import { ownerFieldsOf } from '../contract/resource/resource.ts'
import { namedFieldsOf, requiredFieldsOf } from '../contract/schema/required.ts'
import { pathOfIssue, type SchemaIssue, type StandardSchema } from '../contract/schema/schema.ts'
import { validateNow } from '../contract/schema/validate.ts'
import { declaredList, meant } from '../convention/declaration.ts'
import { kindsWithout } from '../convention/kinds.ts'
import { operationKinds } from '../convention/operations.ts'
import { isRecord, isSame, setField } from '../convention/value.ts'
import { isSetByServer, linkOf, type Mapping } from './mapping.ts'
import { faultsOfQueries, isReadOnlyIn } from './options.ts'
import { faultsOfValues, noObjectFor } from './values.ts'

type Link = Mapping['links'][number]

/** The options of a view, and how they came about. */
interface OptionsOfView {
  /** The options that it names or inherits. */
  readonly options: AnyOptions
  /** The options that it names. */
  readonly declared: AnyOptions
  /** The options that it would have if it named none. */
  readonly inherited: Pick<AnyOptions, 'ownedBy'>
}

/**
 * Returns the faults of a view, each with its remedy.
 *
 * @see docs/requests.md, C7.1
 */
export function faultsOfView(view: OptionsOfView, mapping: Mapping): readonly string[] {
  const { options } = view
  const { schema, filterable = [] } = options
  const lists = {
    sortable: declaredList(options.sortable),
    folded: declaredList(options.folded),
    searchable: declaredList(options.searchable),
    countable: declaredList(options.countable),
  }
  const sources = faultsOfSources(mapping)
  const names = isRecord(filterable) ? Object.keys(filterable) : declaredList(filterable)
  const faults = [
    ...sources,
    ...faultsOfOperations(view, mapping),
    ...faultsOfIdentity(view, mapping),
    ...faultsOfReadOnly(options, mapping),
    ...faultsOfValues({ schema }, mapping),
    ...faultsOfQueries({ ...lists, filterable: names }, mapping),
  ]
  // A field without a source would be reported as hidden, too.
  return sources.length > 0
    ? faults
    : [...faults, ...faultsOfHidden(options, mapping), ...faultsOfInitials(options, mapping)]
}

function faultsOfSources({ of, links }: Mapping): readonly string[] {
  const names = namedFieldsOf(of.schema)
  if (names === undefined) return []
  return links.flatMap((link) => {
    const missing = link.of.find((source) => !names.includes(source))
    const field = String(link.fields[0])
    if (missing === undefined) return []
    return missing === field
      ? [`says nothing of "${field}", which "${of.name}" has not: write "fields: { ${field}: … }"`]
      : [
          `links "${field}" to "${missing}", which is no field of "${of.name}": ` +
            meant(missing, names),
        ]
  })
}

function faultsOfOperations(
  { declared, options }: OptionsOfView,
  { of }: Mapping,
): readonly string[] {
  const { create } = declared
  const without = declaredList(declared.without)
  const offers = declaredList(declared.offers)
  const unknown = offers.filter((kind) => !operationKinds.includes(kind))
  const conflicts = offers.filter((kind) => without.includes(kind))
  const needless = offers.filter(
    (kind) => operationKinds.includes(kind) && !of.without.includes(kind),
  )
  const isCreated = kindsWithout(declaredList(options.without)).includes('create')
  return [
    ...unknown.map(
      (kind) =>
        `offers "${kind}", which is no operation: name some of ${operationKinds.join(', ')}`,
    ),
    ...conflicts.map((kind) => `offers "${kind}", and is without it: keep one of them`),
    ...needless.map(
      (kind) =>
        `offers "${kind}", as "${of.name}" does: leave it out of "offers". To offer less, write ` +
        '"without"',
    ),
    ...(create === undefined && isCreated
      ? ['has no "create" schema for POST: write it, or "without: [\'create\']"']
      : []),
  ]
}

// Paths, cursors, tags and scopes hold these values as they are.
function faultsOfIdentity(
  { options, declared, inherited }: OptionsOfView,
  mapping: Mapping,
): readonly string[] {
  const { of } = mapping
  const { revision } = options
  const faults: string[] = []
  const idLink = linkOf('id', mapping)
  if (!idLink?.isPlain || idLink.of[0] !== 'id')
    faults.push(
      'shows another "id": an item has the same id in every version, so leave it unlinked',
    )
  const revised = revision === undefined ? undefined : linkOf(revision, mapping)
  if (revised && (!revised.isPlain || revised.of[0] !== of.revision))
    faults.push(`has "${revision}" as its revision, which is not that of "${of.name}": link it`)
  const isShown = (owner: string): boolean =>
    mapping.links.some((link) => link.isPlain && link.of[0] === owner)
  const hidden = ownerFieldsOf(of).filter((owner) => !isShown(owner))
  return [
    ...faults,
    ...hidden.map(
      (owner) => `does not show "${owner}", the owner of the items: show it, or link a field to it`,
    ),
    ...(declared.states === undefined
      ? []
      : [`declares "states": leave them out, since a view has those of "${of.name}"`]),
    ...(isSame(options.ownedBy, inherited.ownedBy)
      ? []
      : [`has other owners than "${of.name}": leave out "ownedBy"`]),
  ]
}

function faultsOfReadOnly(options: AnyOptions, { of, links }: Mapping): readonly string[] {
  return links.flatMap((link) => {
    const field = link.fields.find((name) => !isSetByServer(name, options))
    if (field === undefined) return []
    if (link.write === undefined)
      return [`has no "write" for "${field}": add it, or name "${field}" in "readOnly"`]
    return link.of.some((source) => isReadOnlyIn(of, source))
      ? [`shows "${field}", which is read-only in "${of.name}": name it in "readOnly"`]
      : []
  })
}

// The scope gives the owner.
function faultsOfHidden({ without = [] }: AnyOptions, mapping: Mapping): readonly string[] {
  const { of, links, hidden } = mapping
  // No client sends a field that the view only reads. Some clients send no restricted field.
  const isRestricted = ({ of: sources }: Link): boolean =>
    sources.some((source) => of.restricted.includes(source))
  const written = links.filter((link) => link.write !== undefined && !isRestricted(link))
  const sent = new Set(written.flatMap((link) => link.of))
  const names = hidden.map(([name]) => name)
  const baseFields = namedFieldsOf(of.schema)
  // A view may hide the other members of an object.
  const fullSources = new Set(written.flatMap(({ of, member }) => (member === undefined ? of : [])))
  const faults = names.flatMap((name) => {
    if (fullSources.has(name)) return [`hides "${name}", and shows it: leave it out of "hidden"`]
    return baseFields?.includes(name) === false
      ? [`hides "${name}", which is no field of "${of.name}": ${meant(name, baseFields)}`]
      : []
  })
  if (without.includes('create')) return faults
  const begun = of.states === undefined ? [] : [of.states.field]
  const supplied = new Set(['id', ...ownerFieldsOf(of), ...of.filled, ...names, ...sent, ...begun])
  const missing = (requiredFieldsOf(of.create) ?? []).filter((name) => !supplied.has(name))
  const [first] = missing
  if (first === undefined) return faults
  return [
    ...faults,
    `${reasonFor(first, links)} ` +
      `${missing.map((name) => `"${name}"`).join(', ')}, which new items need: write ` +
      `"hidden: { ${first}: … }" with the value for items that it creates`,
  ]
}

function reasonFor(source: string, links: readonly Link[]): string {
  const link = links.find(({ of }) => of.includes(source))
  if (link === undefined) return 'hides'
  return link.write === undefined ? 'only reads' : 'restricts'
}

/**
 * Returns the faults of the values that a view writes into new items by itself, each with its
 * remedy. No client could fix them. A function is judged when it runs, and so is a value for an
 * asynchronous schema.
 */
function faultsOfInitials(view: AnyOptions, mapping: Mapping): readonly string[] {
  const { of, links, hidden } = mapping
  const { create, without = [] } = view
  if (create === undefined || without.includes('create')) return []
  const required = requiredFieldsOf(create)
  const constants = new Map(hidden.filter(([, initial]) => typeof initial !== 'function'))
  const draft: Record<string, unknown> = {}
  for (const object of objectsOf(mapping)) setField(draft, object, {})
  for (const [field, initial] of constants) setField(draft, field, initial)
  const stateFault = faultOfHiddenState(of, constants)
  if (stateFault !== undefined) return [stateFault]
  return issuesOf(draft, of.create).flatMap((issue) => {
    const [field = '', member = ''] = pathOfIssue(issue).map(String)
    if (!Object.hasOwn(draft, field)) return []
    const link = links.find(
      (candidate) => candidate.write && candidate.of.includes(field) && candidate.member === member,
    )
    const isOptional = link && required?.includes(String(link.fields[0])) === false
    // The client sends some of the fields that the draft lacks.
    if (link && !(isOptional && isRecord(noObjectFor(of, [field, member])))) return []
    if (constants.has(field))
      return [
        `hides "${field}" with ${JSON.stringify(constants.get(field))}, which "create" of ` +
          `"${of.name}" refuses (${issue.message}): write another value`,
      ]
    const remedy = `"hidden: { ${field}: { ${member}: …, … } }" with the whole object`
    if (link)
      return [
        `takes "${link.fields[0]}" as optional, but new items need "${field}.${member}": require ` +
          `it in "create", or write ${remedy}`,
      ]
    return member === ''
      ? []
      : [`shows a part of "${field}", whose "${member}" new items need too: write ${remedy}`]
  })
}

function faultOfHiddenState(
  { name, states }: Mapping['of'],
  constants: ReadonlyMap<string, unknown>,
): string | undefined {
  const state = states && constants.get(states.field)
  if (states === undefined || state === undefined || state === states.initial) return undefined
  return (
    `hides "${states.field}" with ${JSON.stringify(state)}, but items of "${name}" begin in ` +
    `"${states.initial}": leave "${states.field}" out of "hidden"`
  )
}

// The objects that the view makes of the members that it shows.
function objectsOf({ of, links, hidden }: Mapping): readonly string[] {
  const required = requiredFieldsOf(of.create) ?? []
  const isSent = (object: string): boolean =>
    links.some((link) => link.member === undefined && link.write && link.of.includes(object))
  return links
    .filter(({ member, write, of: [object = ''] }) =>
      member === undefined ? false : write !== undefined || required.includes(object),
    )
    .flatMap((link) => link.of)
    .filter((object) => !hidden.some(([field]) => field === object) && !isSent(object))
}

function issuesOf(draft: object, schema: StandardSchema): readonly SchemaIssue[] {
  try {
    return validateNow(schema, draft)?.issues ?? []
  } catch {
    // A schema of the author may throw for an incomplete item.
    return []
  }
}

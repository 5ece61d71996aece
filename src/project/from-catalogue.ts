import { faultOfNoun, pluralNounOf, singularNounOf } from '../convention/noun.ts'
import type { Catalogue, CatalogueTable } from '../kysely/catalogue.ts'
import { type CatalogueField, catalogueFields, projectIdOf } from './catalogue-fields.ts'
import type { ProjectModel, ProjectResource } from './model.ts'

/** A model that a catalogue gives, and what it does not serve. */
export interface CatalogueModel {
  readonly model: ProjectModel
  /** Sentences that name each table and column without a place in the contract, with the reason. */
  readonly notes: readonly string[]
}

/**
 * Makes a resource of each table with a key of one column, and of each view with a column `id`.
 * Foreign keys become references, and paths below the referenced items.
 */
export function modelOf(catalogue: Catalogue, title: string): CatalogueModel {
  const { engine, tables, dotted, broken } = catalogue
  const notes = [
    ...dotted.map((table) => `The table "${table}" is not served: its name has a dot.`),
    ...broken.map(([table, reason]) => `The view "${table}" is not served: ${reason}.`),
  ]
  const usedNouns = new Set<string>()
  const served = tables.flatMap((table): readonly ServedTable[] => {
    const key = keyOf(table)
    if ('reason' in key) {
      notes.push(`The ${table.kind === 'view' ? 'view' : 'table'} "${table.table}" ${key.reason}.`)
      return []
    }
    const { fields, omitted } = catalogueFields(table, key.column)
    for (const [column, reason] of omitted)
      notes.push(`The column "${column}" of "${table.table}" is left out: it ${reason}.`)
    return [{ table, key: key.column, noun: nounFor(table, usedNouns), fields, omitted }]
  })
  const resources = served.map((each) => resourceOf(each, served, { engine, notes }))
  const mounts = [
    ...resources.map(({ noun }) => ({ path: `/${noun}`, noun }) as const),
    ...resources.flatMap((resource) => pathsBelow(resource)),
  ]
  return { model: { title, resources, mounts }, notes }
}

interface ServedTable {
  readonly table: CatalogueTable
  /** The column of the id. */
  readonly key: string
  readonly noun: string
  readonly fields: readonly CatalogueField[]
  readonly omitted: readonly (readonly [column: string, reason: string])[]
}

type Key = { readonly column: string } | { readonly reason: string }

function keyOf({ kind, primary, description, samples, isInherited }: CatalogueTable): Key {
  const { columns, keys } = description
  const unique = [...keys.values()].filter(([name = '', ...further]) => {
    const column = columns.find((candidate) => candidate.name === name)
    return further.length === 0 && column?.isNullable === false
  })
  const named = columns.find(({ name }) => name.toLowerCase() === 'id')?.name
  const [single] = [...(primary.length === 1 ? [primary] : []), ...unique].map(([name]) => name)
  const name = single ?? (kind === 'table' ? undefined : named)
  const column = columns.find((candidate) => candidate.name === name)
  if (column !== undefined) {
    const id = projectIdOf(column, samples.get(column.name))
    if (typeof id !== 'string') return { column: column.name }
    return { reason: `is not served: its key "${column.name}" ${id}` }
  }
  if (primary.length > 1)
    return { reason: `is not served: its key (${primary.join(', ')}) is not of one column` }
  if (isInherited)
    return { reason: 'is not served: tables that inherit from it may hold its ids again' }
  const remedy = kind === 'table' ? 'no key of one column' : 'no key, and no column "id"'
  return { reason: `is not served: it has ${remedy}, so no id names its rows` }
}

function nounFor({ name, schema }: CatalogueTable, usedNouns: Set<string>): string {
  const noun = nounOf(name)
  const numbers = Array.from(usedNouns, (_, at) => `table-${at + 2}-${noun}`)
  const candidates = [noun, `${nounOf(name, schema)}`, ...numbers, `table-${noun}`]
  const free = candidates.find((candidate) => !usedNouns.has(candidate)) ?? noun
  usedNouns.add(free)
  return free
}

/** Returns the noun of a table: `OrderLine` → `order-lines`. */
function nounOf(table: string, schema = ''): string {
  const words = `${schema} ${table}`
    .replace(/(\p{Lu})(?=\p{Lu}\p{Ll})|([\p{Ll}\d])(?=\p{Lu})/gu, '$1$2 ')
    .normalize('NFD')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .toLowerCase()
    .replaceAll(' ', '-')
  const noun = pluralNounOf(/^[a-z]/.test(words) ? words : `table-${words || 'rows'}`)
  return faultOfNoun(noun, true) === undefined ? noun : `${singularNounOf(noun)}-rows`
}

type ForeignKey = CatalogueTable['description']['references'][number]

interface Findings {
  readonly engine: Catalogue['engine']
  readonly notes: string[]
}

function resourceOf(
  served: ServedTable,
  all: readonly ServedTable[],
  findings: Findings,
): ProjectResource {
  const { table, key, noun, fields, omitted } = served
  const { kind, description } = table
  const identity = fields.find(({ column }) => column.name === key)
  const id = identity && projectIdOf(identity.column, table.samples.get(key))
  const isKnown = [...description.keys.values()].some((columns) => columns.join() === key)
  const isTable = kind === 'table'
  const references = referencesOf(served, all)
  const isStuck =
    isTable && !description.hasTriggers && omitted.some(([name]) => isDemanded(table, name))
  if (isStuck)
    findings.notes.push(`POST is left out of ${noun}: a column without a field has no default.`)
  return {
    noun,
    isPlural: faultOfNoun(noun, false) !== undefined,
    table: table.table,
    fields: fields.map(({ field }) => field),
    id: typeof id === 'object' ? id : { kind: 'text', inBody: 'required' },
    ...queriedFieldsOf(served, references, findings),
    searchable: fields.filter(({ column }) => column.hasTrigrams).map(({ field }) => field.name),
    references,
    ...(!isTable && { offers: ['list', 'read'] as const }),
    ...(isStuck && { without: ['create'] as const }),
    ...(!isKnown && { key: ['id'] }),
    advice: [],
  }
}

// The fields that an index finds, lists by their elements, and those that it sorts by code point.
function queriedFieldsOf(
  { table, fields, noun }: ServedTable,
  references: ProjectResource['references'],
  { engine, notes }: Findings,
): Pick<ProjectResource, 'sortable' | 'filterable'> {
  const leading = [...table.indexes.map(([first]) => first), ...leadingOfKeys(table)]
  // MySQL makes an index of each foreign key.
  const foreign = engine === 'mysql' ? references.map(({ field }) => field) : []
  const indexed = fields.filter(
    ({ column, field }) =>
      field.name !== 'id' &&
      ((column.kind === 'list' && column.hasArrayIndex) ||
        (isScalar(field.type.kind) &&
          (foreign.includes(field.name) ||
            leading.some((first) => first?.column === column.name)))),
  )
  const named = indexed.filter(({ field }) => !parameters.has(field.name))
  for (const { field } of indexed)
    if (parameters.has(field.name))
      notes.push(`The field "${field.name}" of ${noun} is no filter: a parameter has this name.`)
  const isSorted = ({ column, field }: CatalogueField) =>
    !['enum', 'other', 'list'].includes(column.kind) &&
    field.type.kind !== 'decimal' &&
    leading.some((first) => first?.column === column.name && first.isExact) &&
    (engine !== 'mysql' || column.order === 'exact')
  return {
    sortable: named.filter(isSorted).map(({ field }) => field.name),
    filterable: named.map(({ field }) => field.name),
  }
}

// The keys that no index of the list stands for.
function leadingOfKeys({ description: { keys, columns } }: CatalogueTable) {
  return [...keys.values()].map(([name = '']) => {
    const column = columns.find((candidate) => candidate.name === name)
    return { column: name, isExact: column?.kind !== 'text' || column.order === 'exact' }
  })
}

function isDemanded({ description }: CatalogueTable, name: string): boolean {
  const column = description.columns.find((candidate) => candidate.name === name)
  return column?.isNullable === false && column.origin === 'client'
}

const parameters: ReadonlySet<string> = new Set(
  'q sort limit after offset fields include dry_run by'.split(' '),
)

const composites: ReadonlySet<string> = new Set(
  'list json object array union base64 digits'.split(' '),
)

function isScalar(kind: string): boolean {
  return !composites.has(kind)
}

function referencesOf(
  { table, fields }: ServedTable,
  all: readonly ServedTable[],
): ProjectResource['references'] {
  const members = new Set(fields.map(({ field }) => field.name))
  const references: ProjectResource['references'][number][] = []
  // SQLite lists the last one first.
  const place = ({ columns: [name] }: ForeignKey) =>
    fields.findIndex(({ column }) => column.name === name)
  const sorted = [...table.description.references].sort((a, b) => place(a) - place(b))
  for (const { columns, table: path, keys } of sorted) {
    const [name = '', ...further] = columns
    const [targetName = '', targetSchema = table.schema] = [...path].reverse()
    const target = all.find(
      ({ table: candidate }) =>
        isSame(candidate.name, targetName) && isSame(candidate.schema, targetSchema),
    )
    const field = fields.find(({ column }) => column.name === name)?.field
    if (target === undefined || field === undefined || further.length > 0) continue
    // SQLite leaves out the column where it is the key.
    const [key = ''] = keys
    const hasKey = target.table.description.columns.some((column) => column.name === key)
    if (hasKey && key !== target.key) continue
    if (references.some((reference) => reference.field === field.name)) continue
    const usual = field.name.replace(/(?<=.)(?:_id|Id)$/, '')
    const as = [usual, `${usual}_item`, singularNounOf(target.noun).replaceAll('-', '_')].find(
      (each) => !members.has(each),
    )
    if (as === undefined || field.type.kind === 'list') continue
    members.add(as)
    references.push({ field: field.name, to: target.noun, ...(as !== usual && { as }) })
  }
  return references
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

// One level: the items that reference an item.
function pathsBelow({ noun, references, fields }: ProjectResource): ProjectModel['mounts'] {
  const targets = new Set<string>()
  return references.flatMap(({ field, to }) => {
    const isRefused = fields.find(({ name }) => name === field)?.inBody === 'refused'
    if (targets.has(to) || isRefused || !/^[A-Za-z_]\w*$/.test(field)) return []
    targets.add(to)
    return [{ path: `/${to}/:${field}/${noun}`, noun } as const]
  })
}

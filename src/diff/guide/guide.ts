import type { Json } from '../../contract/schema/schema.ts'
import { canonicalText, groupBy, sortedEntries, sortedTexts } from '../../sets/canonical.ts'
import { resourceIn } from '../compare/context.ts'
import {
  fieldsIn,
  fieldsOf,
  type LinkForm,
  linkFormOf,
  propertyOf,
  sourcesOf,
} from '../compare/properties.ts'
import { parentsOf } from '../compare/witness.ts'
import { codeSpan, shortJson } from '../report/short.ts'
import type { Snapshot, SnapshotPath, SnapshotResource } from '../snapshot.ts'

/** Writes the guide for clients that go from one version to another, as Markdown. */
export function guideOf(snapshot: Snapshot, from: string, to: string): string {
  const old = pathsIn(snapshot, from)
  const after = pathsIn(snapshot, to)
  const pairs = old.map((path) => ({ path, twin: twinOf(path, after) }))
  const met = new Set(pairs.map(({ twin }) => twin?.path))
  const fresh = after.filter(({ path }) => !met.has(path))
  return [
    `# From ${from} to ${to}`,
    '',
    'All ids stay as they are. So does each field that no table names.',
    ...pairs.flatMap(({ path, twin }) => sectionOf(snapshot, { from, to, path, twin })),
    ...(fresh.length === 0 ? [] : ['', `## New in ${to}`, '']),
    ...fresh.map(({ path }) => `- ${codeSpan(`/${to}${path}`)}`),
  ].join('\n')
}

interface Path {
  readonly path: string
  readonly mounted: SnapshotPath
  /** The stored resources of the parents and of the path itself. */
  readonly bases: readonly string[]
}

function pathsIn(snapshot: Snapshot, version: string): readonly Path[] {
  const paths = snapshot.versions[version]?.paths ?? {}
  return sortedEntries(paths).map(([path, mounted]) => {
    const bases = [...parentsOf(path), path].map((prefix) => {
      const name = Object.hasOwn(paths, prefix) ? paths[prefix]?.resource : undefined
      return (name && resourceIn(snapshot, name)?.hub) ?? prefix
    })
    return { path, mounted, bases }
  })
}

// The same resources on the way; else the same resource, wherever it is.
function twinOf({ bases }: Path, after: readonly Path[]): Path | undefined {
  return (
    after.find((candidate) => candidate.bases.join('/') === bases.join('/')) ??
    after.find((candidate) => candidate.bases.at(-1) === bases.at(-1))
  )
}

interface Section {
  readonly from: string
  readonly to: string
  readonly path: Path
  readonly twin: Path | undefined
}

function sectionOf(snapshot: Snapshot, { from, to, path, twin }: Section): readonly string[] {
  const old = codeSpan(`/${from}${path.path}`)
  if (twin === undefined) return ['', `## ${old} is gone`]
  const sides = { from: path.mounted.resource, to: twin.mounted.resource }
  const rows = fieldRows(snapshot, sides)
  const lost = [...operationsLost(path.mounted, twin.mounted), ...queriesLost(snapshot, sides)]
  const isMoved = path.path !== twin.path
  const title = isMoved ? `${old} is ${codeSpan(`/${to}${twin.path}`)}` : old
  const isSame = rows.length + lost.length === 0
  return [
    '',
    `## ${title}`,
    '',
    ...(isSame ? [isMoved ? 'Only the path changes.' : 'Nothing changes.'] : []),
    ...lost.map((line) => `- ${line}`),
    ...(lost.length > 0 && rows.length > 0 ? [''] : []),
    ...tableOf(rows, from, to),
  ]
}

function tableOf(rows: readonly FieldRow[], from: string, to: string): readonly string[] {
  if (rows.length === 0) return []
  const lines = rows.map((cells) => `| ${cells.join(' | ')} |`)
  return [`| ${from} | ${to} | what changes |`, '|---|---|---|', ...lines]
}

function operationsLost(old: SnapshotPath, after: SnapshotPath): readonly string[] {
  const lost = old.operations.filter((kind) => !after.operations.includes(kind))
  return lost.length === 0 ? [] : [`No longer offered: ${lost.map(codeSpan).join(', ')}.`]
}

const queries = [
  { option: 'sortable', words: 'No longer sortable' },
  { option: 'filterable', words: 'No longer filterable' },
  { option: 'searchable', words: 'No longer searched by `q`' },
  { option: 'countable', words: 'No longer countable' },
] as const

function queriesLost(snapshot: Snapshot, names: Shown): readonly string[] {
  const { from, to } = tracesOf(snapshot, names)
  const old = resourceIn(snapshot, names.from)
  const after = resourceIn(snapshot, names.to)
  return queries.flatMap(({ option, words }) => {
    const lost = (old ? fieldsOf(old, option) : []).filter((field) => {
      const trace = from.get(field)
      const twins = trace === undefined ? [] : matchesIn(to, trace)
      return !twins.some((twin) => after && fieldsOf(after, option).includes(twin))
    })
    return lost.length === 0 ? [] : [`${words}: ${lost.map(codeSpan).join(', ')}.`]
  })
}

/** A row of the table of fields: as it was, as it is, and what to do. */
type FieldRow = readonly [from: string, to: string, words: string]

/** The names of the resources that two versions show at one path. */
interface Shown {
  readonly from: string
  readonly to: string
}

/** Returns the rows of the fields that differ. */
function fieldRows(snapshot: Snapshot, resources: Shown): readonly FieldRow[] {
  const { from, to } = tracesOf(snapshot, resources)
  const sides = {
    from: resourceIn(snapshot, resources.from),
    to: resourceIn(snapshot, resources.to),
  }
  const old = [...from].flatMap(([field, trace]) => {
    const fields = matchesIn(to, trace)
    const words = wordsOf({ field, trace, fields, to, sides })
    const names = fields.map(codeSpan).join(', ') || '–'
    return words === undefined ? [] : [[codeSpan(field), names, words] as const]
  })
  const fresh = [...to].flatMap(([field, trace]) =>
    matchesIn(from, trace).length > 0
      ? []
      : [['–', codeSpan(field), wordsOfNew(field, trace, sides)] as const],
  )
  return [...old, ...fresh]
}

interface Sides {
  readonly from: SnapshotResource | undefined
  readonly to: SnapshotResource | undefined
}

interface OldField {
  readonly field: string
  readonly trace: Trace
  /** The fields of the other version that share a stored field with it. */
  readonly fields: readonly string[]
  readonly to: Traces
  readonly sides: Sides
}

function wordsOf({ field, trace, fields, to, sides }: OldField): string | undefined {
  const [first] = fields
  const [form, ...more] = trace.forms
  if (form?.form === 'always') return `gone: it was always ${codeSpan(shortJson(form.value))}`
  if (first === undefined) return 'gone'
  const beyond = fields.flatMap((name) => to.get(name)?.forms ?? [])
  const [back] = beyond
  if (form === undefined && back === undefined) {
    const isSame = sameSchema(field, first, sides)
    if (first === field) return isSame ? undefined : 'other values: see the schema'
    return isSame ? 'renamed' : 'renamed, with other values: see the schema'
  }
  if (form !== undefined && more.length === 0 && back === undefined)
    return wordsOfLink(form, fields)
  if (form === undefined && back !== undefined && beyond.length === 1) return wordsOfLink(back)
  return 'made otherwise, in several steps'
}

function sameSchema(field: string, newField: string, { from, to }: Sides): boolean {
  const [oldSchema, two] = [
    from?.item && propertyOf(from.item, field)?.schema,
    to?.item && propertyOf(to.item, newField)?.schema,
  ]
  return canonicalText(oldSchema ?? null) === canonicalText(two ?? null)
}

// Says what a link between two versions changes. `fields` are the new fields of a link of the old
// version; a link of the new version has none.
function wordsOfLink(form: LinkForm, fields?: readonly string[]): string {
  const isOld = fields !== undefined
  switch (form.form) {
    case 'values': {
      const rows = Object.entries(form.values)
      return tableWords(isOld ? rows.map(([stored, value]) => [value, stored]) : rows)
    }
    case 'absent': {
      const absent = codeSpan(shortJson(form.absent))
      return isOld
        ? `may be missing, where it was ${absent}`
        : `never missing: ${absent} stands for none`
    }
    case 'join':
      return isOld
        ? `split: ${fields.map(codeSpan).join(' and ')}, joined by a space`
        : 'joined with another text by a space'
    case 'part': {
      const ordinal = form.index === 0 ? 'first' : 'second'
      return isOld ? `the ${ordinal} part of the text` : `split: the ${ordinal} part is here`
    }
    case 'member': {
      const member = `member ${codeSpan(form.member)}`
      return isOld ? `the ${member} of the object` : `only the ${member}`
    }
    default:
      return 'made by a function'
  }
}

// The value that a client had first, then the value that it gets.
function tableWords(rows: readonly (readonly [Json, Json])[]): string {
  return [...groupBy(rows, ([from]) => said(from))]
    .map(([from, group]) => {
      return `${codeSpan(from)} is ${group.map(([, to]) => codeSpan(said(to))).join(' or ')}`
    })
    .join('; ')
}

function said(value: Json): string {
  return typeof value === 'string' ? value : shortJson(value)
}

function wordsOfNew(field: string, { of, forms }: Trace, { from, to }: Sides): string {
  const [form] = forms
  if (form?.form === 'always') return `new: always ${codeSpan(shortJson(form.value))}`
  const property = to?.create ? propertyOf(to.create, field) : undefined
  const isReadOnly = to?.readOnly.includes(field) ?? false
  const need = isReadOnly
    ? 'set by the server'
    : property?.isRequired
      ? 'required in POST'
      : 'optional'
  const [source = field] = of
  const hidden = from && Object.hasOwn(from.hidden, source) ? from.hidden[source] : undefined
  const isTold = hidden !== undefined && JSON.stringify(hidden) !== '{"function":true}'
  const initial = isTold ? `; items of the old version get ${codeSpan(shortJson(hidden))}` : ''
  return `new: ${need}${initial}`
}

/** The origin of a field, down to a source resource. */
interface Trace {
  /** The source fields. */
  readonly of: readonly string[]
  /** The links on the way that change more than the name, from the top. */
  readonly forms: readonly LinkForm[]
}

/** The fields of a resource, each with its trace. */
type Traces = ReadonlyMap<string, Trace>

/** Traces the fields of two resources down to the first one that both show. */
function tracesOf(
  snapshot: Snapshot,
  { from, to }: { readonly from: string; readonly to: string },
): { readonly from: Traces; readonly to: Traces } {
  const newChain = chainOf(snapshot, to)
  const until = chainOf(snapshot, from).find((name) => newChain.includes(name))
  return { from: tracesIn({ snapshot, until }, from), to: tracesIn({ snapshot, until }, to) }
}

interface Walk {
  readonly snapshot: Snapshot
  /** The name of the resource where the traces end. */
  readonly until: string | undefined
}

// A view, what it shows, and so on.
function chainOf(snapshot: Snapshot, name: string): readonly string[] {
  const sourceName = resourceIn(snapshot, name)?.of ?? null
  return sourceName === null ? [name] : [name, ...chainOf(snapshot, sourceName)]
}

function tracesIn(walk: Walk, name: string): Traces {
  const { item } = resourceIn(walk.snapshot, name) ?? {}
  const fields = item ? fieldsIn(item) : []
  return new Map(fields.map((field) => [field, traceOf(walk, name, field)]))
}

function traceOf(walk: Walk, name: string, field: string): Trace {
  const resource = resourceIn(walk.snapshot, name)
  const sourceName = resource?.of ?? null
  if (resource === undefined || sourceName === null || name === walk.until)
    return { of: [field], forms: [] }
  const link = linkFormOf(resource, field)
  const traces = sourcesOf(link).map((source) => traceOf(walk, sourceName, source))
  const forms = traces.flatMap((trace) => trace.forms)
  return {
    of: sortedTexts(traces.flatMap(({ of }) => of)),
    forms: link.form === 'plain' ? forms : joined(link, forms),
  }
}

// Two tables of values are one.
function joined(link: LinkForm, [next, ...links]: readonly LinkForm[]): readonly LinkForm[] {
  if (next === undefined) return [link]
  if (link.form !== 'values' || next.form !== 'values') return [link, next, ...links]
  const { values: above } = link
  const entries = Object.entries(next.values).flatMap(([stored, middle]) => {
    const mapped = Object.hasOwn(above, String(middle)) ? above[String(middle)] : undefined
    return mapped === undefined ? [] : [[stored, mapped] as const]
  })
  return [{ ...next, values: Object.fromEntries(entries) }, ...links]
}

/** Returns the fields that share a stored field with a trace. */
function matchesIn(traces: Traces, { of }: Trace): readonly string[] {
  return [...traces].flatMap(([field, trace]) =>
    trace.of.some((source) => of.includes(source)) ? [field] : [],
  )
}

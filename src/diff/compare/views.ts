import type { Json } from '../../contract/schema/schema.ts'
import type { OperationKind } from '../../convention/operations.ts'
import { isJsonObject, type JsonObject, sortedEntries } from '../../sets/canonical.ts'
import { isSubset, sampleOf } from '../../sets/subset.ts'
import { type Facts, type FoundChange, makeChange, type Probe } from '../change.ts'
import type { Snapshot, SnapshotPath, SnapshotResource } from '../snapshot.ts'
import { type Contracts, kindsOfBody, type MountedPath, placeOf } from './context.ts'
import {
  fieldsIn,
  fieldsOf,
  type LinkForm,
  linkFormOf,
  type Property,
  propertyOf,
  sourcesOf,
  type TableRow,
  tableRows,
} from './properties.ts'
import { exchangeAt } from './witness.ts'

/**
 * Judges the views of the new contract by their source resources. A fault that the old contract has
 * too is no change.
 */
export function compareViews({ old, new: after }: Contracts): readonly FoundChange[] {
  const oldKeys = new Set(viewsIn(old).flatMap(judgeView).map(keyOf))
  return viewsIn(after)
    .flatMap(judgeView)
    .filter((change) => !oldKeys.has(keyOf(change)))
}

function keyOf({ rule, at }: FoundChange): string {
  return `${rule} ${at}`
}

// Each view once: at the first released path that shows it, or a view of it.
function viewsIn(snapshot: Snapshot): readonly MountedView[] {
  const views = new Map<string, MountedView>()
  for (const [version, { stage, paths }] of sortedEntries(snapshot.versions)) {
    if (stage !== 'released') continue
    for (const [path, mounted] of sortedEntries(paths))
      for (const view of chainAt(snapshot, { version, path }, mounted))
        if (!views.get(view.name)?.isMounted) views.set(view.name, view)
  }
  return [...views.values()]
}

function chainAt(
  snapshot: Snapshot,
  place: { readonly version: string; readonly path: string },
  { resource, operations }: SnapshotPath,
): readonly MountedView[] {
  const chain: MountedView[] = []
  let name = resource
  for (;;) {
    const view = Object.hasOwn(snapshot.resources, name) ? snapshot.resources[name] : undefined
    const source = view?.of === null ? undefined : snapshot.resources[view?.of ?? '']
    if (view === undefined || source === undefined) return chain
    const isMounted = name === resource
    const at = isMounted ? placeOf(place) : `resource ${name}`
    chain.push({ ...place, snapshot, name, view, source, at, operations, isMounted })
    name = view.of ?? ''
  }
}

/** A view at a path that shows it. */
interface MountedView extends MountedPath {
  /** The operations that the path offers. */
  readonly operations: readonly OperationKind[]
  readonly name: string
  readonly view: SnapshotResource
  readonly source: SnapshotResource
  /** The place in a report. */
  readonly at: string
  /** The path shows the view itself, and not a view of it. */
  readonly isMounted: boolean
}

/** Judges whether a view and its source resource fit each other. */
function judgeView(pair: MountedView): readonly FoundChange[] {
  const judged = (['create', 'update', 'item'] as const).flatMap((body) => judgeBody(pair, body))
  const unknownChanges = judged.filter(({ rule }) => rule === 'view-untold')
  // A function is one fact, although three schemas have the field.
  const [...once] = new Map(unknownChanges.map((change) => [change.message, change])).values()
  const knownChanges = judged.filter(({ rule }) => rule !== 'view-untold')
  return [...knownChanges, ...once, ...judgeHidden(pair), ...judgeQueries(pair)]
}

type Body = 'create' | 'update' | 'item'

function offers({ operations }: MountedView, body: Body): boolean {
  if (body === 'item') return operations.length > 0
  return kindsOfBody[body].some((kind) => operations.includes(kind))
}

function judgeBody(pair: MountedView, body: Body): readonly FoundChange[] {
  const viewSchema = pair.view[body]
  const sourceSchema = pair.source[body]
  if (viewSchema === null || sourceSchema === null || !offers(pair, body)) return []
  return fieldsIn(viewSchema).flatMap((field) => {
    const property = propertyOf(viewSchema, field)
    if (property === undefined || (body !== 'item' && pair.view.readOnly.includes(field))) return []
    const link = linkFormOf(pair.view, field)
    const fit = fitOf(link, { body, target: property, source: sourceSchema })
    const isKept =
      body === 'update' && sourcesOf(link).some((name) => pair.source.keep.includes(name))
    return fitChanges({ pair, body, field, link, property, isKept }, fit)
  })
}

interface Judged {
  readonly pair: MountedView
  readonly body: Body
  readonly field: string
  readonly link: LinkForm
  readonly property: Property
  readonly isKept: boolean
}

function fitChanges(judged: Judged, fit: FieldFit): readonly FoundChange[] {
  const { pair, body, field, link, property, isKept } = judged
  const at = `${pair.at} ${body} /${field}`
  if (fit === undefined) return []
  if (fit === 'untold') {
    const message = `"${field}" is linked by a ${link.form}: no schema can judge it`
    return [makeChange('view-untold', at, { from: field, message })]
  }
  const rule = body === 'item' ? 'view-widens' : 'view-narrows'
  const source = sourcesOf(link).join(', ') || 'a constant'
  const changes = fit.sets.flatMap(({ subset, superset }): Facts[] => {
    const answer = isSubset(subset, superset)
    if (answer.answer === 'yes') return []
    const message =
      body === 'item'
        ? `the source "${source}" holds a value that "${field}" excludes`
        : `"${field}" takes a value that the source "${source}" refuses`
    if (answer.answer === 'unknown')
      return [{ to: field, message, verdict: 'depends', because: answer.because }]
    const { witness: value } = answer
    const isOwn = subset === property.schema || body === 'item'
    return [{ to: field, message, ...shownBy(judged, isOwn ? { [field]: value } : {}) }]
  })
  if (fit.isLacking && !isKept) {
    const message =
      body === 'item'
        ? `"${source}" may be missing, and the view requires "${field}"`
        : `"${field}" may be missing, and its source "${source}" is required`
    changes.push({ to: field, message, ...shownBy(judged, { [field]: undefined }) })
  }
  const [first] = changes.toSorted((change) => (change.verdict === 'depends' ? 1 : -1))
  return first === undefined ? [] : [makeChange(rule, at, first)]
}

// A whole body or item with the value that breaks.
function shownBy(
  { pair, body, property }: Pick<Judged, 'pair' | 'body' | 'property'>,
  change: Readonly<Record<string, Json | undefined>>,
): Pick<Facts, 'verdict' | 'because' | 'witness' | 'probe'> {
  if (!pair.isMounted) return { verdict: 'depends', because: 'no path shows the view itself' }
  if (!property.isPlain)
    return { verdict: 'depends', because: 'the schema has several forms of the object' }
  const sample = sampleOf(pair.view[body] as JsonObject) ?? {}
  const members = { ...(isJsonObject(sample) ? sample : {}), ...change }
  const value: Json = JSON.parse(JSON.stringify(members))
  const witness = exchangeAt(pair, body, value)
  if (body === 'item') return { witness }
  const probe: Probe = { resource: pair.name, body, value, filled: {}, isThrough: true }
  return { witness, probe }
}

function judgeHidden(pair: MountedView): readonly FoundChange[] {
  const sourceSchema = pair.source.create
  if (sourceSchema === null || !offers(pair, 'create')) return []
  return Object.entries(pair.view.hidden).flatMap(([field, value]) => {
    const at = `${pair.at} create`
    const property = propertyOf(sourceSchema, field)
    if (isJsonObject(value) && value.function === true) {
      const message = `a function makes the hidden field "${field}": no schema can judge it`
      return [makeChange('view-untold', at, { from: field, message })]
    }
    if (property === undefined || isSubset({ const: value }, property.schema).answer === 'yes')
      return []
    const message = `new items get ${JSON.stringify(value)} in "${field}", which the source refuses`
    const facts = { to: field, message, ...shownBy({ pair, body: 'create', property }, {}) }
    return [makeChange('view-narrows', `${at} /${field}`, facts)]
  })
}

function judgeQueries({ view, source, at }: MountedView): readonly FoundChange[] {
  const lost = (
    option: 'sortable' | 'searchable' | 'countable',
    rule: string,
    can: string,
  ): readonly FoundChange[] =>
    fieldsOf(view, option).flatMap((field) => {
      const sources = sourcesOf(linkFormOf(view, field))
      const missing = sources.find(
        (name) => name !== 'id' && !fieldsOf(source, option).includes(name),
      )
      if (missing === undefined) return []
      const message = `clients ${can} "${field}", but not its source "${missing}"`
      return [makeChange(rule, at, { from: field, to: missing, message })]
    })
  return [
    ...lost('sortable', 'view-order-lost', 'sort by'),
    ...lost('searchable', 'view-search-lost', 'search in'),
    ...lost('countable', 'view-count-lost', 'count by'),
  ]
}

/** Values that have to be among others. */
interface Within {
  readonly subset: JsonObject
  readonly superset: JsonObject
}

/** A condition on a field of a view. */
interface Fit {
  readonly sets: readonly Within[]
  /** A missing field on one side is required on the other. */
  readonly isLacking: boolean
}

/** The claim of schemas about a field: a condition, nothing, or that they cannot judge it. */
type FieldFit = Fit | 'untold' | undefined

/** The ends of a link: each value of one has to be a value of the other. */
interface Ends {
  readonly from: Property
  readonly to: Property
}

/**
 * Returns what has to hold so that the source resource takes what the view takes, or so that the
 * view shows what the source holds.
 */
function fitOf(
  link: LinkForm,
  { body, target, source: root }: { body: Body; target: Property; source: JsonObject },
): FieldFit {
  const isItem = body === 'item'
  const names = sourcesOf(link)
  const sources = names.flatMap((name) => propertyOf(root, name) ?? [])
  const source = link.form === 'always' ? constantOf(link.value) : sources[0]
  if (link.form === 'function') return 'untold'
  if (source === undefined || sources.length < names.length) return undefined
  if (link.form === 'join' || link.form === 'part') {
    // Any text can come out where two are joined or one is split.
    if (!(isItem ? [target] : sources).every(isAnyText)) return 'untold'
    const isMissing = target.isRequired && !sources.some(({ isRequired }) => isRequired)
    const isNeeded = link.form === 'join' && source.isRequired && !target.isRequired
    return { sets: [], isLacking: isItem ? isMissing : isNeeded }
  }
  const end = link.form === 'member' ? memberOf(source, link.member, isItem) : source
  if (end === undefined) return undefined
  const ends = isItem ? { from: end, to: target } : { from: target, to: end }
  const isLacking = link.form !== 'always' && ends.to.isRequired && !ends.from.isRequired
  if (link.form === 'absent') return { sets: absentSets(link.absent, ends), isLacking: false }
  if (link.form !== 'values') return { sets: [within(ends)], isLacking }
  return { sets: valueSets(tableRows(link.values, source.schema), ends, isItem), isLacking }
}

function constantOf(value: Json): Property {
  return { schema: { const: value }, isRequired: true, isPlain: true }
}

function memberOf(source: Property, name: string, isItem: boolean): Property | undefined {
  const member = propertyOf(source.schema, name)
  return member && isItem
    ? { ...member, isRequired: source.isRequired && member.isRequired }
    : member
}

function within({ from, to }: Ends): Within {
  return { subset: from.schema, superset: to.schema }
}

function absentSets(absent: Json, { from, to }: Ends): readonly Within[] {
  const sets = [{ subset: from.schema, superset: either(to.schema, none) }]
  return from.isRequired ? sets : [...sets, { subset: { const: absent }, superset: to.schema }]
}

function valueSets(
  rows: readonly TableRow[],
  { from, to }: Ends,
  isItem: boolean,
): readonly Within[] {
  const stored = rows.map((row) => row.stored)
  const shown = rows.map((row) => row.viewValue)
  // Several stored values may read as one: a write takes the first.
  const written = stored.filter((_, at) => shown.indexOf(shown[at] ?? null) === at)
  const [enter, leave] = isItem ? [stored, shown] : [shown, written]
  return [
    { subset: from.schema, superset: either({ enum: enter }, none) },
    { subset: { enum: leave }, superset: to.schema },
  ]
}

const none: JsonObject = { type: 'null' }

function either(...schemas: readonly JsonObject[]): JsonObject {
  const definitions = schemas
    .map(({ $defs }) => $defs)
    .find((definition) => definition !== undefined)
  return { anyOf: schemas, ...(definitions !== undefined && { $defs: definitions }) }
}

function isAnyText({ schema }: Property): boolean {
  const words = ['type', 'description', 'title', 'deprecated', 'default']
  return schema.type === 'string' && Object.keys(schema).every((key) => words.includes(key))
}

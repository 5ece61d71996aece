import { membersOf, propertiesOf } from '../../contract/schema/json-schema.ts'
import type { Json } from '../../contract/schema/schema.ts'
import { bodySchemaOf } from '../../convention/kinds.ts'
import { operationKinds } from '../../convention/operations.ts'
import { isJsonObject, sortedEntries, sortedTexts } from '../canonical.ts'
import type { JsonObject, Snapshot, SnapshotPath, SnapshotResource } from '../snapshot.ts'
import { isSubset } from '../subset.ts'
import {
  type Contracts,
  type Facts,
  type FoundChange,
  found,
  type Probe,
  placeOf,
} from './context.ts'
import {
  type LinkForm,
  linkFormOf,
  type Property,
  propertyOf,
  sourcesOf,
  tableRows,
} from './properties.ts'
import { exchangeAt, type Offered, sampleOf } from './witness.ts'

/**
 * Judges the views of the new contract by their source resources. A fault that the old contract has
 * too is no change.
 */
export function compareViews({ old, new: after }: Contracts): readonly FoundChange[] {
  const known = new Set(viewsIn(old).flatMap(judgeView).map(keyOf))
  return viewsIn(after)
    .flatMap(judgeView)
    .filter((change) => !known.has(keyOf(change)))
}

function keyOf({ rule, at }: FoundChange): string {
  return `${rule} ${at}`
}

// Each view once: at the first released path that shows it, or a view of it.
function viewsIn(snapshot: Snapshot): readonly ShownView[] {
  const views = new Map<string, ShownView>()
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
): readonly ShownView[] {
  const chain: ShownView[] = []
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
interface ShownView extends Offered {
  readonly name: string
  readonly view: SnapshotResource
  readonly source: SnapshotResource
  /** The place in a report. */
  readonly at: string
  /** The path shows the view itself, and not a view of it. */
  readonly isMounted: boolean
}

/** Judges whether a view and its source resource fit each other. */
function judgeView(shown: ShownView): readonly FoundChange[] {
  const judged = (['create', 'update', 'item'] as const).flatMap((body) => judgeBody(shown, body))
  const untold = judged.filter(({ rule }) => rule === 'view-untold')
  // A function is one fact, although three schemas have the field.
  const [...once] = new Map(untold.map((change) => [change.message, change])).values()
  const others = judged.filter(({ rule }) => rule !== 'view-untold')
  return [...others, ...once, ...judgeHidden(shown), ...judgeQueries(shown)]
}

type Body = 'create' | 'update' | 'item'

function offers({ operations }: ShownView, body: Body): boolean {
  if (body === 'item') return operations.length > 0
  return operationKinds.some((kind) => bodySchemaOf(kind) === body && operations.includes(kind))
}

function judgeBody(shown: ShownView, body: Body): readonly FoundChange[] {
  const own = shown.view[body]
  const below = shown.source[body]
  if (own === null || below === null || !offers(shown, body)) return []
  const names = sortedTexts(
    membersOf(own)
      .flatMap(propertiesOf)
      .map(([name]) => name),
  )
  return names.flatMap((field) => {
    const property = propertyOf(own, field)
    if (property === undefined || (body !== 'item' && shown.view.readOnly.includes(field)))
      return []
    const link = linkFormOf(shown.view, field)
    const fit = (body === 'item' ? fitOfItem : fitOfRequest)(link, property, below)
    const isKept =
      body === 'update' && sourcesOf(link).some((name) => shown.source.keep.includes(name))
    return fitChanges({ shown, body, field, link, property, isKept }, fit)
  })
}

interface Judged {
  readonly shown: ShownView
  readonly body: Body
  readonly field: string
  readonly link: LinkForm
  readonly property: Property
  readonly isKept: boolean
}

function fitChanges(judged: Judged, fit: FieldFit): readonly FoundChange[] {
  const { shown, body, field, link, property, isKept } = judged
  const at = `${shown.at} ${body} /${field}`
  if (fit === undefined) return []
  if (fit === 'untold') {
    const message = `"${field}" is linked by a ${link.form}: no schema can judge it`
    return [found('view-untold', at, { from: field, message })]
  }
  const rule = body === 'item' ? 'view-widens' : 'view-narrows'
  const source = sourcesOf(link).join(', ') || 'a constant'
  const changes = fit.sets.flatMap(({ one, other }): Facts[] => {
    const answer = isSubset(one, other)
    if (answer.answer === 'yes') return []
    const message =
      body === 'item'
        ? `the source "${source}" holds a value that "${field}" excludes`
        : `"${field}" takes a value that the source "${source}" refuses`
    if (answer.answer === 'unknown')
      return [{ to: field, message, verdict: 'depends', because: answer.because }]
    const { witness: value } = answer
    const isOwn = one === property.schema || body === 'item'
    return [{ to: field, message, ...shownBy(judged, isOwn ? { [field]: value } : {}) }]
  })
  if (fit.isLacking && !isKept) {
    const message =
      body === 'item'
        ? `"${source}" may be missing, and the view requires "${field}"`
        : `"${field}" may be missing, and its source "${source}" is required`
    changes.push({ to: field, message, ...shownBy(judged, { [field]: undefined }) })
  }
  const [first] = changes.toSorted((one) => (one.verdict === 'depends' ? 1 : -1))
  return first === undefined ? [] : [found(rule, at, first)]
}

// A whole body or item with the value that breaks.
function shownBy(
  { shown, body, property }: Judged,
  change: Readonly<Record<string, Json | undefined>>,
): Pick<Facts, 'verdict' | 'because' | 'witness' | 'probe'> {
  if (!shown.isMounted) return { verdict: 'depends', because: 'no path shows the view itself' }
  if (!property.isPlain)
    return { verdict: 'depends', because: 'the schema has several forms of the object' }
  const whole = sampleOf(shown.view[body] as JsonObject) ?? {}
  const members = { ...(isJsonObject(whole) ? whole : {}), ...change }
  const value: Json = JSON.parse(JSON.stringify(members))
  const witness = exchangeAt(shown, body, value)
  if (body === 'item') return { witness }
  const probe: Probe = { resource: shown.name, body, value, filled: {}, isThrough: true }
  return { witness, probe }
}

function judgeHidden(shown: ShownView): readonly FoundChange[] {
  const below = shown.source.create
  if (below === null || !offers(shown, 'create')) return []
  return Object.entries(shown.view.hidden).flatMap(([field, value]) => {
    const at = `${shown.at} create`
    const property = propertyOf(below, field)
    if (isJsonObject(value) && value.function === true) {
      const message = `a function makes the hidden field "${field}": no schema can judge it`
      return [found('view-untold', at, { from: field, message })]
    }
    if (property === undefined || isSubset({ const: value }, property.schema).answer === 'yes')
      return []
    const message = `new items get ${JSON.stringify(value)} in "${field}", which the source refuses`
    const judged = { shown, body: 'create', field, property } as const
    const isKept = false
    const link = linkFormOf(shown.view, field)
    return [
      found('view-narrows', `${at} /${field}`, {
        to: field,
        message,
        ...shownBy({ ...judged, link, isKept }, {}),
      }),
    ]
  })
}

function judgeQueries({ view, source, at }: ShownView): readonly FoundChange[] {
  const lost = (
    option: 'sortable' | 'searchable',
    rule: string,
    can: string,
  ): readonly FoundChange[] =>
    view[option].flatMap((field) => {
      const sources = sourcesOf(linkFormOf(view, field))
      const missing = sources.find((name) => name !== 'id' && !source[option].includes(name))
      if (missing === undefined) return []
      const message = `clients ${can} "${field}", but not its source "${missing}"`
      return [found(rule, at, { from: field, to: missing, message })]
    })
  return [
    ...lost('sortable', 'view-order-lost', 'sort by'),
    ...lost('searchable', 'view-search-lost', 'search in'),
  ]
}

/** Values that have to be among others. */
interface Within {
  readonly one: JsonObject
  readonly other: JsonObject
}

/** A condition on a field of a view. */
interface Fit {
  readonly sets: readonly Within[]
  /** A missing field on one side is required on the other. */
  readonly isLacking: boolean
}

/** The claim of schemas about a field: a condition, nothing, or that they cannot judge it. */
type FieldFit = Fit | 'untold' | undefined

/** A link of one source, at both ends. */
interface Ends<Form extends LinkForm['form']> {
  readonly link: Extract<LinkForm, { readonly form: Form }>
  readonly shown: Property
  /** The first source field. */
  readonly source: Property
  readonly sources: readonly Property[]
}

type Reached = Exclude<LinkForm['form'], 'always' | 'function'>

type FitsOf = { readonly [Form in Reached]: (ends: Ends<Form>) => FieldFit }

/** Returns what has to hold so that its source resource takes what a view takes. */
function fitOfRequest(link: LinkForm, shown: Property, source: JsonObject): FieldFit {
  if (link.form === 'always')
    return { sets: [{ one: shown.schema, other: { const: link.value } }], isLacking: false }
  return fitBy(requestFits, { link, shown, source })
}

/** Returns what has to hold so that a view shows what its source resource holds. */
function fitOfItem(link: LinkForm, shown: Property, source: JsonObject): FieldFit {
  if (link.form === 'always')
    return { sets: [{ one: { const: link.value }, other: shown.schema }], isLacking: false }
  return fitBy(itemFits, { link, shown, source })
}

interface Asked {
  readonly link: Exclude<LinkForm, { readonly form: 'always' }>
  readonly shown: Property
  readonly source: JsonObject
}

function fitBy(fits: FitsOf, { link, shown, source: schema }: Asked): FieldFit {
  if (link.form === 'function') return 'untold'
  const names = link.form === 'join' ? link.of : [link.of]
  const sources = names.flatMap((name) => propertyOf(schema, name) ?? [])
  const [source] = sources
  if (source === undefined || sources.length < names.length) return undefined
  // The table has the function of this form.
  const fit = fits[link.form] as (ends: Ends<Reached>) => FieldFit
  return fit({ link, shown, source, sources })
}

const none: JsonObject = { type: 'null' }

function either(...schemas: readonly JsonObject[]): JsonObject {
  const found = schemas.map(({ $defs }) => $defs).find((one) => one !== undefined)
  return { anyOf: schemas, ...(found !== undefined && { $defs: found }) }
}

function isNeeded({ shown, source }: Pick<Ends<Reached>, 'shown' | 'source'>): boolean {
  return source.isRequired && !shown.isRequired
}

const requestFits: FitsOf = {
  plain: (ends) => ({
    sets: [{ one: ends.shown.schema, other: ends.source.schema }],
    isLacking: isNeeded(ends),
  }),
  values: (ends) => {
    const { link, shown, source } = ends
    const rows = tableRows(link.values, source.schema)
    // Several stored values may read as one: a write takes the first.
    const first = rows.filter((row, at) => rows.findIndex((one) => one.shown === row.shown) === at)
    return {
      sets: [
        { one: shown.schema, other: either({ enum: rows.map((row) => row.shown) }, none) },
        { one: { enum: first.map(({ stored }) => stored) }, other: source.schema },
      ],
      isLacking: isNeeded(ends),
    }
  },
  absent: ({ link, shown, source }) => ({
    sets: [
      { one: shown.schema, other: either(source.schema, none) },
      ...(shown.isRequired ? [] : [{ one: { const: link.absent }, other: source.schema }]),
    ],
    isLacking: false,
  }),
  member: ({ link, shown, source }) => {
    const member = propertyOf(source.schema, link.member)
    return (
      member && {
        sets: [{ one: shown.schema, other: member.schema }],
        isLacking: isNeeded({ shown, source: member }),
      }
    )
  },
  // Any text can come out where two are joined or one is split.
  join: (ends) =>
    ends.sources.every(isAnyText) ? { sets: [], isLacking: isNeeded(ends) } : 'untold',
  part: ({ source }) => (isAnyText(source) ? { sets: [], isLacking: false } : 'untold'),
}

function isAnyText({ schema }: Property): boolean {
  const words = ['type', 'description', 'title', 'deprecated', 'default']
  return schema.type === 'string' && Object.keys(schema).every((key) => words.includes(key))
}

function isMissing({ shown, sources }: Pick<Ends<Reached>, 'shown' | 'sources'>): boolean {
  return shown.isRequired && !sources.some(({ isRequired }) => isRequired)
}

const itemFits: FitsOf = {
  plain: (ends) => ({
    sets: [{ one: ends.source.schema, other: ends.shown.schema }],
    isLacking: isMissing(ends),
  }),
  values: (ends) => {
    const { link, shown, source } = ends
    const rows = tableRows(link.values, source.schema)
    return {
      sets: [
        { one: source.schema, other: either({ enum: rows.map(({ stored }) => stored) }, none) },
        { one: { enum: rows.map((row) => row.shown) }, other: shown.schema },
      ],
      isLacking: isMissing(ends),
    }
  },
  absent: ({ link, shown, source }) => ({
    sets: [
      { one: source.schema, other: either(shown.schema, none) },
      ...(source.isRequired ? [] : [{ one: { const: link.absent }, other: shown.schema }]),
    ],
    isLacking: false,
  }),
  member: ({ link, shown, source }) => {
    const member = propertyOf(source.schema, link.member)
    return (
      member && {
        sets: [{ one: member.schema, other: shown.schema }],
        isLacking: shown.isRequired && !(source.isRequired && member.isRequired),
      }
    )
  },
  join: (ends) => (isAnyText(ends.shown) ? { sets: [], isLacking: isMissing(ends) } : 'untold'),
  part: (ends) => (isAnyText(ends.shown) ? { sets: [], isLacking: isMissing(ends) } : 'untold'),
}

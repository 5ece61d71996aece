import { membersOf, propertiesOf } from '../../contract/schema/json-schema.ts'
import type { Json } from '../../contract/schema/schema.ts'
import { bodySchemaOf } from '../../convention/kinds.ts'
import { operationKinds } from '../../convention/operations.ts'
import { isJsonObject, sortedTexts } from '../canonical.ts'
import type { JsonObject, SnapshotResource } from '../snapshot.ts'
import { isSubset } from '../subset.ts'
import { type Facts, type FoundChange, found, type Probe } from './found.ts'
import { type Property, propertyOf } from './properties.ts'
import { exchangeAt, type Offered } from './shown.ts'
import { type FieldFit, fitOfItem, fitOfRequest } from './view-fit.ts'
import { type LinkForm, linkFormOf, sourcesOf } from './view-forms.ts'
import { sampleOf } from './witness.ts'

/** A view at a path that shows it. */
export interface ShownView extends Offered {
  readonly name: string
  readonly view: SnapshotResource
  readonly source: SnapshotResource
  /** The place in a report. */
  readonly at: string
  /** The path shows the view itself, and not a view of it. */
  readonly isMounted: boolean
}

/** Judges whether a view and its source resource fit each other. */
export function judgeView(shown: ShownView): readonly FoundChange[] {
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

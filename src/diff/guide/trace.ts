import { membersOf, propertiesOf } from '../../contract/schema/json-schema.ts'
import { sortedTexts } from '../canonical.ts'
import { type LinkForm, linkFormOf, sourcesOf } from '../compare/view-forms.ts'
import type { Snapshot, SnapshotResource } from '../snapshot.ts'

/** The origin of a field, down to a source resource. */
export interface Trace {
  /** The source fields. */
  readonly of: readonly string[]
  /** The links on the way that change more than the name, from the top. */
  readonly forms: readonly LinkForm[]
}

/** The fields of a resource, each with its trace. */
export type Traces = ReadonlyMap<string, Trace>

/** Traces the fields of two resources down to the first one that both show. */
export function tracesOf(
  snapshot: Snapshot,
  { from, to }: { readonly from: string; readonly to: string },
): { readonly from: Traces; readonly to: Traces } {
  const below = chainOf(snapshot, to)
  const until = chainOf(snapshot, from).find((name) => below.includes(name))
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
  const fields = fieldsOf(resourceIn(walk.snapshot, name))
  return new Map(fields.map((field) => [field, traceOf(walk, name, field)]))
}

/** Returns a resource of a snapshot. */
export function resourceIn({ resources }: Snapshot, name: string): SnapshotResource | undefined {
  return Object.hasOwn(resources, name) ? resources[name] : undefined
}

function fieldsOf(resource: SnapshotResource | undefined): readonly string[] {
  const members = resource?.item ? membersOf(resource.item) : []
  return sortedTexts(members.flatMap(propertiesOf).map(([field]) => field))
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
function joined(link: LinkForm, [next, ...rest]: readonly LinkForm[]): readonly LinkForm[] {
  if (next === undefined) return [link]
  if (link.form !== 'values' || next.form !== 'values') return [link, next, ...rest]
  const { values: above } = link
  const entries = Object.entries(next.values).flatMap(([stored, middle]) => {
    const shown = Object.hasOwn(above, String(middle)) ? above[String(middle)] : undefined
    return shown === undefined ? [] : [[stored, shown] as const]
  })
  return [{ ...next, values: Object.fromEntries(entries) }, ...rest]
}

/** Returns the fields that share a stored field with a trace. */
export function matchesIn(traces: Traces, { of }: Trace): readonly string[] {
  return [...traces].flatMap(([field, trace]) =>
    trace.of.some((source) => of.includes(source)) ? [field] : [],
  )
}

import { membersOf } from '../../model/json-schema.ts'
import { propertiesOf } from '../../model/outline.ts'
import { sortedTexts } from '../canonical.ts'
import { type LinkForm, linkFormOf, sourcesOf } from '../compare/view-forms.ts'
import type { Snapshot, SnapshotResource } from '../snapshot.ts'

/** Where a field comes from, down to the resource that is stored. */
export interface Trace {
  /** The stored fields. */
  readonly of: readonly string[]
  /** The links on the way that change more than the name, from the top. */
  readonly forms: readonly LinkForm[]
}

/** The fields of a resource, each with its trace. */
export type Traces = ReadonlyMap<string, Trace>

/** Traces the fields of the items of a resource. */
export function tracesOf(snapshot: Snapshot, name: string): Traces {
  const resource = resourceIn(snapshot, name)
  return new Map(fieldsOf(resource).map((field) => [field, traceOf(snapshot, resource, field)]))
}

/** Returns a resource of a snapshot. */
export function resourceIn({ resources }: Snapshot, name: string): SnapshotResource | undefined {
  return Object.hasOwn(resources, name) ? resources[name] : undefined
}

function fieldsOf(resource: SnapshotResource | undefined): readonly string[] {
  const members = resource?.item ? membersOf(resource.item) : []
  return sortedTexts(members.flatMap(propertiesOf).map(([field]) => field))
}

function traceOf(snapshot: Snapshot, resource: SnapshotResource | undefined, field: string): Trace {
  if (resource === undefined || resource.of === null) return { of: [field], forms: [] }
  const beneath = resourceIn(snapshot, resource.of)
  const link = linkFormOf(resource, field)
  const traces = sourcesOf(link).map((source) => traceOf(snapshot, beneath, source))
  return {
    of: sortedTexts(traces.flatMap(({ of }) => of)),
    forms: [...(link.form === 'plain' ? [] : [link]), ...traces.flatMap(({ forms }) => forms)],
  }
}

/** Returns the fields that share a stored field with a trace. */
export function matchesIn(traces: Traces, { of }: Trace): readonly string[] {
  return [...traces].flatMap(([field, trace]) =>
    trace.of.some((source) => of.includes(source)) ? [field] : [],
  )
}

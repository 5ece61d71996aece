import type { UncheckedAdapter } from '../../contract/resource/adapter.ts'
import type { Resource } from '../../contract/resource/resource.ts'
import { takenFieldsOf } from '../../contract/schema/required.ts'
import { mergePatch, takesField } from '../../contract/values/patch.ts'
import { type AdapterMethod, methodSets } from '../../convention/adapter-methods.ts'
import { bodyOf, changesStored, isConditional } from '../../convention/kinds.ts'
import { operations } from '../../convention/operations.ts'
import { isRecord } from '../../convention/value.ts'
import type { ParsedCall } from '../../wire/request.ts'

/** The body of a request, in words. Its members are public: `--json` prints them. */
export interface ExplainedBody {
  /** The media types that may declare it. */
  readonly types: readonly string[]
  /** The effects of the operation with this body. */
  readonly effects: readonly string[]
}

/**
 * Explains the body of a request; `undefined` for an operation without a body.
 *
 * @param body As JSON; `undefined` for a body that cannot be read.
 */
export function explainBody(call: ParsedCall, body: unknown): ExplainedBody | undefined {
  const { kind, target, parameters } = call
  const row = bodyOf(kind)
  if (row === undefined) return undefined
  return {
    types: row.types,
    effects: [
      ...(Array.isArray(body) ? [`writes all items of the array (${body.length}), or none`] : []),
      ...(row.isPatch ? effectsOfPatch(body, target.collection.resource) : []),
      ...effectsOfKeeping(call, body),
      ...conditionsOf(call),
      ...(call.conditions.key === undefined || parameters.dry_run ? [] : [effectOfKey]),
      ...(parameters.dry_run ? ['stores nothing: the response shows the result'] : []),
    ],
  }
}

function effectsOfKeeping({ kind, target }: ParsedCall, body: unknown): readonly string[] {
  const { keep } = target.collection.resource
  if (operations[kind].method !== 'PUT') return []
  const isLeftOut = (field: string): boolean =>
    [body].flat().some((item) => !Object.hasOwn(Object(item), field))
  const silent = keep.filter(isLeftOut)
  return silent.length === 0 ? [] : [`keeps what is stored, where left out: ${silent.join(', ')}`]
}

const effectOfKey =
  'makes the id from path, scope, caller and idempotency-key: a repetition creates no second item'

function effectsOfPatch(body: unknown, resource: Resource): readonly string[] {
  const { update, readOnly } = resource
  const named = takenFieldsOf(update)?.filter((field) => !readOnly.includes(field))
  const base = named === undefined ? 'all but the read-only ones' : named.join(', ')
  const patches = [body].flat().filter(isRecord)
  const fields = patches.flatMap((patch) => Object.entries(patch))
  const changes = new Map<string, Set<string>>()
  for (const [field, value] of fields) {
    if (field === 'id' || readOnly.includes(field)) continue
    const effect = effectOf(field, value, resource)
    changes.set(effect, (changes.get(effect) ?? new Set()).add(field))
  }
  return [
    `starts from the stored fields that an update takes: ${base}`,
    ...[...changes].map(([effect, names]) => `${effect} ${[...names].join(', ')}`),
    'validates the whole item as an update, and writes it only if it differs',
  ]
}

function effectOf(field: string, value: unknown, { update }: Resource): string {
  if (!takesField(update, field)) return 'names no field of an update:'
  if (isRecord(value)) return 'merges into'
  if (value !== null) return 'replaces'
  const isStored = Object.hasOwn(mergePatch({}, { [field]: null }, update), field)
  return isStored ? 'stores null in' : 'removes'
}

function conditionsOf({ kind, target, conditions }: ParsedCall): readonly string[] {
  const { revision } = target.collection.resource
  if (!isConditional(kind, 'revision')) return []
  const isNamed = Array.isArray(conditions.ifMatch)
  if (revision === undefined) return isNamed ? ['fails: no item has a revision to match'] : []
  const names = bodyOf(kind)?.isMany ? '' : 'if-match and '
  return [`compares ${names}"${revision}" of the body, where sent, with the stored revision`]
}

/** Returns the methods of an adapter that serve an operation, in words: `"read" and "modify"`. */
export function methodsOf(
  { kind, parameters, conditions }: ParsedCall,
  adapter: UncheckedAdapter,
  body: unknown,
): string {
  const more = Array.isArray(body) ? bodyOf(kind)?.orMany : undefined
  const [first = []] = methodSets[kind].filter((set) =>
    set.every((need) => need === 'revision' || adapter[need] !== undefined),
  )
  const methods = more === undefined ? first : [more]
  const reads: readonly AdapterMethod[] = changesStored(kind) ? ['read'] : []
  const needs = conditions.key === undefined ? methods : ['read' as const, ...methods]
  return (parameters.dry_run ? reads : needs)
    .filter((need) => need !== 'revision')
    .map((name) => `"${name}"`)
    .join(' and ')
}

/** Returns the effects of a deprecation on the response to a request. */
export function effectsOfEnd({ target }: ParsedCall): readonly string[] {
  const { deprecation, successor } = target.collection
  if (deprecation === undefined) return []
  const { deprecated, sunset } = deprecation
  const until = sunset === undefined ? '' : `, and its sunset on ${sunset}`
  const to = successor === undefined ? '' : `: use /${successor.version}${successor.path}`
  return [`the response announces its deprecation on ${deprecated}${until}${to}`]
}

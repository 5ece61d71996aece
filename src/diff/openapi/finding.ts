import type { Json } from '../../contract/schema/schema.ts'
import type { Verdict, Witness } from '../../schemas/change.ts'
import { groupBy, type Pairing } from '../../sets/canonical.ts'
import {
  type ContractChange,
  type Facts,
  type FoundChange,
  factChanges,
  listChanges,
  makeChange,
  type WitnessExchange,
} from '../change.ts'
import { sayChange, withinPlace } from '../schema-message.ts'
import type { MediaType } from './api-document.ts'
import type { PlacedChange, SchemaComparison } from './pairs.ts'
import type { SchemaUse } from './schema-book.ts'

const severity: readonly Verdict[] = ['fine', 'depends', 'breaking']

/** Returns the worst of some verdicts; `fine` for none. */
export function worstOf(verdicts: readonly Verdict[]): Verdict {
  return severity.findLast((verdict) => verdicts.includes(verdict)) ?? 'fine'
}

const shownPlaces = 3

/**
 * Joins the findings of a shared part: one change with its places. Changes keep their order, the
 * worst first.
 */
export function joinFindings(findings: readonly FoundChange[]): readonly ContractChange[] {
  const groups = groupBy(findings, ({ rule, verdict, at, shared, from, to }) =>
    JSON.stringify([rule, verdict, shared ?? at, from, to] satisfies Json),
  )
  return [...groups.values()]
    .map(joined)
    .sort(
      (finding, nextFinding) =>
        severity.indexOf(nextFinding.verdict) - severity.indexOf(finding.verdict),
    )
}

function joined(group: readonly FoundChange[]): ContractChange {
  const [first] = group
  if (first === undefined) throw new RangeError('A group has a finding.')
  const { shared, ...change } = first
  const places = [...new Set(group.map(({ at }) => at))]
  const witness = group.find((finding) => finding.witness !== undefined)?.witness
  const withExample = witness === undefined ? change : { ...change, witness }
  if (shared === undefined || places.length === 1) return withExample
  const more = places.length > shownPlaces ? ', …' : ''
  const list = places.slice(0, shownPlaces).join('; ')
  return {
    ...withExample,
    at: shared,
    message: `${change.message} (${places.length} places: ${list}${more})`,
  }
}

/** Makes a finding about one operation, or about one parameter. */
export type MakeFinding = (rule: string, parts: Facts) => FoundChange

/** A place of schemas in both documents. */
export interface FindingPlace {
  readonly at: string
  readonly shared?: string | undefined
  /** Makes the exchange that shows a value. */
  readonly exchange?: (witness: Witness) => WitnessExchange | undefined
}

/** Makes the changes of the schemas at a place. */
export function schemaFindings(
  changes: readonly PlacedChange[],
  { at, shared, exchange }: FindingPlace,
): readonly FoundChange[] {
  return changes.map((change) =>
    makeChange(change.rule, withinPlace(at, change.at), {
      ...change,
      message: sayChange(change),
      shared: change.shared ?? (shared && withinPlace(shared, change.at)),
      witness: change.witness && exchange?.(change.witness),
    }),
  )
}

/** A body of requests or responses in both documents. */
interface ContentPlace extends Omit<FindingPlace, 'exchange'> {
  readonly use: SchemaUse
  readonly content: readonly [old: readonly MediaType[], next: readonly MediaType[]]
  /** Makes the exchange with a body of a media type; any body for `undefined`. */
  readonly exchange: (body: Witness | undefined, type: string) => WitnessExchange | undefined
}

const words = {
  request: { rule: 'media-type', removed: 'a body must not be', added: 'a body may be' },
  item: {
    rule: 'response-media-type',
    removed: 'the response is never',
    added: 'the response may be',
  },
} as const satisfies Record<SchemaUse, object>

/** Compares the media types of a body, and the schemas of those that both documents have. */
export function contentChanges(
  schemas: SchemaComparison,
  { use, content, at, shared, exchange }: ContentPlace,
): readonly FoundChange[] {
  const { pairs, removed, added } = pairMediaTypes(...content)
  const { rule, ...text } = words[use]
  const paired = new Set(pairs.map(([type]) => type))
  // A range of the old document held every response that the new one names within it.
  const lost = use === 'request' ? removed : removed.filter((type) => !paired.has(type))
  const [from, to] = [lost, added].map((types) => types.map(({ type }) => type))
  return [
    ...listChanges(at, [from ?? [], to ?? []], {
      removed: (type) => {
        const witness = exchange(undefined, type)
        return [`${rule}-removed`, `${text.removed} ${type}`, { shared, witness }]
      },
      added: (type) => [`${rule}-added`, `${text.added} ${type}`, { shared }],
    }),
    ...pairs.flatMap(([old, next]) => [
      ...(use === 'request' ? encodingChanges([old, next], { at, shared }) : []),
      ...schemaFindings(schemas.compare({ old: old.schema, new: next.schema, use }), {
        at,
        exchange: (body) => exchange(body, old.type),
      }),
    ]),
  ]
}

function encodingChanges(
  [old, next]: readonly [MediaType, MediaType],
  { at, shared }: FindingPlace,
): readonly FoundChange[] {
  const message = `the parts of ${old.type} are written in another way`
  return factChanges(at, [old.encoding, next.encoding], {
    set: ['body-encoding-changed', message, { shared }],
  })
}

/**
 * Pairs the media types of two bodies: equal ones, else those without parameters, else a range that
 * holds the type: `application/json` and `application/*`.
 *
 * @see RFC 9110 §8.3.1, §12.5.1
 */
export function pairMediaTypes(
  old: readonly MediaType[],
  next: readonly MediaType[],
): Pairing<MediaType> {
  const forward = old.map((oldType) => [oldType, within(oldType, next)] as const)
  const backward = next.map((newType) => [within(newType, old), newType] as const)
  const pairs = new Map<string, readonly [MediaType, MediaType]>()
  for (const [oldType, newType] of [...forward, ...backward]) {
    if (oldType && newType) pairs.set(`${oldType.type} ${newType.type}`, [oldType, newType])
  }
  return {
    pairs: [...pairs.values()],
    removed: forward.filter(([, newType]) => newType === undefined).map(([oldType]) => oldType),
    added: backward.filter(([oldType]) => oldType === undefined).map(([, newType]) => newType),
  }
}

function within(mediaType: MediaType, types: readonly MediaType[]): MediaType | undefined {
  const essence = essenceOf(mediaType)
  const [main] = essence.split('/')
  return (
    types.find(({ type }) => type === mediaType.type) ??
    types.find((candidate) => essenceOf(candidate) === essence) ??
    types.find((candidate) => essenceOf(candidate) === `${main}/*`) ??
    types.find((candidate) => essenceOf(candidate) === '*/*')
  )
}

function essenceOf({ type }: MediaType): string {
  return type.split(';')[0] ?? ''
}

import { creatingKindOf, isConditional } from '../../convention/kinds.ts'
import { type OperationKind, operationKinds, operations } from '../../convention/operations.ts'
import { isSame } from '../../convention/value.ts'
import { type FoundChange, makeChange, type Probe } from '../change.ts'
import type { SnapshotResource } from '../snapshot.ts'
import { kindsOfBody, type Mount, placesOffering, type ResourcePair } from './context.ts'
import { type ExchangeParts, filledAt, idOf, parameter, requestBy, sampleBody } from './witness.ts'

const { create: creating } = kindsOfBody
// A deletion of what matches always needs a bound.
const bulkDeleting = kindsWhere((kind) => isConditional(kind, 'bound') && !operations[kind].selects)
const creatingByPath = kindsWhere((kind) => creatingKindOf(kind) !== undefined)
const counting = kindsWhere((kind) => operations[kind].counts)
// A collection has no tag.
const conditional = kindsWhere(
  (kind) => isConditional(kind, 'revision') && operations[kind].target === 'item',
)

type ValueOption =
  | 'maxLimit'
  | 'defaultLimit'
  | 'bounded'
  | 'idempotent'
  | 'putCreates'
  | 'takesId'
  | 'total'
  | 'revision'
  | 'ownedBy'

/** The rule of a change of an option, its message, and parts of the request that it breaks. */
type BreakingChange = readonly [rule: string, message: string, broken?: BrokenRequest]

interface BrokenRequest extends ExchangeParts {
  /** Default: the operations of the option. */
  readonly kinds?: readonly OperationKind[]
  readonly probe?: Probe
}

/** Compares an option of one value at the paths that offer some operations. */
function optionRow<Option extends ValueOption>(
  option: Option,
  kinds: readonly OperationKind[],
  tell: (
    from: SnapshotResource[Option],
    to: SnapshotResource[Option],
    sides: { readonly pair: ResourcePair; readonly first: Mount },
  ) => BreakingChange,
): (pair: ResourcePair) => readonly FoundChange[] {
  return (pair) => {
    const from = optionOf(option, pair.old)
    const to = optionOf(option, pair.new)
    const places = placesOffering(pair, kinds)
    // An old snapshot does not tell each option.
    if (from === undefined || to === undefined || places === undefined) return []
    if (isSame(from, to)) return []
    const [rule, message, broken] = tell(from, to, { pair, first: places.first })
    const { kinds: brokenKinds = kinds, probe, ...parts } = broken ?? {}
    const shown = broken && placesOffering(pair, brokenKinds)
    const witness = shown && requestBy(brokenKinds, shown.first, parts)
    return [makeChange(rule, places.at, { from, to, message, witness, probe })]
  }
}

// A snapshot holds this option only where it is set.
function optionOf<Option extends ValueOption>(
  option: Option,
  resource: SnapshotResource,
): SnapshotResource[Option] {
  return { ...resource, putCreates: resource.putCreates ?? false }[option]
}

const rows = [
  optionRow('maxLimit', counting, (from, to) => {
    const message = `a page has at most ${to} items, it was ${from}`
    if (to > from) return ['max-limit-raised', message]
    return ['max-limit-lowered', message, { query: parameter('limit', `${from}`) }]
  }),
  optionRow('defaultLimit', counting, (from, to) => {
    const [now, before] = [to ?? 'all', from ?? 'all']
    const message = `a list without "limit" has ${now} items, it had ${before}`
    if (from === null) return ['default-limit-set', message, {}]
    const word = to === null ? 'dropped' : to < from ? 'lowered' : 'raised'
    return [`default-limit-${word}`, message]
  }),
  optionRow('bounded', bulkDeleting, (_, to) =>
    to
      ? ['bounded-set', 'a DELETE of the collection needs "Prefer: max-affected"', {}]
      : ['bounded-dropped', 'a DELETE of the collection needs no bound'],
  ),
  optionRow('idempotent', creating, (_, to) => {
    if (to) return ['idempotent-set', 'clients can repeat a POST by "Idempotency-Key"']
    const message = 'clients can no longer repeat a POST by "Idempotency-Key"'
    return ['idempotent-dropped', message, { header: 'Idempotency-Key: "a"' }]
  }),
  optionRow('putCreates', creatingByPath, (_, to) => {
    if (to) return ['put-creates-set', 'a PUT creates an item that does not exist']
    const note = 'no item has this id yet'
    return ['put-creates-dropped', 'a PUT no longer creates an item that does not exist', { note }]
  }),
  optionRow('takesId', creating, (_, to, { pair, first }) => {
    if (to) return ['client-id-taken', 'clients can choose ids']
    const body = { ...Object(sampleBody('create', first)), id: idOf(first, first.path) }
    const target = { resource: pair.newName, body: 'create', filled: filledAt(first) } as const
    const probe = { ...target, value: body, lost: ['id'] }
    return ['client-id-refused', 'clients can no longer choose ids', { body, probe }]
  }),
  optionRow('total', counting, (from, to) => {
    const rule = rankOf(to) < rankOf(from) ? 'total-dropped' : 'total-added'
    return [rule, `lists carry "X-Total-Count" ${oftenOf(to)}, it was ${oftenOf(from)}`]
  }),
  optionRow('revision', operationKinds, (from, to) => {
    if (from === null) return ['revision-field-set', `items have tags by "${to}"`]
    if (to !== null) return ['revision-field-changed', `tags are made of "${to}", not "${from}"`]
    const broken = { kinds: conditional, header: 'If-Match: "1"' }
    return ['revision-field-dropped', 'items have no tags any more', broken]
  }),
  optionRow('ownedBy', operationKinds, (_, to) => {
    if (to === null) return ['ownership-dropped', 'a caller reaches the items of all owners']
    const note = 'it reaches an item of another owner'
    return ['ownership-set', 'a caller reaches only the items of its own', { note }]
  }),
]

/** Compares the options of a resource that hold one value each. */
export function compareOptions(pair: ResourcePair): readonly FoundChange[] {
  return rows.flatMap((changesOf) => changesOf(pair))
}

function kindsWhere(isOne: (kind: OperationKind) => boolean): readonly OperationKind[] {
  return operationKinds.filter(isOne)
}

function rankOf(total: boolean | null): number {
  return total === null ? 1 : total ? 2 : 0
}

function oftenOf(total: boolean | null): string {
  return total === null ? 'where clients ask for it' : total ? 'always' : 'never'
}

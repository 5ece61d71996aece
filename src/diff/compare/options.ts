import { bodySchemaOf, isConditional } from '../../convention/kinds.ts'
import { type OperationKind, operationKinds, operations } from '../../convention/operations.ts'
import {
  type Facts,
  type FoundChange,
  makeChange,
  type Probe,
  type WitnessExchange,
} from '../change.ts'
import { type Places, placesOffering, type ResourcePair } from './context.ts'
import { filledAt, idOf, parameter, requestOf, sampleBody } from './witness.ts'

/** Compares the options of a resource that hold one value each. */
export function compareOptions(pair: ResourcePair): readonly FoundChange[] {
  return [
    ...maxLimitChanges(pair),
    ...defaultLimitChanges(pair),
    ...boundedChanges(pair),
    ...idempotentChanges(pair),
    ...clientIdChanges(pair),
    ...totalChanges(pair),
    ...revisionChanges(pair),
  ]
}

function kindsWhere(isOne: (kind: OperationKind) => boolean): readonly OperationKind[] {
  return operationKinds.filter(isOne)
}

const creating = kindsWhere((kind) => bodySchemaOf(kind) === 'create')
const bulkDeleting = kindsWhere((kind) => isConditional(kind, 'bound'))
const counting = kindsWhere((kind) => operations[kind].counts)
// A collection has no tag.
const conditional = kindsWhere(
  (kind) => isConditional(kind, 'revision') && operations[kind].target === 'item',
)

function requestFor(
  { comparison }: ResourcePair,
  { first }: Places,
  parts: Parameters<typeof requestOf>[2] & { readonly kinds: readonly OperationKind[] },
): WitnessExchange | undefined {
  const { kinds, ...exchange } = parts
  const kind = kinds.find((candidate) => first.old.operations.includes(candidate))
  return kind && requestOf(kind, { ...first, snapshot: comparison.old }, exchange)
}

function maxLimitChanges(pair: ResourcePair): readonly FoundChange[] {
  const { maxLimit: from } = pair.old
  const { maxLimit: to } = pair.new
  const places = placesOffering(pair, counting)
  if (from === to || places === undefined) return []
  const facts = { from, to, message: `a page has at most ${to} items, it was ${from}` }
  if (to > from) return [makeChange('max-limit-raised', places.at, facts)]
  const witness = requestFor(pair, places, {
    kinds: counting,
    query: parameter('limit', `${from}`),
  })
  return [makeChange('max-limit-lowered', places.at, { ...facts, witness })]
}

function defaultLimitChanges(pair: ResourcePair): readonly FoundChange[] {
  const { defaultLimit: from } = pair.old
  const { defaultLimit: to } = pair.new
  const places = placesOffering(pair, counting)
  if (from === to || places === undefined) return []
  const name = (limit: number | null): string => (limit === null ? 'all' : `${limit}`)
  const message = `a list without "limit" has ${name(to)} items, it had ${name(from)}`
  const witness = from === null ? requestFor(pair, places, { kinds: counting }) : undefined
  const word = from === null ? 'set' : to === null ? 'dropped' : to < from ? 'lowered' : 'raised'
  return [makeChange(`default-limit-${word}`, places.at, { from, to, message, witness })]
}

function boundedChanges(pair: ResourcePair): readonly FoundChange[] {
  const { bounded: from } = pair.old
  const { bounded: to } = pair.new
  const places = placesOffering(pair, bulkDeleting)
  if (from === to || places === undefined) return []
  if (from) {
    const message = 'a DELETE of the collection needs no bound'
    return [makeChange('bounded-dropped', places.at, { from, to, message })]
  }
  const message = 'a DELETE of the collection needs "Prefer: max-affected"'
  const witness = requestFor(pair, places, { kinds: bulkDeleting })
  return [makeChange('bounded-set', places.at, { from, to, message, witness })]
}

function idempotentChanges(pair: ResourcePair): readonly FoundChange[] {
  const { idempotent: from } = pair.old
  const { idempotent: to } = pair.new
  const places = placesOffering(pair, creating)
  if (from === to || places === undefined) return []
  if (to) {
    const message = 'clients can repeat a POST by "Idempotency-Key"'
    return [makeChange('idempotent-set', places.at, { from, to, message })]
  }
  const message = 'clients can no longer repeat a POST by "Idempotency-Key"'
  const witness = requestFor(pair, places, { kinds: creating, header: 'Idempotency-Key: "a"' })
  return [makeChange('idempotent-dropped', places.at, { from, to, message, witness })]
}

function clientIdChanges(pair: ResourcePair): readonly FoundChange[] {
  const { takesId: from } = pair.old
  const { takesId: to } = pair.new
  const places = placesOffering(pair, creating)
  if (from === to || places === undefined) return []
  if (to)
    return [
      makeChange('client-id-taken', places.at, { from, to, message: 'clients can choose ids' }),
    ]
  const message = 'clients can no longer choose ids'
  const mounted = { ...places.first, snapshot: pair.comparison.old }
  const body = { ...Object(sampleBody('create', mounted)), id: idOf(mounted, mounted.path) }
  const witness = requestFor(pair, places, { kinds: creating, body })
  const probe: Probe = {
    resource: pair.newName,
    body: 'create',
    value: body,
    filled: filledAt(pair, places),
    lost: ['id'],
  }
  return [makeChange('client-id-refused', places.at, { from, to, message, witness, probe })]
}

function totalChanges(pair: ResourcePair): readonly FoundChange[] {
  const { total: from } = pair.old
  const { total: to } = pair.new
  const places = placesOffering(pair, counting)
  if (from === to || places === undefined) return []
  const message = `lists carry "X-Total-Count" ${oftenOf(to)}, it was ${oftenOf(from)}`
  const rule = rankOf(to) < rankOf(from) ? 'total-dropped' : 'total-added'
  return [makeChange(rule, places.at, { from, to, message })]
}

function rankOf(total: boolean | null): number {
  return total === null ? 1 : total ? 2 : 0
}

function oftenOf(total: boolean | null): string {
  return total === null ? 'where clients ask for it' : total ? 'always' : 'never'
}

function revisionChanges(pair: ResourcePair): readonly FoundChange[] {
  const { revision: from } = pair.old
  const { revision: to } = pair.new
  const places = placesOffering(pair, operationKinds)
  if (from === to || places === undefined) return []
  const facts = { from, to }
  const say = (rule: string, details: Facts): FoundChange =>
    makeChange(rule, places.at, { ...facts, ...details })
  if (from === null) return [say('revision-field-set', { message: `items have tags by "${to}"` })]
  if (to !== null)
    return [say('revision-field-changed', { message: `tags are made of "${to}", not "${from}"` })]
  const writes = placesOffering(pair, conditional)
  const header = 'If-Match: "1"'
  const witness = writes && requestFor(pair, writes, { kinds: conditional, header })
  return [say('revision-field-dropped', { message: 'items have no tags any more', witness })]
}

import type { Json } from '../../contract/schema/schema.ts'
import { bodyOf } from '../../convention/kinds.ts'
import type { OperationKind } from '../../convention/operations.ts'
import { sortedEntries } from '../canonical.ts'
import type { SchemaChange, WitnessExchange } from '../change.ts'
import type { BodyPlace } from './body-place.ts'
import type { Places, ResourcePair } from './context.ts'
import type { Probe } from './found.ts'
import { filledAt } from './options.ts'
import { keysOf } from './properties.ts'
import { idOf, type MountedPath, requestOf, withId } from './witness.ts'

const kinds: Readonly<Record<BodyPlace['body'], readonly OperationKind[]>> = {
  create: ['create'],
  update: ['update', 'patch', 'updateMany', 'patchMany'],
  item: ['read', 'first', 'last', 'list', 'create', 'update', 'patch', 'delete'],
}

/** A path with the operations that it offers. */
export interface Offered extends MountedPath {
  readonly operations: readonly OperationKind[]
}

/** Makes the request that carries a body, or the response that carries an item. */
export function exchangeAt(
  offered: Offered,
  body: BodyPlace['body'],
  value: Json,
): WitnessExchange {
  const kind = kindAt(offered, body)
  if (body === 'item') return requestOf(kind, offered, { answer: value })
  const isMany = bodyOf(kind)?.isMany
  return requestOf(kind, offered, { body: isMany ? [withId(value, offered)] : value })
}

/** Makes the request of a PUT whose body no schema tells, with a note in its place. */
export function describing(offered: Offered, note: string): WitnessExchange {
  return requestOf(kindAt(offered, 'update'), offered, { note })
}

function kindAt({ operations }: Offered, body: BodyPlace['body']): OperationKind {
  return kinds[body].find((one) => operations.includes(one)) ?? operations[0] ?? 'read'
}

/** Makes the exchange of a value at the first path of a place. */
export function exchangeOf({ pair, places, body }: BodyPlace, value: Json): WitnessExchange {
  return exchangeAt(offeredAt(pair, places), body, value)
}

/** Returns the first of some paths, with what the old contract offers there. */
export function offeredAt({ comparison }: ResourcePair, { first }: Places): Offered {
  const { version, path, old } = first
  return { snapshot: comparison.old, version, path, operations: old.operations }
}

/** Returns what the validator of the new side has to refuse; `undefined` for an item. */
export function probeOf(change: SchemaChange, place: BodyPlace): Probe | undefined {
  const { pair, body } = place
  if (body === 'item' || change.witness === undefined) return undefined
  const { value } = change.witness
  const isLost = change.rule === 'field-removed' || change.rule === 'field-renamed'
  return {
    resource: pair.newName,
    body,
    value,
    filled: filledBy(place),
    ...(isLost && { lost: keysOf(change.at) }),
  }
}

// The path gives the owners of an item, and the id of one that a PUT replaces.
function filledBy({ pair, places, body }: BodyPlace): Probe['filled'] {
  const id = body === 'update' ? { id: idOf(offeredAt(pair, places), places.first.path) } : {}
  return Object.fromEntries(sortedEntries({ ...filledAt(pair, places), ...id }))
}

import type { OperationKind } from '../../model/convention.ts'
import { isRecord } from '../../model/declared.ts'
import type { Json } from '../../model/schema.ts'
import { sortedEntries } from '../canonical.ts'
import type { SchemaChange, WitnessExchange } from '../change.ts'
import type { BodyPlace } from './body-place.ts'
import type { Probe } from './found.ts'
import { filledAt } from './options.ts'
import { keysOf } from './properties.ts'
import { idsFor, type MountedPath, requestOf } from './witness.ts'

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
  const { operations } = offered
  const kind = kinds[body].find((one) => operations.includes(one)) ?? operations[0] ?? 'read'
  if (body === 'item') return requestOf(kind, offered, { answer: value })
  const isMany = kind === 'updateMany' || kind === 'patchMany'
  if (!isMany) return requestOf(kind, offered, { body: value })
  const { id = '7' } = idsFor({ ...offered, path: `${offered.path}/:id` })
  return requestOf(kind, offered, { body: [isRecord(value) ? { ...value, id } : value] })
}

/** Makes the exchange of a value at the first path of a place. */
export function exchangeOf({ pair, places, body }: BodyPlace, value: Json): WitnessExchange {
  const { version, path, old } = places.first
  const { operations } = old
  return exchangeAt({ snapshot: pair.comparison.old, version, path, operations }, body, value)
}

/** Returns what the validator of the new side has to refuse; `undefined` for an item. */
export function probeOf(change: SchemaChange, place: BodyPlace): Probe | undefined {
  const { pair, places, body } = place
  if (body === 'item' || change.witness === undefined) return undefined
  const { value } = change.witness
  const isLost = change.rule === 'field-removed' || change.rule === 'field-renamed'
  return {
    resource: pair.newName,
    body,
    value,
    filled: Object.fromEntries(sortedEntries(filledAt(pair, places))),
    ...(isLost && { lost: keysOf(change.at) }),
  }
}

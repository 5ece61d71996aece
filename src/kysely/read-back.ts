import { v7 as uuidv7 } from 'uuid'
import { idFor } from '../contract/resource/id.ts'
import type { Resource } from '../contract/resource/resource.ts'
import { requiredFieldsOf } from '../contract/schema/required.ts'
import { type BoundField, fieldFor, type StorageTask, type Table } from './table.ts'

/**
 * Tells whether a write needs a transaction that reads the item again before it commits. The stored
 * item may lack a field, be invisible, lie outside the scope, or have an id that no path can name.
 */
export function needsReadBack({ store, table, operation }: StorageTask): boolean {
  const { create, update } = doubtsOf(table)
  if (store.visible !== undefined) return true
  const isDoubtful = operation.kind === 'create' ? create : update
  const isSteady = (name: string) => fieldFor(table, name).stored.isSteady
  return isDoubtful || !Object.keys(operation.scope).every(isSteady)
}

interface Doubts {
  readonly create: boolean
  readonly update: boolean
}

const doubts = new WeakMap<Table, Doubts>()

function doubtsOf(table: Table): Doubts {
  const known = doubts.get(table)
  if (known) return known
  const required = (requiredFieldsOf(table.resource.schema) ?? []).flatMap((name) =>
    name === 'id' ? [] : (table.field.get(name) ?? []),
  )
  const id = fieldFor(table, 'id')
  const mayLack = ({ stored, isNullable }: BoundField) => stored.isNullable && !isNullable
  const hasComputed = required.some((field) => field.stored.isComputed && mayLack(field))
  const update = table.described.hasTriggers || table.isTrusted || hasComputed
  const mayBeNothing = required.some((field) => mayLack(field) && hasOddDefault(field))
  const create = update || mayBeNothing || !id.stored.isSteady || makesOddIds(id, table.resource)
  const doubt = { create, update }
  doubts.set(table, doubt)
  return doubt
}

// A literal, or a function that always returns a value.
const plain: readonly RegExp[] = [
  /^\(*(?:'|[-+]?[\d.]|true\b|false\b|current_)/i,
  /^\(*(?:now|clock_timestamp|statement_timestamp|nextval|gen_random_uuid)\(/i,
  /^\(*(?:uuid|randomblob|hex|unixepoch)\(/i,
]

function hasOddDefault({ stored: { standard } }: BoundField): boolean {
  return standard !== undefined && !plain.some((syntax) => syntax.test(standard))
}

// A database counts or generates UUIDs. Other ids are unknown before the write.
function makesOddIds({ type, stored }: BoundField, resource: Resource): boolean {
  if (!stored.isGenerated) return false
  if (stored.family === 'digits') return idFor(resource, '1') !== '1'
  const id = type === 'number' ? 1 : uuidv7()
  return idFor(resource, String(id)) !== id
}

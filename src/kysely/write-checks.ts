import { v7 as uuidv7 } from 'uuid'
import {
  checkComplete,
  checkInScope,
  checkNewId,
  incomplete,
  lackingIn,
} from '../model/complete.ts'
import { idFor } from '../model/id.ts'
import type { Operation } from '../model/operation.ts'
import { requiredFieldsOf } from '../model/required.ts'
import type { Item, Resource } from '../model/resource.ts'
import { type BoundField, fieldFor, type Table } from './table.ts'

type ItemWrite = 'create' | 'update'

/**
 * Checks before a write that the item has every required field that the database does not add.
 *
 * @throws {TypeError} For a missing required field, and for an item outside the operation's scope.
 */
export function checkBeforeWrite(operation: Operation, table: Table, item: object): void {
  const { resource } = table
  const plan = operation.kind === 'create' ? 'create' : 'update'
  checkInScope(item, operation)
  const lacking = lackingIn(item, resource).filter((name) => {
    const field = table.field.get(name)
    return field === undefined || !isGiven(field, resource, plan)
  })
  if (lacking.length > 0) throw incomplete(resource.name, lacking)
}

// A `not null` column gets a value, or the database rejects the item. The client can correct that.
function isGiven(
  { name, stored, isNullable }: BoundField,
  { revision }: Resource,
  plan: ItemWrite,
): boolean {
  if (isNullable || !stored.isNullable || stored.isComputed) return true
  return plan === 'create' ? stored.isGenerated || name === 'id' : name === revision
}

/**
 * Tells whether a write needs a transaction that reads the item again before it commits. The stored
 * item may lack a field, lie outside the scope, or have an id that no path can name.
 */
export function needsReadBack(table: Table, scope: Operation['scope'], plan: ItemWrite): boolean {
  return (
    doubtsOf(table)[plan] ||
    Object.keys(scope).some((name) => !fieldFor(table, name).stored.isSteady)
  )
}

const doubts = new WeakMap<Table, Readonly<Record<ItemWrite, boolean>>>()

function doubtsOf(table: Table): Readonly<Record<ItemWrite, boolean>> {
  let doubt = doubts.get(table)
  if (doubt === undefined) {
    const required = (requiredFieldsOf(table.resource.schema) ?? []).flatMap(
      (name) => table.field.get(name) ?? [],
    )
    const id = fieldFor(table, 'id')
    const mayLack = ({ stored, isNullable }: BoundField) => stored.isNullable && !isNullable
    const hasComputed = required.some((field) => field.stored.isComputed && mayLack(field))
    const update = table.described.hasTriggers || table.isTrusted || hasComputed
    const mayBeNothing = required.some((field) => mayLack(field) && hasOddDefault(field))
    const create = update || mayBeNothing || !id.stored.isSteady || makesOddIds(id, table.resource)
    doubt = { create, update }
    doubts.set(table, doubt)
  }
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

/**
 * Checks that a response can hold the stored item.
 *
 * @throws {TypeError} When it cannot.
 */
export function checkAfterWrite<Stored extends Item | undefined>(
  stored: Stored,
  operation: Operation,
): Stored {
  if (stored === undefined) return stored
  checkComplete(stored, operation)
  if (operation.kind === 'create') checkNewId(stored, operation.resource)
  return stored
}

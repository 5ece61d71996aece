import { type RawBuilder, sql } from 'kysely'
import type { Resource } from '../contract/resource/resource.ts'
import { encode } from './codec.ts'
import type { Column, Engine, Sql, WriteKind } from './engine.ts'
import { fits } from './fit.ts'
import type { FixWriter } from './fix.ts'
import type { Fix } from './obstacle.ts'
import { Parameter } from './statement.ts'
import type { Deletion, Table } from './table.ts'

/** The table of a deletion, for messages. */
interface Home {
  readonly table: string
  readonly resource: Resource
  readonly engine: Engine
  /** A client can write a field to the column. */
  readonly isWritable: boolean
}

/** A fault of the option `softDelete`. */
export interface DeletionFault {
  readonly message: string
  readonly fix?: (fixWriter: FixWriter) => Fix | undefined
}

/**
 * Binds the column of the option `softDelete`. Returns a fault if the column is missing, or cannot
 * hold a moment or nothing.
 */
export function deletionOf(
  name: string,
  columns: readonly Column[],
  { table, resource, engine, isWritable }: Home,
): Deletion | DeletionFault {
  const column = columns.find((column) => column.name === name)
  if (column === undefined) {
    const message =
      `The table "${table}" has no column "${name}" for "softDelete" of "${resource.name}": ` +
      'add it, or name another.'
    return { message, fix: (fixWriter) => fixWriter.addDeletion() }
  }
  const stored = { ...column, isClock: false }
  const deletion: Deletion = { type: stored.family === 'number' ? 'number' : 'text', stored }
  if (isWritable) {
    const message =
      `The column "${name}" marks deleted items: name its field in "readOnly" of ` +
      `"${resource.name}".`
    return { message }
  }
  const fault = faultOf(deletion, engine)
  if (fault === undefined) return deletion
  const message =
    `The column "${name}" of "${table}" ${fault.message}, so "softDelete" of ` +
    `"${resource.name}" cannot use it: take a timestamp, text, or bigint that may be null and ` +
    'has no default.'
  return { ...fault, message }
}

function faultOf(deletion: Deletion, engine: Engine): DeletionFault | undefined {
  const { stored } = deletion
  const retype: DeletionFault['fix'] = (fixWriter) => fixWriter.retypeDeletion(stored)
  if (!['timestamp', 'text', 'number', 'any'].includes(stored.family))
    return { message: `is of type ${stored.type}`, fix: retype }
  if (stored.isComputed) return { message: 'is computed by the database' }
  if (!stored.isNullable)
    return { message: 'cannot be null', fix: (fixWriter) => fixWriter.require(stored, false) }
  if (stored.isGenerated)
    return { message: 'has a default', fix: (fixWriter) => fixWriter.dropDefault(stored) }
  if (fits(deletion, momentFor(deletion), engine)) return undefined
  return { message: 'is too short for a moment', fix: retype }
}

function momentFor({ type }: Deletion): string | number {
  return type === 'number' ? Date.now() : new Date().toISOString()
}

/** Returns the conditions that an item is not deleted. */
export function notDeleted({ deletion }: Table): readonly Sql[] {
  return deletion === undefined ? [] : [sql`${sql.id(deletion.stored.name)} is null`]
}

/** Returns the kind of the statement that deletes an item. */
export function deletingKind({ deletion }: Pick<Table, 'deletion'>): WriteKind {
  return deletion === undefined ? 'delete' : 'update'
}

/** Returns the start of a statement that deletes, up to its conditions. */
export function deleteFrom(table: Table, counted: readonly Sql[]): RawBuilder<unknown> {
  const { deletion, engine } = table
  const name = table.base?.name ?? table.name
  if (deletion === undefined) return sql`delete from ${name}`
  const { stored } = deletion
  const moment = new Parameter(() => encode(deletion, momentFor(deletion), engine))
  const marked = sql`${sql.id(stored.name)} = ${engine.writable(stored, sql`${moment}`)}`
  return sql`update ${name} set ${sql.join([marked, ...counted])}`
}

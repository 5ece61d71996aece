import { OperationNodeTransformer, sql, type ValueNode } from 'kysely'
import type { Operation, Query } from '../../contract/resource/operation.ts'
import type { Awaitable } from '../../convention/awaitable.ts'
import { numbersOf, type Sql } from '../engine/engine.ts'
import type { BoundField } from '../fields.ts'
import { execute } from '../run/execute.ts'
import { fieldFor, type StorageTask, type Store, type Table, TableSelection } from '../table.ts'
import { keyOfFilters, meets } from './filter.ts'
import { Parameter, type StatementValues } from './statement.ts'
import { exists, keyOfScope, where } from './where.ts'

/** Returns the selection of the items that an operation lists. */
export function selectionIn(store: Store, operation: Operation): Awaitable<object> {
  return withTable(store, operation, (table) => new TableSelection(store, table, operation))
}

function withTable<Result>(
  store: Store,
  operation: Operation,
  use: (table: Table) => Result,
): Awaitable<Result> {
  const table = store.tables.get(operation.resource)
  return table ? use(table) : execute(store, operation, async (task) => use(task.table))
}

/**
 * Tells whether one statement can compare a field of an operation with the ids of each selection of
 * its query: the tables are in one database, and the columns compare alike.
 */
export function joins(store: Store, operation: Operation): Awaitable<boolean> {
  const { related = [] } = operation.query
  const isHere = related.every(
    ({ join }) =>
      join?.selection instanceof TableSelection && join.selection.store.source === store.source,
  )
  return (
    isHere &&
    withTable(store, operation, (table) =>
      relationsOf(table, operation.query).every(({ field, id }) => areAlike(field, id)),
    )
  )
}

const exactForms: ReadonlySet<unknown> = new Set(['whole', 'exact'])

// PostgreSQL and MySQL compare no texts of two collations, and SQLite a text with no number.
function areAlike(field: BoundField, id: BoundField): boolean {
  const [{ stored }, other] = [field, id.stored]
  const isSame = field.type === id.type && stored.kind === other.kind
  if (!isSame || stored.loose?.affinity !== other.loose?.affinity) return false
  const precision = numbersOf(stored)?.precision
  if (stored.kind === 'number')
    return exactForms.has(precision) && precision === numbersOf(other)?.precision
  return stored.kind === 'uuid' || (stored.kind === 'text' && stored.collation === other.collation)
}

/** A field of a table that holds the ids of a selection. */
interface Relation {
  readonly field: BoundField
  readonly id: BoundField
  readonly selection: TableSelection
  /** Returns the values of the selection in those of a statement. */
  readonly valuesOf: (values: StatementValues) => StatementValues
}

function relationsOf(table: Table, { related = [] }: Pick<Query, 'related'>): readonly Relation[] {
  return related.flatMap(({ join }, place) => {
    const { selection } = { ...join }
    if (join === undefined || !(selection instanceof TableSelection)) return []
    const valuesOf = ({ query }: StatementValues): StatementValues => {
      const current = query.related?.[place]?.join?.selection
      return current instanceof TableSelection ? current.operation : selection.operation
    }
    const id = fieldFor(selection.table, 'id')
    return [{ field: fieldFor(table, join.field), id, selection, valuesOf }]
  })
}

/** Returns the conditions that the fields of an item hold ids of the selections of a query. */
export function isRelated(table: Table, query: Query): readonly Sql[] {
  return relationsOf(table, query).map(({ field, id, selection, valuesOf }) => {
    const { table: other, store, operation } = selection
    const conditions = where([
      ...exists({ table: other, store }, operation.scope),
      ...meets(other, operation.query),
      ...isRelated(other, operation.query),
    ])
    const [column, otherColumn] = [sql.id(field.column), sql.id(id.column)]
    const isSame = sql`${column} in (select ${otherColumn} from ${other.name} ${conditions})`
    if ([field, id].every(({ stored }) => stored.equality === 'exact'))
      return placed(isSame, valuesOf)
    // An index serves the first condition, and the second one compares exactly.
    const [exact, otherExact] = [table.engine.exact(field.stored), other.engine.exact(id.stored)]
    const ids = sql`select ${otherExact} from ${other.name} ${conditions}`
    return placed(sql`${isSame} and ${exact} in (${ids})`, valuesOf)
  })
}

// Makes the parameters of a selection take their values from those of the whole statement.
function placed(condition: Sql, valuesOf: Relation['valuesOf']): Sql {
  const node = new PlacedParameters(valuesOf).transformNode(condition.toOperationNode())
  return { expressionType: undefined, toOperationNode: () => node }
}

class PlacedParameters extends OperationNodeTransformer {
  readonly #valuesOf: Relation['valuesOf']

  constructor(valuesOf: Relation['valuesOf']) {
    super()
    this.#valuesOf = valuesOf
  }

  protected override transformValue(node: ValueNode): ValueNode {
    const { value } = node
    if (!(value instanceof Parameter)) return node
    return { ...node, value: new Parameter((values) => value.fill(this.#valuesOf(values))) }
  }
}

let tables = 0
const numbers = new WeakMap<Table, number>()

function numberOf(table: Table): number {
  const number = numbers.get(table) ?? ++tables
  numbers.set(table, number)
  return number
}

/** Returns the part of a statement's key for its selections. */
export function keyOfRelated(table: Table, query: Query): string {
  let key = ''
  for (const { field, selection } of relationsOf(table, query)) {
    const { table: other, operation } = selection
    const filters = keyOfFilters(other, operation.query) + keyOfRelated(other, operation.query)
    key += ` (${field.name.length} ${field.name} ${numberOf(other)} ${keyOfScope(operation.scope)}${filters})`
  }
  return key
}

/** Returns a condition of the user's in a statement, which may differ each time. */
export function visibleIn(
  { store, table }: Pick<StorageTask, 'store' | 'table'>,
  query: Query,
): Sql | undefined {
  if (store.visible !== undefined || query.related === undefined) return store.visible
  for (const { selection } of relationsOf(table, query)) {
    const { operation } = selection
    const visible = visibleIn(selection, operation.query)
    if (visible !== undefined) return visible
  }
  return undefined
}

import { OperationNodeTransformer, sql, type ValueNode } from 'kysely'
import type { Query } from '../../contract/resource/operation.ts'
import { numbersOf, type Sql } from '../engine/engine.ts'
import type { BoundField } from '../fields.ts'
import { fieldFor, type StorageTask, type Table, TableSelection } from '../table.ts'
import { Parameter, type StatementValues } from './statement.ts'

/** Tells whether a statement can compare the fields of a query with the ids of its selections. */
export function areJoinable(table: Table, query: Query): boolean {
  return relationsOf(table, query).every(({ field, id }) => areAlike(field, id))
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

/** Returns the fields of a table that a query compares with the ids of its selections. */
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

/** Makes the parameters of a selection take their values from those of the whole statement. */
function placedIn(condition: Sql, valuesOf: Relation['valuesOf']): Sql {
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

/** Returns a number that names a table in the key of a statement. */
function numberOfTable(table: Table): number {
  const number = numbers.get(table) ?? ++tables
  numbers.set(table, number)
  return number
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

/** Returns the conditions that the fields of an item hold ids of the selections of a query. */
export function isRelated(table: Table, query: Query): readonly Sql[] {
  return relationsOf(table, query).map(({ field, id, selection, valuesOf }) => {
    const { table: other, operation } = selection
    const all = [...selection.conditions(), ...isRelated(other, operation.query)]
    const boxed = all.map((condition) => sql`(${condition})`)
    const conditions = all.length === 0 ? sql`` : sql`where ${sql.join(boxed, sql` and `)}`
    const [column, otherColumn] = [sql.id(field.column), sql.id(id.column)]
    const isSame = sql`${column} in (select ${otherColumn} from ${other.name} ${conditions})`
    if ([field, id].every(({ stored }) => stored.equality === 'exact'))
      return placedIn(isSame, valuesOf)
    // An index serves the first condition, and the second one compares exactly.
    const [exact, otherExact] = [table.engine.exact(field.stored), other.engine.exact(id.stored)]
    const ids = sql`select ${otherExact} from ${other.name} ${conditions}`
    return placedIn(sql`${isSame} and ${exact} in (${ids})`, valuesOf)
  })
}

/** Returns the part of a statement's key for its selections. */
export function keyOfRelated(table: Table, query: Query): string {
  let keys = ''
  for (const { field, selection } of relationsOf(table, query)) {
    const { table: other, operation } = selection
    const key = selection.key() + keyOfRelated(other, operation.query)
    keys += ` (${field.name.length} ${field.name} ${numberOfTable(other)} ${key})`
  }
  return keys
}

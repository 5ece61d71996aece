import { OperationNodeTransformer, sql, type ValueNode } from 'kysely'
import type { Query, Scalar, SortField } from '../../contract/resource/operation.ts'
import type { Item } from '../../contract/resource/resource.ts'
import { numbersOf, type Row, type Sql } from '../engine/engine.ts'
import { type BoundField, bytesOfLiteral } from '../fields.ts'
import {
  fieldFor,
  isUniqueIn,
  itemFrom,
  joinedFields,
  type StorageTask,
  type Table,
  TableSelection,
} from '../table.ts'
import { Parameter, type prepare, type StatementValues } from './statement.ts'

/** Tells whether a statement can compare the fields of a query with the ids of its selections. */
export function areJoinable(table: Table, query: Query): boolean {
  const relations = [...relationsOf(table, query), ...sortedRelationsOf(table, query)]
  return relations.every(({ field, id }) => areAlike(field, id)) && areSingle(table, query)
}

// A join with several items of one id would repeat an item.
function areSingle(table: Table, query: Query): boolean {
  return sortedRelationsOf(table, query).every(({ selection }) =>
    isUniqueIn(selection.table, selection.operation.scope),
  )
}

const exactForms: ReadonlySet<unknown> = new Set(['whole', 'exact'])

// PostgreSQL and MySQL compare no texts of two collations, and SQLite a text with no number.
function areAlike(field: BoundField, id: BoundField): boolean {
  const [{ stored }, idColumn] = [field, id.stored]
  const isSame = field.type === id.type && stored.kind === idColumn.kind
  if (!isSame || stored.loose?.affinity !== idColumn.loose?.affinity) return false
  const precision = numbersOf(stored)?.precision
  if (stored.kind === 'number')
    return exactForms.has(precision) && precision === numbersOf(idColumn)?.precision
  return (
    stored.kind === 'uuid' || (stored.kind === 'text' && stored.collation === idColumn.collation)
  )
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
    return relationTo(table, join, (values) => values.query.related?.[place]?.join)
  })
}

type Join = NonNullable<Query['related']>[number]['join']

function relationTo(
  table: Table,
  join: Join,
  joinIn: (values: StatementValues) => Join,
): readonly Relation[] {
  const { selection, field: name = '' } = { ...join }
  if (!(selection instanceof TableSelection)) return []
  const valuesOf = (values: StatementValues): StatementValues => {
    const current = joinIn(values)?.selection
    return current instanceof TableSelection ? current.operation : selection.operation
  }
  const id = fieldFor(selection.table, 'id')
  return [{ field: fieldFor(table, name), id, selection, valuesOf }]
}

/** A relation whose items an order needs, with the fields of the order. */
interface SortedRelation extends Relation {
  /** The place of the first field in the order. */
  readonly place: number
  readonly joined: ReturnType<typeof joinedFields>
}

// Several fields of one selection need one join.
function sortedRelationsOf(table: Table, { sort }: Pick<Query, 'sort'>): readonly SortedRelation[] {
  const selectionIn = ({ related }: SortField) => related?.join?.selection
  return sort.flatMap((sortField, place) => {
    const { related } = sortField
    const isOfSame = (candidate: SortField): boolean =>
      selectionIn(candidate) === selectionIn(sortField)
    if (related === undefined || sort.findIndex(isOfSame) < place) return []
    const joined = sort.flatMap((sibling, at) =>
      isOfSame(sibling) ? joinedFields(sibling, at) : [],
    )
    const relations = relationTo(
      table,
      related.join,
      (values) => values.query.sort[place]?.related?.join,
    )
    return relations.map((relation) => ({ ...relation, place, joined }))
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
  for (const { selection } of [...relationsOf(table, query), ...sortedRelationsOf(table, query)]) {
    const { operation } = selection
    const visible = visibleIn(selection, operation.query)
    if (visible !== undefined) return visible
  }
  return undefined
}

/** Returns what keeps a statement: none is kept that holds a condition of the user's. */
export function preparing(task: StorageTask, query: Query): Parameters<typeof prepare>[0] {
  return query.related !== undefined
    ? { ...task, store: { visible: visibleIn(task, query) } }
    : task
}

/** Returns the conditions that the fields of an item hold ids of the selections of a query. */
export function isRelated(table: Table, query: Query): readonly Sql[] {
  return relationsOf(table, query).map(({ field, id, selection, valuesOf }) => {
    const { table: target } = selection
    const conditions = conditionsOf(selection)
    const [column, targetColumn] = [sql.id(field.column), sql.id(id.column)]
    const isSame = sql`${column} in (select ${targetColumn} from ${target.name} ${conditions})`
    if ([field, id].every(({ stored }) => stored.equality === 'exact'))
      return placedIn(isSame, valuesOf)
    // An index serves the first condition, and the second one compares exactly.
    const [exact, targetExact] = [table.engine.exact(field.stored), target.engine.exact(id.stored)]
    const ids = sql`select ${targetExact} from ${target.name} ${conditions}`
    return placedIn(sql`${isSame} and ${exact} in (${ids})`, valuesOf)
  })
}

function conditionsOf({ table, operation, conditions }: TableSelection): Sql {
  const all = [...conditions(), ...isRelated(table, operation.query)]
  const boxed = all.map((condition) => sql`(${condition})`)
  return all.length === 0 ? sql`` : sql`where ${sql.join(boxed, sql` and `)}`
}

/** Returns the joins of the related items that an order needs, to write after the table. */
export function joinsOf(table: Table, query: Pick<Query, 'sort'>): Sql {
  const joins = sortedRelationsOf(table, query).map((relation) => {
    const { field, id, selection, place } = relation
    const name = nameOfId(place)
    const isSame = sql`${sql.id(name)} = ${sql.id(field.column)}`
    const target = selection.table.engine
    const exact = [table.engine.exact(field.stored), target.exact({ ...id.stored, name })]
    const isExact = [field, id].every(({ stored }) => stored.equality === 'exact')
    const on = isExact ? isSame : sql`${isSame} and ${sql.join(exact, sql` = `)}`
    return sql`left join (${itemsOf(relation)}) as ${sql.id(`${place}=`)} on ${on}`
  })
  return sql.join(joins, sql` `)
}

// No column has these names, so that no other name of the statement means two.
function nameOfId(place: number): string {
  return `${place}.id=`
}

// Selects the related items that an order compares.
function itemsOf({ id, selection, valuesOf, place, joined }: SortedRelation): Sql {
  const columns = [{ source: id, field: { column: nameOfId(place) } }, ...joined].map(
    ({ source, field: { column } }) => sql`${sql.id(source.column)} as ${sql.id(column)}`,
  )
  const { table } = selection
  return placedIn(
    sql`select ${sql.join(columns)} from ${table.name} ${conditionsOf(selection)}`,
    valuesOf,
  )
}

/** The related items that the first field of an order compares. */
export interface FirstRelation {
  /** The field of the table that holds their ids. */
  readonly field: BoundField
  /** Their id, by its name in {@link items}. */
  readonly id: BoundField
  /** Returns the table of a statement that selects them. */
  readonly items: () => Sql
}

/** Returns the relation of the first field of an order, if it has one. */
export function firstRelationOf(
  table: Table,
  { sort }: Pick<Query, 'sort'>,
): FirstRelation | undefined {
  const [relation] = sortedRelationsOf(table, { sort: sort.slice(0, 1) })
  if (relation === undefined) return undefined
  const { field, place } = relation
  const name = nameOfId(place)
  const stored = { ...relation.id.stored, name }
  const id = { ...relation.id, column: name, alias: `${name}=`, stored }
  return { field, id, items: () => sql`(${itemsOf(relation)}) as ${sql.id(`${place}=`)}` }
}

/** Returns the part of a statement's key for the selections of its filters. */
export function keyOfRelated(table: Table, query: Query): string {
  return relationsOf(table, query).map(keyOfRelation).join('')
}

/** Returns the part of a statement's key for the selections of its order. */
export function keyOfJoins(table: Table, query: Pick<Query, 'sort'>): string {
  const keys = sortedRelationsOf(table, query).map((relation) => {
    const { sort } = relation.selection.operation.query
    const order = sort.map(({ field, type }) => `${field.length} ${field} ${type}`)
    return `${relation.place} ${keyOfRelation(relation)} ${order}`
  })
  return keys.join('')
}

function keyOfRelation({ field, selection }: Relation): string {
  const { table, operation } = selection
  const key = selection.key() + keyOfRelated(table, operation.query)
  return ` (${field.name.length} ${field.name} ${numberOfTable(table)} ${key})`
}

/**
 * Tells whether several stored values leave as a value. A number of a number field and a text of a
 * text column are stored as such.
 */
export function isAmbiguous({ type, stored }: BoundField, value: Scalar): boolean {
  if (stored.loose === undefined || stored.kind === 'digits') return false
  if (type === 'json') return true
  if (typeof value !== 'string') return false
  if (type !== 'text' || bytesOfLiteral(value) !== undefined) return true
  const isPlain = stored.kind === 'text' && stored.loose.affinity === 'none'
  return !isPlain && !Number.isNaN(Number(value))
}

/** Returns the ids in rows; `undefined` if one leaves as another than it is stored. */
export function storedIds(id: BoundField, rows: readonly Row[]): readonly Item['id'][] | undefined {
  const ids = rows.map((row) => itemFrom({ itemFields: [id] }, row).id)
  // A double holds no large id.
  const isStored = (value: Item['id']): boolean =>
    typeof value === 'number' ? Number.isSafeInteger(value) : !isAmbiguous(id, value)
  return ids.every(isStored) ? ids : undefined
}

import { sql } from 'kysely'
import { filterPathOf } from '../../contract/schema/filter.ts'
import type { Condition, FilterType } from '../../convention/filter-operators.ts'
import { momentKey } from '../../convention/format.ts'
import type { DeclaringEngine, Member, MemberType } from '../engine/declarations.ts'
import type { Column, Sql } from '../engine/engine.ts'
import type { BoundField } from '../fields.ts'
import { Parameter } from './statement.ts'

/** A member of an object, with a field for its value in the row of the member. */
export interface BoundMember extends Member {
  readonly field: BoundField
}

const members = new WeakMap<BoundField, Map<string, BoundMember | undefined>>()

/** The part of a table that members need. */
interface MemberTable {
  readonly engine: DeclaringEngine
  readonly resource: { readonly name: string }
  readonly field: ReadonlyMap<string, BoundField>
}

/**
 * Returns the member of an object that a filter names; `undefined` for a filter on a field.
 *
 * @throws {TypeError} When the column of the object holds no JSON.
 */
export function boundMemberOf(
  { engine, resource, field: fields }: MemberTable,
  { field: name, type }: Pick<Condition, 'field' | 'type'>,
): BoundMember | undefined {
  const { field, member } = filterPathOf(name)
  const object = fields.get(field)
  if (member === undefined || object === undefined) return undefined
  const ofField = members.get(object) ?? new Map<string, BoundMember | undefined>()
  members.set(object, ofField)
  const key = `${type} ${name}`
  const bound = ofField.get(key) ?? bindMember(engine, object, { name, member, type })
  ofField.set(key, bound)
  if (bound !== undefined) return bound
  throw new TypeError(
    `The filter "${name}" of "${resource.name}" looks into an object, ` +
      `but the column "${object.column}" is of type ${object.stored.type}: store it as JSON.`,
  )
}

function bindMember(
  engine: DeclaringEngine,
  object: BoundField,
  { name, member, type }: MemberPath,
): BoundMember | undefined {
  if (object.type !== 'json') return undefined
  const memberType = typeOf(type)
  const found = engine.member(object.stored, member, memberType)
  const stored = { ...columns[memberType], ...(found?.loose && { loose: found.loose }) }
  return found && { ...found, field: { ...object, name, type: memberType, stored } }
}

/** The name of a filter's field, the member in it, and the type of the filter. */
interface MemberPath {
  readonly name: string
  readonly member: string
  readonly type: FilterType
}

function typeOf(type: FilterType): MemberType {
  if (type === 'integer' || type === 'number') return 'number'
  return type === 'boolean' ? type : 'text'
}

const column = {
  name: '=value',
  isNullable: true,
  origin: 'client',
  whenMissing: undefined,
  standard: undefined,
  isSteady: true,
} as const

// A text of JSON has the collation of its database.
const columns: Readonly<Record<MemberType, Column>> = {
  text: { ...column, kind: 'text', type: 'text', equality: 'wide', order: 'other' },
  number: {
    ...column,
    kind: 'number',
    type: 'float8',
    equality: 'exact',
    order: 'exact',
    number: { precision: 'double' },
  },
  boolean: { ...column, kind: 'boolean', type: 'bool', equality: 'exact', order: 'exact' },
}

/** The moments that a condition compares with. */
interface Moments {
  readonly index: number
  /** The sign of a range; `undefined` for another condition. */
  readonly sign: string | undefined
  /** Returns the keys of the values, for `in (…)`. */
  keys(): Sql
}

interface MemberCondition extends Moments {
  readonly condition: Condition
  /** Returns the condition that the value in the row of the member meets another one. */
  meetsOn(condition: Condition): Sql
}

/** Returns the condition that a member meets a filter. */
export function memberMeets(
  { engine }: MemberTable,
  member: BoundMember,
  { condition, meetsOn, ...moments }: MemberCondition,
): Sql {
  const { is, type } = condition
  const { row, isTyped, isPresent } = member
  if (is === 'missing') return sql`not ${isPresent}`
  if (is === 'present') return isPresent
  const isMoment = type === 'date-time' && !isFragment.has(is) && condition.values.length > 0
  const isNegative = is === 'notIn' || is === 'inOrMissing'
  const compared = isMoment
    ? comparesMoments(engine.momentKey(member.field.stored), moments)
    : meetsOn(isNegative ? { ...condition, is: 'in' } : condition)
  const isMet = sql`exists (select 1 from ${row} where ${isTyped} and (${compared}))`
  if (is === 'notIn') return sql`not ${isMet}`
  return is === 'inOrMissing' ? sql`not ${isPresent} or ${isMet}` : isMet
}

const isFragment: ReadonlySet<Condition['is']> = new Set(['contains', 'startsWith', 'endsWith'])

// The adapter stores an object as it is, so that its moments have any form.
function comparesMoments(key: Sql, { index, sign, keys }: Moments): Sql {
  if (sign !== undefined) {
    const value = new Parameter(({ query }) => momentKey(`${query.where[index]?.values[0]}`))
    return sql`${key} ${sql.raw(sign)} ${value}`
  }
  return sql`${key} in (${keys()})`
}

import { scalarOf } from '../../contract/values/order.ts'
import { meeting } from '../../contract/values/search.ts'
import { isWide } from '../../convention/decimal.ts'
import {
  type Condition,
  type FilterOperator,
  type FilterType,
  type FilterValue,
  filterOperators,
} from '../../convention/filter-operators.ts'
import { isDay, isMoment, isOfFormat } from '../../convention/format.ts'
import { formatQuery } from '../../wire/query.ts'
import { type CheckedCollection, readAll } from './collection.ts'
import { expectIds, fail, idTextsOf, type ServerItem } from './expect.ts'
import type { OfferedFilter } from './offers.ts'

/** A filter with the values that the check sends. */
export interface FilledFilter {
  readonly filter: OfferedFilter
  readonly values: readonly FilterValue[]
}

/** Writes filters as a query, percent-encoded. */
export function queryOf(filled: readonly FilledFilter[]): string {
  const where = filled.flatMap(({ filter, values }) =>
    values.map((value) => [filter.name, String(value)] as const),
  )
  return formatQuery({ where })
}

/**
 * Expects exactly the items that meet the filters, in the order of the collection. Returns them.
 *
 * @throws {RuleViolation}
 */
export async function expectFiltered(
  { send, path, items }: CheckedCollection,
  filled: readonly FilledFilter[],
): Promise<readonly ServerItem[]> {
  const { items: given, first } = await readAll(send, `${path}?${queryOf(filled)}`)
  const verdict = verdictFor(filled)
  const wrong = given.find((item) => verdict(item) === false)
  if (wrong) fail(first, `It gives ${wrong.id}, which ${valuesIn(wrong, filled)}.`)
  const ids = new Set(idTextsOf(given))
  const left = items.find((item) => verdict(item) === true && !ids.has(String(item.id)))
  if (left) fail(first, `It leaves out ${left.id}, which ${valuesIn(left, filled)}.`)
  const ordered = items.filter(({ id }) => ids.has(String(id)))
  expectIds(first, idTextsOf(ordered), given)
  return given
}

// The check does not know whether a field is text or a moment. If both readings differ, it
// returns `undefined`: the server may be right.
function verdictFor(filled: readonly FilledFilter[]): (item: object) => boolean | undefined {
  const readings = (['text', 'date-time'] as const).map((type) =>
    meeting(filled.map((one) => conditionOf(one, type))),
  )
  return (item) => {
    const [one, other] = readings.map((meets) => meets(item))
    return one === other ? one : undefined
  }
}

function conditionOf({ filter, values }: FilledFilter, text: FilterType): Condition {
  const { field, operator } = filter
  const { is } = filterOperators[operator]
  const [value] = values
  const type = typeof value === 'string' ? text : typeof value === 'number' ? 'number' : 'boolean'
  const condition = { field, type }
  if (typeof is === 'object') return { ...condition, is: is[value === true ? 0 : 1], values: [] }
  return { ...condition, is, values }
}

function valuesIn(item: ServerItem, filled: readonly FilledFilter[]): string {
  const fields = [...new Set(filled.map(({ filter }) => filter.field))]
  const values = fields.map((field) => `${field} = ${JSON.stringify(item[field]) ?? 'nothing'}`)
  return `has ${values.join(', ')}`
}

/** Returns the filters with one of some operators. `id` takes part where `withId` is true. */
export function filtersWith(
  { offers }: CheckedCollection,
  operators: readonly FilterOperator[],
  withId = false,
): readonly OfferedFilter[] {
  return offers.filters
    .filter(({ field, operator }) => operators.includes(operator) && (withId || field !== 'id'))
    .slice(0, maxFilters)
}

/** Returns the filter with a written name. */
export function filterNamed(
  { offers }: CheckedCollection,
  wanted: string,
): OfferedFilter | undefined {
  return offers.filters.find(({ name }) => name === wanted)
}

const maxFilters = 40
const maxLength = 200

/** Returns the values of a field that a client can send back as a filter, each once. */
export function sendableValues(
  { items }: CheckedCollection,
  field: string,
): readonly FilterValue[] {
  const values = new Set(items.map((item) => scalarOf(item, field)))
  const sendable = [...values].filter((value) => value !== null).filter(isSendable)
  const isMixed = new Set(sendable.map((value) => typeof value)).size > 1
  return isMixed ? [] : sendable
}

// A database holds dates and numbers that no filter takes: `infinity`, `24:30:00`.
function isSendable(value: FilterValue): boolean {
  if (typeof value !== 'string') return true
  if (!value.isWellFormed() || value.length > maxLength || value.includes('\0')) return false
  if (isDay(value) || isMoment(value) || /^(?:[01]\d|2[0-3]):/.test(value)) return true
  const isOdd = ['date', 'time', 'date-time'].some((format) => isOfFormat(format, value))
  return !isOdd && !isWide(value)
}

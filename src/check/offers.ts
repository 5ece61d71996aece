import {
  type FilterOperator,
  filterOperatorNames,
  type ParameterName,
  parameterNames,
} from '../model/convention.ts'
import { memberOf } from './expect.ts'

/** A filter of a server, as OPTIONS names it. */
export interface OfferedFilter {
  /** As a client writes it: `birthdate:gte`. */
  readonly name: string
  readonly field: string
  readonly operator: FilterOperator
}

/** The parameters of a list, as far as OPTIONS names them. */
export interface Offers {
  readonly filters: readonly OfferedFilter[]
  readonly parameters: readonly ParameterName[]
  /** The fields of an item; `undefined` when OPTIONS does not name them. */
  readonly fields: readonly string[] | undefined
  /** A list without `limit` is cut too. */
  readonly hasDefaultLimit: boolean
}

/** Reads the response to OPTIONS on a collection. */
export function offersIn(description: unknown): Offers {
  const operations = listIn(description, 'operations')
  const list = operations.find((operation) => memberOf(operation, 'kind') === 'list')
  const written = textsOf(listIn(list, 'parameters'))
  const fields = memberOf(description, 'fields')
  return {
    filters: written.flatMap(filterIn),
    parameters: parameterNames.filter((name) => written.includes(name)),
    fields: Array.isArray(fields) ? textsOf(fields) : undefined,
    hasDefaultLimit: typeof memberOf(memberOf(description, 'limits'), 'defaultLimit') === 'number',
  }
}

function filterIn(name: string): readonly OfferedFilter[] {
  if (parameterNames.some((parameter) => parameter === name)) return []
  const [field = '', ending = 'eq', ...rest] = name.split(':')
  const operator = filterOperatorNames.find((known) => known === ending)
  return field === '' || operator === undefined || rest.length > 0
    ? []
    : [{ name, field, operator }]
}

function listIn(json: unknown, name: string): readonly unknown[] {
  const list = memberOf(json, name)
  return Array.isArray(list) ? list : []
}

function textsOf(list: readonly unknown[]): readonly string[] {
  return list.filter((text) => typeof text === 'string')
}

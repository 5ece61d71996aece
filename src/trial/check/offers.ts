import { type FilterOperator, filterOperatorNames } from '../../convention/filter-operators.ts'
import { type ParameterName, parameterNames } from '../../convention/operations.ts'
import { memberOf } from './expect.ts'

/** A filter of a server, as OPTIONS names it. */
export interface OfferedFilter {
  /** As a client writes it: `birthdate:gte`. */
  readonly name: string
  readonly field: string
  readonly operator: FilterOperator
}

/** A reference of a server, as OPTIONS describes it. */
export interface OfferedReference {
  readonly field: string
  /** The name of the other resource. */
  readonly to: string
  /** The member that `include` adds; `undefined` when `include` cannot name it. */
  readonly include: string | undefined
}

/** The parameters of a list, as far as OPTIONS names them, and the references of its items. */
export interface Offers {
  readonly filters: readonly OfferedFilter[]
  readonly references: readonly OfferedReference[]
  readonly parameters: readonly ParameterName[]
  /** The fields of an item; `undefined` when OPTIONS does not name them. */
  readonly fields: readonly string[] | undefined
  /** A write can be tried with `dry_run`. */
  readonly hasDryRun: boolean
  /** A create takes `Idempotency-Key`; `undefined` when OPTIONS does not tell. */
  readonly takesKey: boolean | undefined
  /** A list without `limit` is cut too. */
  readonly hasDefaultLimit: boolean
}

/** Reads the response to OPTIONS on a collection. */
export function offersIn(description: unknown): Offers {
  const operations = listIn(description, 'operations')
  const list = operations.find((operation) => memberOf(operation, 'kind') === 'list')
  const written = textsOf(listIn(list, 'parameters'))
  const fields = memberOf(description, 'fields')
  const isIdempotent = memberOf(description, 'idempotent')
  return {
    filters: written.flatMap(filterIn),
    references: listIn(description, 'references').flatMap(referenceIn),
    parameters: parameterNames.filter((name) => written.includes(name)),
    fields: Array.isArray(fields) ? textsOf(fields) : undefined,
    hasDryRun: operations.some((one) => listIn(one, 'parameters').includes('dry_run')),
    takesKey: typeof isIdempotent === 'boolean' ? isIdempotent : undefined,
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

function referenceIn(json: unknown): readonly OfferedReference[] {
  const [field, to, include] = ['field', 'to', 'include'].map((name) => memberOf(json, name))
  return typeof field !== 'string' || typeof to !== 'string'
    ? []
    : [{ field, to, include: typeof include === 'string' ? include : undefined }]
}

function listIn(json: unknown, name: string): readonly unknown[] {
  const list = memberOf(json, name)
  return Array.isArray(list) ? list : []
}

function textsOf(list: readonly unknown[]): readonly string[] {
  return list.filter((text) => typeof text === 'string')
}

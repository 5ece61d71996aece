import { linkAfter } from './link.mjs'
import * as problems from './problems.mjs'
import * as store from './store.mjs'
import { faultsOf, faultsOfAll } from './validate.mjs'

/**
 * Makes responses before they are written: the same part in every contender.
 *
 * `name` and `value` are the header besides `type`, if any.
 *
 * @typedef {{ status: number, type: string, name: string | undefined,
 *   value: string | undefined, body: object }} Answer
 */

function answer(status, body, name, value) {
  return { status, type: 'application/json', name, value, body }
}

function faulty(body, name, value) {
  return { status: body.status, type: 'application/problem+json', name, value, body }
}

/** Reads an employee, of a company where one is given. */
export function read(id, company) {
  if (isOrphan(company)) return faulty(problems.parentNotFound())
  const employee = store.find(id, company)
  return employee === undefined ? faulty(problems.notFound()) : answer(200, employee)
}

/** Lists employees; `sort` and `limit` are texts, or `undefined`. */
export function list(path, sort, limit) {
  const order = sort === undefined ? store.byId : store.parseSort(sort)
  if (order === undefined) return faulty(problems.badParameter('sort'))
  if (limit === undefined) return answer(200, store.list(order))
  const most = store.parseLimit(limit)
  if (most === undefined) return faulty(problems.badParameter('limit'))
  const employees = store.list(order, most + 1)
  if (employees.length <= most) return answer(200, employees)
  employees.pop()
  const link = linkAfter(employees[most - 1], { path, sort: order, limit })
  return answer(200, employees, 'link', link)
}

/** Counts the employees. */
export function count() {
  return answer(200, { count: store.count() })
}

/** Creates an employee. */
export function create(path, body) {
  const faults = faultsOf(body)
  if (faults.length > 0) return faulty(problems.invalid(faults))
  const employee = store.add(body)
  return answer(201, employee, 'location', `${path}/${encodeURIComponent(employee.id)}`)
}

/** Replaces employees, each named by its id. */
export function replaceAll(body) {
  const faults = faultsOfAll(body)
  return faults.length > 0 ? faulty(problems.invalid(faults)) : answer(200, store.replaceAll(body))
}

/** Refuses a body that is not JSON. */
export function refuseBody() {
  return faulty(problems.badBody())
}

/** Refuses a parameter that the list does not take. */
export function refuseParameter(name) {
  return faulty(problems.badParameter(name))
}

/** Refuses a method. */
export function refuse(method, allow) {
  return faulty(problems.methodNotAllowed(method, allow), 'allow', allow)
}

/** Answers a path that names no resource. */
export function nowhere(path) {
  return faulty(problems.unknownResource(path))
}

/** The methods of a target. */
export const allowed = { collection: 'GET, HEAD, PUT, POST, OPTIONS', item: 'GET, HEAD, OPTIONS' }

function isOrphan(company) {
  return company !== undefined && !store.companies.has(company)
}

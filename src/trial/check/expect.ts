import { isId } from '../../contract/resource/id.ts'
import type { ProblemCode } from '../../convention/operations.ts'
import { quote } from '../../convention/problem.ts'
import { problems } from '../../convention/problems.ts'
import { isRecord, isSame } from '../../convention/value.ts'
import { listedIn } from './headers.ts'
import { type CheckResponse, RequestError, writeMethods } from './message.ts'

/** The server breaks a rule; `request` shows it. */
export class RuleViolation extends RequestError {}

/** A rule does not apply to a collection, for a reason. */
export class NotApplicable extends Error {}

/** A list is longer than the check reads. */
export class ListTooLong extends NotApplicable {}

/** An item as a server sent it: with an id that a path can name. */
export type ServerItem = Readonly<Record<string, unknown>> & { readonly id: string | number }

/**
 * Reports that the server breaks the rule.
 *
 * @param message How the response differs, as a sentence.
 * @throws {RuleViolation} Always.
 */
export function fail({ request }: CheckResponse, message: string): never {
  throw new RuleViolation(request, message)
}

/**
 * Reports that the rule does not apply.
 *
 * @throws {NotApplicable} Always.
 */
export function skip(reason: string): never {
  throw new NotApplicable(reason)
}

/** Sums up a response: `404 not_found`. */
export function statusAndCode({ status, json }: CheckResponse): string {
  const code = codeOf(json)
  return code === undefined ? `${status}` : `${status} ${code}`
}

// A server may leave out an operation, even reading an item, if it says so.
function isUnsupportedGet({ request, status, headers }: CheckResponse): boolean {
  const methods = listedIn(headers.allow ?? 'GET')
  return request.method === 'GET' && status === 405 && !methods.includes('GET')
}

// A role may forbid a kind of operation, and the server may let no more requests through.
function skipRefused({ request, status, json }: CheckResponse): void {
  const { method, path } = request
  if (status === 429) skip(`${method} ${path} gives 429: the server allows no more requests.`)
  if (status === 403 && codeOf(json) === 'forbidden' && writeMethods.has(method))
    skip(`The caller may not ${method} ${path}: 403.`)
}

/**
 * Expects one of some statuses.
 *
 * @throws {RuleViolation}
 * @throws {NotApplicable} For a GET that the server does not support.
 */
export function expectStatus(response: CheckResponse, ...statuses: readonly number[]): void {
  if (statuses.includes(response.status)) return
  skipRefused(response)
  if (isUnsupportedGet(response)) skip(`${response.request.path} does not support GET.`)
  fail(response, `The response is ${statusAndCode(response)}, not ${statuses.join(' or ')}.`)
}

/**
 * Expects the status of a problem, and its code if the response has a code of the convention. The
 * rule `problem-code` reports other codes.
 *
 * @throws {RuleViolation}
 */
export function expectProblem(response: CheckResponse, ...codes: readonly ProblemCode[]): void {
  expectStatus(response, ...new Set(codes.map((code) => problems[code].status)))
  const code = codeOf(response.json)
  if (code === undefined || !Object.hasOwn(problems, code)) return
  if (!codes.some((own) => own === code))
    fail(response, `The code of the problem is "${code}", not "${codes.join('" or "')}".`)
}

/** Returns a member of a JSON object; `undefined` for any other value. */
export function memberOf(json: unknown, name: string): unknown {
  return isRecord(json) ? json[name] : undefined
}

/** Returns the code of a problem document. */
export function codeOf(json: unknown): string | undefined {
  const code = memberOf(json, 'code')
  return typeof code === 'string' ? code : undefined
}

/**
 * Returns the items of a list.
 *
 * @throws {RuleViolation} Unless the response has the status and an array of objects with valid
 *   ids.
 */
export function expectItems(response: CheckResponse, status = 200): readonly ServerItem[] {
  expectStatus(response, status)
  const { json } = response
  if (!Array.isArray(json)) fail(response, 'The body is no JSON array.')
  return json.map((item: unknown) => {
    if (isServerItem(item)) return item
    return fail(response, `The array holds a value that ${itemProblem(item)}.`)
  })
}

/**
 * Returns the item of a response.
 *
 * @throws {RuleViolation} Unless the response has the status and an object with an id.
 */
export function expectItem(response: CheckResponse, status = 200): ServerItem {
  expectStatus(response, status)
  const { json } = response
  return isServerItem(json) ? json : fail(response, `The body ${itemProblem(json)}.`)
}

/** Tells an object with a valid id. */
export function isServerItem(value: unknown): value is ServerItem {
  const id = idTextOf(value)
  return id !== undefined && isId(id)
}

/** Returns the id of a JSON value as text, valid or not; `undefined` for a value without id. */
export function idTextOf(value: unknown): string | undefined {
  const id = memberOf(value, 'id')
  return typeof id === 'string' || typeof id === 'number' ? `${id}` : undefined
}

/** Explains why a value is no item: `is no object with an id`. */
export function itemProblem(value: unknown): string {
  const id = idTextOf(value)
  return id === undefined ? 'is no object with an id' : `has the id ${quote(id)}, which is invalid`
}

/**
 * Expects a JSON body.
 *
 * @param words The expected body in words: `the first item of the list`.
 * @throws {RuleViolation}
 */
export function expectBody(response: CheckResponse, expected: unknown, words: string): void {
  skipRefused(response)
  if (isUnsupportedGet(response)) skip(`${response.request.path} does not support GET.`)
  if (!isSame(response.json, expected)) fail(response, `The body is not ${words}.`)
}

/** Returns the ids of items as texts. */
export function idTextsOf(items: readonly ServerItem[]): readonly string[] {
  return items.map(({ id }) => String(id))
}

function listed(ids: readonly string[]): string {
  return (ids.length <= 8 ? ids : [...ids.slice(0, 8), '…']).join(', ') || 'none'
}

/**
 * Expects these items, in this order.
 *
 * @param items Of all pages. Default: of the response.
 * @throws {RuleViolation}
 */
export function expectIds(
  response: CheckResponse,
  expected: readonly string[],
  items = expectItems(response),
): void {
  const ids = idTextsOf(items)
  if (!isSame(ids, expected))
    fail(response, `The items are ${listed(ids)}, not ${listed(expected)}.`)
}

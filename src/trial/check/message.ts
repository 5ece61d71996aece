import { memberNameOf } from '../../contract/declare/field-tables.ts'
import { isId } from '../../contract/resource/id.ts'
import type { ProblemCode } from '../../convention/operations.ts'
import { quote } from '../../convention/problem.ts'
import { problems } from '../../convention/problems.ts'
import { isRecord, isSame } from '../../convention/value.ts'

/** A request as it is sent: nothing resolves or encodes its path on the way. */
export interface CheckRequest {
  readonly method: string
  /** With the query, percent-encoded. */
  readonly path: string
  /** Without the headers of every request, which may hold secrets. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** A response, with the request it belongs to. */
export interface CheckResponse {
  readonly request: CheckRequest
  readonly status: number
  /** By lower-case name. Several values of one name are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The text as JSON; `undefined` when it is not JSON. */
  readonly json: unknown
}

/** Headers and body of a request. A body that is not a string is written as JSON. */
export interface RequestParts {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** Sends a request. Rejects with {@link NoResponse} when no response comes. */
export type SendRequest = (
  method: string,
  path: string,
  parts?: RequestParts,
) => Promise<CheckResponse>

/** An error that a request shows. */
export class RequestError extends Error {
  readonly request: CheckRequest

  constructor(request: CheckRequest, message: string) {
    super(message)
    this.request = request
  }
}

/** No response came, it was not HTTP, or it exceeded a limit. */
export class NoResponse extends RequestError {}

/** Builds a request as it is sent. */
export function toCheckRequest(
  method: string,
  path: string,
  { headers = {}, body }: RequestParts,
): CheckRequest {
  if (body === undefined || typeof body === 'string') return { method, path, headers, body }
  const declared = { 'content-type': 'application/json', ...headers }
  return { method, path, headers: declared, body: JSON.stringify(body) }
}

/** Tells a status of success, 200 to 299. */
export function isSuccess({ status }: Pick<CheckResponse, 'status'>): boolean {
  return status >= 200 && status < 300
}

/** The methods that change data. */
export const writeMethods: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** Returns the members of a list in a header: `GET, PUT` → `GET` and `PUT`. */
export function listedIn(field = ''): readonly string[] {
  return field.split(',').flatMap((member) => member.trim() || [])
}

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
function expectStatus(response: CheckResponse, ...statuses: readonly number[]): void {
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
function expectProblem(response: CheckResponse, ...codes: readonly ProblemCode[]): void {
  expectStatus(response, ...new Set(codes.map((code) => problems[code].status)))
  const code = codeOf(response.json)
  if (code === undefined || !Object.hasOwn(problems, code)) return
  if (!codes.some((allowed) => allowed === code))
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
function expectItems(response: CheckResponse, status = 200): readonly ServerItem[] {
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
function expectItem(response: CheckResponse, status = 200): ServerItem {
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
function expectBody(response: CheckResponse, expected: unknown, words: string): void {
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
function expectIds(
  response: CheckResponse,
  expected: readonly string[],
  items = expectItems(response),
): void {
  const ids = idTextsOf(items)
  if (!isSame(ids, expected))
    fail(response, `The items are ${listed(ids)}, not ${listed(expected)}.`)
}

/** Returns the pointers of the issues in a problem document. */
export function pointersIn(json: unknown): readonly string[] {
  const issues = memberOf(json, 'issues')
  return Array.isArray(issues) ? issues.map((issue) => `${memberOf(issue, 'pointer') ?? ''}`) : []
}

/** Expects every field of a body in an item. */
function expectFields(
  response: CheckResponse,
  item: unknown,
  body: Readonly<Record<string, unknown>>,
): void {
  const field = Object.keys(body).find((field) => !isSame(memberOf(item, field), body[field]))
  if (field !== undefined) fail(response, `The "${field}" of the item is not the one sent.`)
}

/** A value that few fields take. */
export const invalidValue = { nounful: [true] }

/** Expects an issue at a pointer, or below it. */
function expectPointer(response: CheckResponse, pointer: string): void {
  if (!pointersIn(response.json).some((text) => text.startsWith(pointer)))
    fail(response, `No issue points to "${pointer}".`)
}

/**
 * Skips the rule if the server leaves the operation out.
 *
 * @throws {NotApplicable} For 405.
 * @throws {RuleViolation} For 405 where `Allow` has the method.
 */
export function skipUnsupported(response: CheckResponse): void {
  const { request, status, headers } = response
  if (status !== 405) return
  if (listedIn(headers.allow).includes(request.method))
    fail(response, `The response is 405, although "Allow" has ${request.method}.`)
  skip(`${request.path} does not support ${request.method}.`)
}

/** As `expectStatus`, for an operation that a server may leave out. */
function expectSupported(response: CheckResponse, status: number): void {
  skipUnsupported(response)
  expectStatus(response, status)
}

/** Tells a list of items. */
export function isItems(body: unknown): body is readonly ServerItem[] {
  return Array.isArray(body) && body.every(isServerItem)
}

/** Writes a body for a message. */
export function showBody(body: unknown): string {
  const text = JSON.stringify(body) ?? 'the expected one'
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

/** Media types that declare no JSON. */
export const otherTypes: readonly string[] = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/json; charset=latin1',
]

/** The expectations of rules. Each throws as it is documented. */
export const expect = {
  status: expectStatus,
  problem: expectProblem,
  items: expectItems,
  item: expectItem,
  body: expectBody,
  ids: expectIds,
  fields: expectFields,
  pointer: expectPointer,
  supported: expectSupported,
}

/** A reference of a server, as OPTIONS describes it. */
export interface OfferedReference {
  readonly field: string
  /** The name of the other resource. */
  readonly to: string
  /** The name of the related item in filters and orders: `company`. */
  readonly as: string
  /** The member that `include` adds; `undefined` when `include` cannot name it. */
  readonly include: string | undefined
  /** The fields of the other items that an order can name. */
  readonly sortable: readonly string[]
  /** The fields of the other items that only some callers see. */
  readonly restricted: readonly string[]
}

/** Returns the references in a description. */
export function referencesIn(description: unknown): readonly OfferedReference[] {
  return listMember(description, 'references').flatMap(referenceIn)
}

function referenceIn(json: unknown): readonly OfferedReference[] {
  const [field, to, include, as] = ['field', 'to', 'include', 'as'].map((name) => {
    const value = memberOf(json, name)
    return typeof value === 'string' ? value : undefined
  })
  if (field === undefined || to === undefined) return []
  const sortable = stringsIn(json, 'sortable') ?? []
  const restricted = stringsIn(json, 'restricted') ?? []
  return [{ field, to, as: as ?? include ?? memberNameOf(field), include, sortable, restricted }]
}

/** Returns a list field of a JSON object; `[]` for none. */
export function listMember(json: unknown, name: string): readonly unknown[] {
  const list = memberOf(json, name)
  return Array.isArray(list) ? list : []
}

/** Returns the strings in a list field of a JSON object; `undefined` when it is no list. */
export function stringsIn(json: unknown, field: string): readonly string[] | undefined {
  const value = memberOf(json, field)
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : undefined
}

/** Returns the parameters of a list as a client writes them, with every filter. */
export function listParametersIn(description: unknown): readonly string[] {
  const operations = listMember(description, 'operations')
  const list = operations.find((operation) => memberOf(operation, 'kind') === 'list')
  return stringsIn(list, 'parameters') ?? []
}

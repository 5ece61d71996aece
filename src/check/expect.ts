import { type ProblemCode, problems } from '../model/convention.ts'
import { isRecord } from '../model/declared.ts'
import { isId } from '../model/id.ts'
import { isSame } from '../model/operation.ts'
import { quote } from '../model/problem.ts'
import type { Exchange, Sent } from './sent.ts'

/** A rule is broken; `sent` is the request that shows it. */
export class Breach extends Error {
  readonly sent: Sent

  constructor(sent: Sent, message: string) {
    super(message)
    this.sent = sent
  }
}

/** A rule says nothing here, for a reason. */
export class Unfit extends Error {}

/** A list that is longer than it may be is not read to its end. */
export class TooLong extends Unfit {}

/** An item as a server gave it: with an id that a path can name. */
export type Found = Readonly<Record<string, unknown>> & { readonly id: string | number }

/**
 * Says that a rule is broken.
 *
 * @param message What was answered instead, as a sentence.
 * @throws {Breach} Always.
 */
export function broken({ sent }: Exchange, message: string): never {
  throw new Breach(sent, message)
}

/**
 * Says that a rule does not apply.
 *
 * @throws {Unfit} Always.
 */
export function unfit(reason: string): never {
  throw new Unfit(reason)
}

/** What an answer is, in a few words: `404 not_found`. */
export function told({ answer }: Exchange): string {
  const code = codeOf(answer.json)
  return code === undefined ? `${answer.status}` : `${answer.status} ${code}`
}

// A server may go without an operation, reading an item among them, if it says so.
function isReadless({ sent, answer: { status, headers } }: Exchange): boolean {
  const methods = headers.allow?.split(',').map((method) => method.trim()) ?? ['GET']
  return sent.method === 'GET' && status === 405 && !methods.includes('GET')
}

/**
 * Makes sure that an answer has a status.
 *
 * @throws {Breach}
 * @throws {Unfit} For a GET that is not offered.
 */
export function expectStatus(exchange: Exchange, ...statuses: readonly number[]): void {
  if (statuses.includes(exchange.answer.status)) return
  if (isReadless(exchange)) unfit(`GET is not offered on ${exchange.sent.path}.`)
  broken(exchange, `The answer is ${told(exchange)}, not ${statuses.join(' or ')}.`)
}

/**
 * Makes sure that an answer has the status of a problem, and its code where it has one that the convention knows: problems
 * without are another rule's.
 *
 * @throws {Breach}
 */
export function expectProblem(
  exchange: Exchange,
  ...codes: readonly [ProblemCode, ...ProblemCode[]]
): void {
  const statuses = [...new Set(codes.map((code) => problems[code].status))]
  expectStatus(exchange, ...statuses)
  const code = codeOf(exchange.answer.json)
  if (code === undefined || !Object.hasOwn(problems, code)) return
  if (!codes.some((own) => own === code))
    broken(exchange, `The code of the problem is "${code}", not "${codes.join('" or "')}".`)
}

/** The code of a problem document, as it was sent. */
export function codeOf(json: unknown): string | undefined {
  return isRecord(json) && typeof json.code === 'string' ? json.code : undefined
}

/**
 * The items of an answer to a list.
 *
 * @throws {Breach} Unless it is 200 with an array of objects that have ids, each of which can be one.
 */
export function expectItems(exchange: Exchange): readonly Found[] {
  expectStatus(exchange, 200)
  const { json } = exchange.answer
  if (!Array.isArray(json)) broken(exchange, 'The body is no JSON array.')
  return json.map((item: unknown) => {
    if (isFound(item)) return item
    return broken(exchange, `The array holds something that ${faultOf(item)}.`)
  })
}

/**
 * The item of an answer.
 *
 * @throws {Breach} Unless it has the status and an object with an id.
 */
export function expectItem(exchange: Exchange, status = 200): Found {
  expectStatus(exchange, status)
  const { json } = exchange.answer
  return isFound(json) ? json : broken(exchange, `The body ${faultOf(json)}.`)
}

/** Tells an item from anything else that came as JSON: also from one with an id that is never one. */
export function isFound(value: unknown): value is Found {
  const id = idIn(value)
  return id !== undefined && isId(id)
}

/** The id of a JSON value as a text, whatever it is; `undefined` where there is none. */
export function idIn(value: unknown): string | undefined {
  const id = isRecord(value) ? value.id : undefined
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}

/** Says what is wrong with a value that is no item: `is no object with an id`. */
export function faultOf(value: unknown): string {
  const id = idIn(value)
  return id === undefined
    ? 'is no object with an id'
    : `has the id ${quote(id)}, which is never one`
}

/**
 * Makes sure that an answer holds a value.
 *
 * @param words What it should be: `the first item of the list`.
 * @throws {Breach}
 */
export function expectSame(exchange: Exchange, expected: unknown, words: string): void {
  if (isSame(exchange.answer.json, expected)) return
  broken(exchange, `The body is not ${words}.`)
}

/** The ids of items, as texts. */
export function idsOf(items: readonly Found[]): readonly string[] {
  return items.map(({ id }) => String(id))
}

// Some ids for a message.
function someOf(ids: readonly string[]): string {
  return ids.length <= 8 ? ids.join(', ') : `${ids.slice(0, 8).join(', ')}, …`
}

/**
 * Makes sure that items are those, in that order.
 *
 * @throws {Breach}
 */
export function expectIds(
  exchange: Exchange,
  items: readonly Found[],
  expected: readonly string[],
): void {
  const ids = idsOf(items)
  if (isSame(ids, expected)) return
  broken(exchange, `The items are ${someOf(ids) || 'none'}, not ${someOf(expected) || 'none'}.`)
}

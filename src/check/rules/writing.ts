import { isSame } from '../../model/operation.ts'
import { itemPath } from '../../wire/path.ts'
import type { CheckedCollection } from '../collection.ts'
import {
  expectBody,
  expectProblem,
  expectStatus,
  fail,
  type ProblemCodes,
  type ServerItem,
  skip,
} from '../expect.ts'
import type { CheckResponse } from '../message.ts'
import { absentName } from '../path.ts'
import type { RuleRow } from '../rule.ts'
import type { ItemDraft, WritableCollection } from '../writable.ts'

/** Returns the collection to write to. Skips the rule without one. */
export function writableOf({ writable }: CheckedCollection): WritableCollection {
  return writable ?? skip('It would write.')
}

/** An item that the check created, and its path. */
export interface CreatedItem {
  readonly item: ServerItem
  readonly path: string
}

/** Creates an item. */
export async function postItem(collection: CheckedCollection): Promise<CreatedItem> {
  const writable = writableOf(collection)
  const item = await writable.create()
  return { item, path: itemPath(writable.path, item.id) }
}

/** Expects that an item is as it was after its creation. */
export async function expectUnchanged(
  { send }: CheckedCollection,
  { item, path }: CreatedItem,
): Promise<void> {
  const response = await send('GET', path)
  expectStatus(response, 200)
  expectBody(response, item, 'the item as it was')
}

/** Expects every field of a body in an item. */
export function expectFields(response: CheckResponse, item: ServerItem, body: ItemDraft): void {
  const other = Object.keys(body).find((field) => !isSame(item[field], body[field]))
  if (other !== undefined) fail(response, `The "${other}" of the item is not the one sent.`)
}

/**
 * Expects a status of an operation that a server may leave out.
 *
 * @throws {NotApplicable} For 405.
 */
export function expectSupported(response: CheckResponse, ...statuses: readonly number[]): void {
  skipUnsupported(response)
  expectStatus(response, ...statuses)
}

/** As `expectProblem`, for an operation that a server may leave out. */
export function expectRefusal(response: CheckResponse, ...codes: ProblemCodes): void {
  skipUnsupported(response)
  expectProblem(response, ...codes)
}

function skipUnsupported({ request, status }: CheckResponse): void {
  if (status === 405) skip(`${request.path} does not support ${request.method}.`)
}

/** A request that the server has to refuse. */
export interface Refused {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly codes: ProblemCodes
}

/** Sends requests, and expects that the server refuses each. */
export async function expectRefusals(
  { send }: CheckedCollection,
  requests: readonly Refused[],
): Promise<void> {
  for (const { method, path, codes, ...parts } of requests)
    expectRefusal(await send(method, path, parts), ...codes)
}

interface RefusalRule extends Pick<RuleRow, 'text'> {
  /** Returns requests about a new item. `draft` is a valid body that changes it. */
  readonly requests: (created: CreatedItem & { readonly draft: ItemDraft }) => readonly Refused[]
}

/** Creates a rule: the server refuses requests about an item, and does not change the item. */
export function refusalRule({ requests, ...rule }: RefusalRule): RuleRow {
  return {
    ...rule,
    async run(collection) {
      const created = await postItem(collection)
      const draft = withChange(await writableOf(collection).draft())
      await expectRefusals(collection, requests({ ...created, draft }))
      await expectUnchanged(collection, created)
    },
  }
}

/** Changes one string of a draft, if it has one that accepts any letters. */
export function withChange(draft: ItemDraft): ItemDraft {
  const field = Object.keys(draft).find((name) => {
    const value = draft[name]
    return typeof value === 'string' && /^\p{L}+(?: \p{L}+)*/u.test(value) && !/[@:/]/.test(value)
  })
  return field === undefined ? draft : { ...draft, [field]: `${draft[field]} changed` }
}

/** Returns an id of the same type as another, without an item. */
export function absentId(id: ServerItem['id']): ServerItem['id'] {
  if (typeof id === 'number') return maxNumber - Math.floor(Math.random() * 1_000_000)
  // The new UUID keeps the version of the other.
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id)
    ? id.slice(0, -12) + crypto.randomUUID().slice(-12)
    : absentName
}

const maxNumber = 2_147_483_647

import type { Awaitable } from '../../convention/awaitable.ts'
import { bodies, type ParameterName, type ProblemCode } from '../../convention/operations.ts'
import { isSame } from '../../convention/value.ts'
import { itemPath } from '../../wire/path.ts'
import {
  type CheckedCollection,
  firstItem,
  type ItemDraft,
  noParent,
  parentOf,
  pathBelow,
  readAll,
  type WritableCollection,
} from './collection.ts'
import {
  type CheckResponse,
  expect,
  fail,
  idTextsOf,
  memberOf,
  pointersIn,
  type RequestParts,
  type ServerItem,
  showBody,
  skip,
  skipUnsupported,
  stringsIn,
  writeMethods,
} from './message.ts'
import { absentName } from './path.ts'

/** A rule of the convention, and how to check it on a collection. */
export interface Rule {
  readonly id: string
  /** The rule, as a sentence. */
  readonly text: string
  readonly needs: readonly Need[]
  /** Rejects with `RuleViolation` or, when the rule does not apply, with `NotApplicable`. */
  readonly run: (collection: CheckedCollection) => Promise<void> | void
}

type Need = keyof typeof needs

/** A rule in a table. Its key is the id. Its needs come after those of the table. */
export type UnnamedRule = Pick<Rule, 'text'> & {
  readonly needs?: readonly Need[]
} & (RequestRow | Pick<Rule, 'run'>)

/** The most rules: some requests, and the response that each of them gets. */
interface RequestRow {
  /** The number of items to create first. The requests must not change them. Default 0. */
  readonly creates?: number
  readonly send: readonly RuleRequest[] | ((subject: Subject) => Awaitable<readonly RuleRequest[]>)
  /** Default: of a GET what the reference answers, else 200. */
  readonly expect?: Expected
  /** The list that each problem has: `allowed`. */
  readonly lists?: string
  /** Why the rule does not apply when there are no requests. */
  readonly none?: string
}

/** A collection, and the items that the check created for a rule. */
interface Subject extends CheckedCollection {
  readonly created: readonly ServerItem[]
  /** A body for each of them that changes it. */
  readonly drafts: readonly ItemDraft[]
}

/** `DELETE {new}/`, or `{list}?limit=0` for GET. {@link targets} has the words in braces. */
export type RuleRequest =
  | string
  | (RequestParts & { readonly request: string; readonly expect?: Expected })

/**
 * The codes of a problem, a status, any list of items, a body, all pages of a list, or the link to
 * the next one.
 */
type Expected =
  | ProblemCode
  | readonly ProblemCode[]
  | 200
  | 404
  | 'items'
  | 'pages'
  | 'next'
  | { readonly body: unknown }

const targets: Readonly<Record<string, (subject: Subject) => string>> = {
  list: ({ path }) => path,
  above: ({ path }) => path.slice(0, path.lastIndexOf('/')),
  // With its slash: `/employees`.
  noun: ({ path }) => path.slice(path.lastIndexOf('/')),
  NOUN: ({ path }) => path.slice(path.lastIndexOf('/')).toUpperCase(),
  prefix: ({ pathParts }) => pathParts.prefix,
  route: ({ pathParts }) => pathParts.route,
  item: (subject) => itemPath(subject.path, firstItem(subject).id),
  absent: ({ path }) => itemPath(path, absentName),
  field: ({ sortable: [field = 'id'] }) => encodeURIComponent(field),
  writable: (subject) => writableOf(subject).path,
  new: (subject) => itemPath(writableOf(subject).path, subject.created[0]?.id ?? absentName),
}

/** Returns the rules of a table, in its order. */
export function defineRules(
  common: readonly Need[],
  rows: Readonly<Record<string, UnnamedRule>>,
): readonly Rule[] {
  return Object.entries(rows).map(([id, row]) => ({
    id,
    text: row.text,
    needs: [...common, ...(row.needs ?? [])],
    run: 'run' in row ? row.run : (collection) => tryRequests(row, collection),
  }))
}

async function tryRequests(
  { creates = 0, send, expect, lists, none = 'No item shows it.' }: RequestRow,
  collection: CheckedCollection,
): Promise<void> {
  const subject: Subject = { ...collection, ...(await postItems(collection, creates)) }
  const requests = typeof send === 'function' ? await send(subject) : send
  if (requests.length === 0) skip(none)
  for (const entry of requests) {
    const {
      request,
      expect: expected = expect,
      ...parts
    } = typeof entry === 'string' ? { request: entry } : entry
    const [, method = 'GET', template = ''] = /^(?:([A-Z]+) )?(.*)$/.exec(request) ?? []
    const path = template.replace(/\{(\w+)\}/g, (word, name) => targets[name]?.(subject) ?? word)
    const response = await collection.send(method, path, parts)
    await expectResponse(response, expected, collection)
    if (lists !== undefined && stringsIn(response.json, lists) === undefined)
      fail(response, `The problem has no list "${lists}".`)
  }
  await expectUnchanged(collection, subject.created)
}

async function expectResponse(
  response: CheckResponse,
  expected: Expected | undefined,
  { reference }: CheckedCollection,
): Promise<void> {
  const isWrite = writeMethods.has(response.request.method)
  if (isWrite && expected !== 'method_not_allowed') skipUnsupported(response)
  if (expected === 'items') expect.items(response)
  else if (expected === undefined && !isWrite) await reference.same(response)
  else if (expected === 'pages' || expected === 'next') await reference[expected](response)
  else if (typeof expected === 'string' || (typeof expected === 'object' && 'map' in expected))
    expect.problem(response, ...[expected].flat())
  else if (typeof expected === 'object')
    expect.body(response, expected.body, showBody(expected.body))
  else expect.status(response, expected ?? 200)
}

// Each returns the reason why a collection does not meet the need.
const needs = {
  items: ({ listProblem }) => listProblem,
  some: ({ items }) => (items.length > 0 ? undefined : 'The collection is empty.'),
  several: ({ items }) => (items.length > 1 ? undefined : 'The collection has fewer than 2 items.'),
  sort: ({ sortable }) =>
    sortable.length > 0 ? undefined : 'The check found no field to sort by.',
  search: ({ searchable }) =>
    searchable === undefined
      ? 'OPTIONS does not name the fields of "q".'
      : searchable.length === 0
        ? 'It takes no "q".'
        : undefined,
  groups: ({ countable }) => (countable.length > 0 ? undefined : 'It takes no "by".'),
  filters: ({ offers }) => (offers.filters.length > 0 ? undefined : 'OPTIONS names no filter.'),
  related: ({ offers }) =>
    offers.related.length > 0 ? undefined : 'OPTIONS names no filter of related items.',
  fields: offering('fields'),
  offset: offering('offset'),
  dryRun: ({ offers }) => (offers.hasDryRun ? undefined : 'OPTIONS names no "dry_run".'),
  clearing: ({ offers }) => (offers.clears ? undefined : 'OPTIONS names no "deleteAll".'),
  selection: ({ offers }) => (offers.selects ? undefined : 'OPTIONS names no "deleteMany".'),
  key: ({ offers }) => (offers.takesKey ? undefined : 'OPTIONS does not say "idempotent".'),
  include: ({ offers }) =>
    offers.references.some(({ include }) => include !== undefined)
      ? undefined
      : 'OPTIONS names no reference to include.',
  references: ({ offers }) =>
    offers.references.length > 0 ? undefined : 'OPTIONS names no reference.',
  states: ({ states }) => (states ? undefined : 'OPTIONS names no states.'),
  version: ({ pathParts }) =>
    pathParts.version === undefined ? 'The path names no version.' : undefined,
  parent: ({ parent }) => (parent ? undefined : noParent),
  // Without the list the check cannot tell its own items from items of other clients.
  write: ({ writable, listProblem }) =>
    writable ? undefined : (listProblem ?? 'It would write: allow it with --write.'),
  own: ({ writable }) =>
    writable?.isOwn
      ? undefined
      : 'A server that breaks it could delete items of other clients. Allow it with --empty. ' +
        'If OPTIONS lists the operations, the check also tries it below a parent of its own.',
} as const satisfies Record<string, (collection: CheckedCollection) => string | undefined>

function offering(name: ParameterName) {
  return ({ offers }: CheckedCollection): string | undefined =>
    offers.parameters.includes(name) ? undefined : `OPTIONS names no "${name}".`
}

/** Returns why a rule does not apply to a collection; `undefined` when it applies. */
export function reasonToSkip(rule: Rule, collection: CheckedCollection): string | undefined {
  return rule.needs.map((need) => needs[need](collection)).find((reason) => reason !== undefined)
}

/** The id of the rule that a safe request breaks when it changes data. */
export const safeMethods = 'safe-methods'

/** Returns the collection to write to. Skips the rule without one. */
export function writableOf({ writable }: CheckedCollection): WritableCollection {
  return writable ?? skip('It would write.')
}

/** Items that the check created for a rule. */
interface NewItems {
  readonly created: readonly ServerItem[]
  /** A body for each item that changes it. */
  readonly drafts: readonly ItemDraft[]
}

/** Creates items, and then a draft for each. */
export async function postItems(collection: CheckedCollection, count: number): Promise<NewItems> {
  const created: ServerItem[] = []
  while (created.length < count) created.push(await writableOf(collection).create())
  const drafts: ItemDraft[] = []
  while (drafts.length < count) drafts.push(await changedDraft(collection))
  return { created, drafts }
}

/** Creates an item. */
export async function postItem(
  collection: CheckedCollection,
): Promise<{ readonly item: ServerItem; readonly path: string }> {
  const writable = writableOf(collection)
  const item = await writable.create()
  return { item, path: itemPath(writable.path, item.id) }
}

/** Returns the path of the first new item through another parent than its own. */
export function pathThroughOther(
  collection: CheckedCollection & Pick<NewItems, 'created'>,
): string {
  const { id, otherId, ...parent } = parentOf(collection)
  const ownPath = writableOf(collection).path
  const paths = [id, otherId].flatMap((parentId) =>
    parentId === undefined ? [] : [pathBelow({ ...parent, id: parentId })],
  )
  const otherPath =
    paths.find((path) => path !== ownPath) ?? skip('The collection has only one parent.')
  return itemPath(otherPath, collection.created[0]?.id ?? absentName)
}

/** A POST that must store nothing. */
interface UnstoredPost {
  readonly path: string
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** The fields that show an item of the request. */
  readonly drafts: readonly object[]
}

/** Sends a POST, expects a response, and then that the collection has no such item. */
export async function expectNotStored(
  collection: CheckedCollection,
  { path, body, headers = {}, drafts }: UnstoredPost,
  expectResponse: (response: CheckResponse) => void,
): Promise<void> {
  const { send } = collection
  const ownPath = writableOf(collection).path
  const before = new Set(idTextsOf((await readAll(send, ownPath)).items))
  const response = await send('POST', path, { body, headers })
  skipUnsupported(response)
  expectResponse(response)
  const { items } = await readAll(send, ownPath)
  const added = items.filter((item) => !before.has(String(item.id)))
  const stored = added.find((item) => drafts.some((draft) => isSame({ ...item, ...draft }, item)))
  if (stored) fail(response, `The server stored the item ${stored.id} all the same.`)
}

/** Expects that items are as they were after their creation. */
export async function expectUnchanged(
  collection: CheckedCollection,
  items: readonly ServerItem[],
): Promise<void> {
  for (const item of items) {
    const response = await collection.send('GET', itemPath(writableOf(collection).path, item.id))
    expect.status(response, 200)
    expect.body(response, item, 'the item as it was')
  }
}

/** Returns the body of a new item with a changed text, as far as one can change. */
export async function changedDraft(collection: CheckedCollection): Promise<ItemDraft> {
  const { draft, change } = writableOf(collection)
  return change(await draft())
}

/** Items that the check created to change them in a bulk. */
interface PreparedBulk {
  readonly path: string
  readonly items: readonly ServerItem[]
  /** A changed body for each item, with its id. */
  readonly bodies: readonly ItemDraft[]
}

/** Creates items for a bulk. */
export async function prepareBulk(
  collection: CheckedCollection,
  count: number,
): Promise<PreparedBulk> {
  const { created: items, drafts } = await postItems(collection, count)
  const bodies = drafts.map((draft, index) => ({ ...draft, id: items[index]?.id }))
  return { path: writableOf(collection).path, items, bodies }
}

/** Items that one POST created. */
interface CreatedBulk {
  readonly drafts: readonly ItemDraft[]
  readonly response: CheckResponse
  readonly items: readonly ServerItem[]
}

/** Creates items in one POST. Skips the rule if the server takes an array for no item. */
export async function postBulk(collection: CheckedCollection, count: number): Promise<CreatedBulk> {
  const drafts = await draftsFor(collection, count)
  const response = await collection.send('POST', writableOf(collection).path, { body: drafts })
  const { status, json } = response
  if (status === 422 && !pointersIn(json).some((pointer) => pointer.startsWith('/')))
    skip('The server creates one item at a time.')
  expect.supported(response, 201)
  const items = expect.items(response, 201)
  if (items.length !== count) fail(response, `The body has ${items.length} items, not ${count}.`)
  return { drafts, response, items }
}

/** Returns bodies of new items. */
export async function draftsFor(
  collection: CheckedCollection,
  count: number,
): Promise<readonly ItemDraft[]> {
  const drafts: ItemDraft[] = []
  while (drafts.length < count) drafts.push(await writableOf(collection).draft())
  return drafts
}

/** The media types of a patch of an item. */
export const patchTypes: readonly string[] = bodies.patch.types

/** A patch for an item. */
interface NewPatch {
  /** One field, with another value than the item has. */
  readonly patch: ItemDraft
  /** The other fields that a client can set, as the item has them. */
  readonly values: ItemDraft
}

/** Creates a patch for an item. Skips the rule if drafts differ in no field. */
export async function patchFor(collection: CheckedCollection, item: ServerItem): Promise<NewPatch> {
  const draft = await changedDraft(collection)
  const fields = Object.keys(draft)
  const changed = fields.find((field) => !isSame(draft[field], item[field]))
  if (changed === undefined) skip('The drafts of its items differ in no field.')
  const unchanged = fields.filter((field) => field !== changed).map((field) => [field, item[field]])
  return { patch: { [changed]: draft[changed] }, values: Object.fromEntries(unchanged) }
}

/** Expects a patched item: the patch changed its own field, and no other. */
export function expectPatched(
  response: CheckResponse,
  patched: unknown,
  { patch, values }: NewPatch,
): void {
  expect.fields(response, patched, patch)
  const field = Object.keys(values).find(
    (field) => !isSame(memberOf(patched, field), values[field]),
  )
  if (field !== undefined) fail(response, `The "${field}" has changed, and was not sent.`)
}

/** Expects the response to a patch: 200 with the item. Returns the item. */
export function expectPatchOf(
  response: CheckResponse,
  { id }: ServerItem,
  patch: NewPatch,
): ServerItem {
  expect.supported(response, 200)
  const patched = expect.item(response)
  if (patched.id !== id) fail(response, `The item has the id ${patched.id}.`)
  expectPatched(response, patched, patch)
  return patched
}

import { isRecord } from '../../convention/value.ts'
import { itemPath } from '../../wire/path.ts'
import type { ChangeMonitor } from './change-monitor.ts'
import {
  type CheckedCollection,
  type CheckWriteOptions,
  findParent,
  type ItemDraft,
  offersIn,
  pathBelow,
  readList,
  rolesIn,
  type WritableCollection,
} from './collection.ts'
import type { Connection } from './connection.ts'
import {
  type CheckResponse,
  idTextOf,
  idTextsOf,
  isServerItem,
  isSuccess,
  itemProblem,
  memberOf,
  NotApplicable,
  pointersIn,
  RuleViolation,
  type SendRequest,
  type ServerItem,
  skip,
  statusAndCode,
  stringsIn,
} from './message.ts'
import { absentName, splitAtVersion } from './path.ts'
import { referenceOf } from './reference.ts'
import type { WriteGuard } from './write-guard.ts'

interface InspectContext {
  readonly connection: Connection
  readonly guard: WriteGuard
  readonly monitor: ChangeMonitor
  /** `undefined`: the check only reads. */
  readonly writing: CheckWriteOptions | undefined
}

/** Reads the properties of a collection. With `writing`, finds where the rules may write. */
export async function inspectCollection(
  name: string,
  { connection, guard, monitor, writing }: InspectContext,
): Promise<CheckedCollection> {
  const { send } = guard
  const start = connection.log.length
  const parent = await findParent(name, send)
  const path = parent === undefined ? name : pathBelow(parent)
  const { items, problem } = await readList(path, send)
  const description = await readDescription({ path, items }, { send, monitor })
  const sortable = stringsIn(description, 'sortable') ?? (await trySorting(path, items, send))
  const readable = {
    ...{ path, send, items },
    ...{ sortable, searchable: stringsIn(description, 'searchable') },
    folded: stringsIn(description, 'folded') ?? [],
    countable: stringsIn(description, 'countable') ?? [],
    ...{ offers: offersIn(description), maxLimit: maxLimitIn(description) },
  }
  const collection = {
    ...readable,
    reference: referenceOf(readable),
    name,
    pathParts: splitAtVersion(path),
    log: () => connection.log.slice(start),
    listProblem: problem,
    readOnly: stringsIn(description, 'readOnly') ?? [],
    keep: stringsIn(description, 'keep') ?? [],
    ...rolesIn(description),
    isBounded: memberOf(description, 'bounded') === true,
    parent: parent && { ...parent, field: parent.field ?? parentFieldIn(description) },
  }
  const context = writing && problem === undefined ? { guard, monitor, writing } : undefined
  const writable = context && (await findWritable(collection, context))
  await monitor.observe(path)
  // New parents may be items of this collection, as a manager is an employee.
  const { items: itemsNow } = writable && parent ? await readList(path, send) : { items }
  const seen = { ...readable, items: itemsNow }
  return { ...collection, ...seen, reference: referenceOf(seen), writable }
}

// Most servers without a description accept a limit of 100.
function maxLimitIn(description: unknown): number {
  const limit = memberOf(memberOf(description, 'limits'), 'limit')
  return typeof limit === 'number' ? limit : 100
}

// Returns the last parameter of the path template.
function parentFieldIn(description: unknown): string | undefined {
  return /[:{](\w+)\}?\/[^/]+$/.exec(`${memberOf(description, 'path')}`)?.[1]
}

// Takes the fields from a rejection, else tries the fields of an item.
async function trySorting(
  path: string,
  [item]: readonly ServerItem[],
  send: SendRequest,
): Promise<readonly string[]> {
  const { status, json } = await send('GET', `${path}?sort=${absentName}`)
  const allowed = status === 400 ? stringsIn(json, 'allowed') : undefined
  if (allowed !== undefined) return allowed
  const accepted: string[] = []
  for (const [field, value] of Object.entries(item ?? {})) {
    if (typeof value === 'object') continue
    const response = await send('GET', `${path}?sort=${encodeURIComponent(field)}`)
    if (response.status === 200) accepted.push(field)
  }
  return accepted
}

/**
 * Reads the description of a collection, the response to OPTIONS. Tries OPTIONS on an absent item
 * and on one item first. If a server takes it for another method, the monitor stops the check
 * in time.
 */
async function readDescription(
  { path, items }: Pick<CheckedCollection, 'path' | 'items'>,
  { send, monitor }: { readonly send: SendRequest; readonly monitor: ChangeMonitor },
): Promise<unknown> {
  await monitor.observe(path)
  for (const id of [absentName, ...idTextsOf(items.slice(0, 1))])
    await send('OPTIONS', itemPath(path, id))
  return withoutHidden((await send('OPTIONS', path)).json, items)
}

// OPTIONS names restricted fields for every caller. The server refuses them to one who may not
// read them, and no item has them.
function withoutHidden(description: unknown, items: readonly ServerItem[]): unknown {
  const restricted = stringsIn(description, 'restricted') ?? []
  const hidden = restricted.filter((field) => !items.some((item) => Object.hasOwn(item, field)))
  return hidden.length === 0 ? description : withoutFields(description, new Set(hidden))
}

// Leaves out the names of fields, their filters and their rows, as in `references`.
function withoutFields(json: unknown, fields: ReadonlySet<unknown>): unknown {
  const keeps = (value: unknown): boolean =>
    !fields.has(typeof value === 'string' ? value.split(':')[0] : memberOf(value, 'field'))
  const within = (value: unknown): unknown => withoutFields(value, fields)
  if (Array.isArray(json)) return json.filter(keeps).map(within)
  if (!isRecord(json)) return json
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, within(value)]))
}

type ReadCollection = Omit<CheckedCollection, 'writable'>

interface WriteContext {
  readonly guard: WriteGuard
  readonly monitor: ChangeMonitor
  readonly writing: CheckWriteOptions
}

/** Finds the collection that the rules write to. */
async function findWritable(
  collection: ReadCollection,
  { guard, monitor, writing }: WriteContext,
): Promise<WritableCollection> {
  const { path, items, readOnly, parent, fixed, states } = collection
  const sample = writing.samples[collection.name]
  const omitted = [...readOnly, ...(parent?.field === undefined ? [] : [parent.field])]
  const openAt = (at: string, isOwn: boolean): WritableCollection =>
    openWritable({ guard, path: at, isOwn, sample, items, omitted, fixed, states })
  const nested = await findBelowOwnParent(collection, { guard, monitor, writing }, openAt)
  if (writing.isEmptied) guard.allow(path)
  if (nested?.isOwn) guard.allow(nested.path)
  return openAt(nested?.path ?? path, nested?.isOwn || writing.isEmptied)
}

// A new parent owns no item of another client, if the server separates parents. The check makes
// sure of that: it tries to delete a new item through another new parent.
async function findBelowOwnParent(
  collection: ReadCollection,
  { guard, monitor, writing }: WriteContext,
  openAt: (path: string, isOwn: boolean) => WritableCollection,
): Promise<{ path: string; isOwn: boolean } | undefined> {
  const { send, parent, name } = collection
  if (parent === undefined) return undefined
  const { path, suffix } = parent
  const { items, problem } = await readList(path, send)
  if (problem !== undefined) return undefined
  const description = await readDescription({ path, items }, { send, monitor })
  const sample = writing.samples[name.slice(0, name.length - suffix.length).replace(/\/[^/]+$/, '')]
  const omitted = stringsIn(description, 'readOnly') ?? []
  const writable = { sample, items, omitted, ...rolesIn(description) }
  const parents = openWritable({ guard, path, isOwn: false, ...writable })
  try {
    const created = [await parents.create(), await parents.create()]
    const paths = created.map(({ id }) => pathBelow({ path, id: String(id), suffix }))
    for (const nested of paths) {
      const list = await readList(nested, send)
      if (list.problem !== undefined || list.items.length > 0) return undefined
    }
    const [first = '', second = ''] = paths
    // A server that lists its operations defines DELETE on a collection.
    const { json } = await send('OPTIONS', first)
    if (!Array.isArray(memberOf(json, 'operations'))) return { path: first, isOwn: false }
    const { id } = await openAt(first, false).create()
    const { status } = await send('DELETE', itemPath(second, id))
    return { path: first, isOwn: status >= 400 }
  } catch (error) {
    if (error instanceof NotApplicable) return undefined
    throw error
  }
}

interface WritableOptions {
  readonly guard: WriteGuard
  readonly path: string
  readonly isOwn: boolean
  /** The draft from `--sample`; without one, drafts are copies of `items`. */
  readonly sample: ItemDraft | undefined
  readonly items: readonly ServerItem[]
  /** Fields that a draft leaves out: the read-only ones, and the parent's. */
  readonly omitted: readonly string[]
  /** Fields that a draft copies: the owner's, references and restricted ones. */
  readonly fixed: readonly string[]
  /** A draft begins in the first state. */
  readonly states: CheckedCollection['states']
}

const maxAttempts = 8

/** Opens a collection for writing. Its first `create` finds a draft that the server accepts. */
function openWritable(options: WritableOptions): WritableCollection {
  const { guard, path, isOwn } = options
  const drafts = draftsOf(options)
  let isAccepted = false
  let refusal: NotApplicable | undefined
  const create = async (): Promise<ServerItem> => {
    if (refusal) throw refusal
    for (let attempts = 1; ; attempts++) {
      const response = await guard.send('POST', path, { body: drafts.next() })
      const { json } = response
      if (response.status === 405) skip('The server does not create items here.')
      isAccepted = isSuccess(response)
      if (isAccepted) {
        refusal = refusalOf(response, guard)
        if (refusal === undefined && isServerItem(json)) return json
        throw refusal
      }
      if (attempts === maxAttempts || !drafts.adapt(json))
        skip(
          `POST ${path} created no item: ${statusAndCode(response)}. Pass a draft with --sample.`,
        )
    }
  }
  const draft = async (): Promise<ItemDraft> => {
    // A response to POST without id breaks another rule.
    if (!isAccepted || refusal)
      await create().catch((error) => {
        if (isAccepted && !refusal) return
        const reason = refusal?.cause ?? error
        // Only one rule reports the violation.
        refusal &&= new NotApplicable(refusal.message)
        throw reason
      })
    return drafts.next()
  }
  const takes = async (field: string): Promise<boolean> =>
    isSuccess(await guard.send('POST', path, { body: withWord(await draft(), field) }))
  return { path, isOwn, draft, create, change: changerOf(options, takes) }
}

// Finds the text to change by creating an item with the change, once.
function changerOf(
  { fixed, omitted }: WritableOptions,
  takes: (field: string) => Promise<boolean>,
): WritableCollection['change'] {
  let fieldFound: Promise<string | undefined> | undefined
  const find = async (draft: ItemDraft): Promise<string | undefined> => {
    const reserved = new Set(['id', ...fixed, ...omitted])
    for (const [field, value] of Object.entries(draft))
      if (!reserved.has(field) && isOfWords(value) && (await takes(field))) return field
    return undefined
  }
  return async (draft) => {
    fieldFound ??= find(draft)
    const field = await fieldFound
    return field === undefined ? draft : withWord(draft, field)
  }
}

function isOfWords(value: unknown): boolean {
  return typeof value === 'string' && /^\p{L}+(?: \p{L}+)*/u.test(value) && !/[@:/]/.test(value)
}

function withWord(draft: ItemDraft, field: string): ItemDraft {
  return { ...draft, [field]: `${draft[field]} changed` }
}

// Returns why the check creates no more: it could not remove such an item.
function refusalOf({ request, json }: CheckResponse, guard: WriteGuard): NotApplicable | undefined {
  if (idTextOf(json) === undefined) skip('The response to POST has no id.')
  if (!isServerItem(json)) {
    const message = `The new item ${itemProblem(json)}.`
    return new NotApplicable(message, { cause: new RuleViolation(request, message) })
  }
  if (guard.isCreated(itemPath(request.path, json.id))) return undefined
  return new NotApplicable(
    `POST ${request.path} returned ${json.id}, which may have existed before.`,
  )
}

interface Drafts {
  /** Returns a draft with unique strings. */
  readonly next: () => ItemDraft
  /** Adapts later drafts to a rejection. Returns false when there is nothing left to adapt. */
  readonly adapt: (problem: unknown) => boolean
}

function draftsOf({ sample, items: [item], omitted, fixed, states }: WritableOptions): Drafts {
  const excluded = new Set(['id', ...omitted])
  // The server rejects other values of these fields, so drafts copy them.
  const copied = new Set<string>(fixed)
  let number = 0
  const next = (): ItemDraft => {
    number++
    const mark = `${Date.now().toString(36)}${number}`
    // A sample may hold "{n}" in fields that must be unique.
    if (sample !== undefined) return JSON.parse(JSON.stringify(sample).replaceAll('{n}', mark))
    if (item === undefined) skip('The collection has no item to copy: pass one with --sample.')
    const fields = Object.entries(item).filter(([field]) => !excluded.has(field))
    const draft = Object.fromEntries(
      fields.map(([field, value]) => [field, copied.has(field) ? value : withMark(value, mark)]),
    )
    return states ? { ...draft, [states.field]: states.initial } : draft
  }
  const adapt = (problem: unknown): boolean => {
    if (sample !== undefined || item === undefined) return false
    const rejected = rejectedFields(problem).filter((field) => !excluded.has(field))
    const remaining = Object.keys(item).filter((field) => !copied.has(field))
    const fields = rejected.length > 0 ? rejected : remaining
    for (const field of fields) (copied.has(field) ? excluded : copied).add(field)
    return fields.length > 0
  }
  return { next, adapt }
}

// Marks strings, dates aside, so that a new item differs from every other.
function withMark(value: unknown, mark: string): unknown {
  if (typeof value !== 'string' || /^\d{4}-\d\d/.test(value)) return value
  return value.includes('@') ? `${mark}.${value}` : `${value} ${mark}`
}

function rejectedFields(json: unknown): readonly string[] {
  return pointersIn(json).flatMap((pointer) =>
    /^\/[^/]+$/.test(pointer) ? [pointer.slice(1)] : [],
  )
}

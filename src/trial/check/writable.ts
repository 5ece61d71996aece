import { itemPath } from '../../wire/path.ts'
import {
  idTextOf,
  isServerItem,
  itemProblem,
  memberOf,
  NotApplicable,
  RuleViolation,
  type ServerItem,
  skip,
  statusAndCode,
} from './expect.ts'
import { type CheckResponse, isSuccess } from './message.ts'
import type { WriteGuard } from './write-guard.ts'

/** The collection that the rules write to. */
export interface WritableCollection {
  readonly path: string
  /** Every item in it belongs to the check: created by it, below its own parent, or `--empty`. */
  readonly isOwn: boolean
  /**
   * Returns the body of a new item. Rejects like `create`. The first time that the server assigns
   * an invalid id, rejects with `RuleViolation`.
   */
  readonly draft: () => Promise<ItemDraft>
  /** Creates an item. Rejects with `NotApplicable` when that is impossible. */
  readonly create: () => Promise<ServerItem>
  /**
   * Changes a text of a draft that takes other words, as far as the server has one: no owner,
   * reference or restricted field, and no text of a format or an enumeration.
   */
  readonly change: (draft: ItemDraft) => Promise<ItemDraft>
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
}

/** The body of a new item. */
export type ItemDraft = Readonly<Record<string, unknown>>

const maxAttempts = 8

/** Opens a collection for writing. Its first `create` finds a draft that the server accepts. */
export function openWritable(options: WritableOptions): WritableCollection {
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
  let known: Promise<string | undefined> | undefined
  const find = async (draft: ItemDraft): Promise<string | undefined> => {
    const kept = new Set(['id', ...fixed, ...omitted])
    for (const [field, value] of Object.entries(draft))
      if (!kept.has(field) && isOfWords(value) && (await takes(field))) return field
    return undefined
  }
  return async (draft) => {
    known ??= find(draft)
    const field = await known
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

function draftsOf({ sample, items: [item], omitted, fixed }: WritableOptions): Drafts {
  const left = new Set(['id', ...omitted])
  // The server rejects other values of these fields, so drafts copy them.
  const copied = new Set<string>(fixed)
  let number = 0
  const next = (): ItemDraft => {
    number++
    const mark = `${Date.now().toString(36)}${number}`
    // A sample may hold "{n}" in fields that must be unique.
    if (sample !== undefined) return JSON.parse(JSON.stringify(sample).replaceAll('{n}', mark))
    if (item === undefined) skip('The collection has no item to copy: pass one with --sample.')
    const fields = Object.entries(item).filter(([field]) => !left.has(field))
    return Object.fromEntries(
      fields.map(([field, value]) => [field, copied.has(field) ? value : withMark(value, mark)]),
    )
  }
  const adapt = (problem: unknown): boolean => {
    if (sample !== undefined || item === undefined) return false
    const rejected = rejectedFields(problem).filter((field) => !left.has(field))
    const others = Object.keys(item).filter((field) => !copied.has(field))
    const fields = rejected.length > 0 ? rejected : others
    for (const field of fields) (copied.has(field) ? left : copied).add(field)
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

/** Returns the pointers of the issues in a problem document. */
export function pointersIn(json: unknown): readonly string[] {
  const issues = memberOf(json, 'issues')
  return Array.isArray(issues) ? issues.map((issue) => `${memberOf(issue, 'pointer') ?? ''}`) : []
}

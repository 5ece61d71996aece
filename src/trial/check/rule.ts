import type { Awaitable } from '../../convention/awaitable.ts'
import type { ParameterName, ProblemCode } from '../../convention/operations.ts'
import { itemPath } from '../../wire/path.ts'
import { type CheckedCollection, firstItem, stringsIn } from './collection.ts'
import { expectItems, expectProblem, expectStatus, fail, type ServerItem } from './expect.ts'
import { type CheckResponse, type RequestParts, writeMethods } from './message.ts'
import { noParent } from './parent.ts'
import { absentName } from './path.ts'
import type { ItemDraft } from './writable.ts'
import { expectUnchanged, postItems, skipUnsupported, writableOf } from './writing.ts'

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
  readonly expect: Expected
  /** The list that each problem has: `allowed`. */
  readonly lists?: string
}

/** A collection, and the items that the check created for a rule. */
interface Subject extends CheckedCollection {
  readonly created: readonly ServerItem[]
  /** A body for each of them that changes it. */
  readonly drafts: readonly ItemDraft[]
}

/** `DELETE {new}/`, or `{list}?limit=0` for GET. {@link targets} has the words in braces. */
type RuleRequest =
  | string
  | (RequestParts & { readonly request: string; readonly expect?: Expected })

/** The codes of a problem, a status, or a list of items. */
type Expected = ProblemCode | readonly ProblemCode[] | 200 | 404 | 'items'

const targets: Readonly<Record<string, (subject: Subject) => string>> = {
  list: ({ path }) => path,
  above: ({ path }) => path.slice(0, path.lastIndexOf('/')),
  // With its slash: `/employees`.
  noun: ({ path }) => path.slice(path.lastIndexOf('/')),
  NOUN: ({ path }) => path.slice(path.lastIndexOf('/')).toUpperCase(),
  prefix: ({ pathParts }) => pathParts.prefix,
  rest: ({ pathParts }) => pathParts.rest,
  item: (subject) => itemPath(subject.path, firstItem(subject).id),
  absent: ({ path }) => itemPath(path, absentName),
  field: ({ sortable: [field = 'id'] }) => encodeURIComponent(field),
  own: (subject) => writableOf(subject).path,
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
  { creates = 0, send, expect, lists }: RequestRow,
  collection: CheckedCollection,
): Promise<void> {
  const subject: Subject = { ...collection, ...(await postItems(collection, creates)) }
  for (const given of typeof send === 'function' ? await send(subject) : send) {
    const {
      request,
      expect: expected = expect,
      ...parts
    } = typeof given === 'string' ? { request: given } : given
    const [, method = 'GET', template = ''] = /^(?:([A-Z]+) )?(.*)$/.exec(request) ?? []
    const path = template.replace(/\{(\w+)\}/g, (word, name) => targets[name]?.(subject) ?? word)
    const response = await collection.send(method, path, parts)
    expectResponse(response, expected)
    if (lists !== undefined && stringsIn(response.json, lists) === undefined)
      fail(response, `The problem has no list "${lists}".`)
  }
  await expectUnchanged(collection, subject.created)
}

function expectResponse(response: CheckResponse, expected: Expected): void {
  const isWrite = writeMethods.has(response.request.method)
  if (isWrite && expected !== 'method_not_allowed') skipUnsupported(response)
  if (expected === 'items') expectItems(response)
  else if (typeof expected === 'number') expectStatus(response, expected)
  else expectProblem(response, ...[expected].flat())
}

// Each returns the reason why a collection does not meet the need.
const needs = {
  items: ({ listProblem }) => listProblem,
  some: ({ items }) => (items.length > 0 ? undefined : 'The collection is empty.'),
  several: ({ items }) => (items.length > 1 ? undefined : 'The collection has fewer than 2 items.'),
  sort: ({ sortable }) =>
    sortable.length > 0 ? undefined : 'The check found no field to sort by.',
  search: ({ searchable }) => (searchable?.length === 0 ? 'It takes no "q".' : undefined),
  filters: ({ offers }) => (offers.filters.length > 0 ? undefined : 'OPTIONS names no filter.'),
  fields: offering('fields'),
  offset: offering('offset'),
  dryRun: ({ offers }) => (offers.hasDryRun ? undefined : 'OPTIONS names no "dry_run".'),
  key: ({ offers }) => (offers.takesKey ? undefined : 'OPTIONS does not say "idempotent".'),
  include: ({ offers }) =>
    offers.references.some(({ include }) => include !== undefined)
      ? undefined
      : 'OPTIONS names no reference to include.',
  references: ({ offers }) =>
    offers.references.length > 0 ? undefined : 'OPTIONS names no reference.',
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

import type { Address } from '../contract/resource/api.ts'
import { isId } from '../contract/resource/id.ts'
import { isConditional } from '../convention/kinds.ts'
import { type OperationKind, operations, type ProblemCode } from '../convention/operations.ts'
import { ProblemError } from '../convention/problem.ts'
import { fieldOf } from '../convention/value.ts'
import type { Conditions } from '../wire/conditions.ts'
import { tagOf } from '../wire/etag.ts'
import type { TextCall } from '../wire/request.ts'
import {
  type CallOptions,
  type CreateOptions,
  checkNames,
  type DeleteAllOptions,
  type DryRunOptions,
  type WriteOptions,
} from './options.ts'
import { pairsOfWhere } from './where.ts'

/** The path to a collection or to one of its items. */
export interface ClientPath {
  readonly version: string
  readonly nouns: readonly string[]
  /** The unchecked ids of the parents, then the id of the item. */
  readonly ids: readonly unknown[]
  /** Lists give the number of all matching items beside the page. Default: false. */
  readonly isCounted?: boolean
}

/** A call with its body and options. */
export interface ClientCall {
  readonly call: TextCall
  readonly body: unknown
  readonly options: CallOptions
}

type AnyOptions = WriteOptions & DeleteAllOptions & CreateOptions & Partial<DryRunOptions>

/**
 * Builds a call from a method's arguments: the body of a kind that takes one, the query of a read,
 * then the options. The parameters of a write are options.
 *
 * @throws {ProblemError} `parent_not_found`, `not_found` for a text that is never an id.
 * @throws {TypeError} For an invalid id, option or query member.
 */
export function clientCallOf(
  kind: OperationKind,
  path: ClientPath,
  args: readonly unknown[],
): ClientCall {
  const { takes, parameters, target: targetKind, safe } = operations[kind]
  const remainingArgs = [...args]
  const body = takes === 'nothing' ? undefined : remainingArgs.shift()
  if (!safe) remainingArgs.unshift({})
  const [query = {}, options = {}, extra] = remainingArgs
  checkNames(query, parameters)
  const names = ['signal', 'headers', ...(safe ? [] : parameters)]
  if (targetKind === 'item' && isConditional(kind, 'revision')) names.push('ifRevision')
  if (isConditional(kind, 'bound')) names.push('maxAffected')
  if (isConditional(kind, 'key')) names.push('idempotencyKey')
  checkNames(options, names)
  // An ignored argument could have held `maxAffected`.
  if (extra !== undefined) throw new TypeError(`Too many arguments for "${kind}"`)
  const target = addressOf(kind, path)
  const sent = safe ? query : options
  const where = fieldOf(sent, 'where')
  const texts = where === undefined ? sent : { ...sent, where: pairsOfWhere(where) }
  return {
    call: {
      kind,
      target,
      parameters: texts,
      conditions: conditionsOf(options, path),
    },
    body,
    options,
  }
}

function addressOf(kind: OperationKind, { version, nouns, ids }: ClientPath): Address {
  const { target } = operations[kind]
  const last = nouns.length - 1
  const collection = { version, path: `/${nouns.join('/:/')}` }
  const parents = ids.slice(0, last).map((id) => checkedTextOf(id, 'parent_not_found'))
  return target === 'item'
    ? { kind: target, collection, parents, id: checkedTextOf(ids[last], 'not_found') }
    : { kind: target, collection, parents, id: undefined }
}

// A URL with an empty id, or with ".", names the collection: the client must never send one.
function checkedTextOf(id: unknown, code: ProblemCode): string {
  const text = textOfId(id)
  if (isId(text)) return text
  throw new ProblemError(code, `Invalid id "${text}"`, {})
}

/**
 * Returns the text of an id, which may be no id.
 *
 * @throws {TypeError} For anything but text and finite numbers.
 */
export function textOfId(id: unknown): string {
  if (typeof id === 'string' || Number.isFinite(id)) return `${id}`
  throw new TypeError(`Invalid id "${id}"`)
}

// An undefined condition must not send an unconditional request, nor an undefined dry run a write.
function conditionsOf(options: AnyOptions, { isCounted = false }: ClientPath): Conditions {
  const { ifRevision, maxAffected, dry_run, idempotencyKey: key } = options
  const tag = tagOf(ifRevision)
  const isInvalid = {
    ifRevision: tag === undefined,
    maxAffected: !Number.isSafeInteger(maxAffected),
    dry_run: dry_run !== true,
    idempotencyKey: !key,
  }
  for (const name of ['ifRevision', 'maxAffected', 'dry_run', 'idempotencyKey'] as const) {
    if (!(name in options) || !isInvalid[name]) continue
    throw new TypeError(`"${name}" is ${options[name]}: give it a value, or leave it out`)
  }
  const ifMatch = tag === undefined ? tag : [tag]
  return { maxAffected, isCounted, key, ifMatch, ifNoneMatch: undefined }
}

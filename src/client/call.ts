import { type OperationKind, operations, type ProblemCode } from '../model/convention.ts'
import { isId } from '../model/id.ts'
import { isConditional } from '../model/kinds.ts'
import { ProblemError } from '../model/problem.ts'
import type { Address } from '../model/target.ts'
import type { Conditions } from '../wire/conditions.ts'
import { tagOf } from '../wire/etag.ts'
import { checkNames, type DeleteAllOptions, type WriteOptions } from './options.ts'
import type { Errand } from './send.ts'

/** A collection, or one of its items, as the words that lead to it. */
export interface Place {
  readonly version: string
  readonly nouns: readonly string[]
  /** Of the items on the way, and of the item itself where it is one. As they were given: nothing has looked at them yet. */
  readonly ids: readonly unknown[]
}

type AnyOptions = WriteOptions & DeleteAllOptions

/**
 * Makes a call of what a method was given, in the order that the table of operations says: what it takes, the query, the options.
 *
 * @throws {ProblemError} `parent_not_found`, `not_found` for an id that none can be.
 * @throws {TypeError} For an id, an option or a member of the query that cannot be at all.
 */
export function errandOf(kind: OperationKind, place: Place, given: readonly unknown[]): Errand {
  const { takes, parameters, target: named } = operations[kind]
  const rest = [...given]
  const body = takes === 'nothing' ? undefined : rest.shift()
  if (parameters.length === 0) rest.unshift({})
  const [query = {}, options = {}, more] = rest
  checkNames(query, parameters)
  const names = ['signal', 'headers']
  if (named === 'item' && isConditional(kind, 'revision')) names.push('ifRevision')
  if (isConditional(kind, 'bound')) names.push('maxAffected')
  checkNames(options, names)
  // A bound must not get lost behind what a call takes.
  if (more !== undefined) throw new TypeError(`There is more than "${kind}" takes`)
  const target = addressOf(kind, place)
  return {
    call: { kind, target, parameters: query, conditions: conditionsOf(options) },
    body,
    options,
  }
}

function addressOf(kind: OperationKind, { version, nouns, ids }: Place): Address {
  const { target } = operations[kind]
  const last = nouns.length - 1
  const collection = { version, path: `/${nouns.join('/:/')}` }
  const parents = ids.slice(0, last).map((id) => textOf(id, 'parent_not_found'))
  return target === 'item'
    ? { kind: target, collection, parents, id: textOf(ids[last], 'not_found') }
    : { kind: target, collection, parents, id: undefined }
}

// What a URL would make of an empty id, or of ".", is the collection: that must never be sent.
function textOf(id: unknown, code: ProblemCode): string {
  const text = `${id}`
  const fault = `No id: "${text}"`
  if (typeof id !== 'string' && !Number.isFinite(id)) throw new TypeError(fault)
  if (isId(text)) return text
  throw new ProblemError(code, fault, {})
}

// A condition that came out undefined must not be taken for none.
function conditionsOf(options: AnyOptions): Conditions {
  const { ifRevision, maxAffected } = options
  const tag = tagOf(ifRevision)
  if (
    ('ifRevision' in options && tag === undefined) ||
    ('maxAffected' in options && !Number.isSafeInteger(maxAffected))
  ) {
    throw new TypeError(`No condition: ${ifRevision ?? maxAffected}`)
  }
  return { maxAffected, ifMatch: tag === undefined ? tag : [tag], ifNoneMatch: undefined }
}

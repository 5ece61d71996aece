import type { UncheckedAdapter } from '../../contract/resource/adapter.ts'
import { byId, type Judge, type Operation, type Scalar } from '../../contract/resource/operation.ts'
import { bypassOf, isSkipping } from '../../contract/resource/siblings.ts'
import { sorted } from '../../contract/values/order.ts'
import type { AdapterMethod } from '../../convention/adapter-methods.ts'
import type { Awaitable } from '../../convention/awaitable.ts'
import { isProblem } from '../../convention/problem.ts'
import { isStream, take } from '../../convention/stream.ts'
import { isAbsent, isSameJson, show, specimenIdsOf, withoutRevisions } from './compare.ts'
import { type ListInput, type OperationInput, toOperation } from './operation.ts'
import { referenceAdapter } from './reference.ts'
import { type NewSpecimen, type Specimen, specimens } from './specimens.ts'

/** The result of an operation, or its error. */
export type Attempt =
  | { readonly kind: 'returned'; readonly value: unknown }
  | { readonly kind: 'threw'; readonly error: unknown }

/** Performs an operation and returns the adapter's result or error. Reads a list to its end. */
export async function attemptCall(
  adapter: UncheckedAdapter,
  operation: Operation,
  input: OperationInput,
): Promise<Attempt> {
  try {
    const result = await call(adapter, operation, input)
    const value = isStream(result) ? await take(result, Number.POSITIVE_INFINITY) : result
    return { kind: 'returned', value }
  } catch (error) {
    return { kind: 'threw', error }
  }
}

function call(
  adapter: UncheckedAdapter,
  operation: Operation,
  { by, drafts, change, changeMany, judge }: OperationInput,
) {
  if (by !== undefined) return countGroups(adapter, operation, by)
  if (drafts !== undefined) return adapter.createMany?.(operation, undefined)
  if (change !== undefined) {
    return adapter.modify?.(operation, undefined, (stored) => change(specimenIn(stored)))
  }
  if (changeMany !== undefined) {
    return adapter.modifyMany?.(operation, undefined, (stored) =>
      changeMany(stored.map((item) => item && specimenIn(item))),
    )
  }
  if (judge !== undefined) {
    const method = operation.id === undefined ? 'removeMany' : 'remove'
    return adapter[method]?.(operation, undefined, (stored) => judge(stored.map(specimenIn)))
  }
  const { kind } = operation
  return kind === 'patch' || kind === 'patchMany'
    ? undefined
    : adapter[kind]?.(operation, undefined)
}

// In canonical order, each group once: the core orders them. Without groups, it counts the list.
async function countGroups(
  adapter: UncheckedAdapter,
  operation: Operation,
  by: readonly string[],
): Promise<readonly object[]> {
  const groups = await adapter.countBy?.(operation, undefined)
  if (!Array.isArray(groups)) throw new TypeError(`The groups are ${show(groups)}, not an array`)
  const sort = by.map((field) => ({ field, direction: 'asc' }) as const)
  return sorted(groups, sort).map((group) => ({ ...missing(by), ...group }))
}

function missing(fields: readonly string[]): object {
  return Object.fromEntries(fields.map((field) => [field, null]))
}

function specimenIn(stored: object): Specimen {
  if (isStoredSpecimen(stored)) return stored
  throw new TypeError(`The function got ${show(stored)} instead of a stored item`)
}

/** Tells an item with a text as id. */
export function isStoredSpecimen(value: unknown): value is Specimen {
  return typeof Reflect.get(Object(value), 'id') === 'string'
}

/** Writes an attempt for a message. */
export function showAttempt(attempt: Attempt): string {
  if (attempt.kind === 'returned') return show(attempt.value)
  const { error } = attempt
  if (isProblem(error)) return `the problem ${error.code} (${error.message})`
  return error instanceof Error ? `${error.name}: ${error.message}` : `${show(error)}, thrown`
}

/** The parts of a failure's message. */
interface Mismatch {
  readonly operation: OperationInput | string
  readonly result: string
  readonly expected: string
}

/** What results have in common: the ids of a list alone, whole items, or revisions too. */
export type Comparing = 'ids' | 'items' | 'revisions'

/** Asks an adapter and the reference the same. Throws an Error where their results differ. */
export class Tester {
  /** A list leaves out the items before its offset itself. */
  readonly skips: boolean
  readonly #adapter: UncheckedAdapter
  readonly #rule: string
  readonly #comparing: Comparing
  readonly #subject: Side
  readonly #reference = new Side(referenceAdapter())

  constructor(adapter: UncheckedAdapter, rule: string, comparing: Comparing) {
    this.#adapter = adapter
    this.#subject = new Side(adapter)
    this.#rule = rule
    this.#comparing = comparing
    this.skips = isSkipping(adapter.list)
  }

  /** Tells whether the adapter has a method. */
  has(method: AdapterMethod): boolean {
    return typeof this.#adapter[method] === 'function'
  }

  /** Fails with the mismatch unless the condition holds. */
  assert(holds: boolean, mismatch: () => Mismatch): void {
    if (!holds) this.#fail(mismatch())
  }

  #fail({ operation, result, expected }: Mismatch, cause?: unknown): never {
    const name = typeof operation === 'string' ? operation : showInput(operation)
    const text = `Operation: ${name}\nResult: ${result}\nExpected: ${expected}\nRule: ${this.#rule}`
    throw new Error(text, cause === undefined ? {} : { cause })
  }

  /** Performs an operation on the adapter alone. */
  attempt(input: OperationInput, operation?: Operation): Promise<Attempt> {
    if (operation === undefined) return this.#subject.attempt(input)
    return attemptCall(this.#adapter, operation, input)
  }

  /** Performs an operation on the adapter alone and returns its result. */
  async perform(input: OperationInput, operation?: Operation): Promise<unknown> {
    const result = await this.attempt(input, operation)
    for (const item of itemsOf(result)) this.#subject.note(item)
    if (result.kind === 'returned') return result.value
    const mismatch = { operation: input, result: showAttempt(result), expected: 'a result' }
    return this.#fail(mismatch, result.error)
  }

  /** Returns a result as an item, or fails. */
  itemFrom(result: unknown, operation: OperationInput | string): Specimen {
    if (isStoredSpecimen(result) && result.id !== '') return result
    return this.#fail({ operation, result: show(result), expected: 'an item with a text as id' })
  }

  /** Lists items of the adapter alone. */
  async list(input: ListInput): Promise<readonly Specimen[]> {
    const operation: OperationInput = { ...input, kind: 'list' }
    const result = await this.perform(operation)
    const items: readonly unknown[] = Array.isArray(result) ? result : []
    return items.map((item) => this.itemFrom(item, operation))
  }

  /** Asks whether a field can have a value. An adapter without the method holds all. */
  holdsValue(field: string, value: Scalar): Awaitable<unknown> {
    const adapter = this.#adapter
    if (typeof adapter.holdsValue !== 'function') return true
    return adapter.holdsValue(field, value, { resource: specimens, context: undefined })
  }

  /**
   * Returns the input of an operation that joins the items of a list; `undefined` where the core
   * asks the adapter for no join.
   *
   * @param inputFor Returns the input for the selection of the adapter.
   */
  async joinWith(
    input: ListInput,
    inputFor: (selection: object) => ListInput,
  ): Promise<ListInput | undefined> {
    const [adapter, kind] = [this.#adapter, 'list'] as const
    const select = bypassOf(adapter, 'selection')
    const selection = await select?.call(adapter, toOperation({ ...input, kind }), undefined)
    if (selection === undefined) return undefined
    const joined = inputFor(selection)
    const joins = bypassOf(adapter, 'joinsSelection')
    const answer = await joins?.call(adapter, toOperation({ ...joined, kind }), undefined)
    return answer ? joined : undefined
  }

  /** Creates an item in both. */
  async create(item: NewSpecimen): Promise<Specimen> {
    const input: OperationInput = { kind: 'create', item }
    const created = this.itemFrom(await this.perform(input), input)
    const { id = created.id } = item
    const expected = await this.#reference.attempt({ ...input, item: { ...item, id } })
    this.#reference.note(resultOf(expected))
    if (expected.kind === 'returned' && id === created.id) return created
    const mismatch = {
      operation: input,
      result: show(created),
      expected: 'the sent id, or a new one',
    }
    return this.#fail(mismatch)
  }

  /** Creates items in another order than that of `fields`, and returns them in that order. */
  async createAll(fields: readonly NewSpecimen[]): Promise<readonly Specimen[]> {
    const created = new Map<number, Specimen>()
    for (const [index, item] of shuffle([...fields.entries()]))
      created.set(index, await this.create(item))
    return fields.flatMap((_, index) => created.get(index) ?? [])
  }

  /** Performs an operation on both, and expects the same of both. Returns the items. */
  async ask(operation: OperationInput): Promise<readonly Specimen[]> {
    const [subject, reference, comparing] = [this.#subject, this.#reference, this.#comparing]
    const result = await subject.attempt(operation)
    const expected = await reference.attempt(withIdsOf(result, operation))
    const isSame =
      isSameAttempt(result, expected, { ...operation, comparing }) &&
      isSameCall(subject, reference) &&
      (comparing !== 'revisions' || isSameHistory([subject, result], [reference, expected]))
    this.assert(isSame, () => ({
      operation,
      result: showCall(subject, result),
      expected: showCall(reference, withoutRevision(expected)),
    }))
    for (const item of itemsOf(expected)) reference.note(item)
    for (const item of itemsOf(result)) subject.note(item)
    return itemsOf(result)
  }

  /** Reads every item that both created, or some of many, and expects the same. */
  async readAll(): Promise<void> {
    const { ids } = this.#subject
    const step = ids.length > 100 ? 333 : 1
    for (const [index, id] of ids.entries())
      if (index % step === 0) await this.ask({ kind: 'read', id })
  }
}

/** One of the two adapters, and the revisions that it gave each item. */
class Side {
  readonly #adapter: UncheckedAdapter
  readonly #revisions = new Map<string, unknown[]>()
  /** The argument of the last call of a function. */
  argument: unknown

  constructor(adapter: UncheckedAdapter) {
    this.#adapter = adapter
  }

  get ids(): readonly string[] {
    return [...this.#revisions.keys()]
  }

  attempt(input: OperationInput): Promise<Attempt> {
    this.argument = undefined
    const adapted = this.#withRevisions(input)
    return attemptCall(this.#adapter, toOperation(adapted), adapted)
  }

  note(item: unknown): void {
    if (!isStoredSpecimen(item)) return
    const revisions = this.#revisions.get(item.id) ?? []
    if (!revisions.includes(item.revision)) revisions.push(item.revision)
    this.#revisions.set(item.id, revisions)
  }

  /** Tells whether an item had its revision before. */
  hasSeen({ id, revision }: Specimen): boolean {
    return this.#revisions.get(id)?.includes(revision) ?? false
  }

  // Each adapter has revisions of its own. The words name one of the item's.
  #withRevisions(input: OperationInput): OperationInput {
    const { kind, id = '', item, items, ifRevision, change, changeMany, judge } = input
    const revisions = this.#revisions.get(id)
    const revision = { current: revisions?.at(-1), outdated: revisions?.at(-2) }
    const isNamed = ifRevision === 'current' || ifRevision === 'outdated'
    const current = <Item extends NewSpecimen>(item: Item): Item => {
      const latest = kind === 'create' ? undefined : this.#revisions.get(item.id ?? '')?.at(-1)
      return latest === undefined ? item : { ...item, revision: latest }
    }
    return {
      ...input,
      ...(isNamed && { ifRevision: revision[ifRevision] ?? 0 }),
      ...(item && { item: current(item) }),
      ...(items && { items: items.map(current) }),
      ...(change && { change: (stored) => change(this.#keep(stored)) }),
      ...(changeMany && { changeMany: (stored) => changeMany(this.#keep(stored)) }),
      ...(judge && { judge: (stored) => this.#keepJudged(stored, judge) }),
    }
  }

  // An adapter may give them in parts, and in any order. After an error it gives no more.
  #keepJudged(stored: readonly Specimen[], judge: Judge<Specimen>): void {
    const earlier: readonly Specimen[] = Array.isArray(this.argument) ? this.argument : []
    const judged = structuredClone([...earlier, ...stored])
    this.argument = undefined
    judge(stored)
    this.argument = sorted(judged, byId)
  }

  #keep<Given>(stored: Given): Given {
    this.argument = structuredClone(stored)
    return stored
  }
}

function resultOf(attempt: Attempt): unknown {
  return attempt.kind === 'returned' ? attempt.value : undefined
}

function itemsOf(attempt: Attempt): readonly Specimen[] {
  return [resultOf(attempt)].flat().filter(isStoredSpecimen)
}

// The reference creates items under the ids that the adapter has chosen.
function withIdsOf(result: Attempt, input: OperationInput): OperationInput {
  const { kind, item, drafts } = input
  if (kind !== 'create' || result.kind === 'threw') return input
  const items = itemsOf(result)
  const withId = <Draft extends NewSpecimen>(draft: Draft, place: number): Draft => ({
    ...draft,
    id: draft.id ?? items[place]?.id,
  })
  return {
    ...input,
    ...(item && { item: withId(item, 0) }),
    ...(drafts && { drafts: drafts.map(withId) }),
  }
}

interface Compared extends OperationInput {
  readonly comparing: Comparing
}

function isSameAttempt(result: Attempt, expected: Attempt, compared: Compared): boolean {
  if (result.kind === 'threw' || expected.kind === 'threw') {
    if (result.kind === 'returned' || expected.kind === 'returned') return false
    const [error, wantedError] = [result.error, expected.error]
    // The error of a function has to come out as it is.
    if (error === wantedError || compared.change || compared.changeMany)
      return error === wantedError
    return isProblem(error) && isProblem(wantedError) && error.code === wantedError.code
  }
  const { kind, comparing } = compared
  const [value, wanted] = [result.value ?? null, expected.value ?? null].map(withoutRevisions)
  if (kind === 'updateMany' && Array.isArray(wanted) && wanted.some(isAbsent))
    return Array.isArray(value) && isSameJson(value.map(isAbsent), wanted.map(isAbsent))
  if (kind !== 'list' || comparing !== 'ids') return isSameJson(value, wanted)
  return (
    Array.isArray(value) &&
    value.every(isStoredSpecimen) &&
    isSameJson(specimenIdsOf(value), specimenIdsOf(itemsOf(expected)))
  )
}

// The function gets the stored items, with the revisions that they have.
function isSameCall({ argument }: Side, reference: Side): boolean {
  return isSameJson(withoutRevisions(argument), withoutRevisions(reference.argument))
}

type Told = readonly [side: Side, attempt: Attempt]

// Every change sets a revision that the item never had.
function isSameHistory([subject, result]: Told, [reference, expected]: Told): boolean {
  const wanted = itemsOf(expected)
  return itemsOf(result).every((item, place) => {
    const counterpart = wanted[place]
    const isKept = counterpart !== undefined && reference.hasSeen(counterpart)
    return !isAbsent(item.revision) && subject.hasSeen(item) === isKept
  })
}

// The adapter chooses other revisions.
function withoutRevision(attempt: Attempt): Attempt {
  if (attempt.kind === 'threw') return attempt
  return { kind: 'returned', value: withoutRevisions(attempt.value) }
}

function showCall({ argument }: Side, attempt: Attempt): string {
  const text = showAttempt(attempt)
  return argument === undefined ? text : `${text}, from a function called with ${show(argument)}`
}

function showInput({ kind, signal, ...input }: OperationInput): string {
  return `${kind} ${show(input)}`
}

// Neither the order of the values nor its reverse, so that no check mistakes the order of creation.
function shuffle<Value>(values: readonly Value[]): readonly Value[] {
  const odd = values.filter((_, index) => index % 2 === 1)
  return [...odd.reverse(), ...values.filter((_, index) => index % 2 === 0)]
}

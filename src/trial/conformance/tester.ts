import type { UncheckedAdapter } from '../../contract/resource/adapter.ts'
import type { Operation, Scalar, Scope } from '../../contract/resource/operation.ts'
import { isSkipping } from '../../contract/resource/siblings.ts'
import type { Awaitable } from '../../convention/awaitable.ts'
import type { ProblemCode } from '../../convention/operations.ts'
import { isProblem } from '../../convention/problem.ts'
import { isStream, take } from '../../convention/stream.ts'
import {
  isAbsent,
  isSameJson,
  show,
  showThrown,
  specimenIdsOf,
  withoutRevisions,
} from './compare.ts'
import { type OperationInput, replacing, toOperation } from './operation-input.ts'
import { type NewSpecimen, type Specimen, specimens } from './specimens.ts'

/** The result of an operation, or its error. */
type Attempt =
  | { readonly kind: 'returned'; readonly value: unknown }
  | { readonly kind: 'threw'; readonly error: unknown }

/** The parts of a failure's message. */
interface Mismatch {
  readonly operation: OperationInput | string
  readonly result: string
  readonly expected: string
}

type ListInput = Omit<OperationInput, 'kind'>

/** Performs operations on an adapter under test. Throws an Error for every unexpected result. */
export type Tester = ReturnType<typeof createTester>

/** Creates the tester of one check. */
export function createTester(adapter: UncheckedAdapter, rule: string) {
  const caller = createCaller(adapter, rule)
  const writer = createWriter(caller)
  const skips = isSkipping(adapter.list)
  return { ...caller, ...writer, skips, ...createExpectations({ ...caller, ...writer }) }
}

/** Tells whether an adapter threw this problem. */
export function isProblemOf(attempt: Attempt, code: ProblemCode): boolean {
  return attempt.kind === 'threw' && isProblem(attempt.error) && attempt.error.code === code
}

/** Writes an attempt for a message. */
export function showAttempt(attempt: Attempt): string {
  return attempt.kind === 'returned' ? show(attempt.value) : showThrown(attempt.error)
}

function call(
  adapter: UncheckedAdapter,
  operation: Operation,
  { drafts, change, changeMany }: OperationInput,
) {
  if (drafts !== undefined) return adapter.createMany?.(operation, undefined)
  if (change !== undefined) {
    return adapter.modify?.(operation, undefined, (stored) => change(specimenIn(stored)))
  }
  if (changeMany !== undefined) {
    return adapter.modifyMany?.(operation, undefined, (stored) =>
      changeMany(stored.map((item) => item && specimenIn(item))),
    )
  }
  const { kind } = operation
  return kind === 'patch' || kind === 'patchMany'
    ? undefined
    : adapter[kind]?.(operation, undefined)
}

function specimenIn(stored: object): Specimen {
  if (isStoredSpecimen(stored)) return stored
  throw new TypeError(`The function got ${show(stored)} instead of a stored item`)
}

type Caller = ReturnType<typeof createCaller>

function createCaller(adapter: UncheckedAdapter, rule: string) {
  /** Performs an operation and returns the adapter's result or error. Reads a list to its end. */
  async function attempt(
    input: OperationInput,
    operation: Operation = toOperation(input),
  ): Promise<Attempt> {
    try {
      const result = await call(adapter, operation, input)
      const value = isStream(result) ? await take(result, Number.POSITIVE_INFINITY) : result
      return { kind: 'returned', value }
    } catch (error) {
      return { kind: 'threw', error }
    }
  }
  return {
    attempt,
    /** Asks whether a field can have a value. An adapter without the method holds all. */
    holdsValue: (field: string, value: Scalar): Awaitable<unknown> =>
      typeof adapter.holdsValue !== 'function' ||
      adapter.holdsValue(field, value, { resource: specimens, context: undefined }),
    /** Performs an operation and returns the adapter's result. */
    async perform(input: OperationInput, operation?: Operation): Promise<unknown> {
      const made = await attempt(input, operation)
      if (made.kind === 'returned') return made.value
      const mismatch = { operation: input, result: showAttempt(made), expected: 'a result' }
      throw errorFor(mismatch, rule, made.error)
    },
    /** Fails with the mismatch unless the condition holds. */
    assert(holds: boolean, mismatch: () => Mismatch): void {
      if (!holds) throw errorFor(mismatch(), rule)
    },
    /** Returns a result as an item, or fails. */
    itemFrom(result: unknown, operation: OperationInput): Specimen {
      if (isStoredSpecimen(result)) return result
      const expected = 'an item with a text as id'
      throw errorFor({ operation, result: show(result), expected }, rule)
    },
  }
}

type Writer = ReturnType<typeof createWriter>

function createWriter({ perform, assert, itemFrom }: Caller) {
  const performOne = async (input: OperationInput) => itemFrom(await perform(input), input)
  const create = (item: NewSpecimen, scope: Scope = {}) =>
    performOne({ kind: 'create', item, scope })
  return {
    create,
    /** Creates items in another order than that of `fields`, and returns them in that order. */
    async createAll(fields: readonly NewSpecimen[], scope?: Scope): Promise<readonly Specimen[]> {
      const made = new Map<number, Specimen>()
      for (const [index, item] of shuffle([...fields.entries()])) {
        made.set(index, await create(item, scope))
      }
      return fields.flatMap((_, index) => made.get(index) ?? [])
    },
    update: (stored: Specimen, fields: NewSpecimen) => performOne(replacing(stored, fields)),
    async list(input: ListInput): Promise<readonly Specimen[]> {
      const operation: OperationInput = { ...input, kind: 'list' }
      const result = await perform(operation)
      const items: readonly unknown[] = Array.isArray(result) ? result : []
      assert(Array.isArray(result), () => ({
        operation,
        result: show(result),
        expected: 'an array or an async iterable of items',
      }))
      return items.map((item) => itemFrom(item, operation))
    },
  }
}

function createExpectations({ perform, attempt, assert, list }: Caller & Writer) {
  const expect = async (operation: OperationInput, expected: string, isRight: Predicate) => {
    const result = await perform(operation)
    assert(isRight(result), () => ({ operation, result: show(result), expected }))
  }
  const expectResult = (operation: OperationInput, expected: unknown): Promise<void> =>
    expect(operation, show(expected), (result) => isSameResult(result, expected))
  return {
    /** Performs an operation and expects this result. Ignores revisions. */
    expectResult,
    /** Lists items and expects these ids in this order. */
    async expectList(input: ListInput, items: readonly Specimen[]): Promise<void> {
      const result = await list(input)
      assert(isSameJson(specimenIdsOf(result), specimenIdsOf(items)), () => ({
        operation: { ...input, kind: 'list' },
        result: show(result),
        expected: show(items),
      }))
    },
    /** Reads each of the items and expects it unchanged. */
    async expectStored(...items: readonly Specimen[]): Promise<void> {
      for (const item of items) await expectResult({ kind: 'read', id: item.id }, item)
    },
    /** Performs an operation and expects `null` or `undefined`. */
    expectNull: (operation: OperationInput) => expect(operation, 'null', isAbsent),
    /** Performs a bulk and expects `null` at these indexes, and only there. */
    expectNullAt(indexes: readonly number[], operation: OperationInput): Promise<void> {
      const length = operation.items?.length ?? 0
      const expected = `${length} values, null at ${indexes.join(', ')} and items elsewhere`
      return expect(operation, expected, (values) => isAbsentAt(indexes, length, values))
    },
    /** Performs an operation and expects a problem. */
    async expectProblem(operation: OperationInput, code: ProblemCode): Promise<void> {
      const made = await attempt(operation)
      const expected = `the problem ${code}`
      assert(isProblemOf(made, code), () => ({ operation, result: showAttempt(made), expected }))
    },
  }
}

type Predicate = (value: unknown) => boolean

function isSameResult(result: unknown, expected: unknown): boolean {
  return isSameJson(withoutRevisions(result), withoutRevisions(expected))
}

function isAbsentAt(indexes: readonly number[], length: number, values: unknown): boolean {
  const isRight = (value: unknown, index: number) => isAbsent(value) === indexes.includes(index)
  return Array.isArray(values) && values.length === length && values.every(isRight)
}

function errorFor({ operation, result, expected }: Mismatch, rule: string, cause?: unknown): Error {
  const name = typeof operation === 'string' ? operation : showInput(operation)
  const text = `Operation: ${name}\nResult: ${result}\nExpected: ${expected}\nRule: ${rule}`
  return new Error(text, cause === undefined ? {} : { cause })
}

function showInput({ kind, signal, ...input }: OperationInput): string {
  return `${kind} ${show(input)}`
}

function isStoredSpecimen(value: unknown): value is Specimen {
  return typeof Reflect.get(Object(value), 'id') === 'string'
}

// Neither the order of the values nor its reverse, so that no check mistakes the order of creation.
function shuffle<Value>(values: readonly Value[]): readonly Value[] {
  const odd = values.filter((_, index) => index % 2 === 1)
  return [...odd.reverse(), ...values.filter((_, index) => index % 2 === 0)]
}

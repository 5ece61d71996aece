import type { UncheckedAdapter } from '../model/binding.ts'
import type { ProblemCode } from '../model/convention.ts'
import type { Operation, Scope } from '../model/operation.ts'
import { isProblem } from '../model/problem.ts'
import { isStream, take } from '../model/stream.ts'
import {
  isAbsent,
  isSameJson,
  show,
  showThrown,
  specimenIdsOf,
  withoutRevisions,
} from './compare.ts'
import { type OperationInput, replacing, toOperation } from './operation-input.ts'
import type { NewSpecimen, Specimen } from './specimens.ts'

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

interface Caller {
  /** Calls the adapter and returns its result. Reads a list that comes item by item to its end. */
  call(operation: Operation): Promise<unknown>
  /** Performs an operation and returns the adapter's result or error. */
  attempt(input: OperationInput): Promise<Attempt>
  /** Performs an operation and returns the adapter's result. */
  perform(input: OperationInput): Promise<unknown>
  /** Fails with the mismatch unless the condition holds. */
  assert(holds: boolean, mismatch: () => Mismatch): void
  /** Returns a result as an item, or fails. */
  itemFrom(result: unknown, input: OperationInput): Specimen
}

interface Writer {
  create(fields: NewSpecimen, scope?: Scope): Promise<Specimen>
  /** Creates items in another order than that of `fields`, and returns them in the given order. */
  createAll(fields: readonly NewSpecimen[], scope?: Scope): Promise<readonly Specimen[]>
  update(stored: Specimen, fields: NewSpecimen): Promise<Specimen>
  list(input: ListInput): Promise<readonly Specimen[]>
}

interface Expectations {
  /** Performs an operation and expects this result. Ignores revisions. */
  expectResult(input: OperationInput, expected: unknown): Promise<void>
  /** Lists items and expects these ids in this order. */
  expectList(input: ListInput, items: readonly Specimen[]): Promise<void>
  /** Reads each of the items and expects it unchanged. */
  expectStored(...items: readonly Specimen[]): Promise<void>
  /** Performs an operation and expects `null` or `undefined`. */
  expectNull(input: OperationInput): Promise<void>
  /** Performs a bulk and expects `null` at these indexes, and only there. */
  expectNullAt(indexes: readonly number[], input: OperationInput): Promise<void>
  /** Performs an operation and expects a problem. */
  expectProblem(input: OperationInput, code: ProblemCode): Promise<void>
}

/** Performs operations on an adapter under test. Throws an Error for every unexpected result. */
export interface Tester extends Caller, Writer, Expectations {}

/** Creates the tester of one check. */
export function createTester(adapter: UncheckedAdapter, rule: string): Tester {
  const caller = createCaller(adapter, rule)
  const writer = createWriter(caller)
  return { ...caller, ...writer, ...createExpectations({ ...caller, ...writer }) }
}

/** Tells whether an adapter threw this problem. */
export function isProblemOf(attempt: Attempt, code: ProblemCode): boolean {
  return attempt.kind === 'threw' && isProblem(attempt.error) && attempt.error.code === code
}

/** Writes an attempt for a message. */
export function showAttempt(attempt: Attempt): string {
  return attempt.kind === 'returned' ? show(attempt.value) : showThrown(attempt.error)
}

function createCaller(adapter: UncheckedAdapter, rule: string): Caller {
  const call: Tester['call'] = async (operation) => {
    const result = await adapter[operation.kind]?.(operation, undefined)
    return isStream(result) ? take(result, Number.POSITIVE_INFINITY) : result
  }
  const attempt: Tester['attempt'] = async (input) => {
    try {
      return { kind: 'returned', value: await call(toOperation(input)) }
    } catch (error) {
      return { kind: 'threw', error }
    }
  }
  return {
    call,
    attempt,
    async perform(operation) {
      const made = await attempt(operation)
      if (made.kind === 'returned') return made.value
      throw errorFor(
        { operation, result: showAttempt(made), expected: 'a result' },
        rule,
        made.error,
      )
    },
    assert(holds, mismatch) {
      if (!holds) throw errorFor(mismatch(), rule)
    },
    itemFrom(result, operation) {
      if (isStoredSpecimen(result)) return result
      const expected = 'an item with a text as id'
      throw errorFor({ operation, result: show(result), expected }, rule)
    },
  }
}

function createWriter({ perform, assert, itemFrom }: Caller): Writer {
  const performOne = async (input: OperationInput) => itemFrom(await perform(input), input)
  const create: Tester['create'] = (item, scope = {}) => performOne({ kind: 'create', item, scope })
  return {
    create,
    async createAll(fields, scope) {
      const made = new Map<number, Specimen>()
      for (const [index, item] of shuffle([...fields.entries()])) {
        made.set(index, await create(item, scope))
      }
      return fields.flatMap((_, index) => made.get(index) ?? [])
    },
    update: (stored, fields) => performOne(replacing(stored, fields)),
    async list(input) {
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

function createExpectations({ perform, attempt, assert, list }: Caller & Writer): Expectations {
  const expect = async (operation: OperationInput, expected: string, isRight: Predicate) => {
    const result = await perform(operation)
    assert(isRight(result), () => ({ operation, result: show(result), expected }))
  }
  const expectResult: Tester['expectResult'] = (operation, expected) =>
    expect(operation, show(expected), (result) =>
      isSameJson(withoutRevisions(result), withoutRevisions(expected)),
    )
  return {
    expectResult,
    async expectList(input, items) {
      const result = await list(input)
      assert(isSameJson(specimenIdsOf(result), specimenIdsOf(items)), () => ({
        operation: { ...input, kind: 'list' },
        result: show(result),
        expected: show(items),
      }))
    },
    async expectStored(...items) {
      for (const item of items) await expectResult({ kind: 'read', id: item.id }, item)
    },
    expectNull: (operation) => expect(operation, 'null', isAbsent),
    expectNullAt(indexes, operation) {
      const length = operation.items?.length ?? 0
      const expected = `${length} values, null at ${indexes.join(', ')} and items elsewhere`
      const isRight = (value: unknown, index: number) => isAbsent(value) === indexes.includes(index)
      const areRight: Predicate = (values) =>
        Array.isArray(values) && values.length === length && values.every(isRight)
      return expect(operation, expected, areRight)
    },
    async expectProblem(operation, code) {
      const made = await attempt(operation)
      const expected = `the problem ${code}`
      assert(isProblemOf(made, code), () => ({ operation, result: showAttempt(made), expected }))
    },
  }
}

type Predicate = (value: unknown) => boolean

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

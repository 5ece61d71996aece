import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import type { UncheckedAdapter } from '../../src/contract/resource/adapter.ts'
import {
  type ListInput,
  type OperationInput,
  toOperation,
} from '../../src/trial/conformance/operation.ts'
import type { NewSpecimen, Specimen } from '../../src/trial/conformance/specimens.ts'
import { attemptCall, isStoredSpecimen } from '../../src/trial/conformance/tester.ts'

/** Calls an adapter of specimens, and expects what each call tells. */
export function specimenTester(adapter: UncheckedAdapter) {
  const attempt = (input: OperationInput) => attemptCall(adapter, toOperation(input), input)
  const perform = async (input: OperationInput): Promise<unknown> => {
    const made = await attempt(input)
    if (made.kind === 'returned') return made.value
    throw made.error
  }
  const create = async (item: NewSpecimen): Promise<Specimen> => {
    const made = await perform({ kind: 'create', item })
    if (isStoredSpecimen(made)) return made
    throw new TypeError('The adapter created no item.')
  }
  const expectResult = async (input: OperationInput, value: unknown): Promise<void> =>
    expect(plain(await perform(input))).toEqual(plain(value))
  return {
    attempt,
    create,
    expectResult,
    async createAll(items: readonly NewSpecimen[]): Promise<readonly Specimen[]> {
      const made: Specimen[] = []
      for (const item of items) made.push(await create(item))
      return made
    },
    async expectList(input: ListInput, items: readonly Specimen[]): Promise<void> {
      const list = await perform({ ...input, kind: 'list' })
      const ids = Array.isArray(list) ? list.map((item) => Object(item).id) : list
      const isSame = isDeepStrictEqual(
        ids,
        items.map(({ id }) => id),
      )
      if (!isSame) expect(list).toEqual(items)
    },
    async expectNull(input: OperationInput): Promise<void> {
      expect((await perform(input)) ?? null).toBeNull()
    },
    async expectStored(...items: readonly Specimen[]): Promise<void> {
      for (const item of items) await expectResult({ kind: 'read', id: item.id }, item)
    },
  }
}

function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const { revision, ...fields } = { revision: undefined, ...value }
  return fields
}

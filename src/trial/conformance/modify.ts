import { nextTurn } from '../../convention/awaitable.ts'
import { type ProblemError, problem } from '../../convention/problem.ts'
import { type Checks, checksOf, createThree, full, named } from './check.ts'
import { isAbsent, isSameJson, overwrite, show, withoutRevisions } from './compare.ts'
import { modifyingMany, type OperationInput } from './operation-input.ts'
import type { Specimen } from './specimens.ts'
import { showAttempt, type Tester } from './tester.ts'

type Modifier = 'modify' | 'modifyMany'

const modifiers: readonly Modifier[] = ['modify', 'modifyMany']

type ChangeOne = (stored: Specimen) => Specimen | Promise<Specimen>

/** Checks of `modify` and `modifyMany`. */
export const modifyChecks: Checks = {
  ...checksOf(modifiers, (method) => [
    `${method} stores what its function returns`,
    {
      rule: 'The function gets the stored item. The result is the whole new item, as stored.',
      needs: ['create', method, 'read'],
      async test(tester) {
        const other = await tester.create({ name: 'other' })
        for (const fields of [full, { name: 'bare' }]) {
          for (const wait of [(item: Specimen) => item, inATurn]) {
            await ensureModified(tester, method, (item) => wait(replaced(item, fields)))
          }
        }
        await tester.expectStored(other)
      },
    },
  ]),
  ...checksOf(modifiers, (method) => [
    `${method} passes on its function's error`,
    {
      rule: 'If the function throws, at once or later, the item stays and the error comes out.',
      needs: ['create', method, 'read'],
      async test(tester) {
        const errors = [new Error('of the function'), problem('validation_failed')]
        for (const error of errors) {
          await ensureThrown(tester, method, { error, wait: (fail) => fail() })
          await ensureThrown(tester, method, { error, wait: (fail) => nextTurn().then(fail) })
        }
      },
    },
  ]),
  ...checksOf(modifiers, (method) => [
    `${method} writes nothing for no change`,
    {
      rule: 'If the function returns the item that it got, the revision stays too.',
      needs: ['create', method, 'read'],
      async test(tester) {
        const item = await tester.create(full)
        for (const change of [(stored: Specimen) => stored, inATurn]) {
          const input = modifying(method, item, change)
          const [result] = [await tester.perform(input)].flat()
          const stored = await tester.perform({ kind: 'read', id: item.id })
          tester.assert(isSameJson(result, item) && isSameJson(stored, item), () => ({
            operation: input,
            result: `${show(result)}, and stored ${show(stored)}`,
            expected: `${show(item)}, with its revision`,
          }))
        }
      },
    },
  ]),
  ...checksOf(modifiers, (method) => [
    `${method} sets a new revision`,
    {
      rule: 'Every change sets another revision. The function returns the item with the old one.',
      needs: ['create', method],
      async test(tester) {
        const item = await tester.create(full)
        const input = modifying(method, item, (stored) => ({ ...stored, name: 'new' }))
        const [result] = [await tester.perform(input)].flat()
        const { revision } = tester.itemFrom(result, input)
        tester.assert(!isAbsent(revision) && revision !== item.revision, () => ({
          operation: input,
          result: `the revision ${show(revision)}`,
          expected: `another one than ${show(item.revision)}`,
        }))
      },
    },
  ]),
  'modifyMany gives items in request order': {
    rule: 'The function gets the items in the order of `ids`, and so does the caller.',
    needs: ['create', 'modifyMany', 'read'],
    async test(tester) {
      const [one, two, three] = await createThree(tester)
      const other = await tester.create(full)
      const ids = [three, one, two].map(({ id }) => id)
      await expectGiven(tester, { ids }, [three, one, two])
      const expected = [three, one, two].map((item) => ({ ...item, note: 'new' }))
      await tester.expectResult(modifyingMany([three, one, two], { note: 'new' }), expected)
      await tester.expectStored(...expected, other)
    },
  },
  'modifyMany writes only the items that change': {
    rule: 'Beside an item that changes, another one that the function returns keeps its revision.',
    needs: ['create', 'modifyMany', 'read'],
    async test(tester) {
      const [one, two, three] = await createThree(tester)
      const ids = [one, two, three].map(({ id }) => id)
      const changeMany: OperationInput['changeMany'] = (stored) =>
        stored.flatMap((item) => (item?.id === two.id ? { ...item, note: 'new' } : (item ?? [])))
      const input: OperationInput = { kind: 'patchMany', ids, changeMany }
      const result: readonly unknown[] = [await tester.perform(input)].flat()
      const isRight = result.length === 3 && isSameJson([result[0], result[2]], [one, three])
      tester.assert(isRight, () => ({
        operation: input,
        result: show(result),
        expected: `as first and last item, unchanged: ${show([one, three])}`,
      }))
      await tester.expectStored(one, { ...two, note: 'new' }, three)
    },
  },
  'modifyMany takes a thousand items': {
    rule: '`modifyMany` changes 1,000 items, the default limit of a registry.',
    needs: ['create', 'modifyMany', 'read'],
    async test(tester) {
      const names = named(...Array.from({ length: 1000 }, (_, n) => `${n}`))
      const created = await tester.createAll(names)
      const expected = created.map((item) => ({ ...item, note: 'new' }))
      await tester.expectResult(modifyingMany(created, { note: 'new' }), expected)
      await tester.expectStored(...expected.filter((_, index) => index % 333 === 0))
    },
  },
}

// The call that changes one item.
function modifying(method: Modifier, { id }: Specimen, change: ChangeOne): OperationInput {
  if (method === 'modify') return { kind: 'patch', id, change }
  const changeMany: OperationInput['changeMany'] = ([item]) => {
    const changed = item && change(item)
    return changed instanceof Promise ? changed.then((one) => [one]) : changed ? [changed] : []
  }
  return { kind: 'patchMany', ids: [id], changeMany }
}

async function inATurn(item: Specimen): Promise<Specimen> {
  await nextTurn()
  return item
}

function replaced({ id, revision }: Specimen, fields: object): Specimen {
  return Object.assign({ name: '' }, fields, { id, revision })
}

async function ensureModified(tester: Tester, method: Modifier, change: ChangeOne): Promise<void> {
  const item = await tester.create({ name: 'before', note: 'gone', rank: 1, flag: true })
  let given: unknown
  let made: unknown
  const input = modifying(method, item, async (stored) => {
    given = structuredClone(stored)
    const changed = await change(stored)
    made = withoutRevisions(changed)
    return changed
  })
  const [result] = [await tester.perform(input)].flat()
  const isRight = isSameJson(given, item) && isSameJson(withoutRevisions(result), made)
  tester.assert(isRight, () => ({
    operation: input,
    result: `${show(result)}, from a function called with ${show(given)}`,
    expected: `${show(made)}, from ${show(item)}`,
  }))
  await tester.expectResult({ kind: 'read', id: item.id }, made)
}

interface Failure {
  readonly error: Error | ProblemError
  /** Calls a function that throws the error. */
  wait(fail: () => never): never | Promise<never>
}

async function ensureThrown(
  tester: Tester,
  method: Modifier,
  { error, wait }: Failure,
): Promise<void> {
  const item = await tester.create(full)
  const input = modifying(method, item, (stored) =>
    wait(() => {
      overwrite(stored)
      throw error
    }),
  )
  const attempt = await tester.attempt(input)
  tester.assert(attempt.kind === 'threw' && attempt.error === error, () => ({
    operation: input,
    result: showAttempt(attempt),
    expected: `the very error of the function: ${error.message}`,
  }))
  await tester.expectStored(item)
}

/** Calls `modifyMany` with a function that throws, and expects that it gets these items. */
export async function expectGiven(
  tester: Tester,
  ids: Pick<OperationInput, 'ids' | 'scope'>,
  items: readonly (Specimen | undefined)[],
): Promise<void> {
  let given: readonly (Specimen | undefined)[] = []
  const changeMany: OperationInput['changeMany'] = (stored) => {
    given = stored
    throw new Error('The function throws')
  }
  const input: OperationInput = { ...ids, kind: 'patchMany', changeMany }
  await tester.attempt(input)
  const isRight = items.every((item, place) => isSameJson(given[place], item))
  tester.assert(isRight && given.length === items.length, () => ({
    operation: input,
    result: `a function called with ${given.map(show)}`,
    expected: `a call with ${items.map(show)}`,
  }))
}

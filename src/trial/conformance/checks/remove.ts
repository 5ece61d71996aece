import { problem } from '../../../convention/problem.ts'
import { type Checks, calls, checksOf, full, numbered, three } from '../check.ts'
import { overwrite } from '../compare.ts'
import { conditionOn, type OperationInput } from '../operation.ts'
import type { Specimen } from '../specimens.ts'
import type { Tester } from '../tester.ts'

type Remover = 'remove' | 'removeMany'
type JudgeItems = NonNullable<OperationInput['judge']>

const removers: readonly Remover[] = ['remove', 'removeMany']
const errors = [new Error('of the function'), problem('forbidden')]
const allow: JudgeItems = () => undefined

/** Checks of `remove` and `removeMany`. */
export const removeChecks: Checks = {
  ...checksOf(removers, (method) => [
    `${method} deletes what its function allows`,
    {
      rule: 'The function gets each item as stored. If it returns, the items are gone.',
      needs: ['create', method, 'read'],
      items: [...three, full],
      ask: (_, first, two) => [
        ...removing(method, first, allow),
        ...removing(method, first, allow),
        ...removing(method, two, allow),
      ],
    },
  ]),
  ...checksOf(removers, (method) => [
    `${method} passes on its function's error`,
    {
      rule: 'If the function throws, every item stays and the error comes out.',
      needs: ['create', method, 'read'],
      items: three,
      ask: (_, first) =>
        errors.flatMap((error) =>
          removing(method, first, (stored) => {
            overwrite(stored)
            throw error
          }),
        ),
    },
  ]),
  'remove compares the revision': {
    rule: 'With `ifRevision`, another revision is `precondition_failed`, and the item stays.',
    needs: ['create', 'update', 'remove', 'read'],
    comparing: 'revisions',
    items: [full],
    ask: (_, item) => [
      calls.replace(item, { name: 'new' }),
      { kind: 'delete', id: item.id, ifRevision: 'outdated', judge: allow },
      { kind: 'delete', id: item.id, ifRevision: 'current', judge: allow },
    ],
  },
  'removeMany deletes no more than allowed': {
    rule: 'Above `maxAffected`, `removeMany` deletes none and throws `too_many_affected`.',
    needs: ['create', 'removeMany', 'read'],
    items: three,
    ask: () =>
      [2, 3].map((maxAffected) => ({
        ...{ kind: 'deleteMany', maxAffected, judge: allow },
        where: [conditionOn('name', 'in', ['a', 'b', 'c'])],
      })),
  },
  'removeMany judges every item first': {
    rule: 'If the function refuses one of the items, the others stay, too.',
    needs: ['create', 'removeMany', 'read'],
    items: numbered(30),
    ask: () =>
      (['deleteAll', 'deleteMany'] as const).map((kind) => ({
        ...{ kind, where: [conditionOn('name', 'present')], maxAffected: 1000 },
        judge: (stored: readonly Specimen[]) => {
          if (stored.some(({ name }) => name === '29')) throw refusal
        },
      })),
  },
  'remove judges the item that it deletes': {
    rule: 'No other write of the item comes between the function and the deletion.',
    needs: ['create', 'remove', 'update', 'read'],
    test: (tester) => expectJudged(tester, ({ id }, judge) => ({ kind: 'delete', id, judge })),
  },
  'removeMany judges the items that it deletes': {
    rule: 'No other write of an item comes between the function and the deletion.',
    needs: ['create', 'removeMany', 'update', 'read'],
    test: (tester) =>
      expectJudged(tester, ({ id }, judge) => ({
        ...{ kind: 'deleteMany', maxAffected: 1, judge },
        where: [conditionOn('id', 'in', [id])],
      })),
  },
}

// Asks by each call that deletes the item, and others beside it.
function removing(method: Remover, { id, name }: Specimen, judge: JudgeItems): OperationInput[] {
  if (method === 'remove') return [{ kind: 'delete', id, judge }]
  const where = [conditionOn('name', 'in', [name])]
  return [
    { kind: 'deleteMany', where, maxAffected: 1000, judge },
    { kind: 'deleteAll', scope: { owner_id: 'nobody' }, judge },
  ]
}

const refusal = new Error('The function refuses')

// The function allows only the old name. So a deletion and a change that both succeed show that the
// change came after the function, and before the deletion.
async function expectJudged(
  tester: Tester,
  toRemoval: (item: Specimen, judge: JudgeItems) => OperationInput,
): Promise<void> {
  for (let round = 0; round < 20; round++) {
    const item = await tester.create({ name: 'old' })
    const removal = toRemoval(item, (stored) => {
      if (stored.some(({ name }) => name !== 'old')) throw refusal
    })
    const change = calls.replace(item, { name: 'new' })
    const order = round % 2 === 0 ? [removal, change] : [change, removal]
    const results = await Promise.all(order.map((input) => tester.attempt(input)))
    const isDone = results.map(
      (result) =>
        result.kind === 'returned' &&
        (result.value ?? undefined) !== undefined &&
        result.value !== 0,
    )
    tester.assert(!isDone.every(Boolean), () => ({
      operation: removal,
      result: 'deleted, although its name was new by then',
      expected: 'an error of the function, or no change',
    }))
  }
}

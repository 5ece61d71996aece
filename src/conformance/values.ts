import { type CheckDefinition, full } from './check.ts'
import { isSameJson, show, withoutRevisions } from './compare.ts'
import { nestedValueRows } from './nested-value-rows.ts'
import type { OperationInput } from './operation-input.ts'
import type { NewSpecimen, Specimen } from './specimens.ts'
import { isProblemOf, showAttempt, type Tester } from './tester.ts'
import { valueRows } from './value-rows.ts'

/** Checks of the values of items. */
export const valueChecks: readonly CheckDefinition[] = [
  {
    name: 'create gives the item with an id',
    rule: '`create` gives the whole item as stored, with an id of its own.',
    needs: ['create'],
    async test(tester) {
      const result = await tester.create(full)
      tester.assert(result.id !== '', () => ({
        operation: { kind: 'create', item: full },
        result: 'an empty id',
        expected: 'an id of 1 to 255 characters',
      }))
      ensureKept(tester, full, result)
    },
  },
  ...[...valueRows, ...nestedValueRows].map(
    ([name, rule, items]): CheckDefinition => ({
      name,
      rule,
      needs: ['create', 'read'],
      async test(tester) {
        for (const item of items) await ensureStored(tester, item, await tester.create(item))
      },
    }),
  ),
  {
    name: 'refuses text that it would change',
    rule: 'An adapter keeps NUL and lone surrogates unchanged, or throws `validation_failed`.',
    needs: ['create', 'read'],
    async test(tester) {
      for (const name of ['a\u0000b', 'a\ud800', '\udc00b']) await keepsOrRefuses(tester, { name })
    },
  },
  {
    name: 'list gives items as read does',
    rule: '`list` gives an item with the same values as `read`.',
    needs: ['create', 'list', 'read'],
    async test(tester) {
      const items = await tester.createAll([
        full,
        { name: 'bare' },
        { name: '', note: '', rank: 0.1 },
      ])
      for (const item of await tester.list({})) await tester.expectStored(item)
      await tester.expectResult({ kind: 'list', sort: ['-name'], limit: 1 }, [items[1]])
    },
  },
]

async function ensureStored(tester: Tester, item: NewSpecimen, result: Specimen): Promise<void> {
  ensureKept(tester, item, result)
  await tester.expectResult({ kind: 'read', id: result.id }, { ...item, id: result.id })
}

function ensureKept(tester: Tester, item: NewSpecimen, result: Specimen): void {
  const expected = { ...item, id: result.id }
  tester.assert(isSameJson(withoutRevisions(result), expected), () => ({
    operation: { kind: 'create', item },
    result: show(result),
    expected: show(expected),
  }))
}

async function keepsOrRefuses(tester: Tester, item: NewSpecimen): Promise<void> {
  const input: OperationInput = { kind: 'create', item }
  const attempt = await tester.attempt(input)
  if (isProblemOf(attempt, 'validation_failed')) return
  tester.assert(attempt.kind === 'returned', () => ({
    operation: input,
    result: showAttempt(attempt),
    expected: 'the item unchanged, or the problem validation_failed',
  }))
  if (attempt.kind === 'returned')
    await ensureStored(tester, item, tester.itemFrom(attempt.value, input))
}

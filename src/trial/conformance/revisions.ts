import { type Checks, checksOf, full } from './check.ts'
import { isAbsent, show } from './compare.ts'
import { type OperationInput, replacementInput, replacing } from './operation-input.ts'
import type { Specimen } from './specimens.ts'
import { isProblemOf, showAttempt, type Tester } from './tester.ts'

const stale =
  'A write that expects another revision throws `precondition_failed` and changes nothing.'

/** Checks of the revision field. */
export const revisionChecks: Checks = {
  'every write sets a new revision': {
    rule: '`create` sets the revision, and every `update` changes it, even without another change.',
    needs: ['create', 'update'],
    async test(tester) {
      const created = await tester.create(full)
      const changed = await tester.update(created, { name: 'changed' })
      const same = await tester.update(changed, { name: 'changed' })
      ensureRevisions(tester, [created, changed, same])
    },
  },
  'updateMany sets new revisions': {
    rule: '`updateMany` changes the revision of every item.',
    needs: ['create', 'list', 'updateMany'],
    async test(tester) {
      const created = await tester.create(full)
      await tester.perform({ kind: 'updateMany', items: [replacementInput(created, full)] })
      const [changed] = await tester.list({})
      ensureRevisions(tester, [created, changed])
    },
  },
  ...checksOf(['update', 'delete'] as const, (kind) => [
    `${kind} refuses an outdated revision`,
    {
      rule: stale,
      needs: kind === 'update' ? ['create', 'read', kind] : ['create', kind, 'read', 'update'],
      async test(tester) {
        const created = await tester.create(full)
        const changed = await tester.update(created, { name: 'changed' })
        const ifRevision = created.revision ?? 0
        const { id } = created
        const late = kind === 'update' ? replacing(changed, { name: 'late' }) : { kind, id }
        await tester.expectProblem({ ...late, ifRevision }, 'precondition_failed')
        await tester.expectStored(changed)
      },
    },
  ]),
  'update takes the current revision': {
    rule: '`update` replaces an item that has the expected revision.',
    needs: ['create', 'update'],
    async test(tester) {
      const created = await tester.create(full)
      const { id, revision: ifRevision } = created
      const expected = { id, name: 'changed' }
      await tester.expectResult({ ...replacing(created, expected), ifRevision }, expected)
    },
  },
  'delete takes the current revision': {
    rule: '`delete` deletes an item that has the expected revision.',
    needs: ['create', 'delete'],
    async test(tester) {
      const created = await tester.create(full)
      const { id, revision: ifRevision } = created
      await tester.expectResult({ kind: 'delete', id, ifRevision }, created)
    },
  },
  'one of concurrent conditional updates wins': {
    rule:
      'One of several writes that expect the same revision succeeds. ' +
      'The rest throw `precondition_failed`.',
    needs: ['create', 'read', 'update'],
    async test(tester) {
      const created = await tester.create(full)
      const inputs = Array.from(
        { length: 10 },
        (_, index): OperationInput => ({
          ...replacing(created, { name: `${index}` }),
          ifRevision: created.revision ?? 0,
        }),
      )
      const attempts = await Promise.all(inputs.map((input) => tester.attempt(input)))
      const won = inputs.filter((_, index) => attempts[index]?.kind === 'returned')
      const lost = attempts.filter((attempt) => isProblemOf(attempt, 'precondition_failed'))
      tester.assert(won.length === 1 && lost.length === 9, () => ({
        operation: '10 updates at once that expect the same revision',
        result: attempts.map(showAttempt).join('; '),
        expected: 'one item, and 9 times the problem precondition_failed',
      }))
      await tester.expectResult({ kind: 'read', id: created.id }, won[0]?.item)
    },
  },
}

function ensureRevisions(tester: Tester, items: readonly (Specimen | undefined)[]): void {
  const revisions = items.map((item) => item?.revision)
  const areDistinct = new Set(revisions).size === revisions.length
  tester.assert(areDistinct && !revisions.some(isAbsent), () => ({
    operation: 'the field "revision" of one item after each write',
    result: show(revisions),
    expected: 'a different value each time',
  }))
}

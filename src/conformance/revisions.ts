import { isAbsent, show } from './compare.ts'
import { type Demand, full } from './demand.ts'
import { isRefusal, type Lab, showAttempt } from './lab.ts'
import { type Question, replacementOf, replacing } from './question.ts'
import type { Specimen } from './specimens.ts'

const stale =
  'Where the stored item has another revision than the one a write depends on, that is the problem `precondition_failed`, and nothing changes.'

/** What an adapter does with the field that its resource declares as the revision. */
export const revisionDemands: readonly Demand[] = [
  {
    name: 'every write sets a new revision',
    rule: 'The revision field is set when an item is created and changes with every update, even one that changes nothing else.',
    needs: ['create', 'update'],
    async test(lab) {
      const created = await lab.create(full)
      const changed = await lab.update(created, { name: 'changed' })
      const same = await lab.update(changed, { name: 'changed' })
      ensureRevisions(lab, [created, changed, same])
    },
  },
  {
    name: 'updateMany sets new revisions',
    rule: 'The revision field of every item of a bulk changes.',
    needs: ['create', 'list', 'updateMany'],
    async test(lab) {
      const created = await lab.create(full)
      await lab.ask({ kind: 'updateMany', items: [replacementOf(created, full)] })
      const [changed] = await lab.list({})
      ensureRevisions(lab, [created, changed])
    },
  },
  {
    name: 'update refuses an outdated revision',
    rule: stale,
    needs: ['create', 'read', 'update'],
    async test(lab) {
      const created = await lab.create(full)
      const changed = await lab.update(created, { name: 'changed' })
      const late = replacing(changed, { name: 'late' })
      await lab.refuses({ ...late, ifRevision: created.revision ?? 0 }, 'precondition_failed')
      await lab.holds(changed)
    },
  },
  {
    name: 'delete refuses an outdated revision',
    rule: stale,
    needs: ['create', 'delete', 'read', 'update'],
    async test(lab) {
      const created = await lab.create(full)
      const changed = await lab.update(created, { name: 'changed' })
      const ifRevision = created.revision ?? 0
      await lab.refuses({ kind: 'delete', id: created.id, ifRevision }, 'precondition_failed')
      await lab.holds(changed)
    },
  },
  {
    name: 'update takes the current revision',
    rule: 'Where the stored item has the revision a write depends on, it is written.',
    needs: ['create', 'update'],
    async test(lab) {
      const created = await lab.create(full)
      const expected = { id: created.id, name: 'changed' }
      await lab.gives({ ...replacing(created, expected), ifRevision: created.revision }, expected)
    },
  },
  {
    name: 'delete takes the current revision',
    rule: 'Where the stored item has the revision a deletion depends on, it is deleted.',
    needs: ['create', 'delete'],
    async test(lab) {
      const created = await lab.create(full)
      await lab.gives({ kind: 'delete', id: created.id, ifRevision: created.revision }, created)
    },
  },
  {
    name: 'one of concurrent conditional updates wins',
    rule: 'Of writes that depend on the same revision one is carried out; the others are the problem `precondition_failed`.',
    needs: ['create', 'read', 'update'],
    async test(lab) {
      const created = await lab.create(full)
      const questions = Array.from(
        { length: 10 },
        (_, place): Question => ({
          ...replacing(created, { name: `${place}` }),
          ifRevision: created.revision ?? 0,
        }),
      )
      const attempts = await Promise.all(questions.map((question) => lab.attempt(question)))
      const won = questions.filter((_, place) => attempts[place]?.kind === 'gave')
      const lost = attempts.filter((attempted) => isRefusal(attempted, 'precondition_failed'))
      lab.ensure(won.length === 1 && lost.length === 9, () => ({
        asked: '10 updates at once that depend on the same revision',
        came: attempts.map(showAttempt).join('; '),
        expected: 'one item, and 9 times the problem precondition_failed',
      }))
      await lab.gives({ kind: 'read', id: created.id }, won[0]?.item)
    },
  },
]

function ensureRevisions(lab: Lab, items: readonly (Specimen | undefined)[]): void {
  const revisions = items.map((item) => item?.revision)
  const areDistinct = new Set(revisions).size === revisions.length
  lab.ensure(areDistinct && !revisions.some(isAbsent), () => ({
    asked: 'the field "revision" of one item after each write',
    came: show(revisions),
    expected: 'a different value each time',
  }))
}

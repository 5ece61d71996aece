import { isSame, show, withoutVersions } from './compare.ts'
import { type Demand, full } from './demand.ts'
import { keptRows } from './kept.ts'
import { isRefusal, type Lab, showAttempt } from './lab.ts'
import { nestedRows } from './nested.ts'
import type { Question } from './question.ts'
import type { NewSpecimen, Specimen } from './specimens.ts'

/** What becomes of the values of an item. */
export const valueDemands: readonly Demand[] = [
  {
    name: 'create gives the item with an id',
    rule: 'The answer to `create` is the whole item as it was stored, with an id of its own.',
    needs: ['create'],
    async test(lab) {
      const came = await lab.create(full)
      lab.ensure(came.id !== '', () => ({
        asked: { kind: 'create', item: full },
        came: 'an empty id',
        expected: 'an id of 1 to 255 characters',
      }))
      ensureKept(lab, full, came)
    },
  },
  ...[...keptRows, ...nestedRows].map(
    ([name, rule, items]): Demand => ({
      name,
      rule,
      needs: ['create', 'read'],
      async test(lab) {
        for (const item of items) await ensureStored(lab, item, await lab.create(item))
      },
    }),
  ),
  {
    name: 'refuses text that it would change',
    rule: 'NUL and lone surrogates, which not every store can hold, are kept or refused as `validation_failed`; never dropped or replaced.',
    needs: ['create', 'read'],
    async test(lab) {
      for (const name of ['a\u0000b', 'a\ud800', '\udc00b']) await keepsOrRefuses(lab, { name })
    },
  },
  {
    name: 'list gives items as read does',
    rule: 'An item in a list has the same values as the item alone.',
    needs: ['create', 'list', 'read'],
    async test(lab) {
      const items = await lab.createAll([full, { name: 'bare' }, { name: '', note: '', rank: 0.1 }])
      for (const item of await lab.list({})) await lab.holds(item)
      await lab.gives({ kind: 'list', sort: ['-name'], limit: 1 }, [items[1]])
    },
  },
]

async function ensureStored(lab: Lab, item: NewSpecimen, came: Specimen): Promise<void> {
  ensureKept(lab, item, came)
  await lab.gives({ kind: 'read', id: came.id }, { ...item, id: came.id })
}

function ensureKept(lab: Lab, item: NewSpecimen, came: Specimen): void {
  const expected = { ...item, id: came.id }
  lab.ensure(isSame(withoutVersions(came), expected), () => ({
    asked: { kind: 'create', item },
    came: show(came),
    expected: show(expected),
  }))
}

async function keepsOrRefuses(lab: Lab, item: NewSpecimen): Promise<void> {
  const question: Question = { kind: 'create', item }
  const attempted = await lab.attempt(question)
  if (isRefusal(attempted, 'validation_failed')) return
  lab.ensure(attempted.kind === 'gave', () => ({
    asked: question,
    came: showAttempt(attempted),
    expected: 'the item unchanged, or the problem validation_failed',
  }))
  if (attempted.kind === 'gave')
    await ensureStored(lab, item, lab.itemIn(attempted.value, question))
}

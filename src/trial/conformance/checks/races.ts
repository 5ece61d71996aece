import { nextTurn } from '../../../convention/awaitable.ts'
import { isProblem } from '../../../convention/problem.ts'
import { type Checks, calls, checksOf, full, named, numbered } from '../check.ts'
import { isAbsent, isSameJson, show, specimenIdsOf, withoutRevisions } from '../compare.ts'
import type { OperationInput } from '../operation.ts'
import type { NewSpecimen, Specimen } from '../specimens.ts'
import { type Attempt, showAttempt, type Tester } from '../tester.ts'

const letters = [...'abcdefgh']
const oldItems = letters.map((note) => ({ name: 'old', note }))

type Bulk = readonly [
  name: string,
  method: 'updateMany' | 'modifyMany',
  toName: (items: readonly Specimen[], name: string) => OperationInput,
]

const renaming = (items: readonly Specimen[], name: string) =>
  calls.replaceAll(items, () => ({ name }))
const bulks: readonly Bulk[] = [
  ['a bulk', 'updateMany', renaming],
  ['modifyMany', 'modifyMany', (items, name) => modifyingNow(items, { name })],
]

/** Checks of operations that run at once. */
export const raceChecks: Checks = {
  'creates one item for one UUID': {
    rule:
      'Of several `create` calls at once with one UUID, one creates the item under exactly this ' +
      'id. The rest throw `conflict`. A resource with `idempotent: true` relies on it.',
    needs: ['create', 'read'],
    async test(tester) {
      const item = { ...full, id: crypto.randomUUID() }
      const results = await atOnce(tester, times(10, { kind: 'create', item }))
      tester.assert(countOf(results, 'conflict') === 9, () => ({
        operation: `10 creates at once of ${show(item)}`,
        result: results.map(showAttempt).join(', '),
        expected: 'one item, and the problem conflict nine times',
      }))
      await expectOneOf(tester, item.id, [item])
    },
  },
  'concurrent creates give distinct ids': {
    rule: 'A hundred `create` calls at once create a hundred items.',
    needs: ['create'],
    async test(tester) {
      const drafts = numbered(100)
      const inputs = drafts.map((item): OperationInput => ({ kind: 'create', item }))
      const results = await Promise.all(inputs.map((input) => tester.perform(input)))
      const items = results.map((item) => tester.itemFrom(item, '100 creates at once'))
      const ids = new Set(specimenIdsOf(items))
      const isRight = ids.size === 100 && items.every((item, n) => item.name === drafts[n]?.name)
      tester.assert(isRight, () => ({
        operation: '100 creates at once',
        result: `${ids.size} ids for the names ${items.map(({ name }) => name)}`,
        expected: '100 ids, each in the result of its own item',
      }))
    },
  },
  'concurrent createMany calls give distinct ids': {
    rule: 'Several calls at once create all their items.',
    needs: ['create', 'createMany', 'list'],
    async test(tester) {
      const results = await Promise.all(
        numbered(10).map((candidate) =>
          tester.perform({ kind: 'create', drafts: [candidate, candidate, candidate] }),
        ),
      )
      const ids = new Set(results.flat().map((item) => tester.itemFrom(item, 'createMany').id))
      const stored = await tester.list({})
      tester.assert(ids.size === 30 && stored.length === 30, () => ({
        operation: '10 calls of createMany at once, each with 3 items',
        result: `${ids.size} ids, and ${stored.length} stored items`,
        expected: '30 of each',
      }))
    },
  },
  'concurrent updates leave one of them whole': {
    rule: 'After updates of one item at once, the stored item is one of them, never a mixture.',
    needs: ['create', 'read', 'update'],
    async test(tester) {
      const item = await tester.create(full)
      const sent = Array.from({ length: 20 }, (_, n): NewSpecimen => {
        const fields = { name: `${n}`, rank: n, data: { n } }
        return n % 2 === 0 ? fields : { ...fields, note: `${n}` }
      })
      await Promise.all(sent.map((fields) => tester.perform(calls.replace(item, fields))))
      await expectOneOf(tester, item.id, sent)
    },
  },
  'concurrent updates set distinct revisions': {
    rule: 'Each of several updates at once returns a revision of its own, even without a change.',
    needs: ['create', 'update'],
    async test(tester) {
      const item = await tester.create(full)
      const results = await Promise.all(
        times(10, calls.replace(item, full)).map((input) => tester.perform(input)),
      )
      const revisions = results.map((candidate) => tester.itemFrom(candidate, 'update').revision)
      const all = new Set([item.revision, ...revisions])
      tester.assert(all.size === 11 && !revisions.some(isAbsent), () => ({
        operation: '10 updates at once of an item, by the same values',
        result: `the revisions ${show(revisions)}`,
        expected: `10 distinct revisions, none of them ${show(item.revision)}`,
      }))
    },
  },
  'one of concurrent conditional updates wins': {
    rule:
      'One of several writes that expect the same revision succeeds. ' +
      'The rest throw `precondition_failed`.',
    needs: ['create', 'read', 'update'],
    async test(tester) {
      const item = await tester.create(full)
      const sent = numbered(10)
      const attempts = await atOnce(
        tester,
        sent.map((fields) => ({ ...calls.replace(item, fields), ifRevision: 'current' })),
      )
      const won = sent.filter((_, index) => attempts[index]?.kind === 'returned')
      const lost = countOf(attempts, 'precondition_failed')
      tester.assert(won.length === 1 && lost === 9, () => ({
        operation: '10 updates at once that expect the same revision',
        result: attempts.map(showAttempt).join('; '),
        expected: 'one item, and 9 times the problem precondition_failed',
      }))
      await expectOneOf(tester, item.id, won)
    },
  },
  'concurrent deletes give an item once': {
    rule: 'One of several deletions of an item at once gives the item. The rest give null.',
    needs: ['create', 'delete'],
    async test(tester) {
      const { id } = await tester.create(full)
      const result = await Promise.all(
        times(10, { kind: 'delete', id }).map((input) => tester.perform(input)),
      )
      tester.assert(result.filter((answer) => !isAbsent(answer)).length === 1, () => ({
        operation: `10 times at once: delete ${show({ id })}`,
        result: show(result),
        expected: 'the item once, and null 9 times',
      }))
    },
  },
  'concurrent bulks leave one of them whole': {
    rule:
      'After two bulks at once over the same items, in opposite orders, the stored items are ' +
      'those of one bulk. The other bulk may throw `precondition_failed` for its old revisions, ' +
      'and no other error.',
    needs: ['create', 'list', 'updateMany'],
    async test(tester) {
      const items = await tester.createAll(named(...letters))
      const inputs = [renaming(items, 'one'), renaming(items.toReversed(), 'other')]
      const attempts = await atOnce(tester, inputs)
      const refused = countOf(attempts, 'precondition_failed')
      const failed = attempts.filter(({ kind }) => kind === 'threw').length - refused
      tester.assert(failed === 0 && refused < 2, () => ({
        operation: '2 bulks at once over the same items',
        result: attempts.map(showAttempt).join('; '),
        expected: 'the items, at most once the problem precondition_failed',
      }))
      await expectUniform(tester, ['one', 'other'])
    },
  },
  'readers see createMany whole or not': {
    rule: 'A list during `createMany` has all of its items or none.',
    needs: ['create', 'createMany', 'list'],
    async test(tester) {
      const written = tester.perform({ kind: 'create', drafts: named(...letters) })
      const lengths: number[] = []
      await readDuring(written, async () => lengths.push((await tester.list({})).length))
      const isRight = lengths.every((length) => length === 0 || length === 8)
      tester.assert(isRight, () => ({
        operation: 'lists while createMany creates 8 items',
        result: `the lengths ${lengths}`,
        expected: 'each of them 0 or 8',
      }))
    },
  },
  ...checksOf(bulks, ([name, method, toName]) => [
    `readers see ${name} whole or not`,
    {
      rule: `A list during \`${method}\` shows all of its changes or none.`,
      needs: ['create', 'list', method],
      async test(tester) {
        const items = await tester.createAll(oldItems)
        const written = tester.perform(toName(items, 'new'))
        await readDuring(written, () => expectUniform(tester, ['old', 'new']))
        await expectUniform(tester, ['new'])
      },
    },
  ]),
  ...checksOf(bulks, ([name, method, toName]) => [
    `an aborted ${name.replace('a ', '')} is whole or nothing`,
    {
      rule: `An aborted \`${method}\` changes all items or none, and the next one succeeds.`,
      needs: ['create', 'list', method],
      async test(tester) {
        const items = await tester.createAll(oldItems)
        const controller = new AbortController()
        const written = tester.attempt({ ...toName(items, 'new'), signal: controller.signal })
        // Lets an asynchronous bulk begin.
        await nextTurn()
        controller.abort()
        const attempt = await written
        await expectUniform(tester, attempt.kind === 'returned' ? ['new'] : ['old', 'new'])
        await tester.perform(toName(await tester.list({}), 'next'))
        await expectUniform(tester, ['next'])
      },
    },
  ]),
  'concurrent modifies lose no change': {
    rule: 'Two calls at once that change different fields of an item both have their effect.',
    needs: ['create', 'modify', 'read'],
    async test(tester) {
      const { id } = await tester.create(full)
      for (let n = 0; n < 20; n++) {
        const fields = [{ note: `${n}` }, { rank: n }]
        await Promise.all(fields.map((set) => tester.perform(setting(id, set))))
        await expectOneOf(tester, id, [{ ...full, note: `${n}`, rank: n }])
      }
    },
  },
  'a modify beside an update loses neither': {
    rule: 'Of a `modify` and an `update` at once, the later one starts from the item of the other.',
    needs: ['create', 'modify', 'read', 'update'],
    async test(tester) {
      const updated = { name: 'updated' }
      for (let n = 0; n < 20; n++) {
        const item = await tester.create(full)
        const writes = [setting(item.id, { note: 'modified' }), calls.replace(item, updated)]
        const inOrder = n % 2 === 0 ? writes : writes.toReversed()
        await Promise.all(inOrder.map((input) => tester.perform(input)))
        await expectOneOf(tester, item.id, [updated, { ...updated, note: 'modified' }])
      }
    },
  },
  'concurrent modifyMany calls lose no change': {
    rule: 'Two calls at once over the same items, in opposite orders, both have their effect.',
    needs: ['create', 'modifyMany', 'read'],
    async test(tester) {
      const items = await tester.createAll(named(...letters))
      for (let n = 0; n < 5; n++) {
        const inputs = [
          calls.modifyAll(items, { note: `${n}` }),
          calls.modifyAll(items.toReversed(), { rank: n }),
        ]
        await Promise.all(inputs.map((input) => tester.perform(input)))
        for (const { id, name } of items)
          await expectOneOf(tester, id, [{ name, note: `${n}`, rank: n }])
      }
    },
  },
}

function times(count: number, input: OperationInput): readonly OperationInput[] {
  return Array.from({ length: count }, () => input)
}

function atOnce(tester: Tester, inputs: readonly OperationInput[]): Promise<readonly Attempt[]> {
  return Promise.all(inputs.map((input) => tester.attempt(input)))
}

function countOf(attempts: readonly Attempt[], code: string): number {
  const isSuch = (candidate: Attempt): boolean =>
    candidate.kind === 'threw' && isProblem(candidate.error) && candidate.error.code === code
  return attempts.filter(isSuch).length
}

// Expects that an item is stored with some fields and no others.
async function expectOneOf(
  tester: Tester,
  id: string,
  fields: readonly NewSpecimen[],
): Promise<void> {
  const operation: OperationInput = { kind: 'read', id }
  const result = withoutRevisions(await tester.perform(operation))
  const isRight = fields.some((candidate) => isSameJson(result, { ...candidate, id }))
  tester.assert(isRight, () => ({
    operation,
    result: show(result),
    expected: `the whole item of one of ${show(fields)}`,
  }))
}

async function expectUniform(tester: Tester, names: readonly string[]): Promise<void> {
  const result = (await tester.list({})).map(({ name }) => name)
  tester.assert(new Set(result).size === 1 && names.includes(result[0] ?? ''), () => ({
    operation: 'the names of all items, in one list',
    result: show(result),
    expected: `all of them ${names.join(', or all ')}`,
  }))
}

// Reads during a write: ten times at once, and then until the write has ended.
async function readDuring(write: Promise<unknown>, read: () => Promise<unknown>): Promise<void> {
  let isOver = false
  const end = (): void => {
    isOver = true
  }
  const reading = async (): Promise<void> => {
    await Promise.all(Array.from({ length: 10 }, read))
    while (!isOver) {
      await nextTurn()
      await read()
    }
  }
  await Promise.all([write.finally(end), reading()])
}

// The `modifyMany` of a function that does not wait.
function modifyingNow(items: readonly Specimen[], fields: Partial<Specimen>): OperationInput {
  const changeMany: OperationInput['changeMany'] = (stored) =>
    stored.flatMap((item) => (item ? { ...item, ...fields } : []))
  return { ...calls.modifyAll(items, fields), changeMany }
}

// A `modify` that waits before it gives the changed item.
function setting(id: string, fields: Partial<Specimen>): OperationInput {
  return {
    kind: 'patch',
    id,
    async change(stored) {
      await nextTurn()
      return { ...stored, ...fields }
    },
  }
}

import { nextTurn } from '../../convention/awaitable.ts'
import { type Checks, checksOf, full, named, readDuring } from './check.ts'
import { isAbsent, isSameJson, show, withoutRevisions } from './compare.ts'
import { type OperationInput, renaming, replacing } from './operation-input.ts'
import type { NewSpecimen, Specimen } from './specimens.ts'
import { isProblemOf, showAttempt, type Tester } from './tester.ts'

const oldItems = [...'abcdefgh'].map((note) => ({ name: 'old', note }))

type Bulk = readonly [
  name: string,
  method: 'updateMany' | 'modifyMany',
  toName: (items: readonly Specimen[], name: string) => OperationInput,
]

const bulks: readonly Bulk[] = [
  ['a bulk', 'updateMany', renaming],
  ['modifyMany', 'modifyMany', renamingInPlace],
]

/** Checks of operations that run at once. */
export const concurrencyChecks: Checks = {
  'concurrent creates give distinct ids': {
    rule: 'A hundred `create` calls at once create a hundred items.',
    needs: ['create'],
    async test(tester) {
      const names = Array.from({ length: 100 }, (_, index) => `${index}`)
      const items = await Promise.all(names.map((name) => tester.create({ name })))
      const ids = new Set(items.map(({ id }) => id))
      tester.assert(
        ids.size === 100 && items.every(({ name }, index) => name === names[index]),
        () => ({
          operation: '100 creates at once',
          result: `${ids.size} ids for the names ${items.map(({ name }) => name)}`,
          expected: '100 ids, each in the result of its own item',
        }),
      )
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
      await Promise.all(sent.map((fields) => tester.perform(replacing(item, fields))))
      const input: OperationInput = { kind: 'read', id: item.id }
      const result = withoutRevisions(await tester.perform(input))
      tester.assert(
        sent.some((fields) => isSameJson(result, { ...fields, id: item.id })),
        () => ({
          operation: input,
          result: show(result),
          expected: 'the whole item of one of 20 updates at once',
        }),
      )
    },
  },
  'concurrent updates set distinct revisions': {
    rule: 'Each of several updates at once returns a revision of its own, even without a change.',
    needs: ['create', 'update'],
    async test(tester) {
      const item = await tester.create(full)
      const updates = Array.from({ length: 10 }, () => tester.update(item, full))
      const revisions = (await Promise.all(updates)).map(({ revision }) => revision)
      const all = new Set([item.revision, ...revisions])
      tester.assert(all.size === 11 && !revisions.some(isAbsent), () => ({
        operation: '10 updates at once of an item, by the same values',
        result: `the revisions ${show(revisions)}`,
        expected: `10 distinct revisions, none of them ${show(item.revision)}`,
      }))
    },
  },
  'concurrent deletes give an item once': {
    rule: 'One of several deletions of an item at once gives the item. The rest give null.',
    needs: ['create', 'delete'],
    async test(tester) {
      const { id } = await tester.create(full)
      const input: OperationInput = { kind: 'delete', id }
      const result = await Promise.all(Array.from({ length: 10 }, () => tester.perform(input)))
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
      const items = await tester.createAll(named(...'abcdefgh'))
      const inputs = [renaming(items, 'one'), renaming(items.toReversed(), 'other')]
      const attempts = await Promise.all(inputs.map((input) => tester.attempt(input)))
      const refused = attempts.filter((attempt) => isProblemOf(attempt, 'precondition_failed'))
      const failed = attempts.filter(({ kind }) => kind === 'threw').length - refused.length
      tester.assert(failed === 0 && refused.length < 2, () => ({
        operation: '2 bulks at once over the same items',
        result: attempts.map(showAttempt).join('; '),
        expected: 'the items, at most once the problem precondition_failed',
      }))
      await ensureUniform(tester, ['one', 'other'])
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
        await readDuring(written, () => ensureUniform(tester, ['old', 'new']))
        await ensureUniform(tester, ['new'])
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
        await ensureUniform(tester, attempt.kind === 'returned' ? ['new'] : ['old', 'new'])
        await tester.perform(toName(await tester.list({}), 'next'))
        await ensureUniform(tester, ['next'])
      },
    },
  ]),
}

function renamingInPlace(items: readonly Specimen[], name: string): OperationInput {
  const changeMany: OperationInput['changeMany'] = (stored) =>
    stored.flatMap((item) => (item ? { ...item, name } : []))
  return { kind: 'patchMany', ids: items.map(({ id }) => id), changeMany }
}

async function ensureUniform(tester: Tester, names: readonly string[]): Promise<void> {
  const result = (await tester.list({})).map(({ name }) => name)
  tester.assert(new Set(result).size === 1 && names.includes(result[0] ?? ''), () => ({
    operation: 'the names of all items, in one list',
    result: show(result),
    expected: `all of them ${names.join(', or all ')}`,
  }))
}

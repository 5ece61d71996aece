import { compareBy } from '../model/order.ts'
import { type CheckDefinition, named } from './check.ts'
import { orderOf } from './operation-input.ts'
import type { NewSpecimen, Specimen } from './specimens.ts'

const start = 'ab'.repeat(1000)

/** Long texts that begin alike, in the order of code points. */
export const longTexts: readonly string[] = [
  'ab'.repeat(512),
  start,
  `${start} `,
  `${start}A`,
  `${start}a`,
  `${start}b`,
  `${start}é`,
  `${start}😀`,
  `${start}😁`,
  'é'.repeat(1500),
  `${'é'.repeat(1500)}!`,
  '😀'.repeat(300),
  `${'😀'.repeat(300)}a`,
  `${'😀'.repeat(300)}b`,
]

const many = 1100
const lots: readonly NewSpecimen[] = Array.from({ length: many }, (_, index) => ({
  name: `${index % 7}`,
  ...(index % 3 === 0 ? {} : { rank: index % 5 }),
  ...(index % 4 === 0 ? {} : { note: `${index % 2}` }),
}))

/** Checks of long texts, many words and many items. */
export const largeChecks: readonly CheckDefinition[] = [
  {
    name: 'list sorts long text to its end',
    rule: 'A list orders texts by all their characters, however long two texts are equal.',
    needs: ['create', 'list'],
    async test(tester) {
      const items = await tester.createAll(longTexts.map((text) => ({ name: text, note: text })))
      await tester.expectList({ sort: ['name'] }, items)
      await tester.expectList({ sort: ['-note'] }, items.toReversed())
    },
  },
  {
    name: 'pages go on at text that was cut',
    rule:
      'A cursor cuts a text that is too long for a link, and the later fields are null. ' +
      'The page has all items after the cut text.',
    needs: ['create', 'list'],
    async test(tester) {
      const texts = [start.slice(0, -1), ...longTexts.slice(2, 9), 'b']
      const items = await tester.createAll(
        texts.map((text) => ({ name: text, note: text, rank: 1 })),
      )
      const [, ...rest] = items
      const descending = items.slice(0, -1).toReversed()
      for (const sort of [
        ['name'],
        ['name', '-rank'],
        ['rank', 'name', '-note'],
        ['note', 'rank'],
      ]) {
        const after = { name: start, note: start, rank: 1 }
        await tester.expectList({ sort, after: upTo(after, sort) }, rest)
        await tester.expectList({ sort, after: upTo(after, sort), limit: 2 }, rest.slice(0, 2))
      }
      // The least text after all texts with this beginning.
      const after = { name: `${start.slice(0, -1)}c`, note: `${start.slice(0, -1)}c`, rank: 1 }
      for (const sort of [
        ['-name'],
        ['-name', 'rank'],
        ['rank', '-name', 'note'],
        ['-note', '-rank'],
      ]) {
        await tester.expectList({ sort, after: upTo(after, sort) }, descending)
        await tester.expectList(
          { sort, after: upTo(after, sort), limit: 3 },
          descending.slice(0, 3),
        )
      }
    },
  },
  {
    name: 'list gives more than a thousand items',
    rule: 'A list without a limit has all items in their order, in however many reads.',
    needs: ['create', 'list'],
    async test(tester) {
      const created = await createLots(tester)
      const sort = ['-rank', 'note', '-name']
      await tester.expectList({ sort }, created.toSorted(compareBy(orderOf(sort))))
      await tester.expectList(
        { limit: 1050 },
        created.toSorted(compareBy(orderOf())).slice(0, 1050),
      )
    },
  },
  {
    name: 'deleteAll deletes more than a thousand items',
    rule: '`deleteAll` deletes all items of the scope, however many.',
    needs: ['create', 'deleteAll', 'list'],
    async test(tester) {
      await createLots(tester)
      await tester.expectProblem({ kind: 'deleteAll', maxAffected: many - 1 }, 'too_many_affected')
      await tester.expectResult({ kind: 'deleteAll', maxAffected: many }, many)
      await tester.expectList({}, [])
    },
  },
  {
    name: 'keeps ids of 255 characters',
    rule: 'An id has up to 255 characters of four bytes each, and the last one counts.',
    needs: ['create', 'list', 'read'],
    async test(tester) {
      const ids = ['\u{e000}', '😀', '😁', '\u{10ffff}'].map((last) => '😀'.repeat(254) + last)
      const items = await tester.createAll(ids.map((id) => ({ id, name: id })))
      await tester.expectStored(...items)
      await tester.expectList({}, items)
      await tester.expectList({ after: items[1] }, items.slice(2))
    },
  },
  {
    name: 'search takes many long words',
    rule: 'A search uses every word, however many and however long.',
    needs: ['create', 'list'],
    async test(tester) {
      const words = Array.from({ length: 60 }, (_, index) => `w${index}`)
      const long = 'ab!'.repeat(700)
      const [all, , found] = await tester.createAll(
        named(words.join(), words.slice(0, -1).join(), `a${long.toUpperCase()}b`),
      )
      await tester.expectList({ q: words.join(' ') }, all === undefined ? [] : [all])
      await tester.expectList({ q: long }, found === undefined ? [] : [found])
      await tester.expectList({ q: `${long}c` }, [])
    },
  },
  {
    name: 'an empty collection has empty lists',
    rule: 'A list of an empty collection is empty for every search, order and cursor.',
    needs: ['create', 'delete', 'list'],
    async test(tester) {
      await tester.expectList({ q: 'a', sort: ['-rank'], limit: 3, scope: { owner_id: 'a' } }, [])
      const item = await tester.create({ name: 'gone' })
      await tester.perform({ kind: 'delete', id: item.id })
      for (const sort of [[], ['name'], ['-note', 'rank'], ['flag', '-id']]) {
        await tester.expectList({ sort }, [])
        await tester.expectList({ sort, after: item, limit: 2 }, [])
        await tester.expectList({ sort, q: 'gone', after: item }, [])
      }
    },
  },
]

// The fields of an order, up to its first text.
function upTo(fields: NewSpecimen, sort: readonly string[]): Partial<Specimen> {
  const names = sort.map((text) => text.replace('-', ''))
  const text = names.findIndex((name) => name !== 'rank')
  const kept = Object.entries(fields).filter(([name]) => names.slice(0, text + 1).includes(name))
  return Object.fromEntries(kept)
}

// Several at once: one after another takes long if each waits for a disk.
async function createLots(
  tester: Parameters<CheckDefinition['test']>[0],
): Promise<readonly Specimen[]> {
  const created: Specimen[] = []
  for (let index = 0; index < many; index += 50) {
    const some = lots.slice(index, index + 50)
    created.push(...(await Promise.all(some.map((fields) => tester.create(fields)))))
  }
  return created
}

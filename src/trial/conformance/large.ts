import { type Checks, named } from './check.ts'
import { conditionOn, sortSpecimens } from './operation-input.ts'
import type { NewSpecimen, Specimen } from './specimens.ts'
import type { Tester } from './tester.ts'

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
export const largeChecks: Checks = {
  'list sorts long text to its end': {
    rule: 'A list orders texts by all their characters, however long two texts are equal.',
    async test(tester) {
      const items = await tester.createAll(longTexts.map((text) => ({ name: text, note: text })))
      await tester.expectList({ sort: ['name'] }, items)
      await tester.expectList({ sort: ['-note'] }, items.toReversed())
    },
  },
  'pages go on at text that was cut': {
    rule:
      'A cursor cuts a text that is too long for a link, and the later fields are null. ' +
      'The page has all items after the cut text.',
    async test(tester) {
      const texts = [start.slice(0, -1), ...longTexts.slice(2, 9), 'b']
      const items = await tester.createAll(
        texts.map((text) => ({ name: text, note: text, rank: 1 })),
      )
      const [, ...rest] = items
      const expectPages = async (
        after: NewSpecimen,
        sorts: readonly string[],
        expected: readonly Specimen[],
      ) => {
        for (const text of sorts) {
          const sort = text.split(',')
          const input = { sort, after: upTo(after, sort) }
          await tester.expectList(input, expected)
          await tester.expectList({ ...input, limit: 2 }, expected.slice(0, 2))
        }
      }
      const ascending = ['name', 'name,-rank', 'rank,name,-note', 'note,rank']
      await expectPages({ name: start, note: start, rank: 1 }, ascending, rest)
      // The least text after all texts with this beginning.
      const end = `${start.slice(0, -1)}c`
      const descending = ['-name', '-name,rank', 'rank,-name,note', '-note,-rank']
      await expectPages(
        { name: end, note: end, rank: 1 },
        descending,
        items.slice(0, -1).toReversed(),
      )
    },
  },
  'list gives more than a thousand items': {
    rule: 'A list without a limit has all items in their order, in however many reads.',
    async test(tester) {
      const created = await createLots(tester)
      const sort = ['-rank', 'note', '-name']
      await tester.expectList({ sort }, sortSpecimens(created, sort))
      await tester.expectList({ limit: 1050 }, sortSpecimens(created).slice(0, 1050))
      const where = [conditionOn('note', 'notIn', ['1']), conditionOn('name', 'gt', ['0'])]
      const matching = created.filter(({ name, note }) => note !== '1' && name !== '0')
      await tester.expectList({ where, sort }, sortSpecimens(matching, sort))
    },
  },
  'list gives a thousand items by id': {
    rule: 'A list of 1,000 ids has each of their items once: the core reads references like that.',
    async test(tester) {
      const created = await createLots(tester, ({ rank, ...fields }, index) =>
        index % 3 === 0 ? fields : { ...fields, rank, owner_id: index % 3 === 1 ? 'a' : 'b' },
      )
      const known = created.slice(0, 990)
      const absent = Array.from({ length: 10 }, (_, index) => `none-${index}`)
      // In no order: the ids of references come as the items name them.
      const values = [
        ...absent,
        ...known
          .map(({ id }) => id)
          .sort()
          .reverse(),
      ]
      const input = { where: [{ ...conditionOn('id', 'in'), values }], limit: values.length }
      await tester.expectList(input, sortSpecimens(known))
      const scope = { owner_id: 'a' }
      const mine = known.filter(({ owner_id }) => owner_id === 'a')
      await tester.expectList({ ...input, scope }, sortSpecimens(mine))
    },
  },
  'deleteAll deletes more than a thousand items': {
    rule: '`deleteAll` deletes all items of the scope, however many.',
    needs: ['create', 'deleteAll', 'list'],
    async test(tester) {
      await createLots(tester)
      await tester.expectProblem({ kind: 'deleteAll', maxAffected: many - 1 }, 'too_many_affected')
      await tester.expectResult({ kind: 'deleteAll', maxAffected: many }, many)
      await tester.expectList({}, [])
    },
  },
  'keeps ids of 255 characters': {
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
  'search takes many long words': {
    rule: 'A search uses every word, however many and however long.',
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
  'an empty collection has empty lists': {
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
}

// The fields of an order, up to its first text.
function upTo(fields: NewSpecimen, sort: readonly string[]): Partial<Specimen> {
  const names = sort.map((text) => text.replace('-', ''))
  const text = names.findIndex((name) => name !== 'rank')
  const kept = Object.entries(fields).filter(([name]) => names.slice(0, text + 1).includes(name))
  return Object.fromEntries(kept)
}

// Several at once: one after another takes long if each waits for a disk.
async function createLots(
  tester: Tester,
  change: (fields: NewSpecimen, index: number) => NewSpecimen = (fields) => fields,
): Promise<readonly Specimen[]> {
  const created: Specimen[] = []
  const changed = lots.map(change)
  for (let index = 0; index < many; index += 50) {
    const some = changed.slice(index, index + 50)
    created.push(...(await Promise.all(some.map((fields) => tester.create(fields)))))
  }
  return created
}

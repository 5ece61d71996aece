import { type Checks, calls, longStart, longTexts, named } from '../check.ts'
import { conditionOn } from '../operation.ts'
import type { NewSpecimen, Specimen } from '../specimens.ts'
import type { Tester } from '../tester.ts'

const many = 1100
const lots: readonly NewSpecimen[] = Array.from({ length: many }, (_, index) => ({
  name: `${index % 7}`,
  ...(index % 3 === 0 ? {} : { rank: index % 5 }),
  ...(index % 4 === 0 ? {} : { note: `${index % 2}` }),
}))

const cut = { name: longStart, note: longStart, rank: 1 }
// The least text after all texts with this beginning.
const end = `${longStart.slice(0, -1)}c`
const beyond = { name: end, note: end, rank: 1 }
const words = Array.from({ length: 60 }, (_, index) => `w${index}`)
const long = 'ab!'.repeat(700)
const longIds = ['\u{e000}', '😀', '😁', '\u{10ffff}'].map((last) => '😀'.repeat(254) + last)
const scope = { owner_id: 'a' }

/** Checks of long texts, many words and many items. */
export const largeChecks: Checks = {
  'list sorts long text to its end': {
    rule: 'A list orders texts by all their characters, however long two texts are equal.',
    items: longTexts.map((text) => ({ name: text, note: text })),
    ask: () => [calls.list({ sort: ['name'] }), calls.list({ sort: ['-note'] })],
  },
  'pages go on at text that was cut': {
    rule:
      'A cursor cuts a text that is too long for a link, and the later fields are null. ' +
      'The page has all items after the cut text.',
    items: [longStart.slice(0, -1), ...longTexts.slice(2, 9), 'b'].map((text) => ({
      name: text,
      note: text,
      rank: 1,
    })),
    ask: () => [
      ...['name', 'name,-rank', 'rank,name,-note', 'note,rank'].flatMap((sort) =>
        pagesAfter(cut, sort.split(',')),
      ),
      ...['-name', '-name,rank', 'rank,-name,note', '-note,-rank'].flatMap((sort) =>
        pagesAfter(beyond, sort.split(',')),
      ),
    ],
  },
  'list gives more than a thousand items': {
    rule: 'A list without a limit has all items in their order, in however many reads.',
    async test(tester) {
      await createLots(tester, lots)
      const sort = ['-rank', 'note', '-name']
      const where = [conditionOn('note', 'notIn', ['1']), conditionOn('name', 'gt', ['0'])]
      for (const query of [{ sort }, { limit: 1050 }, { where, sort }])
        await tester.ask(calls.list(query))
    },
  },
  'list gives a thousand items by id': {
    rule: 'A list of 1,000 ids has each of their items once: the core reads references like that.',
    async test(tester) {
      const created = await createLots(
        tester,
        lots.map(({ rank, ...fields }, index) =>
          index % 3 === 0 ? fields : { ...fields, rank, owner_id: index % 3 === 1 ? 'a' : 'b' },
        ),
      )
      const ids = created.slice(0, 990).map(({ id }) => id)
      const absent = Array.from({ length: 10 }, (_, index) => `none-${index}`)
      // In no order: the ids of references come as the items name them.
      const values = [...absent, ...ids.sort().reverse()]
      const input = { where: [{ ...conditionOn('id', 'in'), values }], limit: values.length }
      await tester.ask(calls.list(input))
      await tester.ask(calls.list({ ...input, scope }))
    },
  },
  'deleteAll deletes more than a thousand items': {
    rule: '`deleteAll` deletes all items of the scope, however many.',
    needs: ['create', 'deleteAll', 'list'],
    async test(tester) {
      await createLots(tester, lots)
      for (const maxAffected of [many - 1, many])
        await tester.ask({ kind: 'deleteAll', maxAffected })
      await tester.ask(calls.list())
    },
  },
  'keeps ids of 255 characters': {
    rule: 'An id has up to 255 characters of four bytes each, and the last one counts.',
    needs: ['create', 'list', 'read'],
    items: longIds.map((id) => ({ id, name: id })),
    ask: (_, __, two) => [calls.list(), calls.list({ after: two })],
  },
  'search takes many long words': {
    rule: 'A search uses every word, however many and however long.',
    items: named(words.join(), words.slice(0, -1).join(), `a${long.toUpperCase()}b`),
    ask: () => [words.join(' '), long, `${long}c`].map((q) => calls.list({ q })),
  },
  'an empty collection has empty lists': {
    rule: 'A list of an empty collection is empty for every search, order and cursor.',
    needs: ['create', 'delete', 'list'],
    *ask() {
      yield calls.list({ q: 'a', sort: ['-rank'], limit: 3, scope })
      const [after] = yield calls.create({ name: 'gone' })
      if (after === undefined) return
      yield calls.delete(after)
      for (const sort of [[], ['name'], ['-note', 'rank'], ['flag', '-id']]) {
        yield calls.list({ sort })
        yield calls.list({ sort, after, limit: 2 })
        yield calls.list({ sort, q: 'gone', after })
      }
    },
  },
}

function pagesAfter(fields: NewSpecimen, sort: readonly string[]) {
  const after = upTo(fields, sort)
  return [calls.list({ sort, after }), calls.list({ sort, after, limit: 2 })]
}

// The fields of an order, up to its first text.
function upTo(fields: NewSpecimen, sort: readonly string[]): Partial<Specimen> {
  const names = sort.map((text) => text.replace('-', ''))
  const text = names.findIndex((name) => name !== 'rank')
  const entries = Object.entries(fields).filter(([name]) => names.slice(0, text + 1).includes(name))
  return Object.fromEntries(entries)
}

// Several at once: one after another takes long if each waits for a disk.
async function createLots(
  tester: Tester,
  fields: readonly NewSpecimen[],
): Promise<readonly Specimen[]> {
  const created: Specimen[] = []
  for (let index = 0; index < many; index += 50) {
    const some = fields.slice(index, index + 50)
    created.push(...(await Promise.all(some.map((draft) => tester.create(draft)))))
  }
  return created
}

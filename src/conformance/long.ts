import { compareBy } from '../model/order.ts'
import { type Demand, named } from './demand.ts'
import { orderOf } from './question.ts'
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
const lots: readonly NewSpecimen[] = Array.from({ length: many }, (_, place) => ({
  name: `${place % 7}`,
  ...(place % 3 === 0 ? {} : { rank: place % 5 }),
  ...(place % 4 === 0 ? {} : { note: `${place % 2}` }),
}))

/** What becomes of what is long, and of much at once. */
export const longDemands: readonly Demand[] = [
  {
    name: 'list sorts long text to its end',
    rule: 'Text is ordered by all of it, however long two texts are the same.',
    needs: ['create', 'list'],
    async test(lab) {
      const items = await lab.createAll(longTexts.map((text) => ({ name: text, note: text })))
      await lab.lists({ sort: ['name'] }, items)
      await lab.lists({ sort: ['-note'] }, items.toReversed())
    },
  },
  {
    name: 'pages go on at text that was cut',
    rule: 'A text too long for a link is cut, and the fields after it, the id among them, are null: what follows that text follows.',
    needs: ['create', 'list'],
    async test(lab) {
      const texts = [start.slice(0, -1), ...longTexts.slice(2, 9), 'b']
      const items = await lab.createAll(texts.map((text) => ({ name: text, note: text, rank: 1 })))
      const [, ...rest] = items
      const descending = items.slice(0, -1).toReversed()
      for (const sort of [
        ['name'],
        ['name', '-rank'],
        ['rank', 'name', '-note'],
        ['note', 'rank'],
      ]) {
        const after = { name: start, note: start, rank: 1 }
        await lab.lists({ sort, after: upTo(after, sort) }, rest)
        await lab.lists({ sort, after: upTo(after, sort), limit: 2 }, rest.slice(0, 2))
      }
      // The least text that is greater than all that begin so.
      const after = { name: `${start.slice(0, -1)}c`, note: `${start.slice(0, -1)}c`, rank: 1 }
      for (const sort of [
        ['-name'],
        ['-name', 'rank'],
        ['rank', '-name', 'note'],
        ['-note', '-rank'],
      ]) {
        await lab.lists({ sort, after: upTo(after, sort) }, descending)
        await lab.lists({ sort, after: upTo(after, sort), limit: 3 }, descending.slice(0, 3))
      }
    },
  },
  {
    name: 'list gives more than a thousand items',
    rule: 'A list without a limit holds all there are, in their order, be they more than are read at once.',
    needs: ['create', 'list'],
    async test(lab) {
      const created = await createLots(lab)
      const sort = ['-rank', 'note', '-name']
      await lab.lists({ sort }, created.toSorted(compareBy(orderOf(sort))))
      await lab.lists({ limit: 1050 }, created.toSorted(compareBy(orderOf())).slice(0, 1050))
    },
  },
  {
    name: 'deleteAll deletes more than a thousand items',
    rule: 'Everything in the scope goes, however much that is.',
    needs: ['create', 'deleteAll', 'list'],
    async test(lab) {
      await createLots(lab)
      await lab.refuses({ kind: 'deleteAll', maxAffected: many - 1 }, 'too_many_affected')
      await lab.gives({ kind: 'deleteAll', maxAffected: many }, many)
      await lab.lists({}, [])
    },
  },
  {
    name: 'keeps ids of 255 characters',
    rule: 'An id is up to 255 characters long, of four bytes each; two that differ in the last one are two.',
    needs: ['create', 'list', 'read'],
    async test(lab) {
      const ids = ['\u{e000}', '😀', '😁', '\u{10ffff}'].map((last) => '😀'.repeat(254) + last)
      const items = await lab.createAll(ids.map((id) => ({ id, name: id })))
      await lab.holds(...items)
      await lab.lists({}, items)
      await lab.lists({ after: items[1] }, items.slice(2))
    },
  },
  {
    name: 'search takes many long words',
    rule: 'Every word counts, however many there are and however long.',
    needs: ['create', 'list'],
    async test(lab) {
      const words = Array.from({ length: 60 }, (_, place) => `w${place}`)
      const long = 'ab!'.repeat(700)
      const [all, , found] = await lab.createAll(
        named(words.join(), words.slice(0, -1).join(), `a${long.toUpperCase()}b`),
      )
      await lab.lists({ q: words.join(' ') }, all === undefined ? [] : [all])
      await lab.lists({ q: long }, found === undefined ? [] : [found])
      await lab.lists({ q: `${long}c` }, [])
    },
  },
  {
    name: 'an empty collection answers every question',
    rule: 'Where there is nothing a list is empty, whatever is searched for, in whichever order, and wherever it goes on.',
    needs: ['create', 'delete', 'list'],
    async test(lab) {
      await lab.lists({ q: 'a', sort: ['-rank'], limit: 3, scope: { owner_id: 'a' } }, [])
      const item = await lab.create({ name: 'gone' })
      await lab.ask({ kind: 'delete', id: item.id })
      for (const sort of [[], ['name'], ['-note', 'rank'], ['flag', '-id']]) {
        await lab.lists({ sort }, [])
        await lab.lists({ sort, after: item, limit: 2 }, [])
        await lab.lists({ sort, q: 'gone', after: item }, [])
      }
    },
  },
]

// The fields of an order up to its first text.
function upTo(fields: NewSpecimen, sort: readonly string[]): Partial<Specimen> {
  const names = sort.map((text) => text.replace('-', ''))
  const text = names.findIndex((name) => name !== 'rank')
  const kept = Object.entries(fields).filter(([name]) => names.slice(0, text + 1).includes(name))
  return Object.fromEntries(kept)
}

// Many at once, as one after another takes long where each waits for a disk.
async function createLots(lab: Parameters<Demand['test']>[0]): Promise<readonly Specimen[]> {
  const created: Specimen[] = []
  for (let place = 0; place < many; place += 50) {
    const some = lots.slice(place, place + 50)
    created.push(...(await Promise.all(some.map((fields) => lab.create(fields)))))
  }
  return created
}

import { scalarOf } from '../../contract/values/order.ts'
import type { Checks } from './check.ts'
import { show } from './compare.ts'
import { longTexts } from './large.ts'
import { ensurePages } from './pages.ts'
import type { NewSpecimen } from './specimens.ts'

const fields = ['id', 'name', 'note', 'rank', 'flag'] as const

const names = "|0|1|-1.5|true|null|now|infinity|2026-01-01|X'61'|a |é|😀|first|%".split('|')
const numbers = [-1e300, -1.5, -0, 0, 0.1, 5e-324, 2 ** 53 - 1, 2 ** 53 + 2, 1e21, 1e300]

const items: readonly NewSpecimen[] = [
  ...names.map((name) => ({ name })),
  ...names.map((note, index) => ({ name: 'n', note, flag: index % 2 === 0 })),
  ...numbers.map((rank) => ({ name: 'n', rank })),
  ...longTexts.slice(0, 2).map((name) => ({ name })),
]

/** Checks of the values that an adapter says its fields hold. */
export const heldChecks: Checks = {
  'holdsValue holds every listed value': {
    rule:
      '`holdsValue` is true for each sort value of each listed item, a missing one included, and ' +
      'a page goes on after each item. An adapter without the method passes.',
    async test(tester) {
      const created = await tester.createAll(items)
      for (const item of await tester.list({})) {
        for (const field of fields) {
          const value = scalarOf(item, field)
          const result = await tester.holdsValue(field, value)
          tester.assert(result === true, () => ({
            operation: `holdsValue ${show(field)} ${show(value)}`,
            result: show(result),
            expected: `true, since the list has the item ${show(item)}`,
          }))
        }
      }
      for (const field of fields) {
        await ensurePages(tester, { kind: 'list', sort: [`-${field}`] }, created)
      }
    },
  },
}

import { type Demand, named } from './demand.ts'
import type { Lab } from './lab.ts'
import { searchRows } from './searched.ts'

/** How items are searched. */
export const searchDemands: readonly Demand[] = [
  ...searchRows.map(
    ({ name, rule, items, finds }): Demand => ({
      name,
      rule,
      needs: ['create', 'list'],
      async test(lab) {
        await lab.createAll(items)
        for (const [q, names] of Object.entries(finds)) await ensureFinds(lab, q, names)
      },
    }),
  ),
  {
    name: 'search keeps order and limit',
    rule: 'What a search finds is ordered and cut like any list.',
    needs: ['create', 'list'],
    async test(lab) {
      const [, two, three] = await lab.createAll(named('ann 1', 'ann 2', 'ann 3'))
      await lab.createAll(named('bob 9'))
      await lab.lists(
        { q: 'ann', sort: ['-name'], limit: 2 },
        [three, two].flatMap((item) => item ?? []),
      )
    },
  },
]

async function ensureFinds(lab: Lab, q: string, names: readonly string[]): Promise<void> {
  const came = (await lab.list({ q })).map(({ name }) => name)
  lab.ensure(came.toSorted().join('\n') === names.toSorted().join('\n'), () => ({
    asked: { kind: 'list', q },
    came: `the names ${JSON.stringify(came)}`,
    expected: `the names ${JSON.stringify(names)}`,
  }))
}

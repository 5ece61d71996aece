import { type CheckDefinition, named } from './check.ts'
import { searchRows } from './search-rows.ts'
import type { Tester } from './tester.ts'

/** Checks of searches. */
export const searchChecks: readonly CheckDefinition[] = [
  ...searchRows.map(
    ({ name, rule, items, finds }): CheckDefinition => ({
      name,
      rule,
      needs: ['create', 'list'],
      async test(tester) {
        await tester.createAll(items)
        for (const [q, names] of Object.entries(finds)) await ensureFinds(tester, q, names)
      },
    }),
  ),
  {
    name: 'search keeps order and limit',
    rule: 'A search has the order and the limit of any list.',
    needs: ['create', 'list'],
    async test(tester) {
      const [, two, three] = await tester.createAll(named('ann 1', 'ann 2', 'ann 3'))
      await tester.createAll(named('bob 9'))
      await tester.expectList(
        { q: 'ann', sort: ['-name'], limit: 2 },
        [three, two].flatMap((item) => item ?? []),
      )
    },
  },
]

async function ensureFinds(tester: Tester, q: string, names: readonly string[]): Promise<void> {
  const result = (await tester.list({ q })).map(({ name }) => name)
  tester.assert(result.toSorted().join('\n') === names.toSorted().join('\n'), () => ({
    operation: { kind: 'list', q },
    result: `the names ${JSON.stringify(result)}`,
    expected: `the names ${JSON.stringify(names)}`,
  }))
}

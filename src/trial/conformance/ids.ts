import { type Checks, checksOf, full, needing } from './check.ts'
import { show } from './compare.ts'
import { expectGiven } from './modify.ts'
import { type OperationInput, replacementInput, replacing } from './operation-input.ts'
import type { Specimen } from './specimens.ts'
import { isProblemOf, showAttempt, type Tester } from './tester.ts'

// An adapter confuses two of them if it trims, folds, normalises, casts or matches a pattern.
const chosen = [
  ...(
    '1|01|1.0|1abc|10|a|A|a | a|ß|ss|é|e\u0301|É|x/y|x%2Fy|x?y|%|_|*|\'|"|\\|😀|😁|' +
    'null|-1|__proto__|constructor'
  ).split('|'),
  'i'.repeat(255),
]

/** Checks of finding items by id. */
export const idChecks: Checks = {
  ...checksOf(
    [
      ['read', '`read` gives null for every absent id.'],
      ['update', '`update` gives null for every absent id and creates no item.'],
      ['modify', '`modify` gives null for every absent id, and does not call its function.'],
      ['delete', '`delete` gives null for every absent id and deletes nothing.'],
    ] as const,
    ([kind, rule]) => [
      `${kind} gives null for absent ids`,
      {
        rule,
        needs: needing(kind),
        test: (tester) => ensureAbsent(tester, kind, absentBeside),
      },
    ],
  ),
  ...checksOf(['read', 'update', 'modify', 'delete'] as const, (kind) => [
    `${kind} compares ids exactly`,
    {
      rule: 'A similar id (another case, one more space, the same digits first) finds no item.',
      needs: needing(kind),
      test: (tester) => ensureAbsent(tester, kind, lookalikesOf),
    },
  ]),
  'updateMany compares ids exactly': {
    rule: 'A similar id finds no item, in a bulk too.',
    needs: ['create', 'read', 'updateMany'],
    async test(tester) {
      const item = await tester.create({ name: 'only' })
      for (const id of lookalikesOf(item.id)) {
        const items = [replacementInput({ ...item, id }, { name: 'another' })]
        await tester.expectNullAt([0], { kind: 'updateMany', items })
      }
      await tester.expectStored(item)
    },
  },
  'modifyMany compares ids exactly': {
    rule: 'The function gets `undefined` for an absent id, however similar to the id of an item.',
    needs: ['create', 'modifyMany', 'read'],
    async test(tester) {
      const item = await tester.create({ name: 'only' })
      const ids = lookalikesOf(item.id)
      const none = ids.map(() => undefined)
      await expectGiven(tester, { ids: [...ids, item.id] }, [...none, item])
      await expectGiven(tester, { ids: [item.id, ...ids] }, [item, ...none])
      await tester.expectStored(item)
    },
  },
  'keeps ids that clients choose': {
    rule: '`create` stores an item under exactly its own id, beside items with similar ids.',
    needs: ['create', 'read'],
    async test(tester) {
      for (const id of chosen)
        await tester.expectResult({ kind: 'create', item: { id, name: id } }, { id, name: id })
      for (const id of chosen) await tester.expectResult({ kind: 'read', id }, { id, name: id })
    },
  },
  'creates one item for one UUID': {
    rule:
      'Of several `create` calls at once with one UUID, one creates the item under exactly this ' +
      'id. The rest throw `conflict`. A resource with `idempotent: true` relies on it.',
    needs: ['create', 'read'],
    async test(tester) {
      const id = crypto.randomUUID()
      const input: OperationInput = { kind: 'create', item: { ...full, id } }
      const made = await Promise.all(Array.from({ length: 10 }, () => tester.attempt(input)))
      const refused = made.filter((attempt) => isProblemOf(attempt, 'conflict'))
      tester.assert(refused.length === 9, () => ({
        operation: `10 creates at once of ${show(input.item)}`,
        result: made.map(showAttempt).join(', '),
        expected: 'one item, and the problem conflict nine times',
      }))
      await tester.expectStored({ ...full, id })
    },
  },
  'orders chosen ids by code point': {
    rule: 'A list without a sort is in the order of ids, by Unicode code point.',
    async test(tester) {
      const ids = ['-1', '01', '1', '10', '2', 'A', 'Z', '_', 'a', 'a ', 'aa', 'z', 'é', '～', '😀']
      const items = await tester.createAll(ids.map((id) => ({ id, name: id })))
      await tester.expectList({}, items)
    },
  },
  'refuses an id that is taken': {
    rule: '`create` throws `conflict` for an existing id, and the first item stays as it is.',
    needs: ['create', 'read'],
    async test(tester) {
      const first = await tester.create({ ...full, id: 'taken' })
      await tester.expectProblem(
        { kind: 'create', item: { id: 'taken', name: 'second' } },
        'conflict',
      )
      await tester.expectStored(first)
    },
  },
}

type Finding = 'read' | 'update' | 'modify' | 'delete'

const inputs: Readonly<Record<Finding, (item: Specimen) => OperationInput>> = {
  read: ({ id }) => ({ kind: 'read', id }),
  update: (item) => replacing(item, full),
  modify: ({ id }) => ({ kind: 'patch', id, change: refuse }),
  delete: ({ id }) => ({ kind: 'delete', id }),
}

function refuse(): never {
  throw new Error('The adapter called the function for an absent item')
}

async function ensureAbsent(
  tester: Tester,
  kind: Finding,
  idsBeside: (id: string) => readonly string[],
): Promise<void> {
  const item = await tester.create({ name: 'there' })
  for (const id of idsBeside(item.id)) {
    await tester.expectNull(inputs[kind]({ ...item, id }))
    if (kind === 'update') await tester.expectNull({ kind: 'read', id })
  }
  await tester.expectStored(item)
}

function absentBeside(id: string): readonly string[] {
  return chosen.filter((other) => other !== id)
}

function lookalikesOf(id: string): readonly string[] {
  const alike = [
    ...[
      'ID ',
      ' ID',
      'IDabc',
      'ID.0',
      '0ID',
      '+ID',
      'ID%',
      "ID'",
      'ID\u0301',
      'ID\u00ad',
      '{ID}',
    ].map((form) => form.replace('ID', () => id)),
    ...['%', '.*', '_'.repeat(id.length), id.toUpperCase(), id.toLowerCase()],
    ...[id.normalize('NFD'), id.replaceAll('-', ''), id.slice(0, -1)],
  ]
  return [...new Set(alike)].filter((other) => other !== id && other !== '')
}

import type { OperationKind } from '../model/convention.ts'
import { type CheckDefinition, full } from './check.ts'
import { type OperationInput, replacementInput, replacing } from './operation-input.ts'
import type { Specimen } from './specimens.ts'

// An adapter confuses two of them if it trims, folds, normalises, casts or matches a pattern.
const chosen = [
  ...(
    '1|01|1.0|1abc|10|a|A|a | a|ß|ss|é|e\u0301|É|x/y|x%2Fy|x?y|%|_|*|\'|"|\\|😀|😁|' +
    'null|-1|__proto__|constructor'
  ).split('|'),
  'i'.repeat(255),
]

/** Checks of finding items by id. */
export const idChecks: readonly CheckDefinition[] = [
  {
    name: 'read gives null for absent ids',
    rule: '`read` gives null for every absent id.',
    needs: ['create', 'read'],
    async test(tester) {
      const there = await tester.create({ name: 'there' })
      for (const id of absentBeside(there)) await tester.expectNull({ kind: 'read', id })
    },
  },
  {
    name: 'update gives null for absent ids',
    rule: '`update` gives null for every absent id and creates no item.',
    needs: ['create', 'read', 'update'],
    async test(tester) {
      const there = await tester.create({ name: 'there' })
      for (const id of absentBeside(there)) {
        await tester.expectNull(replacing({ ...there, id }, full))
        await tester.expectNull({ kind: 'read', id })
      }
      await tester.expectStored(there)
    },
  },
  {
    name: 'delete gives null for absent ids',
    rule: '`delete` gives null for every absent id and deletes nothing.',
    needs: ['create', 'delete', 'read'],
    async test(tester) {
      const there = await tester.create({ name: 'there' })
      for (const id of absentBeside(there)) await tester.expectNull({ kind: 'delete', id })
      await tester.expectStored(there)
    },
  },
  ...(['read', 'update', 'delete'] as const).map(
    (kind): CheckDefinition => ({
      name: `${kind} compares ids exactly`,
      rule: 'A similar id (another case, one more space, the same digits first) finds no item.',
      needs: unique('create', 'read', kind),
      async test(tester) {
        const item = await tester.create({ name: 'only' })
        for (const id of lookalikesOf(item.id))
          await tester.expectNull(about(kind, { ...item, id }))
        await tester.expectStored(item)
      },
    }),
  ),
  {
    name: 'updateMany compares ids exactly',
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
  {
    name: 'keeps ids that clients choose',
    rule: '`create` stores an item under exactly its own id, beside items with similar ids.',
    needs: ['create', 'read'],
    async test(tester) {
      for (const id of chosen)
        await tester.expectResult({ kind: 'create', item: { id, name: id } }, { id, name: id })
      for (const id of chosen) await tester.expectResult({ kind: 'read', id }, { id, name: id })
    },
  },
  {
    name: 'orders chosen ids by code point',
    rule: 'A list without a sort is in the order of ids, by Unicode code point.',
    needs: ['create', 'list'],
    async test(tester) {
      const ids = ['-1', '01', '1', '10', '2', 'A', 'Z', '_', 'a', 'a ', 'aa', 'z', 'é', '～', '😀']
      const items = await tester.createAll(ids.map((id) => ({ id, name: id })))
      await tester.expectList({}, items)
    },
  },
  {
    name: 'refuses an id that is taken',
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
]

function about(kind: 'read' | 'update' | 'delete', item: Specimen): OperationInput {
  return kind === 'update' ? replacing(item, { name: 'another' }) : { kind, id: item.id }
}

function absentBeside({ id }: Specimen): readonly string[] {
  return chosen.filter((other) => other !== id)
}

function lookalikesOf(id: string): readonly string[] {
  const alike = [
    `${id} `,
    ` ${id}`,
    `${id}abc`,
    `${id}.0`,
    `0${id}`,
    `+${id}`,
    `${id}%`,
    `${id}'`,
    `${id}\u0301`,
    `${id}\u00ad`,
    `{${id}}`,
    '%',
    '_'.repeat(id.length),
    '.*',
    id.toUpperCase(),
    id.toLowerCase(),
    id.normalize('NFD'),
    id.replaceAll('-', ''),
    id.slice(0, -1),
  ]
  return unique(...alike).filter((other) => other !== id && other !== '')
}

function unique<Value extends string | OperationKind>(
  ...values: readonly Value[]
): readonly Value[] {
  return [...new Set(values)]
}

import type { OperationKind } from '../model/convention.ts'
import { type Demand, full } from './demand.ts'
import { type Question, replacementOf, replacing } from './question.ts'
import type { Specimen } from './specimens.ts'

// Where one of these is taken for another, something was trimmed, folded, normalised, cast or matched as a pattern.
const chosen = [
  '1',
  '01',
  '1.0',
  '1abc',
  '10',
  'a',
  'A',
  'a ',
  ' a',
  'ß',
  'ss',
  'é',
  'e\u0301',
  'É',
  'x/y',
  'x%2Fy',
  'x?y',
  '%',
  '_',
  '*',
  "'",
  '"',
  '\\',
  '😀',
  '😁',
  'null',
  '-1',
  '__proto__',
  'constructor',
  'i'.repeat(255),
]

/** How items are found by their ids. */
export const idDemands: readonly Demand[] = [
  {
    name: 'read gives null for absent ids',
    rule: 'Where there is no item of an id, the answer is null, whatever the id looks like.',
    needs: ['create', 'read'],
    async test(lab) {
      const there = await lab.create({ name: 'there' })
      for (const id of absentBeside(there)) await lab.givesNone({ kind: 'read', id })
    },
  },
  {
    name: 'update gives null for absent ids',
    rule: 'Where there is no item of an id, `update` answers null and creates none.',
    needs: ['create', 'read', 'update'],
    async test(lab) {
      const there = await lab.create({ name: 'there' })
      for (const id of absentBeside(there)) {
        await lab.givesNone(replacing({ ...there, id }, full))
        await lab.givesNone({ kind: 'read', id })
      }
      await lab.holds(there)
    },
  },
  {
    name: 'delete gives null for absent ids',
    rule: 'Where there is no item of an id, `delete` answers null and deletes nothing.',
    needs: ['create', 'delete', 'read'],
    async test(lab) {
      const there = await lab.create({ name: 'there' })
      for (const id of absentBeside(there)) await lab.givesNone({ kind: 'delete', id })
      await lab.holds(there)
    },
  },
  ...(['read', 'update', 'delete'] as const).map(
    (kind): Demand => ({
      name: `${kind} compares ids exactly`,
      rule: 'An id that merely looks alike (another case, a space more, a number at its start) is the id of no item.',
      needs: unique('create', 'read', kind),
      async test(lab) {
        const item = await lab.create({ name: 'only' })
        for (const id of lookalikesOf(item.id)) await lab.givesNone(about(kind, { ...item, id }))
        await lab.holds(item)
      },
    }),
  ),
  {
    name: 'updateMany compares ids exactly',
    rule: 'An id that merely looks alike is the id of no item, in a bulk too.',
    needs: ['create', 'read', 'updateMany'],
    async test(lab) {
      const item = await lab.create({ name: 'only' })
      for (const id of lookalikesOf(item.id)) {
        const items = [replacementOf({ ...item, id }, { name: 'another' })]
        await lab.givesNoneAt([0], { kind: 'updateMany', items })
      }
      await lab.holds(item)
    },
  },
  {
    name: 'keeps ids that clients choose',
    rule: 'An item that comes with an id is stored under exactly that id, beside all that look alike.',
    needs: ['create', 'read'],
    async test(lab) {
      for (const id of chosen)
        await lab.gives({ kind: 'create', item: { id, name: id } }, { id, name: id })
      for (const id of chosen) await lab.gives({ kind: 'read', id }, { id, name: id })
    },
  },
  {
    name: 'orders chosen ids by code point',
    rule: 'Without a sort the order is that of the ids, by Unicode code point.',
    needs: ['create', 'list'],
    async test(lab) {
      const ids = ['-1', '01', '1', '10', '2', 'A', 'Z', '_', 'a', 'a ', 'aa', 'z', 'é', '～', '😀']
      const items = await lab.createAll(ids.map((id) => ({ id, name: id })))
      await lab.lists({}, items)
    },
  },
  {
    name: 'refuses an id that is taken',
    rule: 'Creating a second item of the same id is the problem `conflict`, and the first one stays as it is.',
    needs: ['create', 'read'],
    async test(lab) {
      const first = await lab.create({ ...full, id: 'taken' })
      await lab.refuses({ kind: 'create', item: { id: 'taken', name: 'second' } }, 'conflict')
      await lab.holds(first)
    },
  },
]

function about(kind: 'read' | 'update' | 'delete', item: Specimen): Question {
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

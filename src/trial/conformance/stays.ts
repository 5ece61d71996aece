import { ownerValues, type Scope } from '../../contract/resource/operation.ts'
import type { AdapterMethod } from '../../convention/adapter-methods.ts'
import { isInScope } from '../../convention/value.ts'
import { expectGiven } from './modify.ts'
import { conditionOn, replacementInput, replacing, sortSpecimens } from './operation-input.ts'
import type { NewSpecimen, Specimen } from './specimens.ts'
import type { Tester } from './tester.ts'

/** Items inside a scope and outside it. */
export interface ScopedItems {
  readonly scope: Scope
  readonly mine: readonly Specimen[]
  readonly others: readonly Specimen[]
}

/** Creates items, and tells which of them are in a scope. */
export async function createAround(
  tester: Tester,
  scope: Scope,
  fields: readonly NewSpecimen[],
): Promise<ScopedItems> {
  const items = await tester.createAll(fields)
  const mine = items.filter((item) => isInScope(item, scope))
  return { scope, mine, others: items.filter((item) => !mine.includes(item)) }
}

type ScopedMethod = Exclude<AdapterMethod, 'create' | 'createMany'>

type Stays = (tester: Tester, items: ScopedItems) => Promise<void>

/** Ensures that each method finds and changes all items of its scope, and none outside. */
export const stays: { readonly [Method in ScopedMethod]: Stays } = {
  async list(tester, { scope, mine }) {
    await tester.expectList({ scope }, sortSpecimens(mine))
    const sort = ['-name']
    await tester.expectList({ scope, sort }, sortSpecimens(mine, sort))
  },
  count: (tester, { scope, mine }) => tester.expectResult({ kind: 'count', scope }, mine.length),
  first: (tester, items) => ensureEnd(tester, 'first', items),
  last: (tester, items) => ensureEnd(tester, 'last', items),
  async read(tester, { scope, mine, others }) {
    for (const item of mine) await tester.expectResult({ kind: 'read', scope, id: item.id }, item)
    for (const { id } of others) await tester.expectNull({ kind: 'read', scope, id })
  },
  async update(tester, { scope, mine, others }) {
    for (const item of others) await tester.expectNull({ ...claiming(item, scope), scope })
    await tester.expectStored(...mine, ...others)
    for (const item of mine) await tester.expectResult({ ...renamed(item), scope }, taken(item))
  },
  async delete(tester, { scope, mine, others }) {
    for (const { id } of others) await tester.expectNull({ kind: 'delete', scope, id })
    await tester.expectStored(...mine, ...others)
    for (const item of mine) await tester.expectResult({ kind: 'delete', scope, id: item.id }, item)
  },
  async updateMany(tester, { scope, mine, others }) {
    const kind = 'updateMany'
    const items = others.map((item) => claiming(item, scope).item)
    const own = mine.map((item) => renamed(item).item)
    await tester.expectNullAt([...items.keys()], { kind, scope, items })
    await tester.expectNullAt([...items.keys()], { kind, scope, items: [...items, ...own] })
    await tester.expectStored(...mine, ...others)
    if (own.length > 0) await tester.expectResult({ kind, scope, items: own }, mine.map(taken))
  },
  async modify(tester, { scope, mine, others }) {
    const input = { kind: 'patch', scope, change: taken } as const
    for (const { id } of others) await tester.expectNull({ ...input, id })
    await tester.expectStored(...mine, ...others)
    for (const item of mine) await tester.expectResult({ ...input, id: item.id }, taken(item))
  },
  async modifyMany(tester, { scope, mine, others }) {
    const ids = [...mine, ...others].map(({ id }) => id)
    await expectGiven(tester, { ids, scope }, [...mine, ...others.map(() => undefined)])
    await tester.expectStored(...mine, ...others)
  },
  async deleteAll(tester, { scope, mine, others }) {
    await tester.expectResult({ kind: 'deleteAll', scope }, mine.length)
    for (const { id } of mine) await tester.expectNull({ kind: 'read', id })
    await tester.expectStored(...others)
  },
}

async function ensureEnd(
  tester: Tester,
  kind: 'first' | 'last',
  { scope, mine }: ScopedItems,
): Promise<void> {
  const input = { kind, scope, sort: ['name'] }
  const item = sortSpecimens(mine, ['name']).at(kind === 'first' ? 0 : -1)
  await (item ? tester.expectResult(input, item) : tester.expectNull(input))
}

// The core writes owners of the scope only, also for the id of another owner.
function claiming(item: Specimen, scope: Scope) {
  const owners = Object.keys(scope).flatMap((field) =>
    ownerValues(scope, field)
      .slice(0, 1)
      .map((value) => [field, value] as const),
  )
  return renamed({ ...item, ...Object.fromEntries(owners) })
}

function renamed(item: Specimen) {
  const { id, revision, ...fields } = taken(item)
  return { ...replacing(item, fields), item: replacementInput(item, fields) }
}

function taken(item: Specimen): Specimen {
  return { ...item, name: `${item.name} taken` }
}

/** The features of a list that have to stay inside its scope too. */
export const features: Readonly<Record<'searches' | 'pages' | 'filters', Features>> = {
  async searches(tester, { scope, mine }) {
    const sort = ['-rank', 'name']
    const found = mine.filter(({ name }) => name === 'ann')
    await tester.expectList({ scope, q: 'ann', sort }, sortSpecimens(found, sort))
  },
  // A cursor may name an item that left the scope meanwhile.
  async pages(tester, { scope, mine, others }) {
    const sort = ['rank', 'name']
    const sorted = sortSpecimens([...mine, ...others], sort)
    const inScope = (items: readonly Specimen[]) => items.filter((item) => mine.includes(item))
    for (const [index, after] of sorted.entries()) {
      await tester.expectList({ scope, sort, after }, inScope(sorted.slice(index + 1)))
      const page = { scope, sort: ['-rank', '-name', '-id'], after, limit: 2 }
      await tester.expectList(page, inScope(sorted.slice(0, index)).reverse().slice(0, 2))
    }
  },
  async filters(tester, { scope, mine, others }) {
    const found = mine.filter(({ name }) => name === 'ann')
    const where = [conditionOn('name', 'in', ['ann'])]
    await tester.expectList({ scope, where }, sortSpecimens(found))
    const ids = [...mine, ...others].map(({ id }) => id)
    const byIds = [conditionOn('id', 'in', ids)]
    await tester.expectList({ scope, where: byIds }, sortSpecimens(mine))
    await tester.expectList({ scope, where: [conditionOn('owner_id', 'in', ['none'])] }, [])
  },
}

type Features = Stays

/** Returns specimens for the {@link features} of each owner, with ties and missing values. */
export function specimensOf(owners: readonly Partial<NewSpecimen>[]): readonly NewSpecimen[] {
  const fields = [{ name: 'ann', rank: 1 }, { name: 'bob', rank: 1 }, { name: 'ann' }]
  return owners.flatMap((owner) => fields.map((item) => ({ ...item, ...owner })))
}

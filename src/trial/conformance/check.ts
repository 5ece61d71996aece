import type { AdapterMethod } from '../../convention/adapter-methods.ts'
import { nextTurn } from '../../convention/awaitable.ts'
import type { ListInput, OperationInput } from './operation.ts'
import type { NewSpecimen, Specimen } from './specimens.ts'
import type { Comparing, Tester } from './tester.ts'

/** A check without its name and its runner. */
export interface CheckDefinition {
  /** The requirement in words. */
  readonly rule: string
  /**
   * The methods that the check calls. It runs only for adapters that have all of them. Default:
   * `create` and `list`.
   */
  readonly needs?: readonly AdapterMethod[]
  /** The name of a group of checks, which a gap leaves out together. Default: none. */
  readonly group?: string
  /** Default: the ids of lists, and whole items elsewhere, both without revisions. */
  readonly comparing?: Comparing
  /** The items to create first, in another order. */
  readonly items?: readonly NewSpecimen[]
  /** What to ask the adapter and the reference then. The results have to be the same. */
  readonly ask?: Ask
  /** What they cannot be asked alike. Rejects when the adapter breaks the rule. */
  readonly test?: (tester: Tester) => Promise<void>
}

/** Lists operations. Each `yield` gives the items of the result. */
type Ask = (
  all: readonly Specimen[],
  first: Specimen,
  two: Specimen,
  three: Specimen,
) => Iterable<OperationInput> | Asking

/** Operations that depend on the results of those before. */
export type Asking = Generator<OperationInput, void, readonly Specimen[]>

/** Checks by their names: facts of at most eight words, such as `list sorts descending`. */
export type Checks = Readonly<Record<string, CheckDefinition>>

/** Defines a check for each row, under a name that the row decides. */
export function checksOf<QuestionRow>(
  rows: readonly QuestionRow[],
  define: (row: QuestionRow) => readonly [name: string, definition: CheckDefinition],
): Checks {
  return Object.fromEntries(rows.map(define))
}

/** Performs a check. */
export async function perform({ items = [], ask, test, needs }: CheckDefinition, tester: Tester) {
  const created = await tester.createAll(items)
  await test?.(tester)
  if (ask === undefined) return
  const [first = none, two = none, three = none] = created
  const steps = ask(created, first, two, three)[Symbol.iterator]()
  for (let step = steps.next([]); !step.done; ) step = steps.next(await tester.ask(step.value))
  if (needs?.includes('read')) await tester.readAll()
}

const none: Specimen = { id: '', name: '' }

/** A specimen with every field set. */
export const full: NewSpecimen = {
  name: 'Ada Lovelace',
  note: 'First programme, 1843',
  rank: -1.5,
  flag: false,
  data: { born: 1815, works: ['Notes', { year: 1843, read: null }] },
  owner_id: 'a',
}

/** A specimen without a field of {@link full}, but others. */
export const partial: NewSpecimen = { name: 'before', note: 'gone', rank: 1, flag: true }

/** Three specimens in the order of their names. */
export const three: readonly NewSpecimen[] = [
  { name: 'a', rank: 3 },
  { name: 'b', rank: 2 },
  { name: 'c', rank: 1 },
]

/** Returns specimens that differ in their names only. */
export function named(...names: readonly string[]): readonly NewSpecimen[] {
  return names.map((name) => ({ name }))
}

/** Returns specimens whose names are numbers. */
export function numbered(count: number, fields: Partial<NewSpecimen> = {}): readonly NewSpecimen[] {
  return Array.from({ length: count }, (_, number) => ({ ...fields, name: `${number}` }))
}

/** Lists items. */
function listing(query: ListInput = {}): OperationInput {
  return { kind: 'list', ...query }
}

/** Creates an item. */
function creating(item: NewSpecimen): OperationInput {
  return { kind: 'create', item }
}

/** Deletes an item. */
function deleting({ id }: Specimen): OperationInput {
  return { kind: 'delete', id }
}

/** Returns the `update` of a stored item to other fields. */
function replacing({ id }: Specimen, fields: NewSpecimen): OperationInput {
  return { kind: 'update', id, item: { ...fields, id } }
}

/** Returns the `updateMany` of stored items to other fields. */
function replacingAll(
  items: readonly Specimen[],
  fieldsOf: (item: Specimen, place: number) => NewSpecimen,
): OperationInput {
  const kind = 'updateMany'
  return { kind, items: items.map((item, place) => ({ ...fieldsOf(item, place), id: item.id })) }
}

/** Returns the `modifyMany` that gives stored items other fields. Its function is asynchronous. */
function modifyingAll(items: readonly Specimen[], fields: Partial<Specimen>): OperationInput {
  const changeMany: OperationInput['changeMany'] = async (stored) => {
    await nextTurn()
    return stored.flatMap((item) => (item ? { ...item, ...fields } : []))
  }
  return { kind: 'patchMany', ids: items.map(({ id }) => id), changeMany }
}

/** Returns the `modifyMany` of a function that throws. Its caller sees what the function got. */
function looking(ids: readonly string[], scope: ListInput['scope'] = {}): OperationInput {
  const changeMany = (): never => {
    throw looked
  }
  return { kind: 'patchMany', ids, scope, changeMany }
}

const looked = new Error('The function throws')

/** Lists in pages of several lengths. */
function* paging(input: ListInput, count: number): Asking {
  for (const limit of [1, 2, 3, count]) {
    let after: Specimen | undefined
    // Wrong pages may never end.
    for (let length = 0; length <= count; ) {
      const page = yield listing({ ...input, limit, after })
      if (page.length === 0) break
      length += page.length
      after = page.at(-1)
    }
  }
}

/** Makes the operations of checks. */
export const calls = {
  list: listing,
  create: creating,
  delete: deleting,
  replace: replacing,
  replaceAll: replacingAll,
  modifyAll: modifyingAll,
  look: looking,
  pages: paging,
}

/** A method that takes a selection, and the part of an operation that calls it. */
type Selecting = readonly [method: AdapterMethod, input: OperationInput]

/** The methods that tell of the selected items, beside `list`. */
export const queryReads: readonly Selecting[] = [
  ['count', { kind: 'count', limit: undefined }],
  ['countBy', { kind: 'count', by: ['name'], limit: undefined }],
  ['first', { kind: 'first' }],
  ['last', { kind: 'last' }],
]

const deleteMany: OperationInput = { kind: 'deleteMany', maxAffected: 1000 }

/** The methods that delete the selected items. */
export const queryDeletions: readonly Selecting[] = [
  ['deleteMany', deleteMany],
  ['removeMany', { ...deleteMany, judge: () => undefined }],
]

/** Returns the methods of a check of one method that also creates and reads items. */
export function needing(method: AdapterMethod): readonly AdapterMethod[] {
  return [...new Set<AdapterMethod>(['create', 'read', method])]
}

/** A rule, its orders or searches, and the items. */
export type QuestionRow = readonly [rule: string, questions: string, items: readonly NewSpecimen[]]

/** Reads orders: `rank,-name|note` → two. */
export function sortsIn(text: string): readonly (readonly string[])[] {
  return text.split('|').map((sort) => sort.split(',').filter(Boolean))
}

/** A text that others begin with. */
export const longStart = 'ab'.repeat(1000)

/** Long texts that begin alike, in the order of code points. */
export const longTexts: readonly string[] = [
  'ab'.repeat(512),
  longStart,
  `${longStart} `,
  `${longStart}A`,
  `${longStart}a`,
  `${longStart}b`,
  `${longStart}é`,
  `${longStart}😀`,
  `${longStart}😁`,
  'é'.repeat(1500),
  `${'é'.repeat(1500)}!`,
  '😀'.repeat(300),
  `${'😀'.repeat(300)}a`,
  `${'😀'.repeat(300)}b`,
]

import type { Json } from '../../model/schema.ts'
import {
  complementOf,
  type FindValue,
  type Found,
  type Keyword,
  type ListKeyword,
  noneFound,
  setOf,
  type ValueSet,
} from './value-set.ts'

// A longer list would not be read.
const mostElements = 200_000

// Elements that a `contains` with a most may have beyond its least.
const mostCounted = 8

type Of<Kind> = ListKeyword & { readonly kind: Kind }

interface ListSearch {
  readonly elements: readonly Of<'elements'>[]
  readonly contains: readonly Of<'contains'>[]
  /** The elements that have sets of their own. */
  readonly prefix: number
  readonly isUnique: boolean
  readonly isRepeated: boolean
  /** Two indexes with the same element. */
  readonly equal?: readonly [number, number]
  readonly find: FindValue
}

/** The sets that the element of each index must be in. */
type Taken = readonly (readonly ValueSet[])[]

/** An element that some index must have. */
interface Wanted {
  readonly set: ValueSet
  readonly from: number
  readonly to: number
}

/** Finds a list that meets all keywords. */
export function findList(keywords: readonly Keyword[], find: FindValue): Found {
  const of = <Kind extends ListKeyword['kind']>(kind: Kind) =>
    keywords.filter((keyword): keyword is Of<Kind> & Keyword => keyword.kind === kind)
  const elements = of('elements')
  const isRepeated = of('repeated').length > 0
  const search: ListSearch = {
    elements,
    prefix: Math.max(0, ...elements.map(({ first }) => first.length)),
    contains: mergedOf(of('contains')),
    isUnique: of('unique').length > 0,
    isRepeated,
    find,
  }
  const counts = (kind: 'minItems' | 'maxItems') => of(kind).map(({ count }) => count)
  const least = Math.max(isRepeated ? 2 : 0, ...counts('minItems'))
  const most = Math.min(...counts('maxItems'), Infinity)
  if (least > mostElements) return { is: 'unknown', because: `a list needs ${least} elements` }
  const some = of('someElement')
  return firstOf(countsOf(search.contains), (numbers) => {
    const counted = search.contains.flatMap(({ set }, index) =>
      Array.from({ length: numbers[index] ?? 0 }, () => ({ set, from: 0, to: Infinity })),
    )
    const wanted: readonly Wanted[] = [...some, ...counted]
    // Beyond the first elements all are alike, so a longer list offers nothing more.
    const first = Math.max(least, search.prefix, ...some.map(({ from }) => from + 1))
    const enough = Math.min(most, first + wanted.length + (isRepeated ? 2 : 0))
    const lengths = Array.from(
      { length: Math.max(0, enough - least + 1) },
      (_, more) => least + more,
    )
    return firstOf(lengths, (length) => {
      const taken = Array.from({ length }, (): readonly ValueSet[] => [])
      return assign(wanted, taken, search)
    })
  })
}

/** Returns the first value that a search finds; none where each search proves so. */
function firstOf<Choice>(choices: Iterable<Choice>, search: (choice: Choice) => Found): Found {
  let unknown: Found = noneFound
  for (const choice of choices) {
    const found = search(choice)
    if (found.is === 'value') return found
    if (found.is === 'unknown') unknown = found
  }
  return unknown
}

// One keyword for each set.
function mergedOf(all: readonly Of<'contains'>[]): readonly Of<'contains'>[] {
  const merged = new Map<string, Of<'contains'>>()
  for (const one of all) {
    const other = merged.get(one.set.key) ?? one
    const bounds = { min: Math.max(one.min, other.min), max: Math.min(one.max, other.max) }
    merged.set(one.set.key, { ...other, ...bounds })
  }
  return [...merged.values()]
}

// How many elements are in each set: where there is a most, every number up to it.
function countsOf(contains: ListSearch['contains']): readonly (readonly number[])[] {
  return contains.reduce<readonly (readonly number[])[]>(
    (before, { min, max }) => {
      const last = max === Infinity ? min : Math.min(max, min + mostCounted)
      const numbers = Array.from({ length: Math.max(0, last - min + 1) }, (_, more) => min + more)
      return before.flatMap((one) => numbers.map((number) => [...one, number]))
    },
    [[]],
  )
}

// Gives each wanted element an index, one after another.
function assign([wanted, ...others]: readonly Wanted[], taken: Taken, search: ListSearch): Found {
  if (wanted === undefined) return fill(taken, search)
  return firstOf(indexesFor(wanted, taken, search), (index) => {
    const own = [...(taken[index] ?? []), wanted.set]
    return assign(others, taken.with(index, own), search)
  })
}

function* indexesFor(
  { from, to, set }: Wanted,
  taken: Taken,
  search: ListSearch,
): Iterable<number> {
  let isTried = false
  for (let index = from; index <= Math.min(to, taken.length - 1); index++) {
    // The elements of one `contains` differ in their index.
    if (taken[index]?.includes(set)) continue
    // Beyond the first elements, one free index is as good as another.
    const isFree = index >= search.prefix && taken[index]?.length === 0
    if (!(isFree && isTried)) yield index
    isTried ||= isFree
  }
}

function fill(taken: Taken, search: ListSearch): Found {
  if (!search.isRepeated) return fillWith(taken, search)
  return firstOf(pairsIn(taken.length), ([one, other]) => {
    const sets = [...(taken[one] ?? []), ...(taken[other] ?? []), ...setsAt(other, search)]
    return fillWith(taken.with(one, sets), { ...search, equal: [one, other] })
  })
}

function pairsIn(length: number): readonly (readonly [number, number])[] {
  return Array.from({ length }, (_, other) =>
    Array.from({ length: other }, (_, one): readonly [number, number] => [one, other]),
  ).flat()
}

function fillWith(taken: Taken, search: ListSearch): Found {
  const list: Json[] = []
  const [one = -1, other = -1] = search.equal ?? []
  for (const [index, own] of taken.entries()) {
    const sets = [...own, ...setsAt(index, search), ...boundedAt(own, search)]
    const same =
      index === other ? [setOf({ kind: 'values', values: list.slice(one, one + 1) })] : []
    const isDistinct = search.isUnique && index > 0
    const others = isDistinct ? [setOf({ kind: 'notValues', values: [...list] })] : []
    const found = search.find([...sets, ...same, ...others])
    if (found.is === 'none') return isNone(sets, { taken, search }) ? noneFound : tooEntangled
    if (found.is !== 'value') return found
    list.push(found.value)
  }
  return { is: 'value', value: list }
}

const tooEntangled: Found = { is: 'unknown', because: 'elements of a list depend on each other' }

// Each element is found by itself, and the first ones may take the value that a later one needs.
function isNone(
  sets: readonly ValueSet[],
  { taken, search }: { readonly taken: Taken; readonly search: ListSearch },
): boolean {
  const isAlike = taken.every(({ length }) => length === 0) && search.prefix === 0
  return isAlike || search.find(sets).is === 'none'
}

function setsAt(index: number, { elements }: ListSearch): readonly ValueSet[] {
  return elements.flatMap(({ first, rest }) => first[index] ?? rest ?? [])
}

// An element that nothing wants must not count.
function boundedAt(own: readonly ValueSet[], { contains }: ListSearch): readonly ValueSet[] {
  return contains
    .filter(({ set, max }) => max !== Infinity && !own.includes(set))
    .map(({ set }) => complementOf(set))
}

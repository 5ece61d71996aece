import type { Json } from '../contract/schema/schema.ts'
import {
  complementOf,
  type FindValue,
  type Found,
  firstFound,
  type Keyword,
  type KeywordOf,
  kindsIn,
  noneFound,
  setOf,
  type ValueSet,
} from './value-set.ts'

// A longer list would not be read.
const mostElements = 200_000

// More would exhaust the stack.
const mostWanted = 1_000

interface ListSearch {
  readonly elements: readonly KeywordOf<'elements'>[]
  readonly contains: readonly Contains[]
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
  const of = kindsIn(keywords)
  const elements = of('elements')
  const some = of('someElement')
  const isRepeated = of('repeated').length > 0
  const search: ListSearch = {
    elements,
    prefix: Math.max(0, ...elements.map(({ first }) => first.length), ...some.map(firstAfter)),
    contains: mergedOf(of('contains')),
    isUnique: of('unique').length > 0,
    isRepeated,
    find,
  }
  if (search.isUnique && isRepeated) return noneFound
  const counts = (kind: 'minItems' | 'maxItems') => of(kind).map(({ count }) => count)
  const least = Math.max(isRepeated ? 2 : 0, ...counts('minItems'))
  if (least > mostElements) return { is: 'unknown', because: `a list needs ${least} elements` }
  return findCounted(some, { least, most: Math.min(...counts('maxItems'), Infinity) }, search)
}

interface Lengths {
  readonly least: number
  readonly most: number
}

function findCounted(
  some: readonly KeywordOf<'someElement'>[],
  { least, most }: Lengths,
  search: ListSearch,
): Found {
  // Beyond the first elements all are alike, so a longer list offers nothing more.
  const first = Math.max(least, search.prefix, ...some.map(({ from }) => from + 1))
  return firstFound(countsOf(search.contains, first + some.length), (numbers) => {
    if (numbers === undefined) return tooEntangled
    const counted = search.contains.flatMap(({ set }, index) =>
      Array.from({ length: numbers[index] ?? 0 }, () => ({ set, from: 0, to: Infinity })),
    )
    const wanted: readonly Wanted[] = [...some, ...counted]
    if (wanted.length > mostWanted) return tooEntangled
    const shortest = Math.max(least, ...numbers)
    const enough = Math.min(most, first + wanted.length + (search.isRepeated ? 2 : 0))
    const lengths = Array.from(
      { length: Math.max(0, enough - shortest + 1) },
      (_, more) => shortest + more,
    )
    return firstFound(lengths, (length) => {
      const assignment = Array.from({ length }, (): readonly ValueSet[] => [])
      return assign(wanted, assignment, search)
    })
  })
}

// An element at one index alone.
function firstAfter({ to }: KeywordOf<'someElement'>): number {
  return to === Infinity ? 0 : to + 1
}

// Gives each wanted element an index, one after another.
function assign(
  [wanted, ...laterWanted]: readonly Wanted[],
  assignment: Taken,
  search: ListSearch,
): Found {
  if (wanted === undefined) return fill(assignment, search)
  return firstFound(indexesFor(wanted, assignment, search), (index) => {
    const elementSets = [...(assignment[index] ?? []), wanted.set]
    return assign(laterWanted, assignment.with(index, elementSets), search)
  })
}

function* indexesFor(
  { from, to, set }: Wanted,
  assignment: Taken,
  search: ListSearch,
): Iterable<number> {
  let isTried = false
  for (let index = from; index <= Math.min(to, assignment.length - 1); index++) {
    // The elements of one `contains` differ in their index.
    if (assignment[index]?.includes(set)) continue
    // Beyond the first elements, one free index is as good as another.
    const isFree = index >= search.prefix && assignment[index]?.length === 0
    if (!(isFree && isTried)) yield index
    isTried ||= isFree
  }
}

function fill(assignment: Taken, search: ListSearch): Found {
  if (!search.isRepeated) return fillWith(assignment, search)
  return firstFound(pairsIn(assignment.length), ([first, second]) => {
    const sets = [
      ...(assignment[first] ?? []),
      ...(assignment[second] ?? []),
      ...setsAt(second, search),
    ]
    return fillWith(assignment.with(first, sets), { ...search, equal: [first, second] })
  })
}

function pairsIn(length: number): readonly (readonly [number, number])[] {
  return Array.from({ length }, (_, second) =>
    Array.from({ length: second }, (_, first): readonly [number, number] => [first, second]),
  ).flat()
}

function fillWith(assignment: Taken, search: ListSearch): Found {
  const list: Json[] = []
  const [first = -1, second = -1] = search.equal ?? []
  for (const [index, elementSets] of assignment.entries()) {
    const sets = [...elementSets, ...setsAt(index, search), ...boundedAt(elementSets, search)]
    const same =
      index === second ? [setOf({ kind: 'values', values: list.slice(first, first + 1) })] : []
    const isDistinct = search.isUnique && index > 0
    const distinct = isDistinct ? [setOf({ kind: 'notValues', values: [...list] })] : []
    const result = search.find([...sets, ...same, ...distinct])
    if (result.is === 'none') return isNone(sets, { assignment, search }) ? noneFound : tooEntangled
    if (result.is !== 'value') return result
    list.push(result.value)
  }
  return { is: 'value', value: list }
}

const tooEntangled: Found = { is: 'unknown', because: 'elements of a list depend on each other' }

// Each element is found by itself, and the first ones may take the value that a later one needs.
function isNone(
  sets: readonly ValueSet[],
  { assignment, search }: { readonly assignment: Taken; readonly search: ListSearch },
): boolean {
  const isAlike = assignment.every(({ length }) => length === 0) && search.prefix === 0
  return isAlike || search.find(sets).is === 'none'
}

function setsAt(index: number, { elements }: ListSearch): readonly ValueSet[] {
  return elements.flatMap(({ first, additional }) => first[index] ?? additional ?? [])
}

// An element that nothing wants must not count.
function boundedAt(
  elementSets: readonly ValueSet[],
  { contains }: ListSearch,
): readonly ValueSet[] {
  return contains
    .filter(({ set, max }) => max !== Infinity && !elementSets.includes(set))
    .map(({ set }) => complementOf(set))
}

type Contains = KeywordOf<'contains'>

// Ways to say how many elements are in each set.
const mostCounts = 256

/** Returns one keyword for each set. */
function mergedOf(all: readonly Contains[]): readonly Contains[] {
  const merged = new Map<string, Contains>()
  for (const contains of all) {
    const earlier = merged.get(contains.set.key) ?? contains
    const bounds = {
      min: Math.max(contains.min, earlier.min),
      max: Math.min(contains.max, earlier.max),
    }
    merged.set(contains.set.key, { ...earlier, ...bounds })
  }
  return [...merged.values()]
}

/**
 * Returns every choice of how many elements are in each set, for lists that need some number of
 * other elements. Ends with `undefined` where the choices are too many.
 */
function* countsOf(
  contains: readonly Contains[],
  freeElements: number,
): Iterable<readonly number[] | undefined> {
  const longest = contains.reduce((sum, { min }) => sum + min, freeElements)
  const ranges = contains.map(({ min, max }) => ({
    min,
    // Without a most, more elements may be in the set.
    max: max === Infinity ? min : Math.min(max, longest),
  }))
  let remaining = mostCounts
  for (const numbers of productOf(ranges)) {
    if (remaining-- === 0) return yield undefined
    yield numbers
  }
}

function* productOf([range, ...laterRanges]: readonly Pick<Contains, 'min' | 'max'>[]): Iterable<
  readonly number[]
> {
  if (range === undefined) return yield []
  for (let number = range.min; number <= range.max; number++) {
    for (const more of productOf(laterRanges)) yield [number, ...more]
  }
}

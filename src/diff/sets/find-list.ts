import type { Json } from '../../contract/schema/schema.ts'
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

// More would exhaust the stack.
const mostWanted = 1_000

type Of<Kind> = ListKeyword & { readonly kind: Kind }

interface ListSearch {
  readonly elements: readonly Of<'elements'>[]
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
  const of = <Kind extends ListKeyword['kind']>(kind: Kind) =>
    keywords.filter((keyword): keyword is Of<Kind> & Keyword => keyword.kind === kind)
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
  some: readonly Of<'someElement'>[],
  { least, most }: Lengths,
  search: ListSearch,
): Found {
  // Beyond the first elements all are alike, so a longer list offers nothing more.
  const first = Math.max(least, search.prefix, ...some.map(({ from }) => from + 1))
  return firstOf(countsOf(search.contains, first + some.length), (numbers) => {
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

// An element at one index alone.
function firstAfter({ to }: Of<'someElement'>): number {
  return to === Infinity ? 0 : to + 1
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

/** A number of elements in a set. */
type Contains = ListKeyword & { readonly kind: 'contains' }

// Ways to say how many elements are in each set.
const mostCounts = 256

/** Returns one keyword for each set. */
function mergedOf(all: readonly Contains[]): readonly Contains[] {
  const merged = new Map<string, Contains>()
  for (const one of all) {
    const other = merged.get(one.set.key) ?? one
    const bounds = { min: Math.max(one.min, other.min), max: Math.min(one.max, other.max) }
    merged.set(one.set.key, { ...other, ...bounds })
  }
  return [...merged.values()]
}

/**
 * Returns every choice of how many elements are in each set, for lists that need some number of
 * other elements. Ends with `undefined` where the choices are too many.
 */
function* countsOf(
  contains: readonly Contains[],
  others: number,
): Iterable<readonly number[] | undefined> {
  const longest = contains.reduce((sum, { min }) => sum + min, others)
  const ranges = contains.map(({ min, max }) => ({
    min,
    // Without a most, more elements may be in the set.
    max: max === Infinity ? min : Math.min(max, longest),
  }))
  let left = mostCounts
  for (const numbers of productOf(ranges)) {
    if (left-- === 0) return yield undefined
    yield numbers
  }
}

function* productOf([range, ...others]: readonly Pick<Contains, 'min' | 'max'>[]): Iterable<
  readonly number[]
> {
  if (range === undefined) return yield []
  for (let number = range.min; number <= range.max; number++) {
    for (const more of productOf(others)) yield [number, ...more]
  }
}

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
const mostElements = 200

type Of<Kind> = ListKeyword & { readonly kind: Kind }

interface ListSearch {
  readonly elements: readonly Of<'elements'>[]
  readonly contains: readonly Of<'contains'>[]
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
  const search: ListSearch = {
    elements: of('elements'),
    contains: of('contains'),
    isUnique: of('unique').length > 0,
    isRepeated: of('repeated').length > 0,
    find,
  }
  const wanted: readonly Wanted[] = [
    ...of('someElement'),
    ...search.contains.flatMap(({ set, min }) =>
      Array.from({ length: Math.min(min, mostElements) }, () => ({ set, from: 0, to: Infinity })),
    ),
  ]
  const least = Math.max(search.isRepeated ? 2 : 0, ...of('minItems').map(({ count }) => count))
  const most = Math.min(...of('maxItems').map(({ count }) => count), Infinity)
  if (least > mostElements) return { is: 'unknown', because: `a list needs ${least} elements` }
  const prefixes = [...search.elements.map(({ first }) => first.length), ...wanted.map(firstIndex)]
  // Beyond the first elements all are alike, so a longer list offers nothing more.
  const enough = Math.max(least, ...prefixes) + wanted.length + (search.isRepeated ? 2 : 0)
  let unknown: Found = noneFound
  for (let length = least; length <= Math.min(most, enough); length++) {
    const found = assign(
      wanted,
      Array.from({ length }, () => []),
      search,
    )
    if (found.is === 'value') return found
    if (found.is === 'unknown') unknown = found
  }
  return unknown
}

function firstIndex({ from }: Wanted): number {
  return from + 1
}

// Gives each wanted element an index, one after another.
function assign([wanted, ...others]: readonly Wanted[], taken: Taken, search: ListSearch): Found {
  if (wanted === undefined) return fill(taken, search)
  let unknown: Found = noneFound
  const last = Math.min(wanted.to, taken.length - 1)
  for (let index = wanted.from; index <= last; index++) {
    // The elements of one `contains` differ in their index.
    if (taken[index]?.includes(wanted.set)) continue
    const next = taken.with(index, [...(taken[index] ?? []), wanted.set])
    const found = assign(others, next, search)
    if (found.is === 'value') return found
    if (found.is === 'unknown') unknown = found
  }
  return unknown
}

function fill(taken: Taken, search: ListSearch): Found {
  if (!search.isRepeated) return fillWith(taken, search)
  let unknown: Found = noneFound
  for (const [one, other] of pairsIn(taken.length)) {
    const sets = [...(taken[one] ?? []), ...(taken[other] ?? []), ...setsAt(other, search)]
    const found = fillWith(taken.with(one, sets), { ...search, equal: [one, other] })
    if (found.is === 'value') return found
    if (found.is === 'unknown') unknown = found
  }
  return unknown
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
    if (found.is === 'none') return isExact(taken, search) ? noneFound : tooEntangled
    if (found.is !== 'value') return found
    list.push(found.value)
  }
  return { is: 'value', value: list }
}

const tooEntangled: Found = { is: 'unknown', because: 'elements of a list depend on each other' }

// Each element is found by itself, and the first ones may take what the others need.
function isExact(taken: Taken, { isUnique, elements, contains }: ListSearch): boolean {
  const isBounded = contains.some(({ max }) => max > 0 && max !== Infinity)
  const isAlike =
    taken.every(({ length }) => length === 0) && elements.every(({ first }) => first.length === 0)
  return !isBounded && (!isUnique || isAlike)
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

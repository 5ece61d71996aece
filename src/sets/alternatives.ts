import type { Json } from '../contract/schema/schema.ts'
import {
  complementOf,
  isTyped,
  type JsonType,
  type Keyword,
  type ListKeyword,
  type Members,
  noValue,
  type ObjectKeyword,
  setOf,
  type TypedKeyword,
  typeOfKeyword,
  typeOfValue,
  type ValueSet,
} from './value-set.ts'

/** Ways to meet a keyword: all keywords of one of them. */
type Alternatives = readonly (readonly Keyword[])[]

const always: Alternatives = [[]]
const never: Alternatives = []
const endless = Number.POSITIVE_INFINITY

/**
 * Returns the ways for a value of a type to meet a keyword that holds other sets; `undefined` for
 * a keyword that stands for itself.
 */
export function alternativesOf(keyword: Keyword, type: JsonType): Alternatives | undefined {
  if (isTyped(keyword)) return typeOfKeyword(keyword) === type ? expandedOf(keyword) : always
  switch (keyword.kind) {
    case 'types':
      return keyword.types.includes(type) ? always : never
    case 'all':
      return [keyword.sets.flatMap((set) => set.keywords())]
    case 'any':
      return keyword.sets.map(keywordsOf)
    case 'one':
      return keyword.sets.map((set, chosen) => [
        ...keywordsOf(set),
        ...keyword.sets.filter((_, index) => index !== chosen).map(refused),
      ])
    case 'if': {
      const { condition, yes, no } = keyword
      return [
        [...keywordsOf(condition), ...keywordsOf(yes)],
        [refused(condition), ...keywordsOf(no)],
      ]
    }
    case 'not':
      return keyword.set.keywords().flatMap((inner) => violationsOf(inner, type))
    case 'notValues':
      return type === 'object' || type === 'array'
        ? [structuresOf(keyword.values, type).map(refused)]
        : undefined
    default:
      return undefined
  }
}

function expandedOf(keyword: TypedKeyword): Alternatives | undefined {
  if (keyword.kind !== 'dependent') return undefined
  const { name, set } = keyword
  return [[{ kind: 'absent', name }], [{ kind: 'required', name }, ...keywordsOf(set)]]
}

function refused(set: ValueSet): Keyword {
  return { kind: 'not', set }
}

// One keyword for the whole set, so that a search knows the set again.
function keywordsOf(set: ValueSet): readonly Keyword[] {
  return set.keywords().length === 0 ? [] : [{ kind: 'all', sets: [set] }]
}

// Returns the ways for a value of a type to break a keyword.
function violationsOf(keyword: Keyword, type: JsonType): Alternatives {
  if (isTyped(keyword)) return typeOfKeyword(keyword) === type ? brokenOf(keyword) : never
  switch (keyword.kind) {
    case 'types':
      return keyword.types.includes(type) ? never : always
    case 'values':
      return [[{ kind: 'notValues', values: keyword.values }]]
    case 'notValues':
      return [[{ kind: 'values', values: keyword.values }]]
    case 'all':
      return keyword.sets.map((set) => [refused(set)])
    case 'any':
      return [keyword.sets.map(refused)]
    case 'one':
      return noneOrTwo(keyword.sets)
    case 'if': {
      const { condition, yes, no } = keyword
      return [
        [...keywordsOf(condition), refused(yes)],
        [refused(condition), refused(no)],
      ]
    }
    case 'not':
      return [keywordsOf(keyword.set)]
    case 'opaque':
      return [[keyword]]
  }
}

function noneOrTwo(sets: readonly ValueSet[]): Alternatives {
  const pairs = sets.flatMap((first, index) =>
    sets.slice(index + 1).map((second) => [...keywordsOf(first), ...keywordsOf(second)]),
  )
  return [sets.map(refused), ...pairs]
}

function brokenOf(keyword: TypedKeyword): Alternatives {
  switch (keyword.kind) {
    case 'minimum':
    case 'maximum': {
      const kind = keyword.kind === 'minimum' ? 'maximum' : 'minimum'
      return [[{ ...keyword, kind, isExclusive: !keyword.isExclusive }]]
    }
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      return keyword.count === 0 ? never : [[belowOf(keyword.kind, keyword.count)]]
    case 'maxLength':
      return [[{ kind: 'minLength', count: keyword.count + 1 }]]
    case 'maxItems':
      return [[{ kind: 'minItems', count: keyword.count + 1 }]]
    case 'maxProperties':
      return [[{ kind: 'minProperties', count: keyword.count + 1 }]]
    case 'pattern':
    case 'notPattern':
      return [[{ ...keyword, kind: keyword.kind === 'pattern' ? 'notPattern' : 'pattern' }]]
    case 'format':
    case 'notFormat':
      return [[{ ...keyword, kind: keyword.kind === 'format' ? 'notFormat' : 'format' }]]
    case 'multipleOf':
    case 'notMultipleOf': {
      const kind = keyword.kind === 'multipleOf' ? 'notMultipleOf' : 'multipleOf'
      return [[{ ...keyword, kind }]]
    }
    default:
      return brokenInside(keyword)
  }
}

function belowOf(kind: 'minLength' | 'minItems' | 'minProperties', count: number): TypedKeyword {
  const kinds = { minLength: 'maxLength', minItems: 'maxItems', minProperties: 'maxProperties' }
  return { kind: kinds[kind] as 'maxLength', count: count - 1 }
}

type Inner = Extract<ListKeyword | ObjectKeyword, { kind: Exclude<TypedKeyword['kind'], Counts> }>
type Counts = 'minItems' | 'maxItems' | 'minProperties' | 'maxProperties'

function brokenInside(keyword: Inner): Alternatives {
  switch (keyword.kind) {
    case 'unique':
      return [[{ kind: 'repeated' }]]
    case 'elements':
      return brokenElements(keyword)
    case 'contains': {
      const { min, max } = keyword
      const fewer: Alternatives = min > 0 ? [[{ ...keyword, min: 0, max: min - 1 }]] : never
      return max < endless ? [...fewer, [{ ...keyword, min: max + 1, max: endless }]] : fewer
    }
    case 'required':
      return [[{ kind: 'absent', name: keyword.name }]]
    case 'members':
      return brokenMembers(keyword.members)
    case 'names':
      return [[{ kind: 'someName', set: complementOf(keyword.set) }]]
    case 'dependent':
      return [[{ kind: 'required', name: keyword.name }, refused(keyword.set)]]
    default:
      // No schema has these keywords, so nothing takes their complement.
      return [[{ kind: 'opaque', because: `"${keyword.kind}" has no complement` }]]
  }
}

function brokenElements({
  first,
  additional,
}: Extract<ListKeyword, { kind: 'elements' }>): Alternatives {
  const broken = (from: number, to: number, set: ValueSet): readonly Keyword[] => [
    { kind: 'someElement', from, to, set: complementOf(set) },
  ]
  const places = first.map((set, index) => broken(index, index, set))
  return additional === undefined ? places : [...places, broken(first.length, endless, additional)]
}

function brokenMembers(members: Members): Alternatives {
  const { properties, patterns, additional } = members
  const broken = (names: string | Members, set: ValueSet): readonly Keyword[] => [
    { kind: 'someMember', names, set: complementOf(set) },
  ]
  return [
    ...[...properties].map(([name, set]): readonly Keyword[] => [
      { kind: 'member', name, set: complementOf(set) },
    ]),
    ...patterns.map(([source, set]) => broken(source, set)),
    ...(additional === undefined ? [] : [broken(members, additional)]),
  ]
}

/**
 * Returns a set for each value of a type, which holds this value alone: an object differs from it
 * in a member, a list in an element.
 */
function structuresOf(values: readonly Json[], type: JsonType): readonly ValueSet[] {
  return values.filter((value) => typeOfValue(value) === type).map(structureOf)
}

function structureOf(value: Json): ValueSet {
  const only = (inner: Json) => setOf({ kind: 'values', values: [inner] })
  if (Array.isArray(value)) {
    const first = value.map(only)
    return setOf(
      { kind: 'minItems', count: first.length },
      { kind: 'elements', first, additional: noValue },
    )
  }
  const entries = Object.entries(Object(value)).map(
    ([name, inner]) => [name, only(inner as Json)] as const,
  )
  return setOf(...entries.map(([name]): Keyword => ({ kind: 'required', name })), {
    kind: 'members',
    members: { properties: new Map(entries), patterns: [], additional: noValue },
  })
}

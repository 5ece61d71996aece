import type { Json } from '../contract/schema/schema.ts'
import { accepts, isNamed, setsFor } from './accepts.ts'
import {
  complementOf,
  type FindValue,
  type Found,
  firstFound,
  type Keyword,
  type KeywordOf,
  kindsIn,
  type Members,
  noneFound,
  setOf,
  type ValueSet,
} from './value-set.ts'

/** A member that some name must have. */
type Wanted = KeywordOf<'someMember'> | KeywordOf<'someName'>

/** The conditions on an object, and the names that it may have. */
interface ObjectSearch {
  readonly members: readonly Members[]
  readonly absent: ReadonlySet<string>
  /** The sets of single members. */
  readonly single: readonly KeywordOf<'member'>[]
  readonly names: readonly ValueSet[]
  readonly least: number
  readonly most: number
  readonly find: FindValue
}

/** Finds an object that meets all keywords. */
export function findObject(keywords: readonly Keyword[], find: FindValue): Found {
  const of = kindsIn(keywords)
  const single = of('member')
  const search: ObjectSearch = {
    members: of('members').map(({ members }) => members),
    absent: new Set(of('absent').map(({ name }) => name)),
    single,
    names: of('names').map(({ set }) => set),
    least: Math.max(0, ...of('minProperties').map(({ count }) => count)),
    most: Math.min(Infinity, ...of('maxProperties').map(({ count }) => count)),
    find,
  }
  const required = new Set([...of('required'), ...single].map(({ name }) => name))
  const wanted = [...of('someMember'), ...of('someName')]
  return choose(wanted, { required, more: [] }, search)
}

/** The names that an object has, with further sets of some. */
interface Chosen {
  readonly required: ReadonlySet<string>
  readonly more: readonly (readonly [name: string, set: ValueSet])[]
}

// Gives each wanted member a name, one after another.
function choose(
  [wanted, ...laterWanted]: readonly Wanted[],
  chosen: Chosen,
  search: ObjectSearch,
): Found {
  if (wanted === undefined) return build(chosen, search)
  const { names, isComplete } = candidates(chosen.required, search, [wanted, ...laterWanted])
  const tryName = (name: string): Found => {
    const more = wanted.kind === 'someMember' ? [[name, wanted.set] as const] : []
    const required = new Set([...chosen.required, name])
    return choose(laterWanted, { required, more: [...chosen.more, ...more] }, search)
  }
  const wantedNames = names.filter((name) => isWanted(name, wanted))
  return firstFound(wantedNames, tryName, isComplete ? noneFound : noName)
}

const noName: Found = { is: 'unknown', because: 'no name of a member was found' }

function isWanted(name: string, wanted: Wanted): boolean {
  return wanted.kind === 'someName'
    ? accepts(wanted.set, name) !== false
    : isNamed(wanted.names, name) === true
}

// Returns every name that a keyword mentions, and one of each other kind of name.
function candidates(
  required: Iterable<string>,
  search: ObjectSearch,
  wanted: readonly Wanted[] = [],
): FreshNames {
  const mentioned = new Set(required)
  const naming = [...search.members, ...wanted.flatMap(membersIn)]
  for (const { properties } of naming) for (const name of properties.keys()) mentioned.add(name)
  const usedNames = new Set([...mentioned, ...search.absent])
  const patterns = naming.flatMap(({ patterns }) => patterns.map(([source]) => patternSet(source)))
  const kinds = [...patterns, ...wanted.flatMap(kindsOf)]
  const { names, isComplete } = freshNames(usedNames, {
    kinds,
    names: search.names,
    find: search.find,
  })
  return { names: [...mentioned, ...names].filter((name) => !search.absent.has(name)), isComplete }
}

function membersIn(wanted: Wanted): readonly Members[] {
  return wanted.kind === 'someMember' && typeof wanted.names !== 'string' ? [wanted.names] : []
}

function kindsOf(wanted: Wanted): readonly ValueSet[] {
  if (wanted.kind === 'someName') return [wanted.set]
  return typeof wanted.names === 'string' ? [patternSet(wanted.names)] : []
}

function patternSet(source: string): ValueSet {
  return setOf({ kind: 'pattern', source })
}

function build(chosen: Chosen, search: ObjectSearch): Found {
  const { required } = chosen
  if ([...required].some((name) => search.absent.has(name))) return noneFound
  if (Math.max(required.size, search.least) > search.most) return noneFound
  const object = new Map<string, Json>()
  for (const name of required) {
    const result = memberOf(name, chosen, search)
    if (result.is !== 'value') return result
    object.set(name, result.value)
  }
  return extend(object, chosen, search)
}

function memberOf(name: string, { more }: Pick<Chosen, 'more'>, search: ObjectSearch): Found {
  if (search.names.some((set) => accepts(set, name) === false)) return noneFound
  const namedSets = [...search.single.map(({ name, set }) => [name, set] as const), ...more]
  const sets = namedSets.flatMap(([memberName, set]) => (memberName === name ? [set] : []))
  return search.find([...sets, ...search.members.flatMap((members) => setsFor(name, members))])
}

// Adds members until there are enough.
function extend(object: Map<string, Json>, chosen: Chosen, search: ObjectSearch): Found {
  let isComplete = true
  while (object.size < search.least) {
    const next = candidates(object.keys(), search)
    isComplete &&= next.isComplete
    let added = false
    for (const name of next.names) {
      if (object.has(name) || object.size >= search.least) continue
      const result = memberOf(name, chosen, search)
      if (result.is === 'unknown') isComplete = false
      if (result.is !== 'value') continue
      object.set(name, result.value)
      added = true
    }
    if (!added) return isComplete ? noneFound : noName
  }
  return { is: 'value', value: Object.fromEntries(object) }
}

/** The conditions that tell the names of members apart. */
interface NameKinds {
  /** A member's name in one of these has other sets than one that is not. */
  readonly kinds: readonly ValueSet[]
  /** Every name is in these. */
  readonly names: readonly ValueSet[]
  readonly find: FindValue
}

/** Names that are not taken: one of each kind. */
interface FreshNames {
  readonly names: readonly string[]
  /** Every kind of name has one. */
  readonly isComplete: boolean
}

// Each doubles the kinds of names.
const mostKinds = 5

/** Returns a name that is not taken for each combination of kinds that a name can have. */
function freshNames(usedNames: ReadonlySet<string>, naming: NameKinds): FreshNames {
  const all = [...new Map(naming.kinds.map((kind) => [kind.key, kind])).values()]
  const kinds = all.slice(0, mostKinds)
  const free = setOf(
    { kind: 'types', types: ['string'] },
    { kind: 'notValues', values: [...usedNames] },
  )
  let isComplete = kinds.length === all.length
  const names: string[] = []
  for (let matched = 0; matched < 2 ** kinds.length; matched++) {
    const kindSets = kinds.map((kind, index) =>
      (matched >> index) % 2 === 1 ? kind : complementOf(kind),
    )
    const result = naming.find([free, ...kindSets, ...naming.names])
    if (result.is === 'value') names.push(String(result.value))
    if (result.is === 'unknown') isComplete = false
  }
  return { names, isComplete }
}

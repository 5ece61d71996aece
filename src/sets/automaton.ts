import {
  CharSet,
  combineTransformers,
  DFA,
  type Element,
  type Expression,
  JS,
  NFA,
  type NoParent,
  Transformers,
  transform,
} from 'refa'

type Part = NoParent<Element>
type Sequence = NoParent<Expression['alternatives'][number]>

const withoutAssertions = combineTransformers([
  Transformers.simplify(),
  Transformers.applyAssertions(),
])

const maxCharacter = 0x10ffff
// No text has these, so they stand for its begin and its end: refa knows no edges of a text.
const begin = 0x10fffe
const end = 0x10ffff
const inner = CharSet.all(maxCharacter).without({ min: begin, max: end })
// A larger automaton takes seconds.
const mostNodes = 20_000

/** The texts that a pattern matches anywhere, between a begin and an end. */
export type Automaton = NFA

/**
 * Makes the automaton of the texts that a pattern of JSON Schema matches.
 *
 * @throws {Error} For a pattern that is none, or too large, or that no automaton can tell.
 */
export function automatonOf(source: string): Automaton {
  const literal = { source, flags: isUnicode(source) ? 'u' : '' }
  const { expression } = JS.Parser.fromLiteral(literal).parse({
    backreferences: 'throw',
    assertions: 'parse',
  })
  const framed: NoParent<Expression> = {
    type: 'Expression',
    alternatives: [
      sequenceOf([
        classOf(single(begin)),
        starOf(classOf(inner)),
        { type: 'Alternation', alternatives: expression.alternatives.map(bounded) },
        starOf(classOf(inner)),
        classOf(single(end)),
      ]),
    ],
  }
  const plain = transform(withoutAssertions, framed)
  const factory = new NFA.LimitedNodeFactory(mostNodes)
  return NFA.fromRegex(plain, { maxCharacter }, { assertions: 'throw' }, factory)
}

/** Makes the automaton of the texts that are in one and in the other. */
export function intersectionOf(automaton: Automaton, second: Automaton): Automaton {
  return NFA.fromIntersection(automaton, second, new NFA.LimitedNodeFactory(mostNodes))
}

/** Makes the automaton of the texts that are not in another one. */
export function remainderOf(automaton: Automaton): Automaton {
  const every = DFA.fromFA(automaton, new DFA.LimitedNodeFactory(mostNodes))
  every.complement(new DFA.LimitedNodeFactory(mostNodes))
  return intersectionOf(automatonOf(''), NFA.fromFA(every))
}

/**
 * Lists texts of an automaton, shorter ones first, and one of a length after the other. Ends with
 * `undefined` where it left characters out.
 */
export function* textsOf(automaton: Automaton): Iterable<string | undefined> {
  const distances = distancesIn(automaton)
  // Begins of texts by the least length of the whole; of one length, the last begin comes first.
  const waiting: Begin[][] = []
  const add = (node: NFA.Node, text: readonly number[]): void => {
    const distance = distances.get(node)
    if (distance === undefined) return
    const length = text.length + distance
    waiting[length] ??= []
    waiting[length].push({ node, text })
  }
  let isCut = false
  add(automaton.initial, [])
  for (let length = 0; length < waiting.length; length++) {
    for (let begin = waiting[length]?.pop(); begin; begin = waiting[length]?.pop()) {
      const { node, text } = begin
      if (automaton.finals.has(node)) yield String.fromCodePoint(...text.slice(1, -1))
      for (const [next, characters] of node.out) {
        isCut ||= characters.size > mostCharacters
        for (const character of firstOf(characters)) add(next, [...text, character])
      }
    }
  }
  if (isCut) yield undefined
}

interface Begin {
  readonly node: NFA.Node
  readonly text: readonly number[]
}

// All letters, digits and signs of ASCII.
const mostCharacters = 100

// The last one is taken first.
function firstOf({ ranges }: CharSet): readonly number[] {
  const first: number[] = []
  for (const { min, max } of ranges) {
    for (let character = min; character <= max; character++) {
      if (first.length === mostCharacters) return first.reverse()
      first.push(character)
    }
  }
  return first.reverse()
}

// The fewest characters from each node to an end.
function distancesIn({ finals }: Automaton): ReadonlyMap<NFA.Node, number> {
  const distances = new Map<NFA.Node, number>([...finals].map((node) => [node, 0]))
  // Grows while it is read.
  for (const [node, distance] of distances) {
    for (const before of node.in.keys()) {
      if (!distances.has(before)) distances.set(before, distance + 1)
    }
  }
  return distances
}

function isUnicode(source: string): boolean {
  try {
    new RegExp(source, 'u')
    return true
  } catch {
    return false
  }
}

function single(character: number): CharSet {
  return CharSet.all(maxCharacter).intersect({ min: character, max: character })
}

function classOf(characters: CharSet): Part {
  return { type: 'CharacterClass', characters }
}

function sequenceOf(elements: Part[]): Sequence {
  return { type: 'Concatenation', elements }
}

function starOf(element: Part): Part {
  return {
    type: 'Quantifier',
    min: 0,
    max: Infinity,
    lazy: false,
    alternatives: [sequenceOf([element])],
  }
}

function bounded({ elements }: Sequence): Sequence {
  return sequenceOf(elements.map(boundedPart))
}

// Keeps the begin and the end out of every class, and makes edges of them.
function boundedPart(element: Part): Part {
  if (element.type === 'CharacterClass')
    return classOf(
      CharSet.all(maxCharacter).intersect(element.characters.resize(maxCharacter)).intersect(inner),
    )
  if (element.type === 'Unknown')
    throw new Error('The pattern has a part that no automaton can tell.')
  const alternatives = element.alternatives.map(bounded)
  if (element.type !== 'Assertion' || !element.negate || !isAnything(element.alternatives)) {
    return { ...element, alternatives }
  }
  const edge = classOf(single(element.kind === 'behind' ? begin : end))
  return {
    type: 'Assertion',
    kind: element.kind,
    negate: false,
    alternatives: [sequenceOf([edge])],
  }
}

function isAnything([only, ...more]: readonly Sequence[]): boolean {
  const [element] = only?.elements ?? []
  return more.length === 0 && element?.type === 'CharacterClass' && element.characters.isAll
}

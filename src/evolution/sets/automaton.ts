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
export function intersectionOf(one: Automaton, other: Automaton): Automaton {
  return NFA.fromIntersection(one, other, new NFA.LimitedNodeFactory(mostNodes))
}

/** Makes the automaton of the texts that are not in another one. */
export function remainderOf(automaton: Automaton): Automaton {
  const every = DFA.fromFA(automaton, new DFA.LimitedNodeFactory(mostNodes))
  every.complement(new DFA.LimitedNodeFactory(mostNodes))
  return intersectionOf(automatonOf(''), NFA.fromFA(every))
}

/** Lists the texts of an automaton, shorter ones first. */
export function* textsOf(automaton: Automaton): Iterable<string> {
  for (const word of automaton.words()) yield String.fromCodePoint(...word.slice(1, -1))
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

function starOf(part: Part): Part {
  return {
    type: 'Quantifier',
    min: 0,
    max: Infinity,
    lazy: false,
    alternatives: [sequenceOf([part])],
  }
}

function bounded({ elements }: Sequence): Sequence {
  return sequenceOf(elements.map(boundedPart))
}

// Keeps the begin and the end out of every class, and makes edges of them.
function boundedPart(part: Part): Part {
  if (part.type === 'CharacterClass')
    return classOf(
      CharSet.all(maxCharacter).intersect(part.characters.resize(maxCharacter)).intersect(inner),
    )
  if (part.type === 'Unknown') throw new Error('The pattern has a part that no automaton can tell.')
  const alternatives = part.alternatives.map(bounded)
  if (part.type !== 'Assertion' || !part.negate || !isAnything(part.alternatives)) {
    return { ...part, alternatives }
  }
  const edge = classOf(single(part.kind === 'behind' ? begin : end))
  return { type: 'Assertion', kind: part.kind, negate: false, alternatives: [sequenceOf([edge])] }
}

function isAnything([only, ...more]: readonly Sequence[]): boolean {
  const [part] = only?.elements ?? []
  return more.length === 0 && part?.type === 'CharacterClass' && part.characters.isAll
}

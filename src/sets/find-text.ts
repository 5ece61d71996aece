import { meetsKeyword } from './accepts.ts'
import {
  findMatch,
  hasFormat,
  isKnownFormat,
  isWithinFormat,
  lengthsOfFormat,
  samplesOfFormat,
} from './formats.ts'
import { type Found, type Keyword, type KeywordOf, kindsIn, noneFound } from './value-set.ts'

interface TextSearch {
  readonly keywords: readonly Keyword[]
  readonly least: number
  readonly most: number
  readonly formats: readonly KeywordOf<'format'>[]
  readonly notFormats: readonly KeywordOf<'notFormat'>[]
  readonly patterns: readonly string[]
  readonly notPatterns: readonly string[]
}

// A longer text says nothing more.
const mostLength = 100_000

/** Finds a text that meets all keywords. */
export function findText(keywords: readonly Keyword[]): Found {
  const of = kindsIn(keywords)
  const formats = of('format')
  const lengths = formats.map(({ name }) => lengthsOfFormat(name))
  const search: TextSearch = {
    keywords,
    least: Math.max(
      0,
      ...of('minLength').map(({ count }) => count),
      ...lengths.map(([least]) => least),
    ),
    most: Math.min(
      Infinity,
      ...of('maxLength').map(({ count }) => count),
      ...lengths.map(([, most]) => most),
    ),
    formats,
    notFormats: of('notFormat'),
    patterns: of('pattern').map(({ source }) => source),
    notPatterns: of('notPattern').map(({ source }) => source),
  }
  if (search.least > search.most || isContradictory(search)) return noneFound
  if (search.least > mostLength)
    return { is: 'unknown', because: `a text needs ${search.least} characters` }
  return formats.length > 0 ? findFormatted(search) : findPlain(search)
}

function isContradictory({ formats, notFormats, patterns, notPatterns }: TextSearch): boolean {
  return (
    patterns.some((source) => notPatterns.includes(source)) ||
    formats.some(({ name }) =>
      notFormats.some((excluded) => isWithinFormat(name, excluded.name)),
    ) ||
    formats.some(({ hint }) => hint !== undefined && notPatterns.includes(hint))
  )
}

function fits(text: string, { keywords }: TextSearch): boolean {
  return keywords.every((keyword) => meetsKeyword(keyword, text) !== false)
}

// Prefers a text that matches what the validator adds to the format.
function findFormatted(search: TextSearch): Found {
  const { formats, least, most } = search
  const length = Math.min(most, Math.max(least, 1))
  const samples = formats.flatMap(({ name }) =>
    [length, least + 1, Math.min(most, least + 20)].flatMap((sampleLength) =>
      samplesOfFormat(name, sampleLength),
    ),
  )
  const fitting = samples.filter((text) => fits(text, search))
  const hints = formats.flatMap(({ hint }) => (hint === undefined ? [] : [hint]))
  const best = fitting.find((text) =>
    hints.every((hint) => meetsKeyword({ kind: 'pattern', source: hint }, text)),
  )
  const text = best ?? fitting[0]
  if (text !== undefined) return { is: 'value', value: text }
  if (search.patterns.length > 0) {
    const matching = findMatch(search, (text) => fits(text, search))
    if (matching.is !== 'unknown') return matching
  }
  const unknown = formats.filter(({ name }) => !isKnownFormat(name)).map(({ name }) => name)
  const because =
    unknown.length > 0
      ? `the format "${unknown.join('", "')}" is not known`
      : 'no text of the format was found'
  if (unknown.length === 0) return { is: 'unknown', because }
  const plain = findPlain({ ...search, formats: [] })
  return plain.is === 'value' ? { is: 'unknown', because, guess: plain.value } : plain
}

function findPlain(search: TextSearch): Found {
  const { patterns, notPatterns } = search
  const simple = plainTexts(search).find((text) => fits(text, search))
  const isSimple = patterns.length === 0 && notPatterns.length === 0
  if (simple !== undefined) return { is: 'value', value: simple }
  // Every text of up to two characters was tried where no longer one is allowed.
  if (isSimple)
    return search.most === 0 ? noneFound : { is: 'unknown', because: 'no text was found' }
  return findMatch(search, (text) => fits(text, search))
}

// Texts that differ from each other, of the least length and some more.
function plainTexts({ least, most, notFormats }: TextSearch): readonly string[] {
  const near = [Math.max(least, Math.min(1, most)), least, least + 1, least + 7]
  const lengths = [...new Set(near)].filter((length) => length <= most)
  const words = lengths.flatMap((length) =>
    ['a', 'b', 'x', '0', 'A', '-', 'é', 'word'].map((unit) => textOf(unit, length)),
  )
  const numbered = lengths.flatMap((length) =>
    Array.from({ length: 200 }, (_, index) => textOf(`${index}-`, length)),
  )
  const emptyTexts =
    notFormats.filter(({ name }) => hasFormat(name, '') === false).length > 0 ? [''] : []
  return [...words, ...emptyTexts, ...numbered]
}

function textOf(unit: string, length: number): string {
  return [...unit.repeat(Math.ceil(length / unit.length))].slice(0, length).join('')
}

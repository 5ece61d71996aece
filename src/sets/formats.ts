import { isDay, isMoment, isUuid } from '../convention/format.ts'
import { type Automaton, automatonOf, intersectionOf, remainderOf, textsOf } from './automaton.ts'
import { type Found, noneFound, type Truth } from './value-set.ts'

/** A format of JSON Schema that this library can tell. */
interface Format {
  /** Tells whether a text has the format. */
  readonly has: (text: string) => boolean
  /** The fewest and the most code points. */
  readonly lengths: readonly [least: number, most: number]
  /** Returns texts of the format, of about a length where the format allows several. */
  readonly samples: (length: number) => readonly string[]
  /** The formats that every text of this one has too. */
  readonly within?: readonly string[]
}

const offset = '(?:[Zz]|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)'
const time = new RegExp(`^(?:[01]\\d|2[0-3]):[0-5]\\d:(?:[0-5]\\d|60)(?:\\.\\d+)?${offset}?$`)
const duration =
  /^P(?:\d+W|(?=.)(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?)$/
const email =
  /^[\w!#$%&'*+/=?^`{|}~.-]+@[\da-z](?:[\da-z-]*[\da-z])?(?:\.[\da-z](?:[\da-z-]*[\da-z])?)+$/i
const hostname =
  /^(?=.{1,253}$)[\da-z](?:[\da-z-]{0,61}[\da-z])?(?:\.[\da-z](?:[\da-z-]{0,61}[\da-z])?)*$/i
const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/
const base64 = /^(?:[\d+/A-Za-z]{4})*(?:[\d+/A-Za-z]{2}==|[\d+/A-Za-z]{3}=)?$/
const pointer = /^(?:\/(?:[^/~]|~[01])*)*$/

const endless = Number.POSITIVE_INFINITY

const formats: { readonly [name: string]: Format } = {
  date: {
    has: isDay,
    lengths: [10, 10],
    samples: () => ['2001-02-03', '1999-12-31', '2024-02-29'],
  },
  'date-time': {
    has: isMoment,
    lengths: [20, endless],
    samples: (length) => [
      '2001-02-03T04:05:06Z',
      '2001-02-03T04:05:06.000Z',
      '2001-02-03T04:05:06+07:00',
      `2001-02-03T04:05:06.${'1'.repeat(Math.min(9, Math.max(1, length - 21)))}Z`,
    ],
  },
  time: {
    has: (text) => time.test(text),
    lengths: [8, endless],
    samples: () => ['04:05:06Z', '04:05:06', '04:05:06.789Z', '04:05:06+07:00'],
  },
  duration: {
    has: (text) => duration.test(text),
    lengths: [3, endless],
    samples: (length) => ['P1D', 'PT1H', `P${'1'.repeat(Math.max(1, length - 2))}D`],
  },
  email: {
    has: (text) => email.test(text),
    lengths: [5, 320],
    samples: (length) => [
      'ann@example.org',
      'a@b.co',
      longEmail(length),
      'A.b-9_C@Mail-1.Example.org',
    ],
    within: ['idn-email'],
  },
  hostname: {
    has: (text) => hostname.test(text),
    lengths: [1, 253],
    samples: (length) => [
      'example.org',
      'a',
      'www.example.org',
      sampleHost(length),
      'W-9.Example.org',
    ],
    within: ['idn-hostname'],
  },
  ipv4: {
    has: (text) => ipv4.test(text),
    lengths: [7, 15],
    samples: () => ['192.0.2.1', '1.2.3.4', '192.168.100.200'],
  },
  ipv6: {
    has: isIpv6,
    lengths: [2, 45],
    samples: () => ['2001:db8::1', '::', '2001:DB8::A', '2001:0db8:0000:0000:0000:0000:0000:0001'],
  },
  uuid: {
    has: isUuid,
    lengths: [36, 36],
    samples: () => [
      '018f3c5e-7b1a-7c2d-8e3f-4a5b6c7d8e9f',
      '6f1d8e2a-3b4c-4d5e-8f60-718293a4b5c6',
      '6f1d8e2a-3b4c-5d5e-9f60-718293a4b5c6',
    ],
  },
  uri: {
    has: (text) => /^[a-z][\d+.a-z-]*:[^\s"<>\\^`{|}]*$/i.test(text),
    lengths: [2, endless],
    samples: (length) => [
      'https://example.org/a',
      'urn:a:b',
      'HTTP://Ann@a-9.Example.org:80/A_b?c=%20&d#e',
      `https://example.org/${'a'.repeat(Math.max(0, length - 20))}`,
    ],
    within: ['uri-reference', 'iri', 'iri-reference', 'url'],
  },
  url: {
    has: (text) => URL.canParse(text),
    lengths: [2, endless],
    samples: (length) => ['https://example.org/a', `urn:${'a'.repeat(Math.max(1, length - 4))}`],
  },
  'uri-reference': {
    has: (text) => /^[^\s"<>\\^`{|}]*$/.test(text),
    lengths: [0, endless],
    samples: (length) => ['a', '/a', 'a'.repeat(length)],
    within: ['iri-reference'],
  },
  byte: {
    has: (text) => base64.test(text),
    lengths: [0, endless],
    samples: (length) => ['YQ==', '', 'YWFh'.repeat(Math.ceil(length / 4))],
  },
  regex: {
    has: isPattern,
    lengths: [0, endless],
    samples: (length) => ['^a+$', 'a', 'a'.repeat(length), '[a-z]', 'a b', '^\\d$'],
  },
  'json-pointer': {
    has: (text) => pointer.test(text),
    lengths: [0, endless],
    samples: (length) => ['/a', '', `/${'a'.repeat(Math.max(0, length - 1))}`],
  },
}

// Formats that say nothing of the characters of a text: of numbers, or hints for people.
const notOfTexts: ReadonlySet<string> = new Set([
  ...['int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64'],
  ...['float', 'double', 'double-int', 'single-float', 'decimal', 'decimal128'],
  ...['sf-integer', 'sf-decimal', 'password', 'binary', 'string', 'html'],
  ...['commonmark', 'markdown'],
])

/** Tells whether a format bounds texts. */
export function isTextFormat(name: string): boolean {
  return !notOfTexts.has(name)
}

/** Tells whether this library can tell the texts of a format. */
export function isKnownFormat(name: string): boolean {
  return Object.hasOwn(formats, name)
}

/** Tells whether a text has a format; `undefined` for a format that is not known. */
export function hasFormat(name: string, text: string): boolean | undefined {
  return knownFormat(name)?.has(text)
}

/** Tells whether each text of a format has another format too, as far as it is known. */
export function isWithinFormat(name: string, superset: string): boolean {
  return name === superset || (knownFormat(name)?.within?.includes(superset) ?? false)
}

/** Returns the fewest and the most code points of a text of a format. */
export function lengthsOfFormat(name: string): readonly [least: number, most: number] {
  return knownFormat(name)?.lengths ?? [0, endless]
}

/**
 * Tells whether a pattern is the validator's own way to check a known format, which differs by
 * release: it matches each sample.
 */
export function isPatternOfFormat(source: string, name: string): boolean {
  const samples = samplesOfFormat(name, 1)
  return samples.length > 0 && samples.every((text) => isMatch(source, text) !== false)
}

/** Returns texts of a format, some of about a length; empty for a format that is not known. */
export function samplesOfFormat(name: string, length: number): readonly string[] {
  return knownFormat(name)?.samples(length) ?? []
}

function knownFormat(name: string): Format | undefined {
  return Object.hasOwn(formats, name) ? formats[name] : undefined
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u')
    return true
  } catch {
    return false
  }
}

function isIpv6(text: string): boolean {
  return /^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]/`)
}

/**
 * Returns an email address of about a length: at most 64 code points before the "@" (RFC
 * 5321 §4.5.3.1).
 */
function longEmail(length: number): string {
  const local = 'a'.repeat(Math.min(64, Math.max(1, length - 12)))
  return `${local}@${sampleHost(Math.max(4, length - local.length - 1), '.org')}`
}

/** Returns the name of a host of a length, in labels of at most 63 characters. */
function sampleHost(length: number, end = ''): string {
  const labelLength = Math.max(1, Math.min(253, length) - end.length)
  const parts = Array.from({ length: labelLength }, (_, index) => (index % 60 === 59 ? '.' : 'a'))
  if (parts.at(-1) === '.') parts[labelLength - 1] = 'a'
  return parts.join('') + end
}

const compiled = new Map<string, RegExp | undefined>()

/** Tells whether a pattern of JSON Schema matches a text somewhere; `undefined` for no pattern. */
export function isMatch(source: string, text: string): Truth {
  if (!compiled.has(source)) compiled.set(source, compile(source))
  return compiled.get(source)?.test(text)
}

// JSON Schema demands the flag "u", but some patterns are older.
function compile(source: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(source, flags)
    } catch {
      // The next flags may do.
    }
  }
  return undefined
}

/** The patterns of a text, and its length in code points. */
interface Matching {
  readonly patterns: readonly string[]
  readonly notPatterns: readonly string[]
  readonly least: number
  readonly most: number
}

// Words of an automaton that `fits` may refuse, and lengths that an automaton can count.
const mostWords = 500
const mostCount = 2_000

/** Finds a text that matches some patterns and does not match others. */
export function findMatch(matching: Matching, fits: (text: string) => boolean): Found {
  const unknown: Found = {
    is: 'unknown',
    because: `no text was found for ${describe(matching)}`,
  }
  try {
    const automaton = automatonFor(matching)
    if (automaton.isEmpty) return noneFound
    // Texts that people can read come first.
    const readable = intersectionOf(automaton, automatonOf('^[ -~]*$'))
    for (const source of [readable, automaton]) {
      const { text, isAll } = firstFitting(source, fits)
      if (text !== undefined) return { is: 'value', value: text }
      if (isAll && source === automaton && isCounted(matching)) return noneFound
    }
  } catch {
    // Too large, or with a part that no automaton can tell.
  }
  const guess = guesses.find(fits)
  return guess === undefined ? unknown : { is: 'value', value: guess }
}

const guesses = ['', 'a', 'A', '0', '1', 'ab', 'AB', 'ABC', 'abc', '123', '1234', 'a1', 'A1', 'a-b']

function describe({ patterns, notPatterns }: Matching): string {
  const all = [...patterns, ...notPatterns.map((source) => `not ${source}`)]
  return `the pattern ${all.join(' and ')}`
}

function automatonFor(matching: Matching): Automaton {
  const { patterns, notPatterns, least, most } = matching
  const length = isCounted(matching)
    ? [automatonOf(`^[^]{${least},${most === Infinity ? '' : most}}$`)]
    : []
  const all = [
    ...patterns.map(automatonOf),
    ...notPatterns.map((source) => remainderOf(automatonOf(source))),
    ...length,
  ]
  return all.reduce(intersectionOf)
}

function isCounted({ least, most }: Matching): boolean {
  return least <= mostCount && (most <= mostCount || most === Infinity)
}

function firstFitting(
  automaton: Automaton,
  fits: (text: string) => boolean,
): { readonly text?: string; readonly isAll: boolean } {
  let tried = 0
  for (const text of textsOf(automaton)) {
    if (text === undefined) return { isAll: false }
    if (fits(text)) return { text, isAll: false }
    if (++tried === mostWords) return { isAll: false }
  }
  return { isAll: true }
}

import { named } from './check.ts'
import type { NewSpecimen } from './specimens.ts'

/** A check of the items that searches find. */
export interface SearchRow {
  readonly name: string
  readonly rule: string
  readonly items: readonly NewSpecimen[]
  /** The names of the matching items for each search. */
  readonly finds: Readonly<Record<string, readonly string[]>>
}

const ignoresCase = 'A search ignores case in all of Unicode.'
const isPlain = 'A search takes its words as plain text, whatever they mean to a database.'

/** Checks of searches among a few items. */
export const searchRows: readonly SearchRow[] = [
  {
    name: 'search finds words inside text',
    rule: 'A word matches anywhere in a searchable field.',
    items: named('Joanna', 'Ann', 'Bob'),
    finds: {
      ann: ['Ann', 'Joanna'],
      o: ['Bob', 'Joanna'],
      Joannas: [],
      '': ['Ann', 'Bob', 'Joanna'],
    },
  },
  {
    name: 'search needs every word',
    rule: 'An item matches if it has every word, in any order.',
    items: named('Ann Lee', 'Ann', 'Lee'),
    finds: {
      'ann lee': ['Ann Lee'],
      'lee  ann': ['Ann Lee'],
      'ann lee bob': [],
      'ann ann': ['Ann', 'Ann Lee'],
    },
  },
  {
    name: 'search looks for words across fields',
    rule: 'Each word may be in another field. A missing field matches no word and hides none.',
    items: [{ name: 'Ann', note: 'London' }, { name: 'Ann Paris' }, { name: 'Bob', note: 'ann' }],
    finds: {
      'ann london': ['Ann'],
      'london ann': ['Ann'],
      'paris ann': ['Ann Paris'],
      ann: ['Ann', 'Ann Paris', 'Bob'],
    },
  },
  {
    name: 'search takes each field alone',
    rule: 'A word matches within one field, never across two. A missing field has no word.',
    items: [{ name: 'ab', note: 'cd' }, { name: 'x' }],
    finds: {
      bc: [],
      abcd: [],
      dab: [],
      null: [],
      undefined: [],
      'b c': ['ab'],
    },
  },
  {
    name: 'search looks into searchable fields only',
    rule: 'A search never reads a field that the resource does not declare searchable.',
    items: [{ name: 'a', owner_id: 'secret', rank: 12345, flag: true, data: { hidden: 'secret' } }],
    finds: {
      secret: [],
      '12345': [],
      true: [],
      hidden: [],
      a: ['a'],
    },
  },
  {
    name: 'search ignores case',
    rule: ignoresCase,
    items: named('Ann', 'BOB', 'eve'),
    finds: {
      ANN: ['Ann'],
      bob: ['BOB'],
      Eve: ['eve'],
    },
  },
  {
    name: 'search ignores case beyond ASCII',
    rule: ignoresCase,
    items: named('École', 'éclair', 'ЯБЛОКО', 'ñandú', 'Ångström', 'Łódź'),
    finds: {
      é: ['École', 'éclair'],
      É: ['École', 'éclair'],
      яблоко: ['ЯБЛОКО'],
      ÑANDÚ: ['ñandú'],
      å: ['Ångström'],
      łÓDŹ: ['Łódź'],
    },
  },
  {
    name: 'search takes every sigma for one',
    rule: 'A search ignores case for a letter with two lower cases too: Σ, σ and ς are one.',
    items: named('ΟΔΟΣ', 'οδος', 'οδοσ'),
    finds: {
      οδος: ['ΟΔΟΣ', 'οδος', 'οδοσ'],
      ΟΔΟΣ: ['ΟΔΟΣ', 'οδος', 'οδοσ'],
      οδοσ: ['ΟΔΟΣ', 'οδος', 'οδοσ'],
    },
  },
  {
    name: 'search takes ß for SS',
    rule: 'A search ignores case for a longer upper case too: Straße and STRASSE are one.',
    items: named('Straße', 'STRASSE', 'Strase'),
    finds: {
      straße: ['STRASSE', 'Straße'],
      STRASSE: ['STRASSE', 'Straße'],
      strasse: ['STRASSE', 'Straße'],
    },
  },
  {
    name: 'search tells accents apart',
    rule: 'A search ignores case and nothing else: letters with and without accents differ.',
    items: named('resume', 'résumé', 'cafe', 'naïve'),
    finds: {
      resume: ['resume'],
      résumé: ['résumé'],
      café: [],
      naive: [],
    },
  },
  {
    name: 'search tells emoji apart',
    rule: 'Characters beyond the first 65,536 differ from each other.',
    items: named('a 😀', 'b 😁', 'c 𠜎', 'd'),
    finds: {
      '😀': ['a 😀'],
      '😁': ['b 😁'],
      𠜎: ['c 𠜎'],
    },
  },
  {
    name: 'search takes wildcards as plain text',
    rule: isPlain,
    items: named('50%', '50 per cent', 'a_b', 'axb', '2*3', '223', 'why?', 'whyx'),
    finds: {
      '%': ['50%'],
      '5%': [],
      _: ['a_b'],
      a_b: ['a_b'],
      '*': ['2*3'],
      '2*3': ['2*3'],
      '?': ['why?'],
      'w%?': [],
    },
  },
  {
    name: 'search takes backslashes and quotes plainly',
    rule: isPlain,
    items: named('C:\\temp', 'C:temp', "O'Hara", 'OHara', '"so"', 'so', '`x`', '\\%'),
    finds: {
      '\\': ['C:\\temp', '\\%'],
      ':\\t': ['C:\\temp'],
      "'": ["O'Hara"],
      "o'h": ["O'Hara"],
      '"': ['"so"'],
      '`': ['`x`'],
      '\\%': ['\\%'],
      '\\_': [],
    },
  },
  {
    name: 'search takes patterns as plain text',
    rule: isPlain,
    items: named(...'a.c abc f(x) fx [ab] ^a$ a+ aa a|z $1 {2} /re/ # ! - & ~'.split(' ')),
    finds: {
      'a.c': ['a.c'],
      '.': ['a.c'],
      '(': ['f(x)'],
      ')': ['f(x)'],
      '[ab]': ['[ab]'],
      '[': ['[ab]'],
      '^': ['^a$'],
      $: ['$1', '^a$'],
      'a+': ['a+'],
      '|': ['a|z'],
      '{2}': ['{2}'],
      '/': ['/re/'],
      '#': ['#'],
      '!': ['!'],
      '-': ['-'],
      '&': ['&'],
      '~': ['~'],
    },
  },
  {
    name: 'search takes exclamation marks plainly',
    rule: isPlain,
    items: named('a!b', 'ab', 'a!!b', '!%', '50!', '!_'),
    finds: {
      '!': ['!%', '!_', '50!', 'a!!b', 'a!b'],
      '!!': ['a!!b'],
      'a!b': ['a!b'],
      '!%': ['!%'],
      '!_': ['!_'],
      '! %': ['!%'],
    },
  },
]

import { type Checks, checksOf, named } from './check.ts'
import type { NewSpecimen } from './specimens.ts'
import type { Tester } from './tester.ts'

interface Row {
  readonly rule: string
  readonly items: readonly NewSpecimen[]
  /** The names of the matching items for each search. */
  readonly finds: Readonly<Record<string, readonly string[]>>
}

const ignoresCase = 'A search ignores case in all of Unicode.'
const isPlain = 'A search takes its words as plain text, whatever they mean to a database.'

const rows: Readonly<Record<string, Row>> = {
  'search finds words inside text': {
    rule: 'A word matches anywhere in a searchable field.',
    items: named('Joanna', 'Ann', 'Bob'),
    finds: {
      ann: ['Ann', 'Joanna'],
      o: ['Bob', 'Joanna'],
      Joannas: [],
      '': ['Ann', 'Bob', 'Joanna'],
    },
  },
  'search needs every word': {
    rule: 'An item matches if it has every word, in any order.',
    items: named('Ann Lee', 'Ann', 'Lee'),
    finds: {
      'ann lee': ['Ann Lee'],
      'lee  ann': ['Ann Lee'],
      'ann lee bob': [],
      'ann ann': ['Ann', 'Ann Lee'],
    },
  },
  'search looks for words across fields': {
    rule: 'Each word may be in another field. A missing field matches no word and hides none.',
    items: [{ name: 'Ann', note: 'London' }, { name: 'Ann Paris' }, { name: 'Bob', note: 'ann' }],
    finds: {
      'ann london': ['Ann'],
      'london ann': ['Ann'],
      'paris ann': ['Ann Paris'],
      ann: ['Ann', 'Ann Paris', 'Bob'],
    },
  },
  'search takes each field alone': {
    rule: 'A word matches within one field, never across two. A missing field has no word.',
    items: [{ name: 'ab', note: 'cd' }, { name: 'x' }],
    finds: { bc: [], abcd: [], dab: [], null: [], undefined: [], 'b c': ['ab'] },
  },
  'search looks into searchable fields only': {
    rule: 'A search never reads a field that the resource does not declare searchable.',
    items: [{ name: 'a', owner_id: 'secret', rank: 12345, flag: true, data: { hidden: 'secret' } }],
    finds: { secret: [], '12345': [], true: [], hidden: [], a: ['a'] },
  },
  'search ignores case': {
    rule: ignoresCase,
    items: named('Ann', 'BOB', 'eve'),
    finds: { ANN: ['Ann'], bob: ['BOB'], Eve: ['eve'] },
  },
  'search ignores case beyond ASCII': {
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
  'search takes every sigma for one': {
    rule: 'A search ignores case for a letter with two lower cases too: Σ, σ and ς are one.',
    items: named('ΟΔΟΣ', 'οδος', 'οδοσ'),
    finds: {
      οδος: ['ΟΔΟΣ', 'οδος', 'οδοσ'],
      ΟΔΟΣ: ['ΟΔΟΣ', 'οδος', 'οδοσ'],
      οδοσ: ['ΟΔΟΣ', 'οδος', 'οδοσ'],
    },
  },
  'search takes ß for SS': {
    rule: 'A search ignores case for a longer upper case too: Straße and STRASSE are one.',
    items: named('Straße', 'STRASSE', 'Strase'),
    finds: {
      straße: ['STRASSE', 'Straße'],
      STRASSE: ['STRASSE', 'Straße'],
      strasse: ['STRASSE', 'Straße'],
    },
  },
  'search tells accents apart': {
    rule: 'A search ignores case and nothing else: letters with and without accents differ.',
    items: named('resume', 'résumé', 'cafe', 'naïve'),
    finds: { resume: ['resume'], résumé: ['résumé'], café: [], naive: [] },
  },
  'search tells emoji apart': {
    rule: 'Characters beyond the first 65,536 differ from each other.',
    items: named('a 😀', 'b 😁', 'c 𠜎', 'd'),
    finds: { '😀': ['a 😀'], '😁': ['b 😁'], 𠜎: ['c 𠜎'] },
  },
  'search takes wildcards as plain text': {
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
  'search takes backslashes and quotes plainly': {
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
  'search takes patterns as plain text': {
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
  'search takes exclamation marks plainly': {
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
}

/** Checks of searches. */
export const searchChecks: Checks = {
  ...checksOf(Object.entries(rows), ([name, { rule, items, finds }]) => [
    name,
    {
      rule,
      async test(tester) {
        await tester.createAll(items)
        for (const [q, names] of Object.entries(finds)) await ensureFinds(tester, q, names)
      },
    },
  ]),
  'search keeps order and limit': {
    rule: 'A search has the order and the limit of any list.',
    async test(tester) {
      const [, two, three] = await tester.createAll(named('ann 1', 'ann 2', 'ann 3'))
      await tester.createAll(named('bob 9'))
      await tester.expectList(
        { q: 'ann', sort: ['-name'], limit: 2 },
        [three, two].flatMap((item) => item ?? []),
      )
    },
  },
}

async function ensureFinds(tester: Tester, q: string, names: readonly string[]): Promise<void> {
  const result = (await tester.list({ q })).map(({ name }) => name)
  tester.assert(result.toSorted().join('\n') === names.toSorted().join('\n'), () => ({
    operation: { kind: 'list', q },
    result: `the names ${JSON.stringify(result)}`,
    expected: `the names ${JSON.stringify(names)}`,
  }))
}

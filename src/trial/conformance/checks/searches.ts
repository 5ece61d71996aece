import { type Checks, calls, checksOf, named, type QuestionRow, sortsIn } from '../check.ts'
import type { NewSpecimen } from '../specimens.ts'

const ignoresCase = 'A search ignores case in all of Unicode.'
const isPlain = 'A search takes its words as plain text, whatever they mean to a database.'

const searches: Readonly<Record<string, QuestionRow>> = {
  'search finds words inside text': [
    'A word matches anywhere in a searchable field.',
    'ann;o;Joannas;',
    named('Joanna', 'Ann', 'Bob'),
  ],
  'search needs every word': [
    'An item matches if it has every word, in any order.',
    'ann lee;lee  ann;ann lee bob;ann ann',
    named('Ann Lee', 'Ann', 'Lee'),
  ],
  'search looks for words across fields': [
    'Each word may be in another field. A missing field matches no word and hides none.',
    'ann london;london ann;paris ann;ann',
    [{ name: 'Ann', note: 'London' }, { name: 'Ann Paris' }, { name: 'Bob', note: 'ann' }],
  ],
  'search takes each field alone': [
    'A word matches within one field, never across two. A missing field has no word.',
    'bc;abcd;dab;null;undefined;b c',
    [{ name: 'ab', note: 'cd' }, { name: 'x' }],
  ],
  'search looks into searchable fields only': [
    'A search never reads a field that the resource does not declare searchable.',
    'secret;12345;true;hidden;a',
    [{ name: 'a', owner_id: 'secret', rank: 12345, flag: true, data: { hidden: 'secret' } }],
  ],
  'search ignores case': [ignoresCase, 'ANN;bob;Eve', named('Ann', 'BOB', 'eve')],
  'search ignores case beyond ASCII': [
    ignoresCase,
    'é;É;яблоко;ÑANDÚ;å;łÓDŹ',
    named('École', 'éclair', 'ЯБЛОКО', 'ñandú', 'Ångström', 'Łódź'),
  ],
  'search takes every sigma for one': [
    'A search ignores case for a letter with two lower cases too: Σ, σ and ς are one.',
    'οδος;ΟΔΟΣ;οδοσ',
    named('ΟΔΟΣ', 'οδος', 'οδοσ'),
  ],
  'search takes ß for SS': [
    'A search ignores case for a longer upper case too: Straße and STRASSE are one.',
    'straße;STRASSE;strasse',
    named('Straße', 'STRASSE', 'Strase'),
  ],
  'search tells accents apart': [
    'A search ignores case and nothing else: letters with and without accents differ.',
    'resume;résumé;café;naive',
    named('resume', 'résumé', 'cafe', 'naïve'),
  ],
  'search tells emoji apart': [
    'Characters beyond the first 65,536 differ from each other.',
    '😀;😁;𠜎',
    named('a 😀', 'b 😁', 'c 𠜎', 'd'),
  ],
  'search takes wildcards as plain text': [
    isPlain,
    '%;5%;_;a_b;*;2*3;?;w%?',
    named('50%', '50 per cent', 'a_b', 'axb', '2*3', '223', 'why?', 'whyx'),
  ],
  'search takes backslashes and quotes plainly': [
    isPlain,
    "\\;:\\t;';o'h;\";`;\\%;\\_",
    named('C:\\temp', 'C:temp', "O'Hara", 'OHara', '"so"', 'so', '`x`', '\\%'),
  ],
  'search takes patterns as plain text': [
    isPlain,
    'a.c;.;(;);[ab];[;^;$;a+;|;{2};/;#;!;-;&;~',
    named(...'a.c abc f(x) fx [ab] ^a$ a+ aa a|z $1 {2} /re/ # ! - & ~'.split(' ')),
  ],
  'search takes exclamation marks plainly': [
    isPlain,
    '!;!!;a!b;!%;!_;! %',
    named('a!b', 'ab', 'a!!b', '!%', '50!', '!_'),
  ],
}

/** Checks of searches. */
export const searchChecks: Checks = {
  ...checksOf(Object.entries(searches), ([name, [rule, finds, items]]) => [
    name,
    { rule, items, ask: () => finds.split(';').map((q) => calls.list({ q })) },
  ]),
  'search keeps order and limit': {
    rule: 'A search has the order and the limit of any list.',
    items: named('ann 1', 'ann 2', 'ann 3', 'bob 9'),
    ask: () => [calls.list({ q: 'ann', sort: ['-name'], limit: 2 })],
  },
}

const mixed: readonly NewSpecimen[] = [
  { name: 'b', rank: 2 },
  { name: 'B', rank: 10, note: 'x' },
  { name: 'é', rank: 2, note: '' },
  { name: 'a', note: 'x' },
  { name: 'z', rank: 9, flag: true },
  { name: 'z', flag: false },
]
const orderings = sortsIn('|name|-name|rank|-rank|note,-rank|-flag,name|-id')
const owned = (owner_id: string, ...names: readonly string[]) =>
  names.map((name) => ({ name, owner_id }))

/** Checks of `first`, `last` and `count`, for adapters that do not leave them to the core. */
export const derivedChecks: Checks = {
  ...endChecks('first'),
  ...endChecks('last'),
  'count gives how many there are': {
    rule: '`count` gives the length of the list as a number.',
    needs: ['count', 'create'],
    ask: () => [{ kind: 'count' }, ...mixed.map(calls.create), { kind: 'count' }],
  },
  'count honours the search': {
    rule: '`count` counts each matching item once, in all searchable fields.',
    needs: ['count', 'create'],
    items: [{ name: 'ann', note: 'ann' }, { name: 'bob', note: 'Ann' }, { name: 'eve' }],
    ask: () => ['ann', 'ann bob', 'zoe'].map((q) => ({ kind: 'count', q })),
  },
  'count honours search and scope together': {
    rule: '`count` counts the matching items of the scope.',
    needs: ['count', 'create'],
    items: [...owned('a', 'ann', 'bob ann', 'eve'), ...owned('b', 'ann', 'ann', 'ann', 'eve')],
    ask: () => [{ kind: 'count', q: 'ann', scope: { owner_id: 'a' } }],
  },
  'count follows deletions': {
    rule: '`count` leaves out deleted items.',
    needs: ['count', 'create', 'delete'],
    items: named('a', 'b'),
    ask: (_, first) => [calls.delete(first), { kind: 'count' }],
  },
}

function endChecks(kind: 'first' | 'last'): Checks {
  const needs = ['create', kind] as const
  return {
    [`${kind} gives the ${kind} of the list`]: {
      rule: `\`${kind}\` gives the ${kind} item of the sorted list, at ties or missing values too.`,
      needs,
      items: mixed,
      ask: () => orderings.map((sort) => ({ kind, sort })),
    },
    [`${kind} honours the search`]: {
      rule: `\`${kind}\` gives the ${kind} of the matching items.`,
      needs,
      items: named('b ann', 'c ann', 'a bob', 'd bob'),
      ask: () => [{ kind, q: 'ann', sort: ['name'] }],
    },
    [`${kind} gives null without a match`]: {
      rule: 'An empty collection and a search without a match have neither first nor last item.',
      needs,
      ask: () => [{ kind, sort: ['-name'] }, calls.create({ name: 'ann' }), { kind, q: 'bob' }],
    },
  }
}

import type { Comparison, Condition, FilterValue } from '../../convention/filter-operators.ts'
import { named } from './check.ts'
import { conditionOn } from './operation-input.ts'
import type { NewSpecimen } from './specimens.ts'

/** Conditions that hold together, and the names of the items that meet them. */
export type Find = readonly [where: readonly Condition[], names: readonly string[]]

/** A check of filters over some items. */
export interface FilterRow {
  readonly rule: string
  readonly items: readonly NewSpecimen[]
  readonly finds: readonly Find[]
}

/** Makes a row of one condition. */
export function find(
  field: string,
  is: Comparison,
  values: readonly FilterValue[],
  names: readonly string[],
): Find {
  return [[conditionOn(field, is, values)], names]
}

const isPlain = 'A filter takes its text as it is, whatever it means to a database.'
const wild = '%|%%|_|a_b|axb|50%|5|\\|\\%|a\\b|*|a*|[ab]|^a|a$|!|!%|!!|\'|"|?|(|.|.*|#|-'.split('|')

/** Returns the texts that have a part, with case ignored. */
function having(part: string, has: (text: string, part: string) => boolean): readonly string[] {
  return wild.filter((text) => has(text, part))
}

/** The checks of filters by a part of a text. */
export const filterPartRows: Readonly<Record<string, FilterRow>> = {
  'filters find parts of text': {
    rule: '`contains`, `startsWith` and `endsWith` find a part anywhere, at the start, at the end.',
    items: [{ name: 'abc', note: 'cab' }, { name: 'bca', note: '' }, { name: 'cab abc' }],
    finds: [
      find('name', 'contains', ['bc'], ['abc', 'bca', 'cab abc']),
      find('name', 'contains', ['b a'], ['cab abc']),
      find('name', 'contains', [' '], ['cab abc']),
      find('name', 'startsWith', ['ab'], ['abc']),
      find('name', 'startsWith', ['abcd'], []),
      find('name', 'endsWith', ['ca'], ['bca']),
      find('name', 'endsWith', ['abc'], ['abc', 'cab abc']),
      find('note', 'contains', ['a'], ['abc']),
      find('note', 'startsWith', ['b'], []),
    ],
  },
  'parts of text ignore case': {
    rule: 'A part ignores case in all of Unicode, as a search does, and nothing else.',
    items: named('École', 'ecole', 'ΟΔΟΣ', 'οδος', 'Straße', 'STRASSE', 'ЯБЛОКО', 'a😀', 'a😁'),
    finds: [
      find('name', 'startsWith', ['éCO'], ['École']),
      find('name', 'contains', ['COL'], ['École', 'ecole']),
      find('name', 'endsWith', ['ος'], ['ΟΔΟΣ', 'οδος']),
      find('name', 'endsWith', ['ΔΟσ'], ['ΟΔΟΣ', 'οδος']),
      find('name', 'contains', ['ass'], ['Straße', 'STRASSE']),
      find('name', 'endsWith', ['ße'], ['Straße', 'STRASSE']),
      find('name', 'startsWith', ['ябл'], ['ЯБЛОКО']),
      find('name', 'endsWith', ['😀'], ['a😀']),
    ],
  },
  'parts of text are plain text': {
    rule: isPlain,
    items: named(...wild),
    finds: wild.flatMap((part): readonly Find[] => [
      find(
        'name',
        'contains',
        [part],
        having(part, (text) => text.includes(part)),
      ),
      find(
        'name',
        'startsWith',
        [part],
        having(part, (text) => text.startsWith(part)),
      ),
      find(
        'name',
        'endsWith',
        [part],
        having(part, (text) => text.endsWith(part)),
      ),
    ]),
  },
  'parts of text keep their spaces': {
    rule: 'A part matches with its spaces, at its ends too.',
    items: named('a b', 'ab', ' a', 'a ', 'a\tb'),
    finds: [
      find('name', 'startsWith', [' '], [' a']),
      find('name', 'endsWith', ['a '], ['a ']),
      find('name', 'contains', ['a b'], ['a b']),
      find('name', 'endsWith', ['a'], [' a']),
    ],
  },
}

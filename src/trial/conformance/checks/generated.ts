import { type Filter, filterPathOf, filtersOf } from '../../../contract/schema/filter.ts'
import {
  type Condition,
  type FilterValue,
  filterOperators,
} from '../../../convention/filter-operators.ts'
import { fieldOf } from '../../../convention/value.ts'
import { type CheckDefinition, type Checks, calls, checksOf } from '../check.ts'
import { conditionOn, type ListInput, type OperationInput } from '../operation.ts'
import { type NewSpecimen, type Specimen, specimens } from '../specimens.ts'

/** Returns one of some values. The same seed gives the same values. */
type Draw = <Value>(values: readonly Value[]) => Value

// The mulberry32 generator: a new run finds the same failure.
function drawFrom(seed: number): Draw {
  let state = seed
  return (values) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    const drawn = values[((mixed ^ (mixed >>> 14)) >>> 0) % values.length]
    if (drawn === undefined) throw new TypeError('There is no value to draw.')
    return drawn
  }
}

const letters = [...'aAbéÉßsSσς01 %_\\!\'"～', ...['😀', '😁', 'e\u0301']]
const numbers = [-1e21, -9, -0.5, 0, 0.1, 0.3, 0.1 + 0.2, 1, 2, 9, 10, 2 ** 53 - 1]
const sorts = ['', 'name', '-note,rank', 'flag,-name', '-rank', '-id']

const groups = ['filters of members', 'filters of lists'] as const

// Of the filters on fields with one value without a group.
function filtersIn(group?: (typeof groups)[number]): readonly Filter[] {
  const groupOf = ({ name, isList }: Filter['field']) =>
    isList ? groups[1] : filterPathOf(name).member === undefined ? undefined : groups[0]
  return [...filtersOf(specimens).values()].filter(({ field }) => groupOf(field) === group)
}

const plainFilters = filtersIn()

function text(draw: Draw, lengths: readonly number[]): string {
  return Array.from({ length: draw(lengths) }, () => draw(letters)).join('')
}

function newItem(draw: Draw): NewSpecimen {
  const optional = {
    note: text(draw, [0, 1, 1, 2]),
    rank: draw(numbers),
    flag: draw([true, false]),
    owner_id: draw(['a', 'b', 'A']),
  }
  const entries = Object.entries(optional).filter(() => draw([true, true, false]))
  return { ...Object.fromEntries(entries), name: text(draw, [0, 1, 1, 2, 3]) }
}

function nestedItem(draw: Draw): NewSpecimen {
  const members = {
    name: draw([text(draw, [0, 1, 1, 2]), text(draw, [1, 2]), null, 1, true, {}]),
    rank: draw([draw(numbers), draw(numbers), null, '1', []]),
    flag: draw([true, false, null, 1, 'true']),
  }
  const data = Object.fromEntries(Object.entries(members).filter(() => draw([true, true, false])))
  const tags = Array.from({ length: draw([0, 1, 2, 3]) }, () => text(draw, [0, 1, 1, 2]))
  const optional = Object.entries({ data, tags }).filter(() => draw([true, true, true, false]))
  return { ...newItem(draw), ...Object.fromEntries(optional) }
}

// The value of a field or a member of its object; of a list, its elements.
function storedIn(item: Specimen, name: string): readonly unknown[] {
  const { field, member } = filterPathOf(name)
  const value = fieldOf(item, field)
  return member === undefined ? [value].flat() : [fieldOf(Object(value), member)]
}

/** Draws a value of a field: that of an item, or another. */
function value(draw: Draw, field: string, items: readonly Specimen[]): FilterValue {
  const { type } = conditionOn(field, 'in')
  if (type === 'boolean') return draw([true, false])
  const stored = items.flatMap((item) => storedIn(item, field))
  if (type === 'number')
    return draw([...stored.filter((candidate) => typeof candidate === 'number'), ...numbers])
  const texts = stored.filter((candidate) => typeof candidate === 'string')
  return draw([...texts, ...texts, text(draw, [0, 1, 2])])
}

function condition(
  draw: Draw,
  items: readonly Specimen[],
  filters: readonly Filter[] = plainFilters,
): Condition {
  const { field, operator } = draw(filters)
  const { is, takes, repeats } = filterOperators[operator]
  if (typeof is === 'object') return conditionOn(field.name, draw(is))
  if (takes === 'text') return conditionOn(field.name, is, [text(draw, [1, 1, 2])])
  const length = repeats ? draw([1, 2, 3, 9]) : 1
  const values = Array.from({ length }, () => value(draw, field.name, items))
  return conditionOn(field.name, is, values)
}

function query(
  draw: Draw,
  items: readonly Specimen[],
  filters: readonly Filter[] = plainFilters,
): ListInput {
  return {
    scope: draw([{}, {}, { owner_id: 'a' }]),
    q: draw(['', '', '', draw(letters)]),
    where: Array.from({ length: draw([1, 1, 2, 3]) }, () => condition(draw, items, filters)),
    sort: draw(sorts).split(',').filter(Boolean),
    limit: draw([0, 0, 1, 5]) || undefined,
    after: draw([true, false, false]) ? draw(items) : undefined,
  }
}

// One moment in several forms, and moments beside it.
const spellings = [
  ...['2024-02-29T12:00:00.000Z', '2024-02-29T12:00:00Z', '2024-02-29T13:00:00.0+01:00'],
  ...['2024-02-29T12:00:00.001Z', '2024-02-29T11:59:59.999Z', '2024-02-28T23:30:00-12:30'],
  ...['0001-01-01T00:00:00.000Z', '1969-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
]
const momentComparisons = ['in', 'notIn', 'gt', 'gte', 'lt', 'lte', 'missing', 'present'] as const

// The core stores moments in one form. A client filters in any form.
function momentItem(draw: Draw, index: number): NewSpecimen {
  const note = new Date(draw(spellings)).toISOString()
  return { name: `${index}`, ...(draw([true, true, true, false]) ? { note } : {}) }
}

function momentCondition(draw: Draw): Condition {
  const is = draw(momentComparisons)
  const lengths = is === 'in' || is === 'notIn' ? [1, 2, 3] : [1]
  const isTest = is === 'missing' || is === 'present'
  const values = Array.from({ length: isTest ? 0 : draw(lengths) }, () => draw(spellings))
  return { ...conditionOn('note', is, values), type: 'date-time' }
}

/** Checks of filters on items and conditions that a fixed seed generates. */
export const generatedChecks: Checks = {
  'filters agree with the core': {
    rule: 'A list has the items that meet generated conditions, in order, as the core tells.',
    ...generating(0, 250, {
      items: (draw) => Array.from({ length: 50 }, () => newItem(draw)),
      round: (draw, all) => calls.list(query(draw, all)),
    }),
  },
  ...checksOf(groups, (group) => [
    `${group} agree with the core`,
    {
      rule: 'A list has the items whose nested values meet conditions, as the core tells.',
      group,
      ...generating(4, 200, {
        items: (draw) => Array.from({ length: 40 }, () => nestedItem(draw)),
        round: (draw, all) => calls.list(query(draw, all, filtersIn(group))),
      }),
    },
  ]),
  'filters compare moments as the core': {
    rule: 'A filter of a `date-time` compares moments, whatever offset and fraction they have.',
    ...generating(2, 100, {
      items: (draw) => Array.from({ length: 40 }, (_, index) => momentItem(draw, index)),
      round: (draw) =>
        calls.list({
          where: Array.from({ length: draw([1, 1, 2]) }, () => momentCondition(draw)),
          sort: draw([['note'], ['-note', 'name'], []]),
        }),
    }),
  },
  'count agrees with the core': {
    rule: '`count` counts the items that meet generated conditions, as the core tells.',
    needs: ['count', 'create'],
    ...generating(1, 100, {
      items: (draw) => Array.from({ length: 50 }, () => newItem(draw)),
      round(draw, all) {
        const { sort, limit, after, ...input } = query(draw, all)
        return { kind: 'count', ...input }
      },
    }),
  },
  'groups agree with the core': {
    rule:
      '`countBy` counts the items that meet generated conditions by their values, as the core ' +
      'tells.',
    needs: ['countBy', 'create'],
    ...generating(3, 150, {
      items: (draw) => Array.from({ length: 50 }, () => newItem(draw)),
      round(draw, all) {
        const { scope = {}, where = [] } = query(draw, all)
        const [first, second] = [draw(grouped), draw(grouped)]
        const by = first === second ? [first] : [first, second]
        return { kind: 'count', scope, where: draw([where, []]), by }
      },
    }),
  },
}

const grouped = ['name', 'note', 'rank', 'flag', 'owner_id'] as const

interface Generator {
  readonly items: (draw: Draw) => readonly NewSpecimen[]
  readonly round: (draw: Draw, all: readonly Specimen[]) => OperationInput
}

// A new run draws the same items and rounds.
function generating(
  offset: number,
  rounds: number,
  { items, round }: Generator,
): Pick<CheckDefinition, 'items' | 'ask'> {
  const drawItems = () => {
    const draw = drawFrom(20 + offset)
    return { draw, drawn: items(draw) }
  }
  return {
    items: drawItems().drawn,
    ask(all) {
      const { draw } = drawItems()
      return Array.from({ length: rounds }, () => round(draw, all))
    },
  }
}

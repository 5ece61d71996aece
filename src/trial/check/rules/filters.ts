import { compareValues } from '../../../contract/values/order.ts'
import { foldCase } from '../../../contract/values/search.ts'
import type { FilterOperator, FilterValue } from '../../../convention/filter-operators.ts'
import { isUuid } from '../../../convention/format.ts'
import { skip } from '../expect.ts'
import { expectFiltered, filtersWith, queryOf, sendableValues } from '../filtered.ts'
import { defineRules, type UnnamedRule } from '../rule.ts'

const ranges = ['gt', 'gte', 'lt', 'lte'] as const
const parts = ['contains', 'startsWith', 'endsWith'] as const

/** Rules about the items that filters give. */
export const filterRules = defineRules(['items', 'filters', 'some'], {
  'filter-equal': operatorRule('"f=v" gives exactly the items that have the value.', {
    operators: ['eq'],
    valuesFrom: (values) => values.slice(0, 3).map((value) => [value]),
  }),
  'filter-any': operatorRule('"f=v&f=w" gives the items that have any of the values.', {
    operators: ['eq'],
    valuesFrom: (values) => (values.length > 1 ? [values.slice(0, 2), values.slice(0, 3)] : []),
  }),
  'filter-exact': {
    text: 'Text in "f=v" is exact: its case counts.',
    async run(collection) {
      let isTried = false
      for (const filter of filtersWith(collection, ['eq'])) {
        const value = sendableValues(collection, filter.field).map(swapped).find(isText)
        if (value === undefined) continue
        const filled = [{ filter, values: [value] }]
        // An enum takes no other value.
        const { status } = await collection.send('GET', `${collection.path}?${queryOf(filled)}`)
        if (status === 400) continue
        isTried = true
        await expectFiltered(collection, filled)
      }
      if (!isTried) skip(noValue)
    },
  },
  'filter-unequal': operatorRule(
    '"f:ne=v" gives exactly the items that "f=v" leaves out, without a value too.',
    { operators: ['ne'], valuesFrom: (values) => [values.slice(0, 1), values.slice(0, 2)] },
  ),
  'filter-null': operatorRule(
    '"f:null=true" gives the items without a value, "f:null=false" the others.',
    { operators: ['null'], valuesFrom: () => [[true], [false]] },
  ),
  'filter-range': operatorRule(
    'A range gives exactly the items within it. None without a value is within.',
    {
      operators: ranges,
      valuesFrom: (values) => {
        const sorted = values.toSorted(compareValues)
        const middle = sorted[Math.floor((sorted.length - 1) / 2)]
        return [...new Set([sorted[0], middle, sorted.at(-1)])].flatMap(alone)
      },
    },
  ),
  'filter-part': operatorRule(
    '"f:contains", "f:startsWith" and "f:endsWith" find a part of a text, ignoring case.',
    {
      operators: parts,
      valuesFrom: (values) => values.filter(isText).flatMap(partsOf),
    },
  ),
  'filter-literal': operatorRule(
    'In a part of a text the characters % _ * . and quotes are plain text.',
    {
      operators: parts,
      valuesFrom: () => ['%', '_', '*', '.', "'", '"', '%%', '\\'].map((text) => [text]),
    },
  ),
})

const noValue = 'No item has a value to filter by.'
const maxValues = 8

interface Trials {
  readonly operators: readonly FilterOperator[]
  /** Makes the values of each request from those of the field. */
  readonly valuesFrom: (values: readonly FilterValue[]) => readonly (readonly FilterValue[])[]
}

function operatorRule(text: string, { operators, valuesFrom }: Trials): UnnamedRule {
  return {
    text,
    async run(collection) {
      let isTried = false
      const withId = operators.some((operator) => operator !== 'eq' && operator !== 'ne')
      for (const filter of filtersWith(collection, operators, withId)) {
        const given = sendableValues(collection, filter.field)
        for (const values of valuesFrom(given).slice(0, maxValues)) {
          if (values.length === 0) continue
          isTried = true
          await expectFiltered(collection, [{ filter, values }])
        }
      }
      if (!isTried) skip(operators.length === 1 ? noValue : 'OPTIONS names no such filter.')
    },
  }
}

function alone(value: FilterValue | undefined): readonly (readonly FilterValue[])[] {
  return value === undefined ? [] : [[value]]
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

// Not the case of UUIDs: a database may ignore it.
function swapped(value: FilterValue): string | undefined {
  if (typeof value !== 'string' || isUuid(value)) return undefined
  const other = withOtherCase(value)
  return other === value ? undefined : other
}

function withOtherCase(text: string): string {
  return text.replace(/[a-z]+|[A-Z]+/g, (letters) =>
    letters === letters.toLowerCase() ? letters.toUpperCase() : letters.toLowerCase(),
  )
}

// The start, the middle and the end, in the other case unless folding keeps both apart.
function partsOf(text: string): readonly (readonly FilterValue[])[] {
  const characters = [...text]
  const length = Math.max(1, Math.floor(characters.length / 2))
  const bounds = [[0, length], [1, -1], [-length]]
  return bounds.flatMap((ends) => {
    const part = characters.slice(...ends).join('')
    const other = withOtherCase(part)
    return part === '' ? [] : [[foldCase(other) === foldCase(part) ? other : part]]
  })
}

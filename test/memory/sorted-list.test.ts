import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSortedList } from '../../src/memory/orders.ts'

interface Box {
  readonly value: number
}

const numberOf = (box: object): number => (box as Box).value
const compare = (one: object, other: object): number => numberOf(one) - numberOf(other)
const ascending = (one: number, other: number): number => one - other

describe('a sorted list', () => {
  test('equals the sorted values', () => {
    const numbers = fc.integer({ min: 0, max: 3000 })
    const some = fc.uniqueArray(numbers, { maxLength: 1500, size: 'max' })
    fc.assert(
      fc.property(
        some,
        fc.array(numbers, { maxLength: 3000, size: 'max' }),
        numbers,
        (start, toggled, position) => {
          const boxes = new Map(start.map((value) => [value, { value }]))
          const sorted = createSortedList([...boxes.values()].sort(compare), compare)
          for (const value of toggled) {
            const box = boxes.get(value)
            if (box) sorted.remove(box)
            else sorted.add({ value })
            if (box) boxes.delete(value)
            else boxes.set(value, { value })
          }
          const values = [...boxes.keys()].sort(ascending)
          const all = (walk: Iterable<object>): number[] => [...walk].map(numberOf)
          expect(all(sorted.after(undefined))).toEqual(values)
          expect(all(sorted.before(undefined))).toEqual(values.toReversed())
          const beyond = values.filter((value) => value > position)
          expect(all(sorted.after({ value: position }))).toEqual(beyond)
          const below = values.filter((value) => value < position)
          expect(all(sorted.before({ value: position }))).toEqual(below.toReversed())
        },
      ),
      { numRuns: 60 },
    )
  })

  test('stays sorted past the size of a block', () => {
    const sorted = createSortedList<Box>([], compare)
    for (let value = 5000; value > 0; value--) sorted.add({ value })
    const first = Array.from({ length: 5000 }, (_, index) => index + 1)
    expect([...sorted.after(undefined)].map(numberOf)).toEqual(first)
    for (let value = 1; value <= 5000; value++) sorted.remove({ value })
    expect([...sorted.after(undefined)]).toEqual([])
  })

  test('leaves its values alone when another is removed', () => {
    const sorted = createSortedList<Box>([{ value: 1 }, { value: 3 }], compare)
    sorted.remove({ value: 2 })
    sorted.remove({ value: 4 })
    expect([...sorted.after(undefined)].map(numberOf)).toEqual([1, 3])
  })
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nearestTo } from '../../src/convention/nearest.ts'

const names = ['name', 'email', 'birthdate', 'created_at', 'readOnly', 'sortable', 'a', 'id']

// biome-ignore format: a row stays a line
const rows: [name: string, nearest: string | undefined][] = [
  ['name',        'name'],
  ['nmae',        'name'],
  ['nam',         'name'],
  ['names',       'name'],
  ['birthday',    'birthdate'],
  ['created-at',  'created_at'],
  ['createdAt',   'created_at'],
  ['READ_ONLY',   'readOnly'],
  ['sort',        'sortable'],
  ['bitrhdaet',   'birthdate'],
  ['limea',       'email'],
  ['b',           'a'],
  ['',            'a'],
  ['zzzzz',       undefined],
  ['x'.repeat(64), undefined],
  [`name${'x'.repeat(61)}`, undefined],
]

test.each(rows)('%j is nearest to %j', (name, nearest) => {
  expect(nearestTo(name, names)).toBe(nearest)
})

test('many names have no nearest one', () => {
  const many = Array.from({ length: 1_001 }, (_, index) => `name${index}`)
  expect(nearestTo('name7', many.slice(1))).toBe('name7')
  expect(nearestTo('name7', many)).toBeUndefined()
})

// Levenshtein's distance by its definition.
function distanceOf(name: string, candidate: string): number {
  if (name === '' || candidate === '') return name.length + candidate.length
  const [tail, candidateTail] = [name.slice(1), candidate.slice(1)]
  if (name[0] === candidate[0]) return distanceOf(tail, candidateTail)
  return (
    1 +
    Math.min(
      distanceOf(tail, candidate),
      distanceOf(name, candidateTail),
      distanceOf(tail, candidateTail),
    )
  )
}

test('the nearest name has the least distance', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(word, fc.array(word, { minLength: 1, maxLength: 6 }), (name, candidates) => {
      const distances = candidates.map((candidate) => distanceOf(name, candidate))
      const least = Math.min(...distances)
      const isNear = least <= Math.max(1, name.length / 3)
      if (isNear) expect(nearestTo(name, candidates)).toBe(candidates[distances.indexOf(least)])
    }),
  )
})

test('declared names beyond 10,000 are folded anew', () => {
  const namesOf = (start: number) =>
    Array.from({ length: 1_000 }, (_, index) => `field_${start + index}`)
  for (let start = 0; start <= 10_000; start += 1_000) {
    expect(nearestTo(`field_${start}`, namesOf(start))).toBe(`field_${start}`)
  }
})

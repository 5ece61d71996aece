import { defineResource, defineView, type Resource } from 'nounful'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const text = z.string()
const Home = z.object({ city: text, zip: text, floor: z.int() })
const Person = z.object({
  id: text,
  name: text,
  team: text,
  grade: z.enum(['a', 'b']),
  tags: z.array(text),
  home: Home.optional(),
})
const declaration = {
  schema: Person,
  create: Person,
  sortable: ['name'],
  folded: ['name'],
  filterable: ['grade', 'tags', 'home.city', 'home.floor'],
  countable: ['team', 'grade'],
} as const

function peopleOf(declared: object = {}): Resource {
  return Reflect.apply(defineResource, undefined, ['people', { ...declaration, ...declared }])
}

/** Shows people, with other fields for some of theirs. */
function viewOf(shape: object, declared: object = {}, people = peopleOf()): Resource {
  const shown = Person.extend(shape as z.ZodRawShape)
  const options = { schema: shown, create: shown, ...declared }
  return Reflect.apply(defineView, undefined, ['people_v1', people, options])
}

const filtersOf = ({ filterable }: Resource) => filterable.map(({ name, type }) => [name, type])

describe('a view filters by', () => {
  test('what its resource filters by', () => {
    expect(filtersOf(viewOf({}))).toEqual([
      ['grade', 'text'],
      ['tags', 'text'],
      ['home.city', 'text'],
      ['home.floor', 'integer'],
    ])
  })

  test('the members that its object has', () => {
    const view = viewOf({ home: Home.omit({ floor: true }).optional() })
    expect(filtersOf(view)).toEqual([
      ['grade', 'text'],
      ['tags', 'text'],
      ['home.city', 'text'],
    ])
  })

  test('no member of an object that it shows under another name', () => {
    const house = Person.omit({ home: true }).extend({ house: Home.optional() })
    const view = viewOf({}, { schema: house, create: house, fields: { house: 'home' } })
    expect(filtersOf(view)).toEqual([
      ['grade', 'text'],
      ['tags', 'text'],
    ])
  })

  test('another type where its values have one', () => {
    const fields = { grade: { of: 'grade', values: { a: true, b: false } } }
    expect(filtersOf(viewOf({ grade: z.boolean() }, { fields }))[0]).toEqual(['grade', 'boolean'])
  })

  test('the type that its resource tells for a schema without one', () => {
    const untold = { name: z.custom<string>() }
    const of = peopleOf({ schema: Person.extend(untold), filterable: { name: 'text' } })
    expect(filtersOf(viewOf(untold, {}, of))).toEqual([['name', 'text']])
  })

  test('no list that it shows in another form', () => {
    const fields = { tags: { of: 'tags', absent: 'none' } }
    expect(filtersOf(viewOf({}, { fields })).map(([name]) => name)).not.toContain('tags')
  })
})

describe('a view counts by', () => {
  test('the fields whose sources its resource counts by', () => {
    expect(viewOf({}).countable).toEqual(['team', 'grade'])
  })

  test('a field made of two of them, but of no other', () => {
    const both = { join: ['team', 'grade'], split: 'last' }
    const mixed = { join: ['team', 'name'], split: 'last' }
    const fields = { both, mixed, kind: { always: 'k' } }
    const shape = { both: text, mixed: text, kind: text }
    expect(viewOf(shape, { fields, readOnly: ['both', 'mixed', 'kind'] }).countable).toEqual([
      'team',
      'grade',
      'both',
    ])
  })

  test('no object', () => {
    const Moved = z.object({ city: text })
    const fields = { team: { of: 'team', read: (city: string) => ({ city }), write: String } }
    expect(viewOf({ team: Moved }, { fields }).countable).toEqual(['grade'])
  })
})

test('a view sorts by its id, if it says so', () => {
  expect(viewOf({}, { sortable: ['id'] }).sortable).toEqual(['id'])
})

describe('a view is refused that', () => {
  test.each([
    [{ countable: ['name'] }, 'counts by "name": add "name" to "countable" of "people"'],
    [
      { filterable: ['home.zip'] },
      'filters by "home.zip": add "home.zip" to "filterable" of "people"',
    ],
    [
      { filterable: ['home.city'], fields: { home: { of: 'home', read: Object, write: Object } } },
      'filters by "home.city": show "home" as it is stored, or leave it out',
    ],
    [
      { filterable: ['tags'], fields: { tags: { of: 'tags', absent: 'none' } } },
      'filters by "tags", which is made of tags: store "tags" as a field of its own, or leave it',
    ],
    [{ sortable: ['team'], folded: ['team'] }, 'folds "team": add "team" to "folded" of "people"'],
    [
      { maxLimit: 5, defaultLimit: 20 },
      'has a "defaultLimit" of 20: use a whole number from 1 to 5',
    ],
  ])('%o', (declared, message) => {
    expect(() => viewOf({}, declared, peopleOf({ sortable: ['name', 'team'] }))).toThrow(message)
  })
})

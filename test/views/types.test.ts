import { defineResource, defineView } from 'nounful'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const text = z.string()
const Person = z.object({
  id: text,
  full_name: text,
  state: z.enum(['active', 'left', 'archived']),
  cents: z.int(),
  email: text.nullable(),
  city: text,
})
const people = defineResource('people', {
  schema: Person,
  plural: true,
  create: Person.omit({ id: true }),
  sortable: ['full_name'],
})
const Shown = z.object({ id: text, name: text, active: z.boolean() })
const usual = { schema: Shown, create: Shown.omit({ id: true }), plural: true } as const
const active = { of: 'state', values: { active: true, left: false, archived: false } } as const
const values = { active: true, left: false } as const
const fields = { name: 'full_name', active } as const
const hidden = { cents: 0, email: null, city: '' }
const misspelt = { name: 'fulname', active } as const
const byCity = { ...usual, fields: { name: 'city', active }, sortable: ['name'] } as const
const unseen = { cents: 0, email: null, full_name: '' }
const initial = { of: 'full_name', read: (name: string) => name.slice(0, 1) } as const
const joined = { join: ['full_name', 'city'], split: 'last' } as const
const byBoth = { ...usual, fields: { name: joined, active }, sortable: ['name'] } as const
const few = { cents: 0, email: null }
const filtered = { fields: { name: joined, active }, filterable: ['name'] } as const
const cased = { of: 'full_name', read: String, write: String } as const
const searched = { fields: { name: cased, active }, searchable: ['name'] } as const
const onlyRead = {
  ...usual,
  create: usual.create.omit({ name: true }),
  readOnly: ['name'],
} as const

// No line after "@ts-expect-error" compiles. With `undefined`, it is for the compiler alone.
const wrong: readonly (readonly [name: string, define: () => unknown, message?: string])[] = [
  [
    'a field without a link',
    // @ts-expect-error
    () => defineView('people_v1', people, { ...usual, fields: { name: 'full_name' }, hidden }),
    'says nothing of "active"',
  ],
  [
    'no links',
    // @ts-expect-error
    () => defineView('people_v1', people, { ...usual, hidden }),
    'says nothing of "name"',
  ],
  [
    'a misspelt source',
    // @ts-expect-error
    () => defineView('people_v1', people, { ...usual, fields: misspelt, hidden }),
    'write "full_name" if that is meant',
  ],
  [
    'a source of another type',
    // @ts-expect-error
    () => defineView('people_v1', people, { ...usual, fields: { name: 'cents', active }, hidden }),
    'hides "cents", and shows it',
  ],
  [
    'a link of no field',
    // @ts-expect-error
    () => defineView('people_v1', people, { ...usual, fields: { ...fields, nam: 'city' }, hidden }),
    'links "nam", which is no field',
  ],
  [
    'a hidden field without a value',
    // @ts-expect-error
    () => defineView('people_v1', people, { ...usual, fields, hidden: { cents: 0, email: null } }),
    'hides "city", which new items need',
  ],
  [
    'a hidden field with another value',
    // @ts-expect-error
    () => defineView('people_v1', people, { ...usual, fields, hidden: { ...hidden, cents: 'x' } }),
    'hides "cents" with "x", which "create" of "people" refuses',
  ],
  [
    'an incomplete table',
    () =>
      // @ts-expect-error
      defineView('p', people, { ...usual, fields: { ...fields, active: { of: 'state', values } } }),
    'hides "cents"',
  ],
  [
    'another id',
    // @ts-expect-error
    () => defineView('people_v1', people, { ...usual, fields: { ...fields, id: 'city' }, hidden }),
    'shows another "id"',
  ],
  [
    'a sort that no store has',
    // @ts-expect-error
    () => defineView('people_v1', people, { ...byBoth, hidden: few }),
    'by which no store orders',
  ],
  [
    'a sort that the resource has not',
    // @ts-expect-error
    () => defineView('people_v1', people, { ...byCity, hidden: unseen }),
    'add "city" to "sortable"',
  ],
  [
    'a filter by a field that no store compares',
    // @ts-expect-error
    () => defineView('people_v1', people, { ...usual, ...filtered, hidden: few }),
    'filters by "name", which is made of full_name and city',
  ],
  [
    'a search in a field that no store holds',
    // @ts-expect-error
    () => defineView('people_v1', people, { ...usual, ...searched, hidden }),
    'searches in "name", which holds other words than full_name',
  ],
  [
    'a field that is only read without a value for new items',
    // @ts-expect-error
    () => defineView('people_v1', people, { ...onlyRead, fields, hidden }),
    'only reads "full_name", which new items need',
  ],
  [
    'a computed field that clients may write',
    // @ts-expect-error
    () => defineView('people_v1', people, { ...usual, fields: { name: initial, active }, hidden }),
    'name "name" in "readOnly"',
  ],
]

describe('the compiler refuses', () => {
  test.each(wrong)('%s', (_, define, message) => {
    if (message === undefined) expect(define).not.toThrow()
    else expect(define).toThrow(message)
  })
})

const Numbered = Shown.extend({ id: z.int() })

test('a view has the ids of its resource', () => {
  const numbered = { ...usual, schema: Numbered, id: z.int(), fields, hidden }
  // @ts-expect-error: numbers for texts
  expect(() => defineView('people_v1', people, numbered)).not.toThrow()
})

test('functions know the types of their fields', () => {
  const Priced = z.object({ id: text, full_name: text, price: text, state: Person.shape.state })
  const view = defineView('people_v1', people, {
    schema: Priced,
    create: Priced.omit({ id: true }),
    plural: true,
    fields: {
      price: { of: 'cents', read: (cents) => cents.toFixed(2), write: (price) => Number(price) },
    },
    hidden: { email: null, city: () => '' },
  })
  expect(view.view?.get({ id: '1', cents: 1 })).toMatchObject({ price: '1.00' })
})

import { defineApi, defineRegistry, defineResource, defineView } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const Stored = z.object({
  id: z.string(),
  full_name: z.string(),
  first: z.string(),
  state: z.enum(['active', 'left']),
  cents: z.int(),
  revision: z.int(),
  created_at: z.string(),
})
const declaration = {
  schema: Stored,
  create: Stored.omit({ id: true, revision: true, created_at: true }),
  readOnly: ['created_at'],
  revision: 'revision',
  sortable: ['full_name'],
  searchable: ['full_name'],
  filterable: ['full_name'],
} as const
const people = defineResource('people', { ...declaration, plural: true })

const Shown = z.object({ id: z.string(), name: z.string() })
const hidden = { first: '', state: 'active', cents: 0 }
const usual = {
  schema: Shown,
  create: Shown.omit({ id: true }),
  plural: true,
  fields: { name: 'full_name' },
  hidden,
}

// As a program without types would call it.
const declare = (given: object, of: unknown = people) =>
  Reflect.apply(defineView, undefined, ['people_v1', of, { ...usual, ...given }])

const withField = (name: string, schema: z.ZodType) => Shown.extend({ [name]: schema })

const faults: readonly (readonly [given: object, message: string])[] = [
  [{ fields: 'name' }, 'takes objects as "fields" and "hidden"'],
  [{ hidden: [] }, 'takes objects as "fields" and "hidden"'],
  [{ schema: z.any() }, 'has a "schema" that names no fields'],
  [{ fields: {} }, 'says nothing of "name", which "people" has not: write "fields: { name: … }"'],
  [
    { fields: { nam: 'full_name' } },
    'links "nam", which is no field: write "name" if that is meant',
  ],
  [
    { fields: { name: 'fullname' } },
    'links "name" to "fullname", which is no field of "people": write "full_name" if that is meant',
  ],
  [{ fields: { name: { from: 'full_name' } } }, 'links "name" by a form that does not exist'],
  [{ fields: { name: 7 } }, 'links "name" by a form that does not exist'],
  [{ fields: { name: { join: ['first'], split: 'last' } } }, 'by a form that does not exist'],
  [{ fields: { name: { join: ['first', 'full_name'] } } }, 'by a form that does not exist'],
  [{ fields: { name: { part: 2, of: 'first', split: 'last' } } }, 'by a form that does not exist'],
  [{ fields: { name: { part: 0, of: 7, split: 'last' } } }, 'by a form that does not exist'],
  [{ fields: { name: { of: 'first', read: 1 } } }, 'by a form that does not exist'],
  [{ fields: { name: { of: 'first', read: String, write: 1 } } }, 'by a form that does not exist'],
  [{ fields: { name: 'full_name', id: 'first' } }, 'shows another "id"'],
  [
    {
      schema: withField('tag', z.string()),
      fields: { name: 'full_name', tag: 'first' },
      revision: 'tag',
    },
    'has "tag" as its revision, which is not that of "people": link it',
  ],
  [
    { schema: withField('created_at', z.string()) },
    'shows "created_at", which is read-only in "people": name it in "readOnly"',
  ],
  [
    { fields: { name: { of: 'cents', read: String } }, hidden: { ...hidden, full_name: '' } },
    'has no "write" for "name": add it, or name "name" in "readOnly"',
  ],
  [
    { fields: { name: { join: ['first', 'full_name'], split: 'last' } }, sortable: ['name'] },
    'sorts by "name", which is made of first and full_name, by which no store orders: keep it ' +
      'stored, or leave it out of "sortable"',
  ],
  [
    { fields: { name: 'first' }, sortable: ['name'], hidden: { ...hidden, full_name: '' } },
    'sorts by "name": add "first" to "sortable" of "people"',
  ],
  [
    { fields: { name: { always: 'x' } }, searchable: ['name'] },
    'searches in "name", which holds other words than a constant: leave it out',
  ],
  [
    { fields: { name: 'first' }, searchable: ['name'] },
    'searches in "name": add "first" to "searchable" of "people"',
  ],
  [
    { fields: { name: { join: ['first', 'full_name'], split: 'last' } }, filterable: ['name'] },
    'filters by "name", which is made of first and full_name: leave it out',
  ],
  [
    { fields: { name: 'first' }, filterable: ['name'] },
    'filters by "name": add "first" to "filterable" of "people"',
  ],
  [
    { hidden: {} },
    'hides "first", "state", "cents", which new items need: write "hidden: { first: … }"',
  ],
  [
    { hidden: { ...hidden, full_name: '' } },
    'hides "full_name", and shows it: leave it out of "hidden"',
  ],
  [
    { hidden: { ...hidden, ful_name: '' } },
    'hides "ful_name", which is no field of "people": write "full_name" if that is meant',
  ],
]

describe('a view is refused', () => {
  test.each(faults)('%o', (given, message) => {
    expect(() => declare(given)).toThrow(message)
    expect(() => declare(given)).toThrow(TypeError)
  })

  test('without a resource', () => {
    expect(() => declare({}, {})).toThrow('View "people_v1" is of no resource: write defineView(')
  })

  test('without the owner of the items', () => {
    const owned = defineResource('people', { ...declaration, plural: true, ownedBy: ['state'] })
    expect(() => declare({}, owned)).toThrow(
      'View "people_v1" does not show "state", the owner of the items: show it, or link a field',
    )
  })

  test('at a path by a field of other values', () => {
    const rooms = defineResource('rooms', { schema: z.object({ id: z.string() }) })
    const schema = withField('room_id', z.string())
    const fields = { name: 'full_name', room_id: { of: 'first', read: String, write: String } }
    const view = declare({
      schema,
      create: schema.omit({ id: true }),
      fields,
      hidden: { state: 'active', cents: 0 },
    })
    const paths = { '/rooms': rooms, '/rooms/:room_id/people': view }
    expect(() => Reflect.apply(defineApi, undefined, [{ v1: paths }])).toThrow(
      'Path "/rooms/:room_id/people" names ":room_id", which the view "people_v1" makes of other ' +
        'values: link it to one field of "people".',
    )
  })

  test('but not for what a schema does not tell', () => {
    const loose = defineResource('people', {
      schema: z.looseObject({ id: z.string() }),
      plural: true,
    })
    expect(declare({ hidden: { any: 1 } }, loose)).toMatchObject({ hub: { name: 'people' } })
    const lonely = { hidden: {}, without: ['create', 'update', 'updateMany'] }
    expect(declare(lonely)).toMatchObject({ hub: { name: 'people' } })
  })

  const adapter = { read: () => undefined, update: () => undefined, updateMany: () => [] }
  test('over an adapter that could lose what it hides', () => {
    const loose = defineResource('people', {
      schema: Stored.omit({ revision: true, created_at: true }),
      plural: true,
    })
    const api = defineApi({ v1: { '/people': declare({}, loose) } })
    expect(() =>
      Reflect.apply(defineRegistry(api).adapters, undefined, [{ people: adapter }]),
    ).toThrow(
      'View "people_v1" does not show all of "people", so its writes need an adapter with ' +
        '"modify", or a "revision" in "people": else a write could undo another one in what it ' +
        'hides. Or write "without: [\'update\']".',
    )
  })

  test('in an adapter of its own', () => {
    const api = defineApi({ v1: { '/people': declare({}) } })
    const adapters = { people: memoryAdapter(), people_v1: memoryAdapter() }
    expect(() => Reflect.apply(defineRegistry(api).adapters, undefined, [adapters])).toThrow(
      '.adapters() has no option "people_v1"',
    )
  })
})

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
  [
    { fields: { name: { from: 'full_name' } } },
    'links "name" by a form that does not exist: write the name of a field, or { of: ',
  ],
  [{ fields: { name: {} } }, 'by a form that does not exist: write the name of a field, or { of: '],
  [
    { fields: { name: { join: ['first', 'full_name'], at: 'last' } } },
    'by a form that does not exist: write ' +
      "{ join: ['first', 'last'], split: 'first' or 'last' }.",
  ],
  [
    { fields: { name: { of: 'first', table: {} } } },
    "does not exist: write { of: 'state', values: { active: true, … } }, or " +
      "{ of: 'country', absent: 'US' }, or { of: 'cents', read: a function, write: its inverse }" +
      ", or { part: 0 or 1, of: 'name', split: 'first' or 'last' }.",
  ],
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
    { schema: withField('created_at', z.string()), readOnly: [] },
    'shows "created_at", which is read-only in "people": name it in "readOnly"',
  ],
  [
    { fields: { name: { of: 'cents', read: String } }, hidden: { ...hidden, full_name: '' } },
    'has no "write" for "name": add it, or name "name" in "readOnly"',
  ],
  [
    { fields: { name: { join: ['first', 'full_name'], split: 'last' } }, sortable: ['name'] },
    'sorts by "name", which is made of first and full_name, by which no store orders: store ' +
      '"name" as a field of its own, or leave it out of "sortable"',
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
    'filters by "name", which is made of first and full_name: store "name" as a field of its own' +
      ', or leave it out of "filterable"',
  ],
  [
    { fields: { name: 'first' }, filterable: ['name'] },
    'filters by "name": add "first" to "filterable" of "people"',
  ],
  [
    { states: { state: { active: ['left'], left: [] } } },
    'declares "states": leave them out, since a view has those of "people"',
  ],
  [{ sortable: ['nome'] }, 'nome'],
  [{ filterable: ['nome'] }, 'nome'],
  [
    { fields: { name: { of: 'cents', values: { 0: 'x' } } } },
    'has no row for a number in "values" of "name"',
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
  [
    { hidden: { ...hidden, cents: 'x' } },
    'hides "cents" with "x", which "create" of "people" refuses (Invalid input: expected number, ' +
      'received string): write another value',
  ],
  [
    { readOnly: ['name'], create: z.object({}) },
    'only reads "full_name", which new items need: write "hidden: { full_name: … }"',
  ],
  [
    {
      schema: withField('initial', z.string()),
      fields: { initial: { of: 'first', read: String }, name: 'full_name' },
      readOnly: ['initial'],
      hidden: { state: 'active', cents: 0 },
    },
    'only reads "first", which new items need: write "hidden: { first: … }"',
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
    expect(declare({ hidden: { any: 1 } }, loose)).toMatchObject({ base: { name: 'people' } })
    const lonely = { hidden: {}, without: ['create', 'update', 'updateMany'] }
    expect(declare(lonely)).toMatchObject({ base: { name: 'people' } })
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

const text = z.string()
const Place = z.object({
  id: text,
  name: text,
  note: text.optional(),
  kind: z.enum(['a', 'b']).optional(),
  home: z.object({ city: text, street: text, floor: text.optional() }),
  work: z.object({ city: text }).optional(),
})
const places = defineResource('places', {
  schema: Place,
  create: Place.omit({ id: true }),
  searchable: ['name', 'note'],
})
const home = { home: { city: '', street: '' } }

const over = (fields: object, given: object = {}, of: unknown = places) => {
  const shape = Object.fromEntries(Object.keys(fields).map((name) => [name, text]))
  const schema = z.object({ id: text, ...shape })
  const create = z.object(shape)
  const declared = { schema, create, fields, hidden: { name: '', ...home }, ...given }
  return Reflect.apply(defineView, undefined, ['places_v1', of, declared])
}

const baseWith = (create: object) =>
  defineResource('places', {
    schema: Place,
    create: { '~standard': { ...places.create['~standard'], ...create } } as never,
  })

describe('a required field whose item may lack its source is refused', () => {
  const values = { a: 'x', b: 'y' }
  const split = 'last'
  const lacks = (source: string) => `requires "x", but an item of "places" may lack its "${source}"`
  test.each([
    [
      { x: 'note' },
      `${lacks('note')}: write "x: { of: 'note', absent: … }", or make "x" optional.`,
    ],
    [{ x: { of: 'kind', values } }, `${lacks('kind')}: make "x" optional.`],
    [{ x: { part: 0, of: 'note', split } }, lacks('note')],
    [{ x: { join: ['note', 'kind'], split } }, lacks('note')],
    [{ x: { in: 'work', field: 'city' } }, lacks('work')],
    [{ x: { in: 'home', field: 'floor' } }, lacks('home.floor')],
  ])('%o', (fields, message) => {
    expect(() => over(fields)).toThrow(message)
    const schema = z.object({ id: text, x: text.optional() })
    const create = z.object({ x: text.optional() })
    const { base, hub } = over(fields, { schema, create })
    expect([base, hub]).toEqual([places, places])
  })

  test.each([
    [{ x: { join: ['note', 'name'], split } }, home],
    [{ x: { of: 'note', absent: 'none' } }, { name: '', ...home }],
    [{ x: { of: 'note', read: String, write: String } }, { name: '', ...home }],
    [{ x: { in: 'home', field: 'city' } }, { name: '', ...home }],
  ])('but not %o', (fields, hidden) => {
    expect(over(fields, { hidden }).base).toBe(places)
  })
})

describe('an object whose members the view shows', () => {
  const city = { city: { in: 'home', field: 'city' } }
  test('needs its other members', () => {
    expect(() => over(city, { hidden: { name: '' } })).toThrow(
      'shows a part of "home", whose "street" new items need too: write ' +
        '"hidden: { home: { street: …, … } }" with the whole object.',
    )
    const street = { street: { in: 'home', field: 'street' } }
    expect(over({ ...city, ...street }, { hidden: { name: '' } }).base).toBe(places)
  })

  test('needs a member that clients only read', () => {
    const create = z.object({})
    const given = { readOnly: ['city'], create }
    expect(() => over(city, { ...given, hidden: { name: '' } })).toThrow(
      'only reads "home", which new items need',
    )
    expect(over(city, { ...given, hidden: { name: '', ...home } }).base).toBe(places)
  })

  test('needs a member that clients may leave out', () => {
    const create = z.object({ city: text.optional() })
    expect(() => over(city, { create, hidden: { name: '' } })).toThrow(
      'takes "city" as optional, but new items need "home.city": require it in "create", or write',
    )
  })

  test('has members that "create" takes', () => {
    const wrong = { name: '', home: { city: '', street: 7 } }
    expect(() => over(city, { hidden: wrong })).toThrow(
      'hides "home" with {"city":"","street":7}, which "create" of "places" refuses',
    )
  })

  test('may be of a schema that does not tell its members', () => {
    const validate = (value: unknown) => ({ value })
    const untold = { '~standard': { version: 1, vendor: 'none', validate } } as const
    const of = Reflect.apply(defineResource, undefined, ['places', { schema: untold }])
    expect(over(city, {}, of).base).toBe(of)
    const whole = { validate: () => ({ issues: [{ message: 'no', path: ['home'] }] }) }
    const given = { hidden: { name: '' } }
    expect(over(city, given, baseWith(whole))).toHaveProperty('base')
  })

  test('needs its other members, even if the object itself may be missing', () => {
    const away = z.object({ city: text, zip: text })
    const of = defineResource('places', {
      schema: Place.extend({ away: away.optional() }),
      create: Place.extend({ away: away.optional() }).omit({ id: true }),
    })
    const fields = { town: { in: 'away', field: 'city' } }
    const schema = z.object({ id: text, town: text.optional() })
    const create = z.object({ town: text.optional() })
    expect(() => over(fields, { schema, create }, of)).toThrow(
      'shows a part of "away", whose "zip" new items need too: write ' +
        '"hidden: { away: { zip: …, … } }" with the whole object.',
    )
    const reading = { schema, create: z.object({}), readOnly: ['town'] }
    expect(over(fields, reading, of).base).toBe(of)
  })

  test('may come whole from a client or a function', () => {
    const made = { name: '', home: () => ({ city: '', street: '' }) }
    expect(over(city, { hidden: made }).base).toBe(places)
    const schema = z.object({ id: text, home: Place.shape.home, city: text })
    const given = { schema, create: schema.omit({ id: true }), hidden: { name: '' } }
    expect(over({ home: 'home', ...city }, given).base).toBe(places)
  })

  test('may be missing as a whole', () => {
    const schema = z.object({ id: text, town: text.optional() })
    const given = { schema, create: z.object({ town: text.optional() }) }
    expect(over({ town: { in: 'work', field: 'city' } }, given).base).toBe(places)
  })
})

describe('what schemas tell of values', () => {
  const told = (json: object) =>
    Reflect.apply(defineResource, undefined, [
      'things',
      {
        schema: {
          '~standard': {
            version: 1,
            vendor: 'none',
            validate: (value: unknown) => ({ value }),
            jsonSchema: { input: () => json, output: () => json },
          },
        },
      },
    ])
  const holding = (home: object) =>
    told({
      type: 'object',
      properties: { id: { type: 'string' }, home },
      required: ['id', 'home'],
      additionalProperties: false,
    })
  const city = { x: { in: 'home', field: 'city' } }
  const properties = { city: { type: 'string' } }
  const required = ['city']
  const none = { hidden: {}, without: ['create'], readOnly: ['x'] }
  test.each([
    [{ type: 'object', patternProperties: { '^c': { type: 'string' } } }],
    [{ type: ['object', 'null'], properties, required }],
  ])('lets a member of %j be missing', (home) => {
    expect(() => over(city, none, holding(home))).toThrow('requires "x", but an item of "things"')
  })

  test('says nothing of a member of anything', () => {
    expect(over(city, none, holding({}))).toHaveProperty('base')
  })

  test.each([
    [undefined, text.optional()],
    [[], z.array(text)],
    [0.5, z.number()],
  ])('takes the constant %j', (always, x) => {
    const given = { schema: z.object({ id: text, x }), create: z.object({ x }) }
    const hidden = { name: '', ...home }
    expect(over({ x: { always } }, { ...given, hidden })).toHaveProperty('base')
    expect(() =>
      over({ x: { always } }, { ...given, schema: z.object({ id: text, x: z.boolean() }) }),
    ).toThrow('in "x"')
  })

  test('need not be told of each field', () => {
    const schema = z.object({ id: text, at: text.transform(Number), note: text.optional() })
    const of = Reflect.apply(defineResource, undefined, ['things', { schema }])
    expect(() => over({ x: 'note' }, none, of)).toThrow('may lack its "note"')
  })
})

describe('a search in one part of a text names the other', () => {
  const split = 'last'
  const parts = { a: { part: 0, of: 'name', split }, b: { part: 1, of: 'name', split } }
  test.each([
    [parts, { searchable: ['b'] }, 'searches in "b", a part of name: search in "a" too, or leave'],
    [
      { a: parts.a },
      { searchable: ['a'] },
      'searches in "a", a part of name: show the other part too, or leave it out',
    ],
    [parts, { filterable: ['a'] }, 'filters by "a", a part of name: store "a" as a field of its'],
    [parts, { sortable: ['a'] }, 'sorts by "a", a part of name, by which no store orders: store'],
  ])('%o %o', (fields, given, message) => {
    expect(() => over(fields, { hidden: home, ...given })).toThrow(message)
  })
})

describe('a hidden value', () => {
  test('is judged by a schema that judges at once', () => {
    const refusing = { validate: () => ({ issues: [{ message: 'no', path: ['name'] }] }) }
    expect(() => over({ x: { always: 'x' } }, {}, baseWith(refusing))).toThrow(
      'hides "name" with "", which "create" of "places" refuses (no): write another value.',
    )
    const whole = { validate: () => ({ issues: [{ message: 'no' }] }) }
    expect(over({ x: { always: 'x' } }, {}, baseWith(whole))).toHaveProperty('base')
  })

  test('is judged in a request where the schema is asynchronous', () => {
    const late = { validate: async () => ({ issues: [{ message: 'no', path: ['name'] }] }) }
    expect(over({ x: { always: 'x' } }, {}, baseWith(late))).toHaveProperty('base')
    const failing = { validate: () => Promise.reject(new Error('gone')) }
    expect(over({ x: { always: 'x' } }, {}, baseWith(failing))).toHaveProperty('base')
  })

  test('is judged in a request where the schema takes no part of an item', () => {
    const throwing = {
      validate: () => {
        throw new Error('whole items only')
      },
    }
    expect(over({ x: { always: 'x' } }, {}, baseWith(throwing))).toHaveProperty('base')
  })

  test('of a function is judged in a request', () => {
    const hidden = { name: () => 7, ...home }
    expect(over({ x: { always: 'x' } }, { hidden })).toHaveProperty('base')
  })

  test('is not judged where no client creates', () => {
    const given = { hidden: { name: 7 }, without: ['create', 'update', 'updateMany'] }
    expect(over({ x: { always: 'x' } }, given)).toHaveProperty('base')
  })
})

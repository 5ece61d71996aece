import { defineApi, defineRegistry, defineResource, defineView } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { z } from 'zod'

const text = z.string()
const Person = z.object({
  id: text,
  title: text,
  first: text,
  last: text,
  both: text,
  state: z.enum(['active', 'left', 'archived']),
  country: text.optional(),
  address: z.object({ street: text, city: text }),
  cents: z.int(),
  email: text.nullable(),
  revision: z.int(),
})
const people = defineResource('people', {
  schema: Person,
  plural: true,
  create: Person.omit({ id: true, revision: true }),
  revision: 'revision',
  sortable: ['title'],
  searchable: ['title', 'first', 'last'],
})

const Shown = z.object({
  id: text,
  title: text,
  name: text,
  one: text,
  two: text,
  active: z.boolean(),
  country: text,
  city: text,
  price: text,
  initial: text,
  fax: z.null(),
  tag: z.int(),
})
const people_v2 = defineView('people_v2', people, {
  schema: Shown,
  plural: true,
  create: Shown.omit({ id: true, tag: true, initial: true }),
  readOnly: ['initial'],
  revision: 'tag',
  sortable: ['title'],
  searchable: ['title', 'name'],
  fields: {
    // The parameters of functions have the types of the fields.
    price: { of: 'cents', read: (cents) => cents.toFixed(2), write: (price) => Number(price) },
    initial: { of: 'title', read: (title) => title.slice(0, 1) },
    name: { join: ['first', 'last'], split: 'last' },
    one: { part: 0, of: 'both', split: 'first' },
    two: { part: 1, of: 'both', split: 'first' },
    active: { of: 'state', values: { active: true, left: false, archived: false } },
    country: { of: 'country', absent: 'US' },
    city: { in: 'address', field: 'city' },
    fax: { always: null },
    tag: 'revision',
  },
  hidden: { email: () => null, address: { street: '', city: '' } },
})

const Titled = z.object({ id: text, label: text })
const usual = { schema: Titled, create: Titled.omit({ id: true }), plural: true } as const
const country = { of: 'country', absent: 'US' } as const
const hidden = { name: '', one: '', two: '', active: true, country: 'US', city: '', price: '' }
const all = { ...hidden, fax: null }
const fields = { label: 'title' } as const
const people_v1 = defineView('people_v1', people_v2, {
  ...usual,
  sortable: ['label'],
  fields,
  hidden: all,
})

export const api = defineApi({
  v1: { '/people': people_v1 },
  v2: { '/people': people_v2 },
  v3: { '/people': people },
})
export const registry = defineRegistry(api).adapters({ people: memoryAdapter() })

const States = z.object({ id: text, on: z.boolean() })
const stated = { schema: States, create: States.omit({ id: true }), plural: true } as const
const rest = { title: '', first: '', last: '', both: '', cents: 0, email: null }
const known = { ...rest, address: { street: '', city: '' } }
const on = { of: 'state', values: { active: true, left: false, archived: false } } as const
const values = { active: true, left: false } as const
const Counted = z.object({ id: z.int(), label: text })
const counted = { ...usual, schema: Counted, id: z.int() } as const
const initial = { of: 'title', read: (title: string) => title.slice(0, 1) } as const
const { name: _, ...others } = { ...all, title: '' }

const joined = { join: ['first', 'last'], split: 'last' } as const
const filtered = { fields: { label: joined }, filterable: ['label'] } as const
const { first: _first, last: _last, ...unjoined } = { ...known, state: 'left' } as const
const member = { in: 'address', field: 'city' } as const
const searched = { fields: { label: member }, searchable: ['label'] } as const
const unsorted = { ...usual, sortable: ['label'] } as const

/** Never called. No line after "@ts-expect-error" compiles. */
export function refused(): unknown[] {
  return [
    defineView('a', people, { ...stated, fields: { on }, hidden: known }),
    defineView('a', people_v2, { ...usual, fields: { label: 'name' }, hidden: others }),
    defineView('a', people_v2, {
      ...usual,
      readOnly: ['label'],
      fields: { label: initial },
      // A function gets the new item.
      hidden: { ...all, title: ({ label }) => label },
    }),
    // @ts-expect-error: no link
    defineView('a', people_v2, { ...usual, fields: {}, hidden: all }),
    // @ts-expect-error: no links
    defineView('a', people_v2, { ...usual, hidden: all }),
    // @ts-expect-error: a misspelt source
    defineView('a', people_v2, { ...usual, fields: { label: 'titel' }, hidden: all }),
    // @ts-expect-error: a source of another type
    defineView('a', people_v2, { ...usual, fields: { label: 'active' }, hidden: all }),
    // @ts-expect-error: a link for a field that the view has not
    defineView('a', people_v2, { ...usual, fields: { ...fields, country }, hidden: all }),
    // @ts-expect-error: no initial value of "fax"
    defineView('a', people_v2, { ...usual, fields, hidden }),
    // @ts-expect-error: no initial values
    defineView('a', people_v2, { ...usual, fields }),
    // @ts-expect-error: an initial value of another type
    defineView('a', people_v2, { ...usual, fields, hidden: { ...all, city: 7 } }),
    // @ts-expect-error: an initial value of a field that the view shows
    defineView('a', people_v2, { ...usual, fields, hidden: { ...all, title: '' } }),
    // @ts-expect-error: an incomplete table
    defineView('a', people, { ...stated, fields: { on: { of: 'state', values } }, hidden: known }),
    // @ts-expect-error: another type of id
    defineView('a', people_v2, { ...counted, fields, hidden: all }),
    // @ts-expect-error: another id
    defineView('a', people_v2, { ...usual, fields: { ...fields, id: 'title' }, hidden: all }),
    // @ts-expect-error: a sort by a field that the view beneath does not sort by
    defineView('a', people_v2, { ...unsorted, fields: { label: 'name' }, hidden: others }),
    // @ts-expect-error: a filter by a field that no store compares
    defineView('a', people, { ...usual, ...filtered, hidden: unjoined }),
    // @ts-expect-error: a search in a member of an object
    defineView('a', people, { ...usual, ...searched, hidden: known }),
    // @ts-expect-error: a field that is only read, and has no value for new items
    defineView('a', people_v2, { ...usual, readOnly: ['label'], fields, hidden: all }),
    // @ts-expect-error: a computed field that is not read-only
    defineView('a', people_v2, { ...usual, fields: { label: initial }, hidden: all }),
  ]
}

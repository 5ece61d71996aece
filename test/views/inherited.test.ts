import { defineResource, defineView, type Resource } from 'nounful'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { operationKinds } from '../../src/convention/operations.ts'
import { ask, serviceOf } from '../support/things.ts'

const text = z.string()
const Thing = z.object({
  id: text,
  title: text,
  first: text,
  last: text,
  color: text.optional(),
  owner_id: text.optional(),
  stamp: text,
  revision: z.int(),
})
const declaration = {
  schema: Thing,
  create: Thing.omit({ id: true, stamp: true, revision: true }),
  readOnly: ['stamp'],
  revision: 'revision',
  sortable: ['title', 'first'],
  folded: ['title'],
  searchable: ['title', 'first', 'last'],
  filterable: ['title', 'color'],
  references: { owner_id: 'things' },
  filled: ['stamp'],
  keep: ['color'],
  without: ['deleteAll'],
  maxLimit: 10,
  defaultLimit: 5,
  total: true,
  idempotent: true,
  putCreates: true,
} as const
const things = defineResource('things', declaration)
const Seen = z.object({
  id: text,
  name: text,
  label: text,
  colour: text.optional(),
  boss_id: text.optional(),
  made: text,
  version: z.int(),
})
const seen = {
  schema: Seen,
  create: Seen.omit({ id: true, made: true, version: true }),
  fields: {
    name: 'title',
    label: { join: ['first', 'last'], split: 'last' },
    colour: 'color',
    boss_id: 'owner_id',
    made: 'stamp',
    version: 'revision',
  },
}

// As a program without types would declare it.
const viewOf = (declared: object = {}, of: Resource = things): Resource =>
  Reflect.apply(defineView, undefined, ['things_v1', of, { ...seen, ...declared }])
const same = { fields: {}, schema: Seen, create: seen.create }

const inherited = {
  sortable: ['name'],
  folded: ['name'],
  searchable: ['name', 'label'],
  references: [{ field: 'boss_id', to: 'things', as: 'boss' }],
  readOnly: ['made', 'version'],
  revision: 'version',
  filled: ['made'],
  keep: ['colour'],
  without: ['deleteAll'],
  maxLimit: 10,
  defaultLimit: 5,
  total: true,
  idempotent: true,
  putCreates: true,
}

describe('a view inherits', () => {
  test.each([
    ['a view', () => viewOf()],
    ['a view of a view', () => viewOf(same, viewOf())],
  ])('the options of its resource: %s', (_, define) => {
    const view = define()
    expect(view).toMatchObject(inherited)
    expect(view.filterable.map(({ name, type }) => [name, type])).toEqual([
      ['name', 'text'],
      ['colour', 'text'],
    ])
  })

  test.each([
    [{ sortable: [] }, { sortable: [], folded: [] }],
    [{ sortable: ['name'] }, { sortable: ['name'], folded: ['name'] }],
    [{ folded: [] }, { sortable: ['name'], folded: [] }],
    [{ searchable: ['label'] }, { searchable: ['label'] }],
    [{ maxLimit: 3 }, { maxLimit: 3, defaultLimit: 3 }],
    [{ defaultLimit: 20 }, { maxLimit: 10, defaultLimit: 10 }],
    [
      { maxLimit: 100, defaultLimit: 50 },
      { maxLimit: 100, defaultLimit: 50 },
    ],
    [
      { total: false, keep: undefined },
      { total: false, keep: ['colour'] },
    ],
    [{ without: ['count'] }, { without: ['deleteAll', 'count'] }],
    [{ offers: ['deleteAll'] }, { without: [] }],
    [
      { offers: ['deleteAll'], without: ['list'] },
      { without: ['list'], total: undefined },
    ],
    [
      { without: ['create'], create: undefined },
      { idempotent: false, putCreates: false },
    ],
    [{ without: ['update'] }, { idempotent: true, putCreates: false }],
    [{ create: Seen.omit({ id: true }), update: seen.create.required() }, { keep: [] }],
  ])('but for %j', (declared, options) => {
    expect(viewOf(declared)).toMatchObject(options)
  })

  test('the name of a reference', () => {
    const references = { owner_id: { to: 'things', as: 'chief' } }
    const of = Reflect.apply(defineResource, undefined, ['things', { ...declaration, references }])
    expect(viewOf({}, of).references).toEqual([{ field: 'boss_id', to: 'things', as: 'chief' }])
  })

  test('no field that it cannot show so', () => {
    const half = { part: 0, of: 'title', split: 'last' }
    const Half = z.object({ id: text, half: text, first: text, color: text.optional() })
    const view = viewOf({
      schema: Half,
      create: Half.omit({ id: true }),
      fields: { half, color: { of: 'color', read: (color: unknown) => color } },
      readOnly: ['color'],
      hidden: { last: '' },
    })
    expect(view).toMatchObject({ sortable: ['first'], searchable: ['first'], keep: [] })
    expect(view.filterable).toEqual([])
  })

  test('nothing that opens what is closed', async () => {
    const registry = serviceOf(viewOf(), things)
    expect((await ask(registry, 'DELETE /v1/things')).status).toBe(405)
    const open = serviceOf(viewOf({ offers: ['deleteAll'] }), things)
    expect(await ask(open, 'DELETE /v1/things')).toMatchObject({ status: 200 })
    expect((await ask(open, 'DELETE /v2/things')).status).toBe(405)
  })

  test('what a PUT keeps, and tags', async () => {
    const registry = serviceOf(viewOf(), things, [
      { id: '1', title: 'a', first: 'b', last: 'c', color: 'red', stamp: 's', revision: 1 },
    ])
    const body = { name: 'x', label: 'b c' }
    const { status, headers } = await ask(registry, 'PUT /v1/things/1', body)
    expect([status, headers.etag]).toEqual([200, '"2"'])
    expect((await ask(registry, 'GET /v2/things/1')).body).toMatchObject({ color: 'red' })
  })
})

describe('a view is refused', () => {
  test.each([
    [
      { create: undefined },
      'has no "create" schema for POST: write it, or "without: [\'create\']".',
    ],
    [{ offers: ['archive'] }, 'offers "archive", which is no operation: name some of list,'],
    [{ offers: ['list'] }, 'offers "list", as "things" does: leave it out of "offers". To offer'],
    [
      { offers: ['deleteAll'], without: ['deleteAll'] },
      'offers "deleteAll", and is without it: keep',
    ],
    [{ ownedBy: ['name'] }, 'has other owners than "things": leave out "ownedBy".'],
    [{ without: [...operationKinds] }, 'offers no operation: leave some out of "without"'],
    [{ without: ['list'], total: true }, 'has "total", but offers no "list": leave "total" out.'],
    [{ sortable: 7, searchable: 'x', readOnly: 7 }, 'needs a list as "sortable"'],
  ])('%j', (declared, message) => {
    expect(() => viewOf(declared)).toThrow(message)
  })

  test('with all its faults at once, each on its line', () => {
    const declared = {
      schema: Seen.extend({ tag: text, other: text }),
      create: undefined,
      fields: { ...seen.fields, nam: 'title', tag: { from: 'x' }, other: 'oter' },
      sortable: ['label'],
      searchable: ['made'],
      maxLimit: 0,
    }
    const lines = (() => {
      try {
        viewOf(declared)
        return []
      } catch (error) {
        return String(Object(error).message).split('\n')
      }
    })()
    expect(lines.map((line) => line.split(':')[0])).toEqual([
      'View "things_v1" links "nam", which is no field',
      'View "things_v1" links "tag" by a form that does not exist',
      'View "things_v1" links "other" to "oter", which is no field of "things"',
      'View "things_v1" has no "create" schema for POST',
      expect.stringMatching(/ sorts by "label", which is made of first and last, by which no/),
      'View "things_v1" searches in "made"',
      'Resource "things_v1" has a "maxLimit" of 0',
      'Resource "things_v1" has read-only fields',
      'Resource "things_v1" is idempotent, so a key becomes the id',
    ])
  })
})

describe('a view that joins a restricted field with a required one', () => {
  const Stored = z.object({ id: text, title: text, secret: text.optional() })
  const of = defineResource('things', {
    schema: Stored,
    create: Stored.omit({ id: true }),
    restricted: ['secret'],
  })
  const Shown = z.object({ id: text, label: text.optional() })
  const declared = {
    schema: Shown,
    create: Shown.omit({ id: true }),
    fields: { label: { join: ['title', 'secret'], split: 'last' } },
  }

  test('says what new items get', () => {
    expect(() => viewOf(declared, of)).toThrow(
      'restricts "title", which new items need: write "hidden: { title: … }" with the value for',
    )
  })

  test('lets every caller create', async () => {
    const registry = serviceOf(viewOf({ ...declared, hidden: { title: 'none' } }, of), of)
    expect((await ask(registry, 'POST /v1/things', {})).status).toBe(201)
    expect((await ask(registry, 'GET /v2/things')).body).toMatchObject([{ title: 'none' }])
  })
})

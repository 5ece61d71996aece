import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  absentLink,
  constantLink,
  type Fields,
  functionLink,
  type Link,
  memberLink,
  plainLink,
  tableLink,
} from '../../src/contract/resource/link.ts'
import { readInto, viewReader } from '../../src/contract/values/show.ts'
import { problem } from '../../src/convention/problem.ts'
import { joinLink, partsLink } from '../../src/views/mapping.ts'
import '../support/properties.ts'

const links: readonly Link[] = [
  plainLink('id', 'id'),
  plainLink('title', 'name'),
  plainLink('label', 'name'),
  tableLink('is_open', 'state', { values: { open: true, shut: false }, types: [] }),
  absentLink('country', 'land', 'US'),
  joinLink('whole', ['first', 'last'], 'last'),
  partsLink(['head', 'tail'], 'name', 'first'),
  memberLink('city', { source: 'address', member: 'city', none: {} }),
  constantLink('fax', null),
  plainLink('__proto__', 'own'),
]
const readers = links.flatMap((link) => link.readers)

function slowly(source: object): Fields {
  const item: Fields = {}
  readInto(item, readers, source)
  return item
}

// With the order of the fields, which toEqual leaves out.
const entriesOf = (item: object) => Object.entries(item)

const whole = {
  id: '1',
  name: 'Ada Lovelace',
  state: 'open',
  land: 'CH',
  first: 'Ada',
  last: 'King',
  address: { city: 'Bern' },
  own: 1,
  hidden: 'x',
}

describe('a view shows', () => {
  test('items of one form, and of others, as if each were the first', () => {
    const value = fc.option(fc.constantFrom('Ada', 'Ada King', ''), { nil: null })
    const item = fc.record(
      {
        id: fc.string(),
        name: fc.option(value, { nil: undefined }),
        state: fc.constantFrom('open', 'shut', null, undefined),
        land: value,
        first: value,
        last: value,
        address: fc.constantFrom({}, { city: 'Bern' }, null),
        own: fc.constantFrom(1, undefined),
        hidden: value,
      },
      { requiredKeys: [], noNullPrototype: true },
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(item, fc.constant(whole)), { maxLength: 40 }), (items) => {
        const show = viewReader(readers)
        for (const one of items) expect(entriesOf(show(one))).toEqual(entriesOf(slowly(one)))
      }),
    )
  })

  test.each([
    ['the same form', whole],
    ['another order', Object.fromEntries(Object.entries(whole).toReversed())],
    ['a field less', { ...whole, hidden: undefined }],
    ['no last field', (({ hidden: _, ...rest }) => rest)(whole)],
    ['a field more', { ...whole, more: 1 }],
    ['no value of a field', { ...whole, own: undefined }],
    ['no value of a field from several', { ...whole, first: null, last: null }],
    ['inherited fields', Object.create(whole)],
    ['no prototype', Object.assign(Object.create(null), whole)],
  ])('after an item, one of %s', (_, next: object) => {
    const show = viewReader(readers)
    expect(entriesOf(show(whole))).toEqual(entriesOf(slowly(whole)))
    expect(entriesOf(show(next))).toEqual(entriesOf(slowly(next)))
    expect(entriesOf(show(whole))).toEqual(entriesOf(slowly(whole)))
  })

  test('items of a new form each', () => {
    const show = viewReader(readers)
    for (let count = 0; count < 40; count++) {
      const item = { ...whole, [`more_${count}`]: count }
      expect(entriesOf(show(item))).toEqual(entriesOf(slowly(item)))
    }
  })

  test('new objects each time', () => {
    const show = viewReader(readers)
    const shown = [show(whole), show(whole), show(whole)]
    expect(new Set(shown).size).toBe(3)
  })

  test('without reading a hidden field', () => {
    const guarded = () =>
      Object.defineProperty({ ...whole }, 'hidden', {
        enumerable: true,
        get: () => expect.unreachable('The hidden field was read.'),
      })
    const show = viewReader(readers)
    for (let count = 0; count < 3; count++) expect(show(guarded())).toEqual(slowly(whole))
  })

  test('but none of a problem, which is an answer of its own', () => {
    const read = () => {
      throw problem('forbidden')
    }
    const show = viewReader(functionLink('secret', 'own', { read, write: undefined }).readers)
    expect(() => show(whole)).toThrow(expect.objectContaining({ code: 'forbidden' }))
  })
})

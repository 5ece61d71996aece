import fc from 'fast-check'
import { isHeld } from './held.ts'
import { firstItems } from './peers.ts'
import { anyOf, hostile, text } from './texts.ts'

const ids = {
  companies: anyOf(...firstItems.companies.map(({ id }) => id), 'n-1', 'n-2', 'n-3'),
  employees: anyOf(...firstItems.employees.map(({ id }) => id), 'n-1', 'n-2', 'n-3', 'n-4'),
  customers: anyOf(...firstItems.customers.map(({ id }) => id), 'n-1', 'n-2', 'n-3'),
  gadgets: anyOf(1, 1, 2, 2, 3, 3, 4, 5, 6),
  parts: anyOf(...firstItems.parts.map(({ id }) => id), 'n-1', 'n-2', 'n-3'),
}
/** The resources of peers.ts. */
export type Kind = keyof typeof ids

const oddIds = anyOf(
  ...[
    'C-1',
    'c-1 ',
    ' c-1',
    'C-2',
    '01',
    '1abc',
    '1.0',
    '1e0',
    '+1',
    '-1',
    '0',
    'É',
    'e\u0301',
    'N-1',
    'n-1 ',
    'null',
    "'",
    '%',
    '_',
  ],
  ...[
    '2147483648',
    '-2147483649',
    '9007199254740991',
    '9007199254740993',
    '1'.repeat(30),
    'x'.repeat(255),
    '😀'.repeat(256),
    'first',
  ],
)

const asId = (kind: Kind): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 20, arbitrary: ids[kind] },
    { weight: 1, arbitrary: oddIds },
    { weight: 1, arbitrary: hostile },
  )

/** An id as a segment of a path. */
export const inPath = (kind: Kind) =>
  asId(kind).map((id) => encodeURIComponent(String(id).toWellFormed()))

/** A collection's path, and the kind of its items. */
export const collection: fc.Arbitrary<readonly [path: string, kind: Kind]> = fc.oneof(
  anyOf(
    ['/companies', 'companies'],
    ['/employees', 'employees'],
    ['/gadgets', 'gadgets'],
    ['/gadgets', 'gadgets'],
    ['/parts', 'parts'],
  ),
  fc
    .tuple(inPath('companies'), anyOf('employees', 'customers'))
    .map(([id, kind]) => [`/companies/${id}/${kind}`, kind] as const),
  inPath('gadgets').map((id) => [`/gadgets/${id}/parts`, 'parts'] as const),
)

/** Any number, most of them at a border. */
export const number = fc.oneof(
  anyOf(
    0,
    -0,
    1,
    -1,
    2,
    0.1,
    0.1 + 0.2,
    1 / 3,
    1e21,
    -1e21,
    5e-324,
    1e-7,
    1.7976931348623157e308,
    2 ** 53 - 1,
    2 ** 53,
    100,
    1e15 + 0.3,
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)
/** It, or nothing. */
export const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })
const email = fc.oneof(
  { weight: 20, arbitrary: anyOf('a@b.example', 'A@b.example', 'ann@b.example') },
  { weight: 1, arbitrary: fc.constant('x') },
)

const person = {
  name: text,
  birthdate: fc.oneof(
    { weight: 20, arbitrary: anyOf('1990-01-01', '1990-01-02', '0001-01-01', '9999-12-31') },
    { weight: 1, arbitrary: fc.constant('2026-02-30') },
  ),
}
const items: Readonly<Record<Kind, fc.Arbitrary<object>>> = {
  companies: fc.record({ name: text }),
  employees: fc.oneof(
    fc.record(person),
    fc.record({ ...person, email: maybe(email), company_id: maybe(asId('companies')) }),
  ),
  customers: fc.record({ name: text, email: maybe(email) }),
  gadgets: fc.record({
    label: text,
    note: fc.option(text, { nil: null }),
    price: maybe(number),
    active: maybe(fc.boolean()),
    weight: fc.option(anyOf(1, 2, 2.5), { nil: null }),
    tags: maybe(
      fc.oneof(anyOf([], [null], ['é', { b: 1, a: [0.1] }]), fc.array(jsonOf(2), { maxLength: 3 })),
    ),
    labels: maybe(fc.array(text, { maxLength: 3 })),
    box: maybe(
      fc.record(
        { city: fc.option(text, { nil: null }), floor: number, open: fc.boolean() },
        { requiredKeys: [] },
      ),
    ),
  }),
  parts: fc.record({
    id: maybe(asId('parts')),
    name: text,
    code: maybe(anyOf('x', 'y', 'z')),
    size: maybe(anyOf(1, 2)),
    gadget_id: maybe(asId('gadgets')),
  }),
}

const strange = fc.oneof(
  jsonOf(1),
  fc.constant({ name: 'a', unknown: 1 }),
  fc.constant({ name: 1 }),
)
/** The body for an item. */
export const bodyOf = (kind: Kind): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 30, arbitrary: items[kind] }, { weight: 1, arbitrary: strange })

/** The body for many items. */
export const bulkOf = (kind: Kind): fc.Arbitrary<unknown> => {
  const replacement = fc
    .tuple(asId(kind), bodyOf(kind).map(Object))
    .map(([id, item]) => ({ ...item, id }))
  return fc.oneof(
    {
      weight: 8,
      arbitrary: fc.uniqueArray(replacement, { maxLength: 4, selector: ({ id }) => id }),
    },
    { weight: 2, arbitrary: fc.array(replacement, { maxLength: 4 }) },
    { weight: 1, arbitrary: fc.array(bodyOf(kind), { maxLength: 2 }) },
  )
}

// No backslash, and no character that JSON writes with one. V8 13.6 (Node 24), once it has read a
// key of a single backslash, reads the key of a single quote as that backslash.
function jsonOf(maxDepth: number): fc.Arbitrary<fc.JsonValue> {
  return fc
    .jsonValue({ maxDepth })
    .filter((value) => isHeld(value) && !/\\/.test(JSON.stringify(value)))
}

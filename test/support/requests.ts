import fc from 'fast-check'
import type { HttpRequest } from 'nounful'
import { bodyOf, bulkOf, collection, inPath, type Kind, maybe } from './drafts.ts'
import { anyOf, text } from './texts.ts'

/** A request, or the next page of a list that was read some steps before. */
export type Step = HttpRequest | { readonly goOn: number }

const sortable: Readonly<Record<Kind, readonly string[]>> = {
  companies: ['id', 'name', 'created_at'],
  employees: ['id', 'name', 'birthdate', 'created_at'],
  customers: ['id', 'name'],
  gadgets: ['id', 'label', 'note', 'price', 'active', 'weight'],
  parts: ['id', 'name', 'code', 'size', 'gadget_id'],
}

const countable: Readonly<Partial<Record<Kind, readonly [string, ...string[]]>>> = {
  gadgets: ['label', 'note', 'price', 'active', 'weight', 'id'],
  parts: ['name', 'code', 'size', 'gadget_id'],
}

const queryOf = (kind: Kind) =>
  fc
    .record({
      q: maybe(
        fc
          .array(text, { minLength: 1, maxLength: 2 })
          .map((words) => words.join(' ').toWellFormed()),
      ),
      sort: maybe(
        fc
          .uniqueArray(fc.tuple(anyOf('', '-'), anyOf(...(sortable[kind] as readonly [string]))), {
            selector: ([, field]) => field,
            minLength: 1,
          })
          .map((fields) => fields.map((parts) => parts.join('')).join()),
      ),
    })
    .map(({ q, sort }) => ({
      ...(q === undefined ? {} : { q }),
      ...(sort === undefined ? {} : { sort }),
    }))

const headersOf = fc.oneof(
  { weight: 8, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: anyOf('*', '"1"', '"2"', '"3", "1"', '"x"').map((tags) => ({ 'if-match': tags })),
  },
)

// Some fields of a body, its id among them.
function someOf(body: unknown, choice: number): object {
  const fields = Object.entries(Object(body))
  return Object.fromEntries(
    fields.filter(([field], place) => field === 'id' || (choice >> (place % 3)) % 2 === 1),
  )
}

const choice = fc.nat(7)

const written = { 'content-type': 'application/json' }

/** A request of any kind about the resources of peers.ts. */
const request: fc.Arbitrary<HttpRequest> = collection.chain(([path, kind]) => {
  const base = `/v1${path}`
  const one = inPath(kind).map((id) => `${base}/${id}`)
  const query = queryOf(kind).map((given) => new URLSearchParams(given).toString())
  const body = (of: fc.Arbitrary<unknown>) => of.map((value) => JSON.stringify(value))
  const writing = headersOf.map((headers) => ({ ...written, ...headers }))
  return fc.oneof(
    { weight: 4, arbitrary: fc.record({ method: fc.constant('GET'), url: one }) },
    {
      weight: 8,
      arbitrary: fc
        .tuple(
          query,
          anyOf('', '', '&limit=1', '&limit=2', '&limit=3'),
          anyOf('', '', '', '', '/first', '/last', '/count'),
        )
        .map(([given, limit, end]) => ({
          method: 'GET',
          url: `${base}${end}?${given}${end === '' ? limit : ''}`,
        })),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(query, fc.array(anyOf(...(countable[kind] ?? ['name'])), { maxLength: 3 }))
        .map(([given, by]) => ({
          method: 'GET',
          url: `${base}/count?${withoutSort(given)}&by=${by.join()}`,
        })),
    },
    {
      weight: 8,
      arbitrary: fc.record({
        method: fc.constant('POST'),
        url: fc.constant(base),
        headers: fc.constant(written),
        body: body(
          fc.oneof(
            { weight: 3, arbitrary: bodyOf(kind) },
            { weight: 1, arbitrary: fc.array(bodyOf(kind), { maxLength: 4 }) },
          ),
        ),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        method: fc.constant('PUT'),
        url: one,
        headers: writing,
        body: body(bodyOf(kind)),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        method: fc.constant('PATCH'),
        url: one,
        headers: writing,
        body: body(fc.tuple(bodyOf(kind), choice).map(([item, some]) => someOf(item, some))),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        method: fc.constant('PATCH'),
        url: fc.constant(base),
        headers: fc.constant(written),
        body: body(
          fc
            .tuple(bulkOf(kind), choice)
            .map(([items, some]) =>
              Object.values(Object(items)).map((item, place) => someOf(item, some + place)),
            ),
        ),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        method: fc.constant('PUT'),
        url: fc.constant(base),
        headers: fc.constant(written),
        body: body(bulkOf(kind)),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ method: fc.constant('DELETE'), url: one, headers: headersOf }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        method: fc.constant('DELETE'),
        url: fc.constant(base),
        headers: anyOf({}, { prefer: 'max-affected=1' }, { prefer: 'max-affected=2' }),
      }),
    },
  )
})

function withoutSort(search: string): string {
  return search.replace(/&?sort=[^&]*/, '')
}

/** Requests one after another. */
export const sequence: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: request },
    { weight: 1, arbitrary: fc.record({ goOn: fc.nat(2) }) },
  ),
  { minLength: 1, maxLength: 40, size: 'max' },
)
